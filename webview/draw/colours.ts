/** Red, green and blue in sRGB, each 0…255. */
export type Rgb = readonly [number, number, number];

/** The finite minimum and maximum of a matrix, which set its colours. */
export interface Range {
  readonly min: number;
  readonly max: number;
  /** For signed matrices with outliers: the magnitude at which the colours end (`limitWithoutOutliers`), less than the largest. */
  readonly colourLimit?: number;
}

/** The magnitude at which a signed colour scale ends. */
export const colourLimitOf = ({ min, max, colourLimit }: Range): number =>
  colourLimit ?? Math.max(Math.abs(min), Math.abs(max));

/** The range of several matrices that share a colour scale. */
export function jointRange(ranges: readonly Range[]): Range {
  const [min, max] = [Math.min(...ranges.map((r) => r.min)), Math.max(...ranges.map((r) => r.max))];
  const colourLimit = Math.max(...ranges.map(colourLimitOf));
  return colourLimit < colourLimitOf({ min, max }) ? { min, max, colourLimit } : { min, max };
}

/** The theme's colours that heatmaps use, resolved to RGB. */
export interface Palette {
  readonly background: Rgb;
  readonly foreground: Rgb;
  /** Colour of zero in a signed matrix: close to the background, so that small numbers do not stand out. */
  readonly neutral: Rgb;
  readonly negative: Rgb;
  readonly positive: Rgb;
  /** Hatching over hidden cells. */
  readonly hatch: Rgb;
  readonly error: Rgb;
  /** Lines between cells. Only set in high-contrast themes. */
  readonly outline?: Rgb;
  readonly light: boolean;
}

/** Maps a value to its colour. Outliers get a colour of their own; other values outside the range are clamped to it. */
export type Scale = (value: number) => Rgb;

export const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`;

export function parseHex(hex: string): Rgb {
  const n = parseInt(hex.replace('#', ''), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
}

// --- contrast (WCAG 2.2, relative luminance and contrast ratio) -----------------

const linear = (c: number): number => (c <= 0.04045 * 255 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);

export const luminance = ([r, g, b]: Rgb): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

/** Contrast ratio, from 1 (equal luminance) to 21 (black on white). */
export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

const inkColours: readonly Rgb[] = [
  [24, 24, 24],
  [240, 240, 240],
  [0, 0, 0],
  [255, 255, 255],
];

/**
 * The text colour for backgrounds `behind`: dark or light grey, whichever has the better contrast, if that reaches 4.5 on all of them. Else the
 * best of these, black and white; on a single background it always reaches 4.5.
 */
export function inkOn(...behind: readonly Rgb[]): Rgb {
  const worst = (ink: Rgb): number => Math.min(...behind.map((b) => contrast(ink, b)));
  const best = (from: readonly Rgb[]): Rgb => from.reduce((a, b) => (worst(b) > worst(a) ? b : a));
  const soft = best(inkColours.slice(0, 2));
  return worst(soft) >= 4.5 ? soft : best(inkColours);
}

// --- mixing in OKLab (Björn Ottosson 2020), which is perceptually uniform -------

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

/** The colour at fraction `share` (0 to 1) of the way from `a` to `b`. */
export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const [x, y] = [toLab(a), toLab(b)];
  const at = (i: 0 | 1 | 2): number => x[i] + (y[i] - x[i]) * share;
  return fromLab([at(0), at(1), at(2)]);
}
