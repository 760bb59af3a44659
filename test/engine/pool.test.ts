import assert from 'node:assert/strict';
import { readTile, type Tile } from '../../engine/tile';

/** A pooled tile as its definition says, a cell at a time. */
function slowly(
  data: ArrayLike<number>,
  hidden: ArrayLike<number>,
  rows: number,
  columns: number,
  level: number,
): Tile {
  const block = 2 ** level;
  const [height, width] = [Math.ceil(rows / block), Math.ceil(columns / block)];
  const blocks = Array.from({ length: height * width }, (): number[] => []);
  const masked = new Uint32Array(height * width);
  for (let i = 0; i < rows * columns; i++) {
    const at = Math.floor(Math.floor(i / columns) / block) * width + Math.floor((i % columns) / block);
    blocks[at]?.push(data[i] as number);
    masked[at] = (masked[at] ?? 0) + (hidden[i] as number);
  }
  const of = (value: (finite: number[]) => number): Float64Array =>
    Float64Array.from(blocks, (cells) => {
      const finite = cells.filter((v) => Number.isFinite(v));
      return finite.length ? value(finite) : NaN;
    });
  const mean = of((v) => (v.length === 1 ? (v[0] as number) : v.reduce((a, b) => a + b, 0) / v.length));
  const nan = Uint32Array.from(blocks, (cells) => cells.filter(Number.isNaN).length);
  return {
    ...{ level, row: 0, column: 0, height, width, mean, nan, masked },
    min: of((v) => v.reduce((a, b) => (b < a ? b : a))),
    max: of((v) => v.reduce((a, b) => (b > a ? b : a))),
  };
}

describe('pooled tiles', () => {
  const [rows, columns] = [37, 51];
  const at = (i: number): number => ((i * 2654435761) % 4096) / 512 - 4;
  const plain = Float64Array.from({ length: rows * columns }, (_, i) => at(i));
  const strange = plain.map((v, i) => (i % 11 === 3 ? NaN : i % 13 === 5 ? -Infinity : i % 17 === 2 ? Infinity : v));
  // Every cell of the upper left corner, so that blocks without a finite value are met at each level.
  const dead = plain.map((v, i) => (i % columns < 16 && i < 16 * columns ? -Infinity : v));
  const huge = plain.map((v, i) => (i === 700 ? 1.5e308 : i === 701 ? 1.6e308 : v));
  const hidden = Uint8Array.from({ length: rows * columns }, (_, i) => (i % columns > Math.floor(i / columns) ? 1 : 0));
  const cases = { plain, float32: Float32Array.from(plain), strange, dead, huge };

  for (const [name, data] of Object.entries(cases)) {
    it(`are what their cells say: ${name}`, () => {
      for (const level of [1, 2, 3, 4, 6]) {
        const tile = readTile([rows, columns], { level }, ([r], [c]) => {
          const from = { start: r * columns + c, stride: columns };
          return { values: { data, ...from }, hidden: { data: hidden, ...from } };
        });
        assert.deepEqual(tile, slowly(data, hidden, rows, columns, level), `level ${level}`);
      }
    });
  }
});
