import assert from 'node:assert/strict';
import { inRunOrder } from '../../../extension/program-client/run-order';

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
});
