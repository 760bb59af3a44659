import { roundTo, type Precision } from '../../engine/index';

/** The number format that all cells of a matrix share, so that they line up and can be compared. */
export interface NumberFormat {
  /** Digits after the decimal point. */
  readonly decimals: number;
  /** Scientific notation for the whole matrix: `1.23e−7` instead of `0.000000123`. */
  readonly exponent: boolean;
}

export interface FormatInput {
  /** Largest finite magnitude in the matrix. */
  readonly magnitude: number;
  /** The reader's setting: digits after the decimal point for numbers of 1 and more. */
  readonly digits: number;
  /** Whether every value is a whole number, such as an id. Then there are no decimals. */
  readonly integers?: boolean;
  /** Attention weights get one more decimal, so that there are three even beside a 1.00. */
  readonly weights?: boolean;
  /** The number of keys over which a row of weights sums to 1. With many, a typical weight would be 0.000 in three decimals. */
  readonly keys?: number;
}

const largestFixed = 1e6;

/**
 * The format of a matrix. If its largest magnitude is below 1, decimals are added until that shows as many significant figures as 1.23 would
 * (`0.327`, not `0.33`). Magnitudes too small or too large for this use scientific notation.
 */
export function formatOf({
  magnitude,
  digits,
  integers = false,
  weights = false,
  keys = 1,
}: FormatInput): NumberFormat {
  if (integers && magnitude < largestFixed) return { decimals: 0, exponent: false };
  if (magnitude >= largestFixed) return { decimals: digits, exponent: true };
  const power = magnitude > 0 ? decimalPower(magnitude) : 0;
  const decimals = digits + Math.max(weights ? 1 + extraDecimals(keys) : 0, -power);
  return decimals > digits + 4 ? { decimals: digits, exponent: true } : { decimals, exponent: false };
}

/** Extra decimals: none up to 1,000 keys, where an average weight is 0.001; one more for each power of ten above that. */
const extraDecimals = (keys: number): number => (keys > 1000 ? decimalPower(keys - 1) - 2 : 0);

/** ⌊log₁₀|x|⌋, exact at powers of ten. */
const decimalPower = (x: number): number => Number(x.toExponential().split('e')[1]);

/** A value as shown in a cell: with a typographic minus, without negative zero, `∞`, `NaN`. */
export function formatNumber(value: number, format: NumberFormat): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '−∞';
  if (format.exponent) return withExponent(value, format.decimals);
  // A value beyond the magnitude for which the format was made, such as a mask's −1e9, in as few characters as possible.
  if (Math.abs(value) >= largestFixed) return typographic(inFewFigures(value).toExponential());
  const text = value.toFixed(format.decimals);
  return Number(text) === 0 ? (0).toFixed(format.decimals) : typographic(text);
}

/** Rounded to four figures; the largest of all numbers to as many as it takes to stay finite. */
function inFewFigures(value: number): number {
  const short = Number(value.toPrecision(4));
  return Number.isFinite(short) ? short : Number(value.toPrecision(6));
}

const withExponent = (value: number, decimals: number): string =>
  value === 0 ? '0' : typographic(value.toExponential(decimals));

/** With the minus sign U+2212, without the plus of an exponent and without an exponent of zero: `4.2369` among `3.1e−7`. */
const typographic = (text: string): string => text.replace(/e\+0$/, '').replace('e+', 'e').replaceAll('-', '−');

/** The shortest decimal that identifies the value in its dtype, as NumPy prints it, with a typographic minus. */
export function exactNumber(value: number, dtype: Precision = 'float64'): string {
  if (!Number.isFinite(value)) return formatNumber(value, wholeNumber);
  if (Object.is(value, -0)) return '−0';
  return typographic(String(dtype === 'float64' ? value : shortest(value, roundTo(dtype))));
}

/** The shortest decimal that rounds to this number: `0.1` for 0.10000000149011612 in float32. Nine significant digits always suffice. */
function shortest(value: number, round: (x: number) => number): number {
  if (round(value) !== value) return value;
  for (let figures = 1; figures < 9; figures++) {
    const short = Number(value.toPrecision(figures));
    if (round(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

const wholeNumber: NumberFormat = { decimals: 0, exponent: false };

/** Full precision for programs: parses back to the same number, and keeps −0, `NaN` and `Infinity`. */
export const repr = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** `32.7 %`, with no-break spaces; `< 0.1 %` and `> 99.9 %` where a digit would say none or all. */
export function percent(share: number): string {
  const text = (of: number): string => `${formatNumber(of * 100, { decimals: 1, exponent: false })}\u00a0%`;
  if (share > 0 && share < 0.0005) return `<\u00a0${text(0.001)}`;
  return share >= 0.9995 && share < 1 ? `>\u00a0${text(0.999)}` : text(share);
}

/** A number within a sentence: at most `figures` significant figures, no trailing zeros. */
export const brief = (value: number, figures = 4): string =>
  Number.isFinite(value) ? typographic(String(Number(value.toPrecision(figures)))) : formatNumber(value, wholeNumber);
