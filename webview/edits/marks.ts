import { setAttribute } from '../draw';
import type { Cell } from '../trace';

/** An annotation of a cell: how it is marked, and what is added to its accessible name. */
export interface CellNote {
  readonly mark: 'edited' | 'changed';
  /** For example `edited, was 0.4`. */
  readonly said: string;
}

export type Notes = (matrix: string, cell: Cell) => CellNote | undefined;

/**
 * Annotates cells of the matrices in `box`: a corner for edited cells, a dot for cells whose values changed as a result, and a text in both
 * accessible names. Observes the DOM, since cells are added and removed during scrolling and are named only after their values are read.
 */
export function createMarks(box: HTMLElement): (notes: Notes | undefined) => void {
  let notes: Notes | undefined;
  const all = (): void =>
    box.querySelectorAll<HTMLElement>('[data-matrix] .heatmap-cell').forEach((c) => annotate(c, notes));
  const observer = new MutationObserver((records) => {
    if (records.some(({ type }) => type === 'childList')) return all();
    for (const { target } of records)
      if (target instanceof HTMLElement && target.matches('.heatmap-cell')) annotate(target, notes);
  });
  const watched = { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-label'] };
  return (next) => {
    if (next === notes) return;
    notes = next;
    observer.disconnect();
    all();
    if (notes) observer.observe(box, watched);
  };
}

/** A separator that occurs in no label, so that the original name can be recovered. */
const separator = ',\u200a';

function annotate(cell: HTMLElement, notes: Notes | undefined): void {
  const name = cell.getAttribute('aria-label') ?? '';
  const plain = name.split(separator)[0] ?? '';
  const matrix = cell.closest<HTMLElement>('[data-matrix]')?.dataset['matrix'] ?? '';
  const found = notes?.(matrix, [Number(cell.dataset['row']), Number(cell.dataset['column'])]);
  setAttribute(cell, 'data-mark', found?.mark);
  const said = found ? `${plain}${separator} ${found.said}` : plain;
  // Setting an equal name would trigger the observer again, endlessly.
  if (said !== name) cell.setAttribute('aria-label', said);
}
