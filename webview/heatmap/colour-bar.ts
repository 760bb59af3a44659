import { t } from '../../engine/index';
import { css, formatOf, scaleOf, scales, spacingOf, type Palette, type Scale } from '../draw';
import { make, px } from './dom';
import type { State } from './state';
import { barLabel, besideBar, endsOf, outlierEnds, outlierWidth, ticksOf, valueAlong, type BarInput } from './ticks';

const barWidth = 160;
const barHeight = 8;

/** The colour bar with the lowest value, zero and the highest value, and a legend of hatching and crosses if there are any. */
export function colourBar(state: State): HTMLElement {
  const { step } = state.options;
  const bar = make('div', { class: 'heatmap-bar' });
  if (scales[step.kind].bar === '0 and 1') bar.append(swatch('open', t('0 visible')), swatch('hidden', t('1 hidden')));
  else bar.append(...ramp(state));
  if (state.summary.masked) bar.append(swatch('hidden', t('hidden')));
  if (state.summary.nan) bar.append(swatch('nan', 'NaN'));
  return bar;
}

const swatch = (kind: string, text: string): HTMLElement =>
  make('span', { class: 'heatmap-swatch' }, make('i', { class: kind }), text);

function ramp({ options, summary, palette, format }: State): HTMLElement[] {
  const { step, preview = false } = options;
  const range = options.range ?? summary;
  return rampOf({ step, range, format, rough: summary.float32 === true, width: barWidth }, palette, preview);
}

/** The bar of pictures whose colours go from 0 to 1, as those of weights do that are shown side by side. */
export function unitBar(palette: Palette): HTMLElement {
  const range = { min: 0, max: 1 };
  const step = { kind: 'weights', shape: [1, 1] } as const;
  const format = formatOf({ magnitude: 1, digits: 0, integers: true });
  const input: BarInput = { step, range, format, rough: false, width: barWidth };
  return make('div', { class: 'heatmap-bar' }, ...rampOf(input, palette, false));
}

function rampOf(input: BarInput, palette: Palette, preview: boolean): HTMLElement[] {
  const { step, range } = input;
  const ends = endsOf(input);
  if (!ends) return [];
  const canvas = make('canvas');
  canvas.style.width = px(barWidth);
  canvas.style.height = px(barHeight);
  const scale = scaleOf(step, range, palette);
  paintRamp(canvas, valueAlong(step, ends), scale);
  paintOutliers(canvas, input, scale);
  const log = spacingOf(step).kind === 'log';
  // A logarithmic scale has its own numbers; a linear one has the matrix's, which a preview does not show.
  const numbered = log || !preview;
  const label = numbered ? barLabel(input) : t('colours of a preview');
  const ramp = make('div', { class: 'heatmap-ramp', attributes: { role: 'img', 'aria-label': label } }, canvas);
  ramp.style.width = px(barWidth);
  for (const { at, text, textAt, anchor } of numbered ? ticksOf(input) : []) {
    const tick = make('span', { class: anchor === 'middle' ? '' : anchor, text });
    tick.style.left = px(textAt);
    ramp.append(tick);
    if (log && anchor === 'middle') ramp.append(markAt(at));
  }
  const said = numbered ? besideBar(input) : undefined;
  return said === undefined ? [ramp] : [ramp, make('span', { class: 'heatmap-spacing', text: said })];
}

/** A mark at a colour whose number was omitted for lack of space. */
function markAt(at: number): HTMLElement {
  const mark = make('i');
  mark.style.left = px(at);
  return mark;
}

function paintRamp(canvas: HTMLCanvasElement, valueAt: (at: number, length: number) => number, scale: Scale): void {
  const ratio = window.devicePixelRatio;
  const width = (canvas.width = Math.round(barWidth * ratio));
  canvas.height = Math.round(barHeight * ratio);
  const ctx = canvas.getContext('2d');
  if (!ctx) return;
  for (let x = 0; x < width; x++) {
    ctx.fillStyle = css(scale(valueAt(x + 0.5, width)));
    ctx.fillRect(x, 0, 1, canvas.height);
  }
}

function paintOutliers(canvas: HTMLCanvasElement, input: BarInput, scale: Scale): void {
  const ctx = canvas.getContext('2d');
  const width = Math.round(outlierWidth * window.devicePixelRatio);
  if (!ctx) return;
  for (const { end, value } of outlierEnds(input)) {
    ctx.fillStyle = css(scale(value));
    ctx.fillRect(end === 'start' ? 0 : canvas.width - width, 0, width, canvas.height);
  }
}
