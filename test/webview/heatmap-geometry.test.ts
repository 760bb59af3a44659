import assert from 'node:assert/strict';
import type { Tile } from '../../engine/index';
import { blockAt, blocksOf, cellsIn, covers, indexAt } from '../../webview/heatmap/blocks';
import {
  fitCells,
  labelStride,
  levelOf,
  regimeOf,
  scrollbarsFor,
  scrollToShow,
  visibleCells,
  widened,
} from '../../webview/heatmap/geometry';
import { nextPlace } from '../../webview/heatmap/keys';
import { largest } from '../../webview/product/softmax';
import { firstAndLargest } from '../../webview/inspector/rows';

const room = { width: 700, height: 600, numberWidth: 38, comfortable: 50 };
const regimeFor = (rows: number, columns: number): string =>
  regimeOf(fitCells({ rows, columns, ...room }), room.numberWidth);

describe('how a matrix opens', () => {
  it('with numbers while they fit its width, else plain, else pooled', () => {
    assert.equal(regimeFor(6, 6), 'numbers');
    assert.equal(regimeFor(1, 1), 'numbers');
    assert.equal(regimeFor(200, 8), 'numbers');
    assert.equal(regimeFor(20, 20), 'cells');
    assert.equal(regimeFor(3, 64), 'cells');
    assert.equal(regimeFor(2000, 2000), 'tiles');
  });

  it('whole where it is square, with square cells', () => {
    const { width, height } = fitCells({ rows: 150, columns: 150, ...room });
    assert.equal(width, height);
    assert.ok(150 * height <= 600);
  });

  it('pools until a tile has at least three pixels, and under six', () => {
    for (const cell of [2.9, 1.5, 1, 0.35, 0.05]) {
      const tile = cell * 2 ** levelOf(cell);
      assert.ok(tile >= 3 && tile < 6, `${cell} → ${tile}`);
    }
    assert.equal(levelOf(3), 0);
    assert.equal(levelOf(1.5), 1);
  });
});

describe('windows', () => {
  it('show the cells they touch', () => {
    assert.deepEqual(visibleCells(95, 200, 10, 2000), [9, 30]);
    assert.deepEqual(visibleCells(19990, 200, 10, 2000), [1999, 2000]);
  });

  it('are read with their own length around them, on block boundaries', () => {
    assert.deepEqual(widened([100, 140], 2000, 16), [48, 192]);
    assert.deepEqual(widened([0, 40], 50, 1), [0, 50]);
  });

  it('have the scrollbars that the content needs, and the one that the other makes necessary', () => {
    const bars = (width: number, height: number): number[] => {
      const { vertical, horizontal } = scrollbarsFor({ width, height }, { width: 300, height: 200 }, 10);
      return [vertical, horizontal];
    };
    assert.deepEqual(bars(300, 200), [0, 0]);
    assert.deepEqual(bars(300.5, 200.5), [0, 0], 'half a pixel is rounding');
    assert.deepEqual(bars(290, 201), [10, 0]);
    assert.deepEqual(bars(290.5, 201), [10, 0]);
    assert.deepEqual(bars(301, 190), [0, 10]);
    assert.deepEqual(bars(301, 190.5), [0, 10]);
    assert.deepEqual(bars(291, 201), [10, 10], '290 wide are left beside the vertical one');
    assert.deepEqual(bars(301, 191), [10, 10], '190 high are left above the horizontal one');
  });

  it('scroll no further than a cell needs', () => {
    assert.equal(scrollToShow(100, 200, 50, 20), 50);
    assert.equal(scrollToShow(100, 200, 290, 20), 110);
    assert.equal(scrollToShow(100, 200, 150, 20), 100);
  });

  it('thin labels out to round numbers', () => {
    assert.deepEqual(
      [30, 10, 3, 0.3].map((cell) => labelStride(cell, 22)),
      [1, 5, 10, 100],
    );
  });
});

const tile = (width: number, values: number[], masked: number[] = []): Tile => ({
  level: 0,
  row: 0,
  column: 0,
  height: values.length / width,
  width,
  min: Float64Array.from(values),
  max: Float64Array.from(values),
  mean: Float64Array.from(values),
  nan: Uint32Array.from(values, (v) => (Number.isNaN(v) ? 1 : 0)),
  masked: Uint32Array.from(values, (_, i) => masked[i] ?? 0),
});

describe('blocks', () => {
  const whole = { down: 0, across: 0, transposed: false };

  it('pool rows alone and keep an outlier of either sign', () => {
    const values = Array.from({ length: 32 }, (_, i) => (i === 13 ? -50 : i === 22 ? 40 : i / 100));
    const pooled = blocksOf(tile(2, values), { ...whole, down: 3 });
    assert.deepEqual([pooled.height, pooled.width, pooled.cellsDown, pooled.cellsAcross], [2, 2, 8, 1]);
    assert.deepEqual(
      [0, 1, 2, 3].map((i) => blockAt(pooled, i, 8, -50).value),
      [0.14, -50, 40, 0.31],
    );
  });

  it('turn round for a transposed matrix', () => {
    const turned = blocksOf(tile(3, [1, 2, 3, 4, 5, 6]), { ...whole, transposed: true });
    assert.deepEqual([turned.height, turned.width], [3, 2]);
    assert.deepEqual([...turned.max], [1, 4, 2, 5, 3, 6]);
  });

  it('show one NaN among many numbers, and leave a fill out while other cells are seen', () => {
    const pooled = blocksOf(tile(4, [1, 2, NaN, 4, -1e9, 3, -1e9, -1e9], [0, 0, 0, 0, 1, 0, 1, 1]), {
      ...whole,
      across: 1,
    });
    assert.deepEqual(blockAt(pooled, 1, 2, -5), { value: NaN, hidden: false });
    assert.deepEqual(blockAt(pooled, 2, 2, -5), { value: 3, hidden: false });
    assert.deepEqual(blockAt(pooled, 3, 2, -5), { value: -1e9, hidden: true });
  });

  it('know the cells at a cut edge and what they cover', () => {
    const pooled = blocksOf(
      tile(
        5,
        Array.from({ length: 25 }, (_, i) => i),
      ),
      { down: 1, across: 1, transposed: false },
    );
    assert.equal(cellsIn(pooled, 0, 0, 5, 5), 4);
    assert.equal(cellsIn(pooled, 2, 2, 5, 5), 1);
    assert.equal(indexAt(pooled, 4, 3), 7);
    assert.ok(covers(pooled, [0, 5], [0, 5]));
    assert.ok(!covers(pooled, [0, 7], [0, 5]));
  });
});

describe('keys of the grid', () => {
  const at = { row: 3, column: 2 };
  const press = (key: string, ctrl = false) => nextPlace(at, { key, ctrl, rows: 10, columns: 6, page: 5 });

  it('move as the ARIA grid pattern says', () => {
    assert.deepEqual(press('ArrowUp'), { row: 2, column: 2 });
    assert.deepEqual(press('ArrowRight'), { row: 3, column: 3 });
    assert.deepEqual(press('Home'), { row: 3, column: 0 });
    assert.deepEqual(press('End'), { row: 3, column: 5 });
    assert.deepEqual(press('Home', true), { row: 0, column: 0 });
    assert.deepEqual(press('End', true), { row: 9, column: 5 });
    assert.deepEqual(press('PageDown'), { row: 8, column: 2 });
    assert.deepEqual(press('PageUp'), { row: 0, column: 2 });
    assert.equal(press('a'), undefined);
  });

  it('stop at the edges', () => {
    const corner = { key: 'ArrowLeft', ctrl: false, rows: 1, columns: 1, page: 1 };
    assert.deepEqual(nextPlace({ row: 0, column: 0 }, corner), { row: 0, column: 0 });
  });
});

describe('what is shown of a long list', () => {
  it('the largest, and always the selected one, in their own order', () => {
    assert.deepEqual(largest([0.1, 0.5, 0.05, 0.3, 0.01], 3, 4), [1, 3, 4]);
    assert.deepEqual(largest([0.1, 0.5, 0.05], 2, 1), [0, 1]);
  });

  it('the first and the largest of the others', () => {
    assert.deepEqual(firstAndLargest([1, 1, 0, 9, 2, 8], 2, 2), [0, 1, 3, 5]);
  });
});
