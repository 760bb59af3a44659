import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  explainCell,
  matrixDefaults,
  shownProducts,
  type AttentionSpec,
  type AttentionTrace,
} from '../../engine/index';
import { printCell } from '../../engine/cli/print-cell';
import { arithmeticOf } from '../../engine/lessons/arithmetic';
import { redoLesson, redoTerminal, type Redone } from './redo-lines';
import { run } from './specs';

const lines = (name: string): string =>
  gunzipSync(readFileSync(join(__dirname, '../fixtures/attention', name))).toString('utf8');

/** Every spec of the reference programs: each variant, pairs of them, batches, both dtypes. */
const specs: readonly AttentionSpec[] = [
  ...(JSON.parse(lines('variants.json.gz')) as { specs: readonly { spec: AttentionSpec }[] }).specs.map((g) => g.spec),
  ...lines('odd.json.gz')
    .split('\n')
    .map((line) => (JSON.parse(line) as { spec: AttentionSpec }).spec),
];

/** The same numbers in every run. */
function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Cell {
  readonly trace: AttentionTrace;
  readonly step: string;
  readonly index: readonly number[];
}

/** Where nothing is computed there is no line. */
const without = new Set('given givenMask patternMask tokens splitHeads concatHeads repeatHeads identity'.split(' '));

/** Random cells of random steps: of each operation in turn, so that those which one spec alone has are among them. */
function someCells(count: number): Cell[] {
  const below = randomly(14);
  const traces = specs.map(run);
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
function assertHold(checked: readonly { readonly cell: Cell; readonly redone: readonly Redone[] }[], what: string): void {
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

describe('arithmetic that adds up', () => {
  const cells = someCells(2000);

  for (const digits of [2, 4, 6])
    it(`in the terminal, with ${digits} digits`, () => {
      assertHold(
        cells.map((cell) => ({ cell, redone: redoTerminal(printCell(cell.trace, cell.step, cell.index, digits)) })),
        'terminal',
      );
    }).timeout(60_000);

  for (const digits of [2, 4])
    it(`in lessons, with ${digits} digits`, () => {
      const redone = (cell: Cell): Redone[] =>
        arithmeticOf(cell.trace, cell.step, cell.index, digits).flatMap((line) => redoLesson(line));
      assertHold(cells.map((cell) => ({ cell, redone: redone(cell) })), 'lessons'); // prettier-ignore
    }).timeout(60_000);

  it('writes very small and very large numbers with an exponent', () => {
    const start = { from: 'qkv', q: [[1e-7]], k: [[1e-9]], v: [[1]] } as const;
    const small = run({ ...matrixDefaults, start, scale: 'none' });
    assert.deepEqual(printCell(small, 'scores', [0, 0], 4).split('\n'), [
      'scores[0,0] = 1e−16',
      '  q[0,0] 1e−7 · k[0,0] 1e−9 = 1e−16   Σ 1e−16',
    ]);
    assert.deepEqual(arithmeticOf(small, 'scores', [0, 0], 4), ['scores[0,0] = 1e−7·1e−9 = 1e−16']);
    const large = run({ ...matrixDefaults, start: { from: 'qkv', q: [[3e12]], k: [[0.5]], v: [[1]] }, scale: 'none' });
    assert.match(printCell(large, 'scores', [0, 0], 4), /q\[0,0\] 3e12 · k\[0,0\] 0.5000 = 1.5e12 {3}Σ 1.5e12$/);
  });

  it('says that a product is rounded to float32 where that is seen', () => {
    // 16777217 is no float32: 4097 · 4095.00024 comes to 2 more or less.
    const start = { from: 'qkv', q: [[4097.5]], k: [[4095.25]], v: [[1]] } as const;
    const lines = (dtype: 'float32' | 'float64'): string =>
      printCell(run({ ...matrixDefaults, start, dtype, scale: 'none' }), 'scores', [0, 0], 4);
    // 4097.5 · 4095.25 = 16780286.875; among float32 the nearest is 16780286 or 16780288, even numbers alone.
    assert.match(lines('float64'), /= 16780286\.8750 {3}Σ 16780286\.8750$/);
    assert.match(lines('float32'), /≈ 16780286\.0000 \(±0\.9, rounded to float32\) {3}Σ 16780286\.0000$/);
  });

  it('chooses the digits of 64 terms as fast as some thousand numbers are written', () => {
    const below = randomly(64);
    const random = (): number => (below(1e6) - 5e5) / 1.23457e5;
    const row = (): number[] => Array.from({ length: 64 }, random);
    const trace = run({ ...matrixDefaults, start: { from: 'qkv', q: [row()], k: [row()], v: [[1]] }, scale: 'none' });
    const made = explainCell(trace, 'scores', [0, 0]);
    assert.ok(made.kind === 'products');
    // The quickest of many, beside what writing and reading a number takes here and now.
    const quickest = (run: () => unknown): number =>
      Math.min(
        ...Array.from({ length: 200 }, () => {
          const start = performance.now();
          run();
          return performance.now() - start;
        }),
      );
    const numbers = Array.from({ length: 1000 }, random);
    const [own, plain] = [
      quickest(() => shownProducts(made, () => ({ decimals: 2 }))),
      quickest(() => numbers.map((x) => Number(x.toFixed(4)))),
    ];
    console.log(`      64 terms: ${own.toFixed(2)} ms; 1000 numbers written and read: ${plain.toFixed(2)} ms`);
    assert.ok(own < 10 * plain, `${own} ms, ${plain} ms`);
  });
});
