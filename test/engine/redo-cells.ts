// Random cells whose printed arithmetic is redone, and what must hold of all of their lines.
import assert from 'node:assert/strict';
import { explainCell, type AttentionTrace } from '../../engine/index';
import type { Redone } from './redo-lines';

/** The same numbers in every run. */
export function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface Cell {
  readonly trace: AttentionTrace;
  readonly step: string;
  readonly index: readonly number[];
}

/** Where nothing is computed there is no line. */
const without = new Set(
  'given givenMask patternMask tokens splitHeads concatHeads repeatHeads identity rearrange pick join cut'.split(' '),
);

/** Random cells of random steps: of each operation in turn, so that those which one spec alone has are among them. */
export function someCells(traces: readonly AttentionTrace[], count: number): Cell[] {
  const below = randomly(14);
  const byKind = new Map<string, { readonly trace: AttentionTrace; readonly step: AttentionTrace['plan']['steps'][number] }[]>();
  for (const trace of traces)
    for (const step of trace.plan.steps) {
      const key = `${step.call.op} ${trace.spec.dtype}`;
      if (without.has(step.call.op)) continue;
      byKind.set(key, [...(byKind.get(key) ?? []), { trace, step }]);
    }
  const kinds = [...byKind.values()];
  return Array.from({ length: count }, (_, i) => {
    const of = kinds[i % kinds.length] ?? [];
    const chosen = of[below(of.length)];
    assert.ok(chosen);
    return { trace: chosen.trace, step: chosen.step.id, index: chosen.step.shape.map((size) => below(size)) };
  });
} // prettier-ignore

/** How many terms a cell is made of. */
function termsOf({ trace, step, index }: Cell): number {
  const made = explainCell(trace, step, index);
  return made.kind === 'products' || made.kind === 'softmax' ? made.terms.length : 1;
}

/** Every line with `=` holds to its last digit; of short ones at most one in twenty is `≈`, within the bound it states. */
export function assertHold(checked: readonly { readonly cell: Cell; readonly redone: readonly Redone[] }[], what: string): void {
  const all = checked.flatMap(({ cell, redone }) => redone.map((check) => ({ ...check, cell })));
  const wrong = all.filter(({ holds }) => !holds);
  const short = all.filter(({ cell }) => termsOf(cell) <= 8);
  const about = short.filter((check) => check.about);
  const first = wrong.slice(0, 5).map(({ line, cell }) => `${line}   ${cell.step}[${cell.index.join(',')}] ${cell.trace.spec.dtype}`);
  console.log(`      ${what}: ${checked.length} cells, ${all.length} lines, ${wrong.length} do not hold; ${about.length} of ${short.length} short ones are ≈, ${all.filter((c) => c.about).length} of all`);
  assert.equal(wrong.length, 0, `${what}: ${wrong.length} of ${all.length} lines do not hold\n${first.join('\n')}`);
  assert.ok(about.length <= 0.05 * short.length, `${what}: ${about.length} of ${short.length} short lines are ≈`);
  assert.ok(all.length >= 0.8 * checked.length, `${what}: ${all.length} lines of ${checked.length} cells`);
} // prettier-ignore
