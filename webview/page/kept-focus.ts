import { focusedIn, giveFocus } from '../heatmap';

/** Remembers the focused cell or footer button of a picture. The result focuses the same one in the picture that replaces it. */
export function keptFocus(layer: HTMLElement | undefined): ((next: HTMLElement) => void) | undefined {
  const held = document.activeElement;
  if (!(held instanceof HTMLElement) || !layer?.contains(held)) return undefined;
  const matrix = held.closest('.heatmap')?.querySelector<HTMLElement>('[data-matrix]')?.dataset['matrix'] ?? '';
  const foot = held.closest<HTMLElement>('.heatmap-foot');
  const name = foot && focusedIn(foot);
  const { row = '', column = '' } = held.dataset;
  return (next) => {
    const grid = next.querySelector<HTMLElement>(`[data-matrix="${matrix}"]`);
    const footOfNext = grid?.closest('.heatmap')?.querySelector<HTMLElement>('.heatmap-foot');
    if (name && footOfNext) giveFocus(footOfNext, name);
    if (next.contains(document.activeElement)) return;
    const cell = grid?.querySelector<HTMLElement>(`.heatmap-cell[data-row="${row}"][data-column="${column}"]`);
    // If the cell is gone or not in the DOM (a large matrix), the matrix's tab stop.
    (cell ?? grid?.querySelector<HTMLElement>('[tabindex="0"]'))?.focus({ preventScroll: true });
  };
}
