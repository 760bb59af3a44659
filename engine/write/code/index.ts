/** Writes a trace as a NumPy or PyTorch program: the same steps and names, and it prints the same numbers. */
import { asColumns, hasColumns, isSource, operationOf, type Plan, type Step, planOf } from '../../plan';
import { heldAs, isHalf } from '../../math';
import { inEnglish } from '../../text';
import type { AttentionSpec } from '../../spec';
import type { Dialect, Line } from './dialect';
import { pythonString } from './literal';
import { variablesOf } from './names';
import { numpy } from './numpy';
import { sourceLines } from './sources';
import { torch } from './torch';

export type Library = 'numpy' | 'torch';

/** One step of the program. */
export interface ProgramStep {
  /** The step of the plan; absent in the preamble. */
  readonly id?: string;
  readonly title: string;
  /** Markdown: the formula and its explanation. */
  readonly markdown: string;
  readonly code: string;
}

export interface Program {
  /** The whole program, with a `# %%` cell for each step. */
  readonly code: string;
  readonly steps: readonly ProgramStep[];
  /** The Python variable of each step of the plan. */
  readonly variables: ReadonlyMap<string, string>;
}

const dialects: { readonly [L in Library]: Dialect } = { numpy, torch };

/**
 * A runnable Python program for a plan. Random numbers come from the generator that the spec names, in the plan's order; if that generator
 * belongs to the other library, the program imports both. Results in float64 agree with the trace except that libraries sum in another order
 * (the last of 16 digits); in float32 the last digit may differ.
 */
export function programOf(spec: AttentionSpec, read: Plan, library: Library, digits = 4): Program {
  const plan = englishPlan(spec, read);
  const dialect = dialects[library];
  const variables = variablesOf(plan.steps);
  const steps = plan.steps.map((step) => programStep(spec, plan, step, dialect, variables));
  seedBeforeDraws(spec, plan, steps);
  const preamble = preambleOf(spec, dialect, steps, digits);
  const all = [preamble, ...steps];
  return { code: all.map(fileCell).join('\n\n') + '\n', steps: all, variables };
}

/** The plan with English texts: a program is in English, comments included, whatever the reader's language. */
function englishPlan(spec: AttentionSpec, read: Plan): Plan {
  const plan = inEnglish(() => planOf(spec));
  if (!plan.ok) return read;
  return hasColumns(read) ? inEnglish(() => asColumns(plan.value)) : plan.value;
}

const fileCell = ({ title, code }: ProgramStep): string => `# %% ${title}\n${code}`;

/** A Jupyter notebook (nbformat 4.5) of a program: a heading with the formula, then the code, for each step. */
export function notebookOf(program: Program): string {
  const lines = (text: string): string[] => text.split(/(?<=\n)/);
  const cells = program.steps.flatMap(({ markdown, code }, i) => [
    { cell_type: 'markdown', id: `text-${i}`, metadata: {}, source: lines(markdown) },
    { cell_type: 'code', id: `code-${i}`, metadata: {}, execution_count: null, outputs: [], source: lines(code) },
  ]);
  const kernelspec = { display_name: 'Python 3', language: 'python', name: 'python3' };
  return `${JSON.stringify({ cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}

interface MutableStep extends ProgramStep {
  code: string;
}

function programStep(
  spec: AttentionSpec,
  plan: Plan,
  step: Step,
  dialect: Dialect,
  variables: ReadonlyMap<string, string>,
): MutableStep {
  const name = variables.get(step.id) ?? step.id;
  const { words, formula, shapes } = step;
  const operands = step.operands.map((id) => variables.get(id) ?? id);
  const shapesOf = step.operands.map((id) => plan.steps.find((s) => s.id === id)?.shape ?? []);
  const line: Line = {
    spec,
    step,
    tokens: plan.tokens,
    name,
    operands,
    shapes: shapesOf,
    shape: step.shape,
    ...(isHalf(spec.dtype) && { half: (code: string) => `half(${code})` }),
  };
  const code = [
    `# ${oneLine(words.question)}${shapes ? `  ${shapes}` : ''}`,
    ...(isSource(step.call) ? sourceLines(step.call, line, dialect) : operationLines(line, dialect)),
    ...(isRounded(spec, step) ? [`${name} = half(${name})`] : []),
    `print("${name}", tuple(${name}.shape), ${name}, sep="\\n")`,
  ].join('\n');
  const markdown = `### ${words.name}\n\n$${formula.plain}$\n\n${words.what}`;
  return { id: step.id, title: oneLine(`${words.name}: ${name}`), markdown, code };
}

/** Whether a step is rounded further than the program's dtype: numbers are, ids and masks are not. */
const isRounded = ({ dtype }: AttentionSpec, { call, kind }: Step): boolean =>
  isHalf(dtype) && kind !== 'mask' && !['tokens', 'buckets', 'identity'].includes(call.op);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

function operationLines(line: Line, dialect: Dialect): string[] {
  const { call } = line.step;
  if (isSource(call)) throw new Error(`step ${line.step.id} is a source`);
  const written = operationOf(call)[dialect.library](call, line);
  return written.includes('\n') || written.startsWith(`${line.name} = `)
    ? written.split('\n')
    : [`${line.name} = ${written}`];
}

/** Inserts the seed before the first draw, where a programmer would write it. */
function seedBeforeDraws(spec: AttentionSpec, plan: Plan, steps: MutableStep[]): void {
  const first = steps[plan.steps.findIndex((step) => step.call.op === 'random')];
  if (!first) return;
  const { generator, seed } = spec.random;
  const line = {
    'numpy.RandomState': `np.random.seed(${seed})`,
    'numpy.default_rng': `rng = np.random.default_rng(${seed})`,
    torch: `torch.manual_seed(${seed})`,
  }[generator];
  first.code = `${line}\n${first.code}`;
}

/** `round`: how a product is rounded before the sum. */
const rotateFunction = (round: (code: string) => string): string => `def turned(a, b, R):
    """Pairs (a, b) turned by the angles whose cosines and sines are in R (Su et al. 2021, eq. 34)."""
    c, s = R[..., 0::2, :], R[..., 1::2, :]
    return ${round('a * c')} - ${round('b * s')}, ${round('b * c')} + ${round('a * s')}`;

/** The model's file, as the extension has it in `models/`. */
const readFunction = `def read(path):
    """The tensors of a safetensors file of float16 numbers (github.com/huggingface/safetensors, "Format")."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    header.pop("__metadata__", None)
    return {
        name: np.frombuffer(data[slice(*entry["data_offsets"])], "<f2").reshape(entry["shape"]).astype(np.float32)
        for name, entry in header.items()
    }`;

function preambleOf(spec: AttentionSpec, dialect: Dialect, steps: readonly ProgramStep[], digits: number): ProgramStep {
  const body = steps.map((step) => step.code).join('\n');
  const uses = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(body);
  const { start, dtype } = spec;
  const imports = [
    ...(uses('math') ? ['import math', ''] : []),
    ...(uses('model') && spec.model ? ['import json', ''] : []),
    ...(dialect.module === 'np' || uses('np') || (uses('model') && spec.model) ? ['import numpy as np'] : []),
    ...(dialect.module === 'torch' || uses('torch') ? ['import torch'] : []),
  ];
  const code = [
    ...imports,
    '',
    dialect.dtype(heldAs(dtype)),
    dialect.print(digits),
    ...(start.from === 'text' ? [`text = ${pythonString(start.text)}`] : []),
    ...(isHalf(dtype) ? ['', '', dialect.half(dtype), ''] : []),
    ...(uses('turned') ? ['', '', rotateFunction(isHalf(dtype) ? (code) => `half(${code})` : (code) => code), ''] : []),
    ...(uses('model') && spec.model
      ? ['', '', readFunction, '', `model = read("${spec.model.name}.safetensors")`]
      : []),
  ].join('\n');
  const differs = dtype !== 'float64' ? ` In ${dtype} the last digit can differ: libraries sum in another order.` : '';
  const title = `Attention, step by step, in ${dialect.name}`;
  return { title, markdown: `## ${title}\n\nMade by Explain Attention; ${dtype}.${differs}`, code };
}
