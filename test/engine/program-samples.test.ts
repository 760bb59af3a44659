import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainAttention } from '../../engine/index';
import { runProgram } from '../../engine/program/index';
import { explaining } from '../../engine/program/explain/index';
import { findAttention, isSample } from '../../engine/program/recognise/index';
import { valuesOf } from '../../engine/run/hash';
import { finish } from '../../engine/text/pace';
import { pythonOrSkip } from '../reference/python';
import { runPython, type Ran } from './program-compare';

const folder = join(__dirname, '../fixtures/programs/uncalled');
const programs = readdirSync(folder)
  .sort()
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

/** With the lines that call it, from the seed that stands in. */
const called = (text: string): string =>
  `${text}\n${/import torch/.test(text) ? 'torch.manual_seed(0)\n' : ''}${[...text.matchAll(/^# called: (.*)$/gm)].map(([, line]) => line).join('\n')}\n`;

describe('attention that no line calls', function () {
  this.timeout(120_000);
  let ran: readonly Ran[] = [];

  before(function () {
    const python = pythonOrSkip(this, 'numpy', 'torch');
    ran = runPython(
      python,
      programs.map(({ text }) => called(text)),
    );
  });

  for (const [i, { name, text }] of programs.entries())
    it(`${name}: has the numbers that Python computes with the same sizes and seed, marked in every step`, () => {
      const program = runProgram(text);
      const attention = findAttention(program.graph).filter(isSample).at(-1);
      assert.ok(attention, JSON.stringify(program.refusals));
      const made = finish(explaining(text, program, attention));
      assert.ok(made.ok, JSON.stringify(made));
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
      out.values.forEach((x, j) => assert.ok(Math.abs((own[j] as number) - Number(x)) < 2e-6, `${j}: ${own[j]}, ${x}`)); // prettier-ignore
    });
});
