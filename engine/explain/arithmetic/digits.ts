// Which digits of a number stand in a line of arithmetic: those of its matrix, and up to six more.

/** How a matrix writes its numbers. */
export interface Places {
  /** Digits after the point: of the number, or of its mantissa where it has an exponent. */
  readonly decimals: number;
  /** Every number has an exponent. */
  readonly exponent?: boolean;
  /** Numbers of this size and more have one; 10⁶ where it is not said. */
  readonly largest?: number;
  /** Whole numbers stand without digits after the point. */
  readonly whole?: boolean;
  /** So many significant figures instead, and all digits before the point; without zeros at the end. */
  readonly figures?: number;
}

/** A number as it is shown. */
export interface Shown {
  readonly text: string;
  /** What the text says. */
  readonly value: number;
  /** Digits after the point, up to the last one that counts; negative where that stands before it. */
  readonly places: number;
}

/** A number as far as arithmetic is concerned: its text is written when it is chosen. */
export type Rounded = Pick<Shown, 'value' | 'places'>;

/** A number of a line whose digits are being chosen. */
export interface Digits {
  readonly value: number;
  readonly places: Places;
  /** Where its first digit stands: ⌊log₁₀|value|⌋. */
  readonly power: number;
  /** Digits after the point with none added. */
  readonly base: number;
  /** Rounded with 0, 1, 2 … digits added, as far as that was asked for. */
  readonly known: Rounded[];
  /** How many are added. */
  extra: number;
}

/** Digits that may be added to those of the matrix. */
export const mostExtra = 6;
/** Digits that tell every float64 from its neighbours. */
const allFigures = 17;

/**
 * A number with the digits of its matrix. `base` is given where the numbers of a sum share their places; without it, a number that its
 * matrix would show as zero has as many significant digits as others have.
 */
export function digitsOf(value: number, places: Places, base = baseOf(value, places)): Digits {
  return { value, places, power: powerOf(value), base, known: [], extra: 0 };
}

function baseOf(value: number, { decimals, exponent = false, largest = 1e6, figures }: Places): number {
  if (!Number.isFinite(value) || value === 0) return decimals;
  const power = powerOf(value);
  // A whole number is never rounded to tens: 19360 for 19364 would read as exact.
  if (figures !== undefined) return Math.abs(value) < largest ? Math.max(0, figures - 1 - power) : figures - 1 - power;
  const isOutside = exponent || Math.abs(value) >= largest || isLost(value, decimals);
  return isOutside ? decimals - power : decimals;
}

/** The places that the numbers of one sum share. */
export function commonBase(values: readonly number[], { decimals, exponent = false, largest = 1e6 }: Places): number {
  const most = values.reduce((size, x) => (Number.isFinite(x) ? Math.max(size, Math.abs(x)) : size), 0);
  if (most === 0) return decimals;
  return exponent || most >= largest || isLost(most, decimals) ? decimals - powerOf(most) : decimals;
}

/** Digits that a small partial sum gets, so that it does not look like zero. */
const mostForSmall = 3;

/** A partial sum: it keeps the sum's places, but for a few more where it would look like zero. */
export function sumDigits(value: number, places: Places, base: number): Digits {
  const seen = value === 0 || !Number.isFinite(value) ? base : Math.max(base, -powerOf(value));
  return digitsOf(value, places, seen <= base + mostForSmall ? seen : base);
}

/** Whether so many decimals make a zero of it. */
const isLost = (value: number, decimals: number): boolean => Math.abs(value) < half(decimals);

const halves = Array.from({ length: 32 }, (_, places) => 0.5 * Number(`1e${-places}`));

/** Half a unit of the last digit. */
export const half = (places: number): number => halves[places] ?? 0.5 * Number(`1e${-places}`);

/** ⌊log₁₀|x|⌋ without a rounding error at powers of ten. */
export function powerOf(x: number): number {
  const size = Math.abs(x);
  if (size >= 1 && size < 10) return 0;
  if (size >= 0.1 && size < 1) return -1;
  return x === 0 || !Number.isFinite(x) ? 0 : Number(x.toExponential().split('e')[1]);
}

/** As it is shown now. */
export const shown = (digits: Digits): Shown => shownAt(digits, digits.extra);

export const shownAt = (digits: Digits, extra: number): Shown => write(digits, lastAt(digits, extra));

/** What it says now. */
export const rounded = (digits: Digits): Rounded => roundedAt(digits, digits.extra);

/** What it says with so many digits added; where it ends before, with all it has. */
export function roundedAt(digits: Digits, extra: number): Rounded {
  const { known, value } = digits;
  for (let at = known.length; at <= extra; at++) {
    const last = known[at - 1];
    known.push(last && isWhole(last, value) ? last : round(digits, at));
  }
  return known[extra] as Rounded;
}

const isWhole = (last: Rounded, value: number): boolean => last.value === value || !Number.isFinite(value);

/** Added digits beyond the last are none. */
function lastAt(digits: Digits, extra: number): number {
  for (let at = 0; at < extra; at++) if (isWhole(roundedAt(digits, at), digits.value)) return at;
  return extra;
}

const placeOf = ({ power, base }: Digits, extra: number): number =>
  Math.min(base + extra, Math.max(base, allFigures - 1 - power));

/** As its text says: without one where plain rounding is sure to give the same. */
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

function write(digits: Digits, extra: number): Shown {
  const { value } = digits;
  if (!Number.isFinite(value)) return { text: notFinite(value), value, places: 0 };
  const at = placeOf(digits, extra);
  const text = finite(textOf(digits, at), value);
  const read = Number(text);
  if (read === 0) return { text: text.replace('-', ''), value: 0, places: Math.max(0, at) };
  return { text: typographic(text), value: read, places: at };
}

/** With a true minus. Most numbers have neither sign nor exponent. */
const typographic = (text: string): string => (/[-e]/.test(text) ? text.replace('e+', 'e').replaceAll('-', '−') : text);

/** Rounded up beyond the largest float64 a number would be infinite. */
const finite = (text: string, value: number): string => (Number.isFinite(Number(text)) ? text : value.toExponential());

const notFinite = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '−∞');

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

/** Whether it stands without an exponent. */
function isFixed({ value, power, places }: Digits, at: number): boolean {
  const { decimals, exponent = false, largest = 1e6 } = places;
  const isSmall = power < -4 && at > decimals && isLost(value, decimals);
  return !exponent && !isSmall && Math.abs(value) < largest && at >= 0 && at <= decimals + mostExtra;
}

/** `1.5e-7`, rounded at a place of the number itself; without the zeros after its last digit where that is all there is. */
function exponential(value: number, power: number, at: number): string {
  if (at + power < 0) return isLost(value, at) ? '0' : `${value < 0 ? '-' : ''}1e${-at}`;
  const [text, short] = [value.toExponential(at + power), value.toExponential()];
  return short.length < text.length ? short : text;
}
