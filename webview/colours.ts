import type { ValueKind } from '../engine/index';
import { okabeIto, viridis } from './heatmap/viridis';

/** sRGB, 0…255. */
export type Rgb = readonly [number, number, number];

/** Finite limits of a matrix's colours. */
export interface Range {
  readonly min: number;
  readonly max: number;
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

/** A value's colour. Values outside of the range take the end's colour. */
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

/**
 * The colours of a matrix: signed values diverge around zero, the same distance giving the same strength on both sides;
 * weights run from 0 to the matrix's maximum; ids are categories; a mask is hatched where it is 1.
 */
export function scaleOf(kind: ValueKind, range: Range, palette: Palette): Scale {
  if (kind === 'ids') return (id) => category(id, palette);
  if (kind === 'mask') return () => palette.neutral;
  const colours = tableOf(kind, palette);
  if (kind === 'weights') return (v) => lookUp(colours, range.max > 0 ? v / range.max : 0);
  const reach = Math.max(Math.abs(range.min), Math.abs(range.max));
  return (v) => lookUp(colours, 0.5 + (reach > 0 ? unit(v / reach) / 2 : 0));
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
