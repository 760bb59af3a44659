/** VS Code's four kinds of theme. */
export type HoverTheme = 'dark' | 'light' | 'hc-dark' | 'hc-light';

type Colour = readonly [red: number, green: number, blue: number];
export interface Palette {
  readonly negative: Colour;
  readonly zero: Colour;
  readonly positive: Colour;
  readonly nan: Colour;
  /** The colour that is mixed into both ends of the scale to colour outliers. */
  readonly ink: Colour;
  readonly line: string;
}

const white: Colour = [255, 255, 255];
const black: Colour = [0, 0, 0];

/**
 * Orange is negative and blue is positive, as in the panel. In high contrast the ends of the scale are dark (light) enough that white (black) digits
 * have a contrast of at least 7 on every colour.
 */
export const palettes: Readonly<Record<HoverTheme, Palette>> = {
  dark: palette([226, 122, 46], [52, 52, 54], [78, 160, 250], [208, 92, 200], white, '#6b6b6b'),
  light: palette([190, 84, 12], [238, 238, 238], [20, 98, 196], [163, 37, 155], black, '#8a8a8a'),
  'hc-dark': palette([146, 62, 0], [0, 0, 0], [0, 72, 196], [122, 0, 122], white, '#ffffff'),
  'hc-light': palette([255, 160, 84], [255, 255, 255], [120, 184, 255], [255, 150, 255], black, '#292929'),
};

function palette(negative: Colour, zero: Colour, positive: Colour, nan: Colour, ink: Colour, line: string): Palette {
  return { negative, zero, positive, nan, ink, line };
}

/** Number of colours on each side of zero. */
const levels = 15;

/**
 * The colour of a value on a scale from −`limit` to `limit`. Infinities have the full colour of their sign, finite values beyond the limit the colour
 * of outliers.
 */
export function colourOf(value: number, limit: number, { negative, zero, positive, nan, ink }: Palette): string {
  if (Number.isNaN(value)) return css(nan);
  const t = Number.isFinite(value) ? value / limit : Math.sign(value);
  if (Math.abs(t) > 1) return css(mix(t < 0 ? negative : positive, ink, 0.6));
  const level = Math.round(t * levels);
  return css(mix(zero, level < 0 ? negative : positive, Math.abs(level) / levels));
}

/** Black or white, whichever has more contrast on a colour `#rrggbb`. */
export const inkOn = (colour: string): string =>
  contrast(colour, '#000000') >= contrast(colour, '#ffffff') ? '#000000' : '#ffffff';

/** Contrast ratio of two colours by WCAG 2.2, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function luminance(colour: string): number {
  const n = parseInt(colour.slice(1), 16);
  return 0.2126 * linear(n >> 16) + 0.7152 * linear((n >> 8) & 255) + 0.0722 * linear(n & 255);
}

const linear = (channel: number): number =>
  channel <= 10 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;

const mix = (a: Colour, b: Colour, t: number): Colour => [
  Math.round(a[0] + (b[0] - a[0]) * t),
  Math.round(a[1] + (b[1] - a[1]) * t),
  Math.round(a[2] + (b[2] - a[2]) * t),
];

const css = (colour: Colour): string => `#${colour.map((v) => v.toString(16).padStart(2, '0')).join('')}`;
