import type { DType } from '../../engine/index';

/** How the numbers of one matrix are written, so that they line up and compare at a glance. */
export interface NumberFormat {
  /** Digits after the decimal point. */
  readonly decimals: number;
  /** `1.23e−7` instead of `0.000000123`, for the whole matrix. */
  readonly exponent: boolean;
}

export interface FormatInput {
  /** Largest finite magnitude in the matrix. */
  readonly magnitude: number;
  /** The reader's setting: digits after the decimal point for numbers of 1 and more. */
  readonly digits: number;
  /** Every value is a whole number, such as an id or a matrix typed as one: no decimals are added. */
  readonly integers?: boolean;
  /** Attention weights keep three figures even beside a 1.00. */
  readonly weights?: boolean;
  /** Keys that a row of weights is shared out among: of many, each gets a part that three figures would write as 0.000. */
  readonly keys?: number;
}

const largestFixed = 1e6;

/**
 * One format for a matrix. Below 1 digits are added until the largest number shows as many figures as 1.23 would
 * (`0.327`, not `0.33`); numbers too small or too large for that get an exponent.
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
  const decimals = digits + Math.max(weights ? 1 + moreFor(keys) : 0, -power);
  return decimals > digits + 4 ? { decimals: digits, exponent: true } : { decimals, exponent: false };
}

/** None up to 1,000 keys, of which an even share is 0.001; one more for each ten times as many. */
const moreFor = (keys: number): number => (keys > 1000 ? decimalPower(keys - 1) - 2 : 0);

/** ⌊log₁₀|x|⌋ without a rounding error at powers of ten. */
const decimalPower = (x: number): number => Number(x.toExponential().split('e')[1]);

/** A value as it stands in a cell: true minus sign, no negative zero, `∞`, `NaN`. */
export function formatNumber(value: number, format: NumberFormat): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '−∞';
  if (format.exponent) return withExponent(value, format.decimals);
  // A value outside of the matrix's range, such as a mask's −1e9, in as few characters as it takes.
  if (Math.abs(value) >= largestFixed) return typographic(Number(value.toPrecision(4)).toExponential());
  const text = value.toFixed(format.decimals);
  return Number(text) === 0 ? (0).toFixed(format.decimals) : typographic(text);
}

const withExponent = (value: number, decimals: number): string =>
  value === 0 ? '0' : typographic(value.toExponential(decimals));

const typographic = (text: string): string => text.replace('e+', 'e').replaceAll('-', '−');

/** Full precision for people: as many digits as tell the number from its neighbours in its precision, as NumPy prints it; true minus sign. */
export function exactNumber(value: number, dtype: DType = 'float64'): string {
  if (!Number.isFinite(value)) return formatNumber(value, plain);
  if (Object.is(value, -0)) return '−0';
  return typographic(String(dtype === 'float32' ? shortSingle(value) : value));
}

/** The shortest decimal that is nearest to this float32: `0.1` for 0.10000000149011612. Nine digits always do. */
function shortSingle(value: number): number {
  if (Math.fround(value) !== value) return value;
  for (let figures = 1; figures < 9; figures++) {
    const short = Number(value.toPrecision(figures));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

const plain: NumberFormat = { decimals: 0, exponent: false };

/** Full precision for programs: `String` reads back to the same number; keeps −0, `NaN`, `Infinity`. */
export const repr = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** `32.7 %`, with a space that does not break. */
export const percent = (share: number): string =>
  `${formatNumber(share * 100, { decimals: 1, exponent: false })}\u00a0%`;

/** A number in running text: at most `figures` significant figures, no padding zeros. */
export const brief = (value: number, figures = 4): string =>
  Number.isFinite(value) ? typographic(String(Number(value.toPrecision(figures)))) : formatNumber(value, plain);
