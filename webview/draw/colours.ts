import type { Step, ValueKind } from '../../engine/index';
import { okabeIto, viridis } from './viridis';

/** sRGB, 0…255. */
export type Rgb = readonly [number, number, number];

/** Finite limits of a matrix's colours. */
export interface Range {
  readonly min: number;
  readonly max: number;
  /** The magnitude at which signed colours end, where a few numbers lie far beyond it (`limitWithoutOutliers`). */
  readonly colourLimit?: number;
}

/** The magnitude that has the strongest signed colour. */
export const colourLimitOf = ({ min, max, colourLimit }: Range): number =>
  colourLimit ?? Math.max(Math.abs(min), Math.abs(max));

/** The limits of several matrices that share their colours. */
export function jointRange(ranges: readonly Range[]): Range {
  const [min, max] = [Math.min(...ranges.map((r) => r.min)), Math.max(...ranges.map((r) => r.max))];
  const colourLimit = Math.max(...ranges.map(colourLimitOf));
  return colourLimit < colourLimitOf({ min, max }) ? { min, max, colourLimit } : { min, max };
}

/** The theme's colours that a heatmap is made of, resolved. */
export interface Palette {
  readonly background: Rgb;
  readonly foreground: Rgb;
  /** Zero of a signed matrix: close to the background, so that small numbers recede. */
  readonly neutral: Rgb;
  readonly negative: Rgb;
  readonly positive: Rgb;
  /** Lines over hidden cells. */
  readonly hatch: Rgb;
  readonly error: Rgb;
  /** Lines between cells; only in high contrast. */
  readonly outline?: Rgb;
  readonly light: boolean;
}

/** A value's colour. Outliers have one of their own; other values outside of the range take the end's colour. */
export type Scale = (value: number) => Rgb;

export const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`;

export function parseHex(hex: string): Rgb {
  const n = parseInt(hex.replace('#', ''), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}

// --- contrast (WCAG 2.2, relative luminance and contrast ratio) -----------------

const linear = (c: number): number => (c <= 0.04045 * 255 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);

export const luminance = ([r, g, b]: Rgb): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

/** From 1 (the same luminance) to 21 (black on white). */
export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

const inks: readonly Rgb[] = [
  [24, 24, 24],
  [240, 240, 240],
  [0, 0, 0],
  [255, 255, 255],
];

/** Readable text: the softer ink with the better contrast if it reaches 4.5, else black or white, one of which always does. */
export function inkOn(...behind: readonly Rgb[]): Rgb {
  const worst = (ink: Rgb): number => Math.min(...behind.map((b) => contrast(ink, b)));
  const best = (from: readonly Rgb[]): Rgb => from.reduce((a, b) => (worst(b) > worst(a) ? b : a));
  const soft = best(inks.slice(0, 2));
  return worst(soft) >= 4.5 ? soft : best(inks);
}

// --- mixing in OKLab (Björn Ottosson 2020): even steps for the eye --------------

type Lab = readonly [number, number, number];

function toLab(rgb: Rgb): Lab {
  const [r, g, b] = rgb.map(linear) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromLab([L, a, b]: Lab): Rgb {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function gamma(c: number): number {
  const x = c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, Math.max(0, x)));
}

/** `share` of the way from `a` to `b`. */
export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const [x, y] = [toLab(a), toLab(b)];
  const at = (i: 0 | 1 | 2): number => x[i] + (y[i] - x[i]) * share;
  return fromLab([at(0), at(1), at(2)]);
}

// --- scales ----------------------------------------------------------------------

const steps = 512;
const stops = viridis.split(' ').map(parseHex);
const hues = okabeIto.split(' ').map(parseHex);

const table = (colour: (t: number) => Rgb): readonly Rgb[] =>
  Array.from({ length: steps + 1 }, (_, i) => colour(i / steps));

const lookUp = (colours: readonly Rgb[], t: number): Rgb =>
  colours[Math.round(Math.min(1, Math.max(0, t)) * steps)] ?? [0, 0, 0];

function alongViridis(t: number): Rgb {
  const at = Math.min(1, Math.max(0, t)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(at));
  return mix(stops[i] ?? [0, 0, 0], stops[i + 1] ?? [0, 0, 0], at - i);
}

/**
 * Zero recedes into the background and more stands out from it, on both kinds of theme: viridis upwards on dark ones;
 * on light ones viridis downwards, its bright end faded into the neutral, since a page of yellow zeros would shout.
 */
function sequential(palette: Palette): (t: number) => Rgb {
  if (!palette.light) return alongViridis;
  return (t) => mix(palette.neutral, alongViridis(0.97 - 0.97 * t), Math.min(1, t / 0.25));
}

const diverging =
  (palette: Palette) =>
  (t: number): Rgb =>
    mix(palette.neutral, t < 0.5 ? palette.negative : palette.positive, Math.abs(2 * t - 1));

const tables = new WeakMap<Palette, Partial<Record<ValueKind, readonly Rgb[]>>>();

function tableOf(kind: 'signed' | 'weights', palette: Palette): readonly Rgb[] {
  const known = tables.get(palette) ?? {};
  tables.set(palette, known);
  return (known[kind] ??= table(kind === 'signed' ? diverging(palette) : sequential(palette)));
}

/** Of a step, what decides its colours: `shape` ends in queries and keys where the values are weights. */
export type Coloured = Pick<Step, 'kind' | 'shape'>;

/** How values lie along their colours. */
export type Spacing = { readonly kind: 'linear' } | { readonly kind: 'log'; readonly keys: number };

/** Up to so many keys an even share of a row can be told from 0 on linear colours. */
const fewKeys = 256;

/** Weights among many keys are about 1/m each: all of them would have the colour of 0. By the size alone, so that inputs of one size compare. */
export function spacingOf({ kind, shape }: Coloured): Spacing {
  const keys = shape.at(-1) ?? 1;
  return kind === 'weights' && keys > fewKeys ? { kind: 'log', keys } : { kind: 'linear' };
}

/** What a weight of 1/m counts as beside the 1 that keeps 0 on the scale. */
const evenShare = 10;

/** Where a weight among so many keys lies along logarithmic colours: 0 at 0, 1 at 1; log(1 + 10·m·w) / log(1 + 10·m). */
export const logPlace = (weight: number, keys: number): number =>
  Math.log1p(evenShare * keys * weight) / Math.log1p(evenShare * keys);

/** The weight at a place of logarithmic colours. */
export const logWeight = (place: number, keys: number): number =>
  Math.expm1(place * Math.log1p(evenShare * keys)) / (evenShare * keys);

/**
 * The colours of a matrix: signed values diverge around zero, the same distance giving the same strength on both sides, up to the
 * range's colourLimit, and outliers beyond it have a colour of their own;
 * weights run from 0 to the matrix's maximum, among many keys to 1 by their logarithm; ids are categories; a mask is hatched
 * where it is 1.
 */
export function scaleOf(step: Coloured, range: Range, palette: Palette): Scale {
  const { kind } = step;
  if (kind === 'ids') return (id) => category(id, palette);
  if (kind === 'mask') return () => palette.neutral;
  const colours = tableOf(kind, palette);
  const spacing = spacingOf(step);
  if (spacing.kind === 'log') return logScale(colours, spacing.keys);
  if (kind === 'weights') return (v) => lookUp(colours, range.max > 0 ? v / range.max : 0);
  const colourLimit = colourLimitOf(range);
  const inside: Scale = (v) => lookUp(colours, 0.5 + (colourLimit > 0 ? unit(v / colourLimit) / 2 : 0));
  return range.colourLimit === undefined ? inside : withOutliers(inside, range.colourLimit, palette);
}

/** Gives outliers on each side the colour of that end, half way to the text's: it differs from every colour of the scale. */
function withOutliers(inside: Scale, colourLimit: number, palette: Palette): Scale {
  const [below, above] = [palette.negative, palette.positive].map((end) => mix(end, palette.foreground, 0.5));
  return (v) => (v > colourLimit ? above : v < -colourLimit ? below : undefined) ?? inside(v);
}

/** A float32 and its bits: exponent and leading digits are a logarithm that costs no call. */
const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);
const bitsOf1 = 0x3f800000;
/** Bits left out: 512 entries each time that a weight doubles are finer than the colours. */
const leftOut = 14;

const logTables = new WeakMap<readonly Rgb[], { readonly keys: number; readonly colours: readonly Rgb[] }>();

/** A logarithm for each pixel would take longer than all else of it: the colours are looked up by the bits of 1 + 10·m·w. */
function logScale(colours: readonly Rgb[], keys: number): Scale {
  const known = logTables.get(colours);
  const ours = known?.keys === keys ? known : { keys, colours: logTable(colours, keys) };
  logTables.set(colours, ours);
  const [table, times] = [ours.colours, evenShare * keys];
  return (weight) => {
    single[0] = 1 + times * Math.min(1, Math.max(0, weight));
    return table[((bits[0] ?? 0) - bitsOf1) >> leftOut] ?? [0, 0, 0];
  };
}

/** The colour in the middle of what each entry stands for. */
function logTable(colours: readonly Rgb[], keys: number): readonly Rgb[] {
  single[0] = 1 + evenShare * keys;
  const count = (((bits[0] ?? 0) - bitsOf1) >> leftOut) + 1;
  return Array.from({ length: count }, (_, i) => {
    bits[0] = bitsOf1 + (i << leftOut) + (1 << (leftOut - 1));
    return lookUp(colours, logPlace(((single[0] ?? 1) - 1) / (evenShare * keys), keys));
  });
}

const unit = (t: number): number => Math.min(1, Math.max(-1, t));

/**
 * Equal ids share a colour; after eight the hues come again, paler, and after 24 as at first: still paler, they would not stand out from
 * the page. Calm: half the way to the neutral, but where that is black on black.
 */
function category(id: number, palette: Palette): Rgb {
  const whole = Math.abs(Math.trunc(id));
  const hue = hues[whole % hues.length] ?? palette.neutral;
  const round = Math.floor(whole / hues.length) % 3;
  return mix(palette.neutral, hue, (palette.outline ? 0.92 : 0.62) / (1 + 0.35 * round));
}
