import { t } from '../../engine/index';
import {
  formatNumber,
  formatOf,
  logPosition,
  logWeight,
  colourLimitOf,
  scales,
  spacingOf,
  type Coloured,
  type NumberFormat,
  type Range,
} from '../draw';

/* Numbers along a colour bar, for the panel and for exported pictures. */

/** A number along a colour bar. Lengths are pixels from the start of the bar. */
export interface Tick {
  /** Position of its colour. */
  readonly at: number;
  readonly text: string;
  /** Position of the start, middle or end of its text, depending on `anchor`. */
  readonly textAt: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

export interface BarInput {
  readonly step: Coloured;
  readonly range: Range;
  readonly format: NumberFormat;
  /** Whether the range was computed in float32, so that its digits are not exact. */
  readonly rough: boolean;
  readonly width: number;
}

/** Approximate width of a digit at 11 pixels. */
const digit = 6.7;

/** The ends of the colour scale, which include zero; undefined for matrices without a scale. */
export function endsOf({ step, range }: Pick<BarInput, 'step' | 'range'>): readonly [number, number] | undefined {
  if (scales[step.kind].bar !== 'ramp') return undefined;
  if (spacingOf(step).kind === 'log') return [0, 1];
  const colourLimit = colourLimitOf(range);
  const [from, to] = [Math.max(-colourLimit, Math.min(0, range.min)), Math.min(colourLimit, Math.max(0, range.max))];
  return from === to ? undefined : [from, to];
}

/** Pixels at an end of the bar in the colour of the outliers beyond it. */
export const outlierWidth = 6;

/** The ends of the bar that have outliers beyond them, each with the farthest outlier. */
export function outlierEnds(
  input: Pick<BarInput, 'step' | 'range'>,
): readonly { end: 'start' | 'end'; value: number }[] {
  const [from, to] = endsOf(input) ?? [0, 0];
  const { min, max, colourLimit } = input.range;
  if (colourLimit === undefined || !scales[input.step.kind].outliers) return [];
  return [
    ...(min < from ? [{ end: 'start', value: min } as const] : []),
    ...(max > to ? [{ end: 'end', value: max } as const] : []),
  ];
}

/** The value whose colour is at a fraction of the bar's length. */
export function valueAlong(
  step: Coloured,
  [from, to]: readonly [number, number],
): (at: number, length: number) => number {
  const spacing = spacingOf(step);
  return spacing.kind === 'log'
    ? (at, length) => logWeight(at / length, spacing.keys)
    : (at, length) => from + ((to - from) * at) / length;
}

export function ticksOf(input: BarInput): readonly Tick[] {
  const ends = endsOf(input);
  if (!ends) return [];
  const spacing = spacingOf(input.step);
  return spacing.kind === 'log' ? logTicks(spacing.keys, input.width) : linearTicks(ends, input);
}

/** A limit as text. One from float32 has one decimal less, and a ≈. */
function limitText(value: number, { format, rough, range }: Pick<BarInput, 'format' | 'rough' | 'range'>): string {
  if (!rough) return formatNumber(value, format);
  const magnitude = Math.max(Math.abs(range.min), Math.abs(range.max));
  return value === 0 ? '0' : `≈${formatNumber(value, formatOf({ magnitude, digits: 1 }))}`;
}

/** The text at an end: `≥ 5.00` if numbers beyond it have its colour. */
function endText(value: number, input: BarInput): string {
  const { min, max } = input.range;
  const text = limitText(value, input);
  if (value < 0 && min < value) return `≤ ${text}`;
  return value > 0 && max > value ? `≥ ${text}` : text;
}

/** The ends, and zero unless it would touch their texts. */
function linearTicks([from, to]: readonly [number, number], input: BarInput): Tick[] {
  const { width } = input;
  const text = (value: number): string => endText(value, input);
  const zero = -from / (to - from);
  const room = (value: number): number => ((text(value).length + text(0).length / 2 + 1) * digit) / width;
  const fits = zero > room(from) && 1 - zero > room(to);
  return [
    { at: 0, text: text(from), textAt: 0, anchor: 'start' },
    { at: width, text: text(to), textAt: width, anchor: 'end' },
    ...(fits ? [{ at: zero * width, text: text(0), textAt: zero * width, anchor: 'middle' } as const] : []),
  ];
}

/** An equal share of a row's weight: `1/20000`. */
const evenShareText = (keys: number): string => `1/${keys}`;

/** The ends, the equal share, and powers of ten if there is room. The share's text is omitted where it would touch that of 0. */
function logTicks(keys: number, width: number): Tick[] {
  const gap = digit / 2;
  const share = evenShareText(keys);
  const at = (weight: number): number => logPosition(weight, keys) * width;
  const least = digit + gap + (share.length * digit) / 2;
  const ticks: Tick[] = [
    { at: 0, text: '0', textAt: 0, anchor: 'start' },
    { at: width, text: '1', textAt: width, anchor: 'end' },
    { at: at(1 / keys), text: share, textAt: Math.max(least, at(1 / keys)), anchor: 'middle' },
  ];
  for (const weight of [0.01, 0.1]) {
    const tick: Tick = { at: at(weight), text: String(weight), textAt: at(weight), anchor: 'middle' };
    if (ticks.every((other) => apart(tick, other) >= gap)) ticks.push(tick);
  }
  return ticks;
}

/** Distance of two texts in pixels; negative if they overlap. */
function apart(a: Tick, b: Tick): number {
  const [[a0, a1], [b0, b1]] = [extent(a), extent(b)];
  return Math.max(a0 - b1, b0 - a1);
}

function extent({ text, textAt, anchor }: Tick): readonly [number, number] {
  const wide = text.length * digit;
  const from = textAt - (anchor === 'start' ? 0 : anchor === 'end' ? wide : wide / 2);
  return [from, from + wide];
}

/** The text beside a bar whose colours are not linear, or that ends before the numbers do. */
export function besideBar(input: Omit<BarInput, 'width'>): string | undefined {
  const spacing = spacingOf(input.step);
  if (spacing.kind === 'log') return t('log scale · even share {0}', evenShareText(spacing.keys));
  const { min, max } = input.range;
  return endsEarly(input) ? t('numbers from {0} to {1}', limitText(min, input), limitText(max, input)) : undefined;
}

/** Whether there are numbers beyond the ends of the scale. */
function endsEarly(input: Pick<BarInput, 'step' | 'range'>): boolean {
  const [from, to] = endsOf(input) ?? [0, 0];
  return scales[input.step.kind].outliers && (Math.min(0, input.range.min) < from || Math.max(0, input.range.max) > to);
}

/** A description of the bar for screen readers. */
export function barLabel(input: BarInput): string {
  const spacing = spacingOf(input.step);
  if (spacing.kind === 'log')
    return t('colours from 0 to 1 on a log scale, an even share is {0}', evenShareText(spacing.keys));
  const [from, to] = endsOf(input) ?? [0, 0];
  const [least, most] = [limitText(from, input), limitText(to, input)];
  return endsEarly(input)
    ? t(
        'colours from {0} to {1}, numbers from {2} to {3}',
        least,
        most,
        limitText(input.range.min, input),
        limitText(input.range.max, input),
      )
    : t('colours from {0} to {1}', least, most);
}
