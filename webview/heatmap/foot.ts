import { t } from '../../engine/index';
import { css, scaleOf, type Range } from '../colours';
import { formatNumber } from '../numbers';
import type { Blocks } from './blocks';
import { make, px } from './dom';
import type { Fine, State } from './state';

const barWidth = 160;
const barHeight = 8;

/** The colours with their numbers: the least, zero and the greatest value; what hatching and crosses mean where there are any. */
export function colourBar(state: State): HTMLElement {
  const { step } = state.options;
  const bar = make('div', { class: 'heatmap-bar' });
  if (step.kind === 'mask') bar.append(swatch('open', t('0 visible')), swatch('hidden', t('1 hidden')));
  else if (step.kind !== 'ids') bar.append(...ramp(state, state.options.range ?? state.summary));
  if (state.summary.masked) bar.append(swatch('hidden', t('hidden')));
  if (state.summary.nan) bar.append(swatch('nan', 'NaN'));
  return bar;
}

const swatch = (kind: string, text: string): HTMLElement =>
  make('span', { class: 'heatmap-swatch' }, make('i', { class: kind }), text);

function ramp(state: State, range: Range): HTMLElement[] {
  const { palette, format, options } = state;
  const [from, to] = [Math.min(0, range.min), Math.max(0, range.max)];
  if (from === to) return [];
  const text = (v: number): string => formatNumber(v, format);
  const canvas = make('canvas');
  canvas.style.width = px(barWidth);
  canvas.style.height = px(barHeight);
  paintRamp(canvas, from, to, scaleOf(options.step.kind, range, palette));
  const label =
    options.preview || state.summary.float32
      ? t('colours of a preview')
      : t('colours from {0} to {1}', text(from), text(to));
  const ramp = make('div', { class: 'heatmap-ramp', attributes: { role: 'img', 'aria-label': label } }, canvas);
  ramp.style.width = px(barWidth);
  if (options.preview || state.summary.float32) return [ramp];
  for (const [value, at] of ticks(from, to, text)) {
    const tick = make('span', { class: at === 0 ? 'start' : at === 1 ? 'end' : '', text: text(value) });
    tick.style.left = px(at * barWidth);
    ramp.append(tick);
  }
  return [ramp];
}

function paintRamp(
  canvas: HTMLCanvasElement,
  from: number,
  to: number,
  scale: (v: number) => readonly [number, number, number],
): void {
  const ratio = window.devicePixelRatio;
  const width = (canvas.width = Math.round(barWidth * ratio));
  canvas.height = Math.round(barHeight * ratio);
  const ctx = canvas.getContext('2d');
  if (!ctx) return;
  for (let x = 0; x < width; x++) {
    ctx.fillStyle = css(scale(from + ((to - from) * (x + 0.5)) / width));
    ctx.fillRect(x, 0, 1, canvas.height);
  }
}

/** About the width of a digit at 11 pixels. */
const digit = 6.7;

/** Ends, and zero where it would not touch their numbers. */
function ticks(from: number, to: number, text: (v: number) => string): [number, number][] {
  const zero = -from / (to - from);
  const room = (value: number): number => ((text(value).length + text(0).length / 2 + 1) * digit) / barWidth;
  const ends: [number, number][] = [
    [from, 0],
    [to, 1],
  ];
  return zero > room(from) && 1 - zero > room(to) ? [...ends, [0, zero]] : ends;
}

/** What a tile stands for, while cells are pooled. */
export function tileNote({ blocks, coarse, fine, options }: State): string {
  if (fine && !fine.done) return t('full resolution: {0} %', Math.floor(100 * sharpPart(fine)));
  const picture = coarse ?? blocks;
  if (picture && isGrowing(picture)) {
    const part = Math.floor(100 * computedPart(picture));
    return options.growth?.running() === false ? t('{0} % computed, cancelled', part) : t('{0} % computed', part);
  }
  if (!blocks || blocks.cellsDown * blocks.cellsAcross === 1) return '';
  const size = `${blocks.cellsDown}×${blocks.cellsAcross}`;
  return options.step.kind === 'weights'
    ? t('each tile {0} cells: the largest', size)
    : t('each tile {0} cells: the farthest from 0', size);
}

const isGrowing = ({ pending }: Blocks): boolean => pending?.some((count) => count > 0) ?? false;

const sharpPart = ({ sharp }: Fine): number => sharp.reduce((sum, one) => sum + one, 0) / Math.max(1, sharp.length);

/** Ends the computation of a picture that grows, and has it go on; `told` is called after each. */
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

/** How much of what the blocks stand for is computed. */
function computedPart({ pending, cellsDown, cellsAcross }: Blocks): number {
  const missing = pending?.reduce((sum, count) => sum + count, 0) ?? 0;
  return 1 - Math.min(1, missing / ((pending?.length ?? 1) * cellsDown * cellsAcross));
}

export interface ZoomActions {
  readonly by: (factor: number) => void;
  readonly fit: () => void;
}

/** Zoom by buttons; the keys + − 0 and Ctrl+wheel do the same on the cells. */
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

/** The button of the foot that the keyboard is on, by what it is called. */
export function focusedIn(foot: HTMLElement): string | undefined {
  const { activeElement } = document;
  return activeElement && foot.contains(activeElement) ? nameOf(activeElement) : undefined;
}

/** Keeps the keyboard in a foot that was drawn anew: on the button of that name or, where that is gone, on the first. */
export function giveFocus(foot: HTMLElement, name: string): void {
  const buttons = [...foot.querySelectorAll<HTMLElement>('button:not([hidden])')];
  (buttons.find((button) => nameOf(button) === name) ?? buttons[0])?.focus({ preventScroll: true });
}

const nameOf = (button: Element): string => button.getAttribute('aria-label') ?? button.textContent;
