import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { explainCell, matrixDefaults, shownProducts, type AttentionSpec } from '../../engine/index';
import { printCell } from '../../engine/write';
import { arithmeticOf } from '../../engine/lessons/arithmetic';
import { assertHold, randomly, someCells, type Cell } from './redo-cells';
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

describe('arithmetic that adds up', () => {
  const cells = someCells(specs.map(run), 2000);

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
