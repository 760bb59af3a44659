import assert from 'node:assert/strict';
import type { Blocks } from '../../webview/heatmap/blocks';
import { tileNote } from '../../webview/heatmap/footer';
import type { State } from '../../webview/heatmap/state';

/** A picture of rows×columns cells of which the first `done` rows are computed, in blocks of size×size. */
function growing(rows: number, columns: number, size: number, done: number): State {
  const [height, width] = [Math.ceil(rows / size), Math.ceil(columns / size)];
  const pending = new Uint32Array(height * width);
  pending.forEach((_, i) => {
    const [y, x] = [Math.floor(i / width), i % width];
    const end = Math.min(rows, (y + 1) * size);
    const missing = Math.max(0, end - Math.max(done, y * size));
    pending[i] = missing * (Math.min(columns, (x + 1) * size) - x * size);
  });
  const counts = {
    min: new Float64Array(),
    max: new Float64Array(),
    nan: new Uint32Array(),
    masked: new Uint32Array(),
  };
  const blocks: Blocks = { row: 0, column: 0, cellsDown: size, cellsAcross: size, height, width, ...counts, pending };
  return { rows, columns, blocks, options: {} } as unknown as State;
}

describe('what is said of a picture that grows', () => {
  // 10,600 of 20,000 rows are 53 %.
  const pictures: readonly (readonly [columns: number, size: number])[] = [
    [20_000, 64],
    [20_000, 512],
    [20_000, 4096],
    [8, 64],
    [8, 4096],
  ];
  for (const [columns, size] of pictures)
    it(`is the part that is computed, whatever its blocks: 20000×${columns} by ${size}`, () =>
      assert.equal(tileNote(growing(20_000, columns, size, 10_600)), '53 % computed'));

  it('begins at nothing', () => assert.equal(tileNote(growing(20_000, 20_000, 512, 0)), '0 % computed'));
});
