import assert from 'node:assert/strict';
import { explainAttention, type AttentionTrace } from '../../engine/index';
import { printCell } from '../../engine/write';
import { arithmeticOf } from '../../engine/lessons/arithmetic';
import { readingAttention } from '../../engine/program/explain/text';
import { finish } from '../../engine/text/pace';
import { handWritten } from './program-compare';
import { assertHold, someCells, type Cell } from './redo-cells';
import { redoLesson, redoTerminal, type Redone } from './redo-lines';

/** The attention of each program of our own in which some is found. */
const traces = (): AttentionTrace[] =>
  handWritten().flatMap(({ text }) => {
    const found = finish(readingAttention(text, undefined));
    const trace = found?.ok ? explainAttention(found.value.spec) : undefined;
    return trace?.ok ? [trace.value] : [];
  });

describe('arithmetic that adds up, of programs', () => {
  let cells: readonly Cell[];
  before(function () {
    this.timeout(60_000);
    const found = traces();
    assert.ok(found.length > 30, `${found.length} programs`);
    cells = someCells(found, 2000);
    const operations = new Set(cells.map(({ trace, step }) => trace.plan.steps.find(({ id }) => id === step)?.call.op));
    for (const op of ['matmul', 'softmax', 'combine', 'reduce', 'exponential', 'apply', 'scale'] as const)
      assert.ok(operations.has(op), `no cell of ${op}`);
  });

  for (const digits of [2, 4])
    it(`in the terminal, with ${digits} digits`, () => {
      const redone = ({ trace, step, index }: Cell): Redone[] => redoTerminal(printCell(trace, step, index, digits));
      assertHold(cells.map((cell) => ({ cell, redone: redone(cell) })), 'terminal'); // prettier-ignore
    }).timeout(60_000);

  it('in lessons', () => {
    const redone = ({ trace, step, index }: Cell): Redone[] =>
      arithmeticOf(trace, step, index, 4).flatMap((line) => redoLesson(line));
    assertHold(cells.map((cell) => ({ cell, redone: redone(cell) })), 'lessons'); // prettier-ignore
  }).timeout(60_000);
});
