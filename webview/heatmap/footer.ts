import { t } from '../../engine/index';
import { scales } from '../draw';
import type { Blocks } from './blocks';
import { make } from './dom';
import type { RefinedPicture, State } from './state';

/** The note on how many cells a tile pools. */
export function tileNote({ blocks, coarse, fine, options, rows, columns }: State): string {
  if (fine && !fine.done) return t('full resolution: {0} %', Math.floor(100 * sharpPart(fine)));
  const picture = coarse ?? blocks;
  if (picture && isGrowing(picture)) {
    const part = Math.floor(100 * computedPart(picture, rows, columns));
    return options.growth?.running() === false ? t('{0} % computed, cancelled', part) : t('{0} % computed', part);
  }
  if (!blocks || blocks.cellsDown * blocks.cellsAcross === 1) return '';
  const size = `${blocks.cellsDown}×${blocks.cellsAcross}`;
  return scales[options.step.kind].shares
    ? t('each tile {0} cells: the largest', size)
    : t('each tile {0} cells: the farthest from 0', size);
}

const isGrowing = ({ pending }: Blocks): boolean => pending?.some((count) => count > 0) ?? false;

const sharpPart = ({ sharp }: RefinedPicture): number =>
  sharp.reduce((sum, one) => sum + one, 0) / Math.max(1, sharp.length);

/** The button that stops and resumes the computation of a picture; calls `told` after each. */
export function growthButton(state: State, told: () => void): HTMLButtonElement {
  const button = make('button', { class: 'heatmap-growth', attributes: { type: 'button' } });
  button.addEventListener('click', () => {
    const { growth } = state.options;
    growth?.run(!growth.running());
    told();
  });
  return button;
}

export function labelGrowth(button: HTMLElement, { blocks, coarse, options }: State): void {
  const { growth } = options;
  const picture = coarse ?? blocks;
  button.hidden = !growth || !picture || !isGrowing(picture);
  const text = growth?.running() === false ? t('Continue') : t('Cancel');
  if (button.textContent !== text) button.textContent = text;
}

/** The fraction of cells that have been computed; blocks at the edge of a rows × columns matrix have fewer cells. */
function computedPart(blocks: Blocks, rows: number, columns: number): number {
  const { pending, row, column, height, width, cellsDown, cellsAcross } = blocks;
  const down = Math.min(rows - row, height * cellsDown);
  const across = Math.min(columns - column, width * cellsAcross);
  const missing = pending?.reduce((sum, count) => sum + count, 0) ?? 0;
  return 1 - Math.min(1, missing / (down * across));
}

export interface ZoomActions {
  readonly by: (factor: number) => void;
  readonly fit: () => void;
}

/** Zoom buttons. On the cells, the keys + − 0 and Ctrl+wheel do the same. */
export function zoomButtons({ by, fit }: ZoomActions): HTMLElement {
  const button = (text: string, label: string, onClick: () => void): HTMLElement =>
    make('button', { text, title: label, onClick, attributes: { type: 'button', 'aria-label': label } });
  return make(
    'div',
    { class: 'heatmap-zoom', attributes: { role: 'group', 'aria-label': t('Zoom') } },
    button('−', t('Zoom out'), () => by(1 / 1.6)),
    button(t('fit'), t('Fit'), fit),
    button('+', t('Zoom in'), () => by(1.6)),
  );
}

/** The name of the footer's focused button. */
export function focusedIn(foot: HTMLElement): string | undefined {
  const { activeElement } = document;
  return activeElement && foot.contains(activeElement) ? nameOf(activeElement) : undefined;
}

/** Focuses the button of that name in a redrawn footer, or the first button if it is gone. */
export function giveFocus(foot: HTMLElement, name: string): void {
  const buttons = [...foot.querySelectorAll<HTMLElement>('button:not([hidden])')];
  (buttons.find((button) => nameOf(button) === name) ?? buttons[0])?.focus({ preventScroll: true });
}

const nameOf = (button: Element): string => button.getAttribute('aria-label') ?? button.textContent;
