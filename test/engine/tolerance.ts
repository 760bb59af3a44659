import assert from 'node:assert/strict';
import type { AttentionTrace, SpecNumber, Step } from '../../engine/index';
import { decodeNumber, explainCell } from '../../engine/index';

/** Rows of expected values as the reference programs write them. */
export type Expected = readonly (readonly SpecNumber[])[];

export const epsilonOf = (trace: AttentionTrace): number => (trace.spec.dtype === 'float32' ? 2 ** -23 : 2 ** -52);

/**
 * Sums may differ by c·k·ε·Σ|terms| (the order of summation is free); element-wise steps and softmax carry on the
 * error of their operand. `upstream` is the largest relative error allowed to come from before.
 */
export function boundOf(trace: AttentionTrace, step: Step, row: number, column: number, c: number): number {
  const made = explainCell(trace, step.id, [row, column]);
  const eps = epsilonOf(trace);
  if (made.kind === 'products') {
    const magnitude = made.terms.reduce((sum, t) => sum + Math.abs(t.product), 0);
    return c * Math.max(2, made.terms.length) * eps * magnitude + Number.MIN_VALUE;
  }
  // The angle itself is rounded, and so is the power of 10000 under it.
  if (made.kind === 'position') return 2 * eps * (Math.abs(made.angle) + Math.abs(made.value));
  return c * 2 * eps * Math.max(1e-300, Math.abs(made.value));
}

/** Compares every cell of the named steps; a failure names the worst cell, both values and the bound. Returns the worst error as a share of its bound. */
export function assertSteps(trace: AttentionTrace, expected: Record<string, Expected>, c = 16): number {
  let worst = 0;
  for (const [id, rows] of Object.entries(expected)) {
    const step = trace.plan.steps.find((s) => s.id === id);
    assert.ok(step, `the plan has no step ${id}`);
    assert.deepEqual(step.shape, [rows.length, rows[0]?.length], `shape of ${id}`);
    rows.forEach((row, i) =>
      row.forEach((x, j) => (worst = Math.max(worst, compare(trace, step, i, j, decodeNumber(x), c)))),
    );
  }
  return worst;
}

function compare(trace: AttentionTrace, step: Step, i: number, j: number, expected: number, c: number): number {
  const actual = trace.value(step.id, [i, j]);
  if (Object.is(actual, expected) || actual === expected) return 0;
  const bound = boundOf(trace, step, i, j, c);
  const error = Math.abs(actual - expected);
  assert.ok(error <= bound, `${step.id}[${i},${j}]: ${actual}, expected ${expected} (error ${error}, bound ${bound})`);
  return error / bound;
}

/** Agreement with figures as a text prints them: `digits` after the decimal point. */
export function assertPrinted(trace: AttentionTrace, step: string, row: number, printed: readonly string[]): void {
  printed.forEach((text, j) => {
    const digits = text.split('.')[1]?.length ?? 0;
    assert.equal(trace.value(step, [row, j]).toFixed(digits), Number(text).toFixed(digits), `${step}[${row},${j}]`);
  });
}
