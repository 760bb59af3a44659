import { setAttribute } from '../draw';
import type { Cell } from '../trace';

/** What is said of a cell beside its value, and how it is marked. */
export interface CellNote {
  readonly mark: 'edited' | 'changed';
  /** `edited, was 0.4` */
  readonly said: string;
}

export type Notes = (matrix: string, cell: Cell) => CellNote | undefined;

/**
 * Marks cells of the matrices in `box`: a corner for what was written, a dot for what became another number by it, both also in the
 * cell's name. Cells come and go as a matrix scrolls, and get their names when they have been read, so they are watched.
 */
export function createMarks(box: HTMLElement): (notes: Notes | undefined) => void {
  let notes: Notes | undefined;
  const all = (): void =>
    box.querySelectorAll<HTMLElement>('[data-matrix] .heatmap-cell').forEach((c) => note(c, notes));
  const observer = new MutationObserver((records) => {
    if (records.some(({ type }) => type === 'childList')) return all();
    for (const { target } of records)
      if (target instanceof HTMLElement && target.matches('.heatmap-cell')) note(target, notes);
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

/** A sign that is in no label, so that the plain name can be had back. */
const joint = ',\u200a';

function note(cell: HTMLElement, notes: Notes | undefined): void {
  const name = cell.getAttribute('aria-label') ?? '';
  const plain = name.split(joint)[0] ?? '';
  const matrix = cell.closest<HTMLElement>('[data-matrix]')?.dataset['matrix'] ?? '';
  const found = notes?.(matrix, [Number(cell.dataset['row']), Number(cell.dataset['column'])]);
  setAttribute(cell, 'data-mark', found?.mark);
  const said = found ? `${plain}${joint} ${found.said}` : plain;
  // Writing the same again would wake the observer for ever.
  if (said !== name) cell.setAttribute('aria-label', said);
}
