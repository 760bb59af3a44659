/**
 * Compares the attention of well-known tutorials in our interpreter and in Python:
 *     npx tsx test/precision/known.ts FOLDER [--only NAME]
 * FOLDER contains the files that `known/sources.ts` names; they are not in this repository. Prints the table of KNOWN.md.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explaining } from '../../engine/program/explain/explain';
import { d2l } from '../../engine/program/libraries/prelude/d2l';
import { runProgram, type Program } from '../../engine/program/program';
import { coreOf, titleOf } from '../../engine/program/places/attentions';
import { findAttention, isSample } from '../../engine/program/recognise/find';
import type { Attention } from '../../engine/program/recognise/attention';
import { finish } from '../../engine/text/pace';
import { compareProgram, runPython, type Ran } from '../engine/program-compare';
import { sources, type KnownSource } from './known/sources';

const [folder = '.'] = process.argv.slice(2);
const only = process.argv.indexOf('--only') < 0 ? '' : (process.argv[process.argv.indexOf('--only') + 1] ?? '');
const wanted = sources.filter(({ file }) => file.includes(only));
const python = '/usr/bin/python3';

/** Code before a tutorial, on one line to keep line numbers. It defines dummies for modules that Debian's Python lacks, and the module d2l from its definitions. */
const stubs = `exec(${JSON.stringify(
  [
    'import sys, importlib.metadata, importlib.util, torch, math, types',
    'importlib.metadata.version = lambda name: "1"',
    'class Anything:',
    '    def __init__(self, *a, **k): self.__path__ = []',
    '    def __call__(self, *a, **k): return Anything()',
    '    def __mro_entries__(self, bases): return ()',
    '    def __getattr__(self, name):',
    '        if name.startswith("__"): raise AttributeError(name)',
    '        return Anything()',
    'for name in "matplotlib matplotlib.pyplot matplotlib.colors seaborn pandas altair GPUtil spacy torchtext torchtext.data torchtext.data.functional torchtext.datasets torchtext.vocab tiktoken IPython IPython.display tqdm tqdm.notebook torchvision torchvision.datasets pytorch_lightning pytorch_lightning.callbacks labml labml.logger labml_helpers labml_helpers.module mingpt mingpt.utils transformers".split():',
    '    sys.modules.setdefault(name, Anything())',
    'from torch import nn',
    'import torch.nn.functional as F',
    'book = dict(torch=torch, nn=nn, F=F, math=math)',
    `exec(${JSON.stringify(d2l)}, book)`,
    'book["HyperParameters"].save_hyperparameters = lambda self, *a, **k: None',
    'inner = Anything(); inner.__dict__.update({k: v for k, v in book.items() if not k.startswith("__")})',
    'outer = types.ModuleType("d2l"); outer.torch = inner; outer.__path__ = []; sys.modules["d2l"], sys.modules["d2l.torch"] = outer, inner',
    'torch.manual_seed(0)',
  ].join('\n'),
)}, {}); `;

const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

/** The text of a source after the texts of the files that it imports. The imports themselves are removed. */
function joined({ file, before = [] }: KnownSource): string {
  const own = textOf(file).replace(/^from (?:models\.|labml_nn\.transformers\.mha).*$/gm, '');
  return [...before.map(textOf), own].join('\n');
}

function cutAll(): readonly string[] {
  const { stdout, stderr, status } = spawnSync(python, [join(__dirname, 'known/run.py')], {
    input: JSON.stringify(wanted.map((source) => [joined(source), source.whole ?? false])),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as readonly string[];
}

/** Replaces the first line, which installs the package, by a seed, so that both sides draw the same numbers. */
const seeded = (text: string): string => text.replace(/^pass\n/, 'import torch; torch.manual_seed(0)\n');

interface Found {
  readonly line: number;
  readonly title: string;
  readonly said: string;
  readonly steps: number;
  readonly onLines: number;
}

/** The last attention at each place in the source. */
function foundIn(text: string, program: Program): readonly Found[] {
  const places = new Map<string, Attention>();
  const all = findAttention(program.graph);
  const real = all.some((one) => !isSample(one)) ? all.filter((one) => !isSample(one)) : all;
  for (const one of real) places.set(`${coreOf(one).range.start} ${one.site.weights.range.start}`, one);
  return [...places.values()].map((attention) => {
    const made = finish(explaining(text, program, attention));
    const start = made.ok ? made.value.spec.start : undefined;
    const steps = start?.from === 'program' ? start.steps : [];
    return {
      line: text.slice(0, coreOf(attention).range.start).split('\n').length,
      title: finish(titleOf(attention)),
      said: made.ok ? (isSample(attention) ? 'stand-in sizes' : 'yes') : `refused: ${made.problems[0]?.message ?? ''}`,
      steps: steps.length,
      onLines: steps.filter(
        ({ line = 0, range }) =>
          line > 0 && range !== undefined && range.length === 2 && (range[1] ?? 0) > (range[0] ?? 0),
      ).length,
    };
  });
}

const texts = cutAll().map(seeded);
const called = texts.map((text, i) => `${text}\n${(wanted[i]?.calls ?? []).join('\n')}\n`);
const ran: readonly (Ran | undefined)[] = runPython(
  python,
  called.map((text) => stubs + text),
);
console.log('| of | line | attention | explained | steps on lines | names compared with Python | wrong | not known |');
console.log('|---|---|---|---|---|---|---|---|');
const faults: string[] = [];
wanted.forEach((source, i) => {
  const [text = '', own = ''] = [called[i], texts[i]];
  const run = ran[i];
  const isCalled = source.whole || source.calls.length > 0;
  const compared = run && isCalled ? compareProgram(text, run, 'kinds') : undefined;
  const numbers = compared
    ? `${compared.compared} numbers or tensors, ${compared.shapes} in shape | ${compared.wrong.length} | ${compared.unknown.length}`
    : '– | – | –';
  for (const fault of [...(compared?.wrong ?? []), ...(compared?.unknown ?? [])].slice(0, 8))
    faults.push(`${source.file}: ${fault}`);
  if (run?.error) faults.push(`${source.file}: Python raised ${run.error}`);
  const found = foundIn(text, runProgram(text));
  const rows = found.length > 0 ? found : foundIn(own, runProgram(own));
  if (rows.length === 0) console.log(`| ${source.of} | – | none found | – | – | ${numbers} |`);
  for (const { line, title, said, steps, onLines } of rows)
    console.log(`| ${source.of} | ${line} | ${title} | ${said} | ${onLines} of ${steps} | ${numbers} |`);
});
console.log(`\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
