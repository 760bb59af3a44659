import assert from 'node:assert/strict';
import { poolBand } from '../../engine/run/backend/wasm/pool';
import { readTile, type Tile } from '../../engine/run/tile';

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

  // From 2^16 cells at a time on WebAssembly pools them: rows of odd length, in both dtypes.
  const [tall, wide] = [200, 517];
  const many = Float64Array.from({ length: tall * wide }, (_, i) => Math.fround(at(i)));
  const zeros = many.map((v, i) => (i % 5 === 1 ? -0 : i % 7 === 2 ? 0 : Math.abs(v)));
  const large = {
    plain: many,
    strange: many.map((v, i) => (i % 97 === 3 ? NaN : i % 113 === 5 ? -Infinity : i % 117 === 2 ? Infinity : v)),
    causal: many.map((v, i) => (i % wide > Math.floor(i / wide) ? -Infinity : v)),
    'zeros of both signs, least': zeros,
    'zeros of both signs, greatest': zeros.map((v) => -v),
    'one extreme': many.map((v, i) => (i === 50_000 ? 1e6 : i === 50_001 ? -1e6 : v)),
  };
  const shown = Uint8Array.from({ length: tall * wide }, (_, i) => (i % 3 === 0 ? 1 : 0));

  for (const [name, values] of Object.entries(large)) {
    it(`are what their cells say, many at once: ${name}`, () => {
      for (const data of [values, Float32Array.from(values)]) {
        for (const level of [1, 2, 3, 4, 6]) {
          const tile = readTile([tall, wide], { level }, ([r], [c]) => {
            const from = { start: r * wide + c, stride: wide };
            return { values: { data, ...from }, hidden: { data: shown, ...from } };
          });
          assert.deepEqual(tile, slowly(data, shown, tall, wide, level), `level ${level}`);
        }
      }
    });
  }

  it('are pooled by WebAssembly where there is one', () => {
    const into = { min: new Float64Array(2).fill(Infinity), max: new Float64Array(2).fill(-Infinity), sum: new Float64Array(2) }; // prettier-ignore
    const counts = { finite: new Uint32Array(2), nan: new Uint32Array(2), masked: new Uint32Array(2) };
    const data = Float32Array.of(1, 2, 3, 4, 5, 6, NaN, 8);
    const band = { data, start: 0, stride: 4, rows: 2, count: 4, level: 1, first: 0 };
    assert.ok(poolBand({ ...into, ...counts }, band));
    assert.deepEqual([[...into.min], [...into.max], [...into.sum]], [[1, 3], [6, 8], [14, 15]]); // prettier-ignore
    assert.deepEqual([[...counts.finite], [...counts.nan]], [[4, 3], [0, 1]]); // prettier-ignore
  });
});
