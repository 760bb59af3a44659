import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainAttention } from '../../engine/index';
import { runProgram } from '../../engine/program/program';
import { explaining } from '../../engine/program/explain/explain';
import { findAttention, isSample } from '../../engine/program/recognise/find';
import { valuesOf } from '../../engine/run/hash';
import { linesOf, readingPlaces } from '../../engine/program/places/index';
import { tensorOf } from '../../engine/program/places/describe';
import type { Seen } from '../../engine/program/machine/seen';
import { rangeOf } from '../../engine/program/syntax/source';
import { finish } from '../../engine/text/pace';
import { pythonOrSkip } from '../reference/python';
import { runPython, type Ran } from './program-compare';

const folder = join(__dirname, '../fixtures/programs/uncalled');
const programs = readdirSync(folder)
  .sort()
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

/** Ways that only switches open, and a method that nothing calls. */
const switches = readFileSync(join(folder, '../ways/switches.py'), 'utf8');

/** With the lines that call it, from the seed that stands in. */
const called = (text: string): string =>
  `${text}\n${/import torch/.test(text) ? 'torch.manual_seed(0)\n' : ''}${[...text.matchAll(/^# called: (.*)$/gm)].map(([, line]) => line).join('\n')}\n`;

describe('attention that no line calls', function () {
  this.timeout(120_000);
  let ran: readonly Ran[] = [];

  before(function () {
    const python = pythonOrSkip(this, 'numpy', 'torch');
    ran = runPython(python, [...programs.map(({ text }) => text), switches].map(called));
  });

  for (const [i, { name, text }] of programs.entries())
    it(`${name}: has the numbers that Python computes with the same sizes and seed, marked in every step`, () => {
      const program = runProgram(text);
      const attention = findAttention(program.graph).filter(isSample).at(-1);
      assert.ok(attention, JSON.stringify(program.refusals));
      const made = finish(explaining(text, program, attention));
      assert.ok(made.ok, made.ok ? '' : JSON.stringify(made.problems));
      const trace = explainAttention(made.value.spec);
      assert.ok(trace.ok, JSON.stringify(trace));
      const { steps } = trace.value.plan;
      for (const part of ['scores', 'weights', 'output']) assert.ok(steps.some(({ id }) => id === part), part); // prettier-ignore
      const unmarked = steps.filter(({ standIn, line = 0 }) => !standIn || line < 1);
      assert.deepEqual(unmarked.map(({ id }) => id), []); // prettier-ignore
      const out = ran[i]?.names['out'];
      assert.ok(out?.values && ran[i]?.error === null, ran[i]?.error ?? 'no out');
      const last = steps.at(-1);
      assert.ok(last);
      const own = valuesOf(trace.value, last);
      assert.equal(own.length, out.values.length);
      out.values.forEach((x, j) => assert.ok(Math.abs((own[j] as number) - Number(x)) < 1e-5 * (1 + Math.abs(Number(x))), `${j}: ${own[j]}, ${x}`)); // prettier-ignore
    });

  it('has on its lines the shapes that names have in Python', () => {
    let compared = 0;
    for (const [i, { name, text }] of programs.entries()) {
      const { seen } = runProgram(text, { watch: true });
      const bound = [...seen.values()].filter(({ is }) => is === 'bound');
      const lineOf = ({ source, place }: Seen): number =>
        text.slice(0, rangeOf(source, place).start).split('\n').length;
      for (const { first, last, names } of ran[i]?.functions ?? [])
        for (const [local, { shape }] of Object.entries(names)) {
          // Of what is bound several times Python says the last value only.
          const [one, ...more] = bound.filter((at) => {
            const { start, end } = rangeOf(at.source, at.place);
            return text.slice(start, end).replace(/\s*:.*$/, '') === local && lineOf(at) >= first && lineOf(at) <= last;
          });
          const ours = one?.sample && tensorOf(one.snapshot)?.node.shape;
          if (!ours || !shape || more.length > 0) continue;
          assert.deepEqual(ours, shape, `${name}: ${local}`);
          compared++;
        }
    }
    assert.ok(compared >= 50, `${compared} names`);
  });

  it('has shapes on ways that only a switch opens, and in methods that nothing calls, as Python has them', () => {
    const text = switches;
    const inPython = ran.at(-1);
    assert.equal(inPython?.error, null);
    const names = new Map(inPython?.functions.flatMap((one) => Object.entries(one.names)));
    const lines = linesOf(text, runProgram(text, { watch: true }));
    for (const name of ['hidden', 'added', 'first', 'summed']) {
      const label = lines.find(({ range }) => text.slice(range.start).startsWith(`${name} =`))?.label;
      const shape = names.get(name)?.shape;
      assert.equal(label?.replace(/ bool$/, ''), `~ ${shape?.join('×')}`, name);
    }
    // What the usual way says by name is kept beside the ways that stand in.
    assert.equal(lines.find(({ range }) => text.slice(range.start).startsWith('y ='))?.label, '~ B×T×C');
  });

  it('leaves on a line what the code says by name, and what a call gave', () => {
    const head = `import torch\nimport torch.nn as nn\nclass Head(nn.Module):\n    def __init__(self, d):\n        super().__init__()\n        self.q = nn.Linear(d, d)\n    def forward(self, x):\n        B, T, C = x.shape\n        w = (self.q(x) @ x.transpose(1, 2)).softmax(-1)\n        return w @ x\n`;
    const label = (text: string): string | undefined => linesOf(text, runProgram(text, { watch: true })).find(({ range }) => text.slice(range.start).startsWith('w ='))?.label; // prettier-ignore
    assert.equal(label(head), '~ B×T×T');
    assert.equal(label(`${head}torch.manual_seed(0)\nHead(4)(torch.randn(1, 3, 4))\n`), '1×3×3');
    // Of what is loaded nothing is known: a sample says what shapes there are, and is marked.
    assert.match(label(`${head}Head(4)(torch.load('x.pt'))\n`) ?? '', /^~ \d+×\d+×\d+$/);
  });

  it('has a lens with its sizes by name, or with those that stand in where they have none', () => {
    const title = (text: string): string | undefined => finish(readingPlaces(text)).places.attentions[0]?.title;
    const text = (sizes: string): string => `import torch\ndef attend(q):\n    ${sizes}\n    return (q @ q.transpose(0, 1)).softmax(-1) @ q\n`; // prettier-ignore
    assert.equal(title(text('n, d = q.shape')), 'n×n, one head, no mask');
    assert.match(title(text('q = q.reshape(-1, q.shape[-1])')) ?? '', /^~(\d+)×\1, one head, no mask$/);
  });
});
