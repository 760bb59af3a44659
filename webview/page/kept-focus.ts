import { focusedIn, giveFocus } from '../heatmap';

/** Puts the keyboard at the same place of the picture that takes this one's: at its cell, or at its button below a matrix. */
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
    // One that is not there any more, or whose matrix is too large to have it: the one that Tab reaches.
    (cell ?? grid?.querySelector<HTMLElement>('[tabindex="0"]'))?.focus({ preventScroll: true });
  };
}
