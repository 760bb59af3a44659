// Which digits of a number are shown in a line of arithmetic: those its matrix shows, and up to six more.

/** How a matrix writes its numbers. */
export interface DigitFormat {
  /** Digits after the point, of the mantissa where there is an exponent. */
  readonly decimals: number;
  /** Every number has an exponent. */
  readonly exponent?: boolean;
  /** Numbers of at least this magnitude are written with an exponent; 10⁶ if not given. */
  readonly largest?: number;
  /** Whole numbers have no digits after the point. */
  readonly whole?: boolean;
  /** Instead of `decimals`: the number of significant figures, without trailing zeros. Digits before the point are never rounded away. */
  readonly figures?: number;
}

/** A number as it is shown. */
export interface ShownNumber {
  readonly text: string;
  /** The value of the text, which is rounded. */
  readonly value: number;
  /** Digits after the point up to the last significant one; negative where that is before the point. */
  readonly places: number;
}

/** The rounded value and its digits, without text: text is only written for the digits that are finally chosen. */
export type Rounded = Pick<ShownNumber, 'value' | 'places'>;

/** A number of a line while its digits are being chosen. */
export interface Digits {
  readonly value: number;
  readonly places: DigitFormat;
  /** The decimal exponent of the first digit: ⌊log₁₀|value|⌋. */
  readonly power: number;
  /** Digits after the point when no digit is added. */
  readonly base: number;
  /** Cache: the value rounded with 0, 1, 2 … added digits, as far as requested so far. */
  readonly known: Rounded[];
  /** Number of added digits. */
  extra: number;
}

/** Digits that may be added to those of the matrix. */
export const mostAdded = 6;
/** Digits after the first that distinguish every float64 from its neighbours. */
const float64Figures = 16;

/**
 * A number with the digits its matrix shows. The numbers of one sum share a given `base`; without it, a number that its matrix would show
 * as zero gets as many significant digits as other numbers have.
 */
export function digitsOf(value: number, places: DigitFormat, base = baseOf(value, places)): Digits {
  return { value, places, power: powerOf(value), base, known: [], extra: 0 };
}

function baseOf(value: number, { decimals, exponent = false, largest = 1e6, figures }: DigitFormat): number {
  if (!Number.isFinite(value) || value === 0) return decimals;
  const power = powerOf(value);
  // A whole number is never rounded to tens: 19360 for 19364 would read as exact.
  if (figures !== undefined) return Math.abs(value) < largest ? Math.max(0, figures - 1 - power) : figures - 1 - power;
  const isOutside = exponent || Math.abs(value) >= largest || isLost(value, decimals);
  return isOutside ? decimals - power : decimals;
}

/** Digits after the point that all numbers of one sum share. */
export function commonBase(
  values: readonly number[],
  { decimals, exponent = false, largest = 1e6 }: DigitFormat,
): number {
  const most = values.reduce((size, x) => (Number.isFinite(x) ? Math.max(size, Math.abs(x)) : size), 0);
  return exponent || most >= largest || isLost(most, decimals) ? decimals - powerOf(most) : decimals;
}

/** At most this many digits are added to a small partial sum so that it does not look like zero. */
const mostForSmall = 3;

/** A partial sum has the digits of its sum, plus up to three more where it would look like zero. */
export function sumDigits(value: number, places: DigitFormat, base: number): Digits {
  const seen = Math.max(base, -powerOf(value));
  return digitsOf(value, places, seen <= base + mostForSmall ? seen : base);
}

/** Whether rounding to this many decimals gives zero. */
const isLost = (value: number, decimals: number): boolean => Math.abs(value) < halfUnit(decimals);

const halves = Array.from({ length: 32 }, (_, places) => 0.5 * Number(`1e${-places}`));

/** Half a unit of the last digit. */
export const halfUnit = (places: number): number => halves[places] ?? 0.5 * Number(`1e${-places}`);

/** ⌊log₁₀|x|⌋ without a rounding error at powers of ten. */
export function powerOf(x: number): number {
  return x === 0 || !Number.isFinite(x) ? 0 : Number(x.toExponential().split('e')[1]);
}

/** The number with its current digits. */
export const shown = (digits: Digits): ShownNumber => shownAt(digits, digits.extra);

export const shownAt = (digits: Digits, extra: number): ShownNumber => write(digits, lastAt(digits, extra));

/** The rounded value with its current digits. */
export const rounded = (digits: Digits): Rounded => roundedAt(digits, digits.extra);

/** The value rounded with `extra` added digits, or with all its digits where it has fewer. */
export function roundedAt(digits: Digits, extra: number): Rounded {
  const { known, value } = digits;
  for (let at = known.length; at <= extra; at++) {
    const last = known[at - 1];
    known.push(last && isWhole(last, value) ? last : round(digits, at));
  }
  return known[extra] as Rounded;
}

const isWhole = (last: Rounded, value: number): boolean => last.value === value || !Number.isFinite(value);

/** The number of added digits that make a difference, at most `extra`. */
function lastAt(digits: Digits, extra: number): number {
  for (let at = 0; at < extra; at++) if (isWhole(roundedAt(digits, at), digits.value)) return at;
  return extra;
}

const placeOf = ({ power, base }: Digits, extra: number): number =>
  Math.min(base + extra, Math.max(base, float64Figures - power));

/** Rounds as the text does. Writing the text is skipped where plain rounding certainly gives the same. */
function round(digits: Digits, extra: number): Rounded {
  const { value, places } = digits;
  const at = placeOf(digits, extra);
  const unit = powers[at];
  if (unit !== undefined && places.figures === undefined && isFixed(digits, at)) {
    const size = value * unit;
    const whole = Math.round(size);
    if (whole !== 0 && Math.abs(whole) < 1e14 && Math.abs(Math.abs(size - whole) - 0.5) > 1e-3)
      return { value: whole / unit, places: at };
  }
  return write(digits, extra);
}

const powers = Array.from({ length: 16 }, (_, places) => Number(`1e${places}`));

function write(digits: Digits, extra: number): ShownNumber {
  const { value } = digits;
  if (!Number.isFinite(value)) return { text: notFinite(value), value, places: 0 };
  const at = placeOf(digits, extra);
  const text = finite(textOf(digits, at), value);
  const read = Number(text);
  if (read === 0) return { text: text.replace('-', ''), value: 0, places: Math.max(0, at) };
  return { text: typographic(text), value: read, places: at };
}

/** Uses the minus sign U+2212, and no exponent of zero. */
const typographic = (text: string): string => text.replace(/e\+0$/, '').replace('e+', 'e').replaceAll('-', '−');

/** The text, unless rounding up beyond the largest float64 made it infinite: then all digits of the value. */
const finite = (text: string, value: number): string => (Number.isFinite(Number(text)) ? text : value.toExponential());

const notFinite = (value: number): string => (Number.isNaN(value) ? 'NaN' : value === Infinity ? '∞' : '−∞');

function textOf(digits: Digits, at: number): string {
  const { value, power, places } = digits;
  const { decimals, exponent = false, largest = 1e6, whole = false, figures } = places;
  if (figures !== undefined) {
    const rounded = Number(value.toPrecision(Math.max(1, at + power + 1)));
    return Math.abs(value) < largest ? String(rounded) : rounded.toExponential();
  }
  if (whole && Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  if (value === 0) return exponent ? '0' : (0).toFixed(Math.max(0, Math.min(at, decimals)));
  return isFixed(digits, at) ? value.toFixed(at) : exponential(value, power, at);
}

/** Whether the number is written without an exponent. */
function isFixed({ value, power, places }: Digits, at: number): boolean {
  const { decimals, exponent = false, largest = 1e6 } = places;
  const isSmall = power < -4 && at > decimals && isLost(value, decimals);
  return !exponent && !isSmall && Math.abs(value) < largest && at >= 0 && at <= decimals + mostAdded;
}

/** `1.5e-7`, rounded to `at` digits after the number's own point; without trailing zeros where those are all its digits. */
function exponential(value: number, power: number, at: number): string {
  if (at + power < 0) return isLost(value, at) ? '0' : `${value < 0 ? '-' : ''}1e${-at}`;
  const [text, short] = [value.toExponential(at + power), value.toExponential()];
  return short.length < text.length ? short : text;
}
