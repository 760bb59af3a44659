import assert from 'node:assert/strict';
import { readNotebook } from '../../engine/cli/notebook';
import { inRunOrder } from '../../engine/program/places';

/** Cells by name and count: `a2`; `b` was not run. */
const ordered = (...cells: readonly string[]): string => {
  const { items, order } = inRunOrder(cells, (cell) => (cell.length > 1 ? Number(cell.slice(1)) : undefined));
  return `${order}: ${items.map(([name]) => name).join('')}`;
};

describe('the order in which a notebook’s cells ran', () => {
  it('is that of their counts where these tell all of it, and then a cell without one goes with the cell above', () => {
    assert.equal(ordered('a1', 'b', 'c3', 'd', 'e2'), 'ran: abecd');
    assert.equal(ordered('z', 'a2', 'b1'), 'ran: zba');
  });
  it('is that in which they stand where counts say the same, or nothing', () => {
    assert.equal(ordered('a', 'b'), 'stands: ab');
    assert.equal(ordered('a4', 'b', 'c9'), 'stands: abc');
    assert.equal(ordered(), 'stands: ');
  });
  it('is not known where a cell ran again, for what it did before', () => {
    assert.equal(ordered('a5', 'b2', 'c3'), 'gaps: abc');
  });

  it('is that in which the terminal reads a notebook too, and it says so', () => {
    const cell = (source: string, execution_count: number): object => ({ cell_type: 'code', execution_count, source, outputs: [] }); // prettier-ignore
    const notebook = (...counts: readonly [number, number, number]): string =>
      JSON.stringify({ cells: ['seed', 'q', 'k'].map((source, i) => cell(source, counts[i] as number)) });
    const read = readNotebook(notebook(1, 3, 2));
    assert.ok(read.ok);
    assert.equal(read.value.text, 'seed\nk\nq\n');
    assert.deepEqual(read.value.cells.map(({ number }) => number), [1, 3, 2]); // prettier-ignore
    assert.equal(read.value.order, 'The cells are read in the order in which they ran: 1, 3, 2.');
    const gaps = readNotebook(notebook(1, 4, 2));
    assert.ok(gaps.ok && gaps.value.text === 'seed\nq\nk\n' && gaps.value.order?.includes('their counts have gaps'));
    const plain = readNotebook(notebook(1, 2, 3));
    assert.ok(plain.ok && plain.value.order === undefined);
  });
});
