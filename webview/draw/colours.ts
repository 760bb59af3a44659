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
