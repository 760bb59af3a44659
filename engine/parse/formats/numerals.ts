import { hexFloat } from '../hex-float';
import { readSign, type NumberKind } from '../numbers';
import { code, isDigit, isLetter, isWordPart, peek, type Scanner } from '../scanner';

/** The language whose rules apply to a number: suffixes, exponents, whether `010` is octal. */
export type Dialect = 'braces' | 'go' | 'rust' | 'julia' | 'matlab' | 'r';

/** What the numbers of a literal tell about their type, collected in the reader's state. */
export interface NumeralNotes {
  dtype?: string;
  /** Whether a number is written as in this language alone: with a suffix, or `f32::NAN`. */
  own?: boolean;
  /** Whether `[0.5; 3]` occurred. */
  repeated?: boolean;
  /** The range of a quotient of integers such as `1/3`, which is 0 in C and similar languages. */
  quotient?: { readonly start: number; readonly end: number };
}

/**
 * Reads one number of a program into `scanner.value` and moves past it: everything that readNumber in numbers.ts reads, suffixes (`1.5f`, `3UL`,
 * `1_000f32`, `2L`), hex floats (C11 6.4.4.2: `0x1.8p3`), Mathematica's `1.*^-3`, Julia's `1f0`, and library constants (`f32::NAN`,
 * `math.Inf(-1)`, `double.PositiveInfinity`). On 'none' the cursor stays. `unary`: blanks may separate the sign from the number.
 */
export function readNumeral(s: Scanner, dialect: Dialect, seen: NumeralNotes, unary: boolean): NumberKind {
  const start = s.at;
  const sign = readSign(s, unary);
  const c = peek(s);
  const kind =
    isDigit(c) || (c === code.dot && isDigit(peek(s, 1))) ? readQuotient(s, dialect, seen) : readWord(s, seen);
  if (kind === 'none') s.at = start;
  else s.value *= sign;
  s.steps += s.at - start + 1;
  return kind;
}

function readQuotient(s: Scanner, dialect: Dialect, seen: NumeralNotes): NumberKind {
  const start = s.at;
  const kind = readDigits(s, dialect, seen);
  if (kind !== 'number' || peek(s) !== code.slash) return kind;
  const slashes = dialect === 'julia' && peek(s, 1) === code.slash ? 2 : 1;
  if (!isDigit(peek(s, slashes))) return kind;
  const numerator = s.value;
  s.at += slashes;
  const divisor = readDigits(s, dialect, seen);
  if (divisor !== 'number') return divisor;
  if (/^\d+\/\d+$/.test(s.text.slice(start, s.at))) seen.quotient ??= { start, end: s.at };
  s.value = numerator / s.value;
  return 'number';
}

function readDigits(s: Scanner, dialect: Dialect, seen: NumeralNotes): NumberKind {
  const start = s.at;
  while (isDigit(peek(s))) s.at++;
  if (peek(s) === code.dot && peek(s, 1) !== code.dot) s.at++;
  while (isDigit(peek(s))) s.at++;
  if (!isWordPart(peek(s)) && !"`*'".includes(String.fromCharCode(peek(s)))) return plainDigits(s, start, dialect);
  while (continuesNumber(s, start)) s.at++;
  return oddDigits(s, s.text.slice(start, s.at), dialect, seen);
}

/** A decimal number. `010` is eight in C, Java and Go but ten in C#, so it is refused. */
function plainDigits(s: Scanner, start: number, dialect: Dialect): NumberKind {
  const written = s.text.slice(start, s.at);
  if (isOctal(written, dialect)) return 'malformed';
  s.value = Number(written);
  return 'number';
}

const isOctal = (written: string, dialect: Dialect): boolean =>
  (dialect === 'braces' || dialect === 'go') && /^0[\d_']+$/.test(written);

/** Letters, digits, points and the signs of exponents: `1e-3f`, `0x1.8p+3`, `1.5*^-3`. */
function continuesNumber(s: Scanner, start: number): boolean {
  const c = peek(s);
  if (isWordPart(c) || (c === code.dot && peek(s, 1) !== code.dot) || c === code.backtick) return true;
  const before = s.text.charCodeAt(s.at - 1);
  // C++14's `1'000`.
  if (c === code.quote) return isDigit(before) && isDigit(peek(s, 1));
  if (c === code.star) return peek(s, 1) === 94;
  if (c === 94) return before === code.star;
  if ((c !== code.minus && c !== code.plus) || !isDigit(peek(s, 1)) || s.at === start) return false;
  const hex = s.text.charCodeAt(start) === 48 && (s.text.charCodeAt(start + 1) | 32) === 120;
  return (
    before === 94 ||
    'pP'.includes(String.fromCharCode(before)) ||
    (!hex && 'eEfF'.includes(String.fromCharCode(before)))
  );
}

function oddDigits(s: Scanner, written: string, dialect: Dialect, seen: NumeralNotes): NumberKind {
  if (/^[\d._]+(?:e[+-]?\d+)?[ij]m?$/i.test(written)) return 'complex';
  const { digits, dtype, suffixed } = withoutSuffix(written, dialect);
  const value = isOctal(digits, dialect) ? NaN : valueOf(digits, dialect);
  if (Number.isNaN(value)) return 'malformed';
  s.value = value;
  if (dtype !== undefined) seen.dtype ??= dtype;
  if (suffixed) seen.own = true;
  return 'number';
}

interface Stripped {
  readonly digits: string;
  readonly dtype?: string;
  readonly suffixed: boolean;
}

const rustSuffix = /_?(f16|f32|f64|f128|[iu](?:8|16|32|64|128|size)|[fFlL])$/;
const suffixes = {
  braces: /(f|d|m|bf16|f16|f32|f64|u?l{1,2}u?|u)$/i,
  go: undefined,
  rust: rustSuffix,
  julia: undefined,
  matlab: undefined,
  r: /L$/,
} as const satisfies Record<Dialect, RegExp | undefined>;

/** In hexadecimal `f` and `d` are digits, unless after an exponent. */
const hexSuffix = /(?:(?<=p[+-]?\d+)[fl]|u?l{1,2}u?|u)$/i;

function withoutSuffix(written: string, dialect: Dialect): Stripped {
  const hex = /^0x/i.test(written);
  const found = (hex && dialect !== 'rust' ? hexSuffix : suffixes[dialect])?.exec(written);
  if (!found || found.index === 0) return { digits: written, suffixed: false };
  const dtype = dtypeOfSuffix((found[1] ?? found[0]).toLowerCase());
  return { digits: written.slice(0, found.index), suffixed: true, ...(dtype === undefined ? {} : { dtype }) };
}

function dtypeOfSuffix(suffix: string): string | undefined {
  const types: Readonly<Record<string, string>> = {
    f: 'float32',
    d: 'float64',
    f16: 'float16',
    bf16: 'bfloat16',
    f32: 'float32',
    f64: 'float64',
    f128: 'float128',
  };
  return types[suffix];
}

function valueOf(written: string, dialect: Dialect): number {
  const digits = written.replace(
    dialect === 'braces' ? /(?<=[\da-f])['_](?=[\da-f])/gi : /(?<=[\da-f])_(?=[\da-f])/gi,
    '',
  );
  if (digits.includes('_')) return NaN;
  if (/^0x[^p]*p/i.test(digits)) return hexFloat(digits);
  // Mathematica: `1.5*^-3`, and a backtick before the precision of a number.
  if (digits.includes('*') || digits.includes('`')) return mathematica(digits, dialect);
  return Number(dialect === 'julia' ? digits.replace(/^([\d.]+)f([+-]?\d+)$/, '$1e$2') : digits);
}

function mathematica(written: string, dialect: Dialect): number {
  const match = /^(\d+(?:\.\d*)?|\.\d+)(?:`{1,2}[\d.]*)?(?:\*\^([+-]?\d+))?$/.exec(written);
  if (!match || dialect !== 'braces') return NaN;
  return Number(`${match[1]}e${match[2] ?? '0'}`);
}

const constants = new Map<string, number>([
  ['true', 1],
  ['false', 0],
  ['TRUE', 1],
  ['FALSE', 0],
  ['True', 1],
  ['False', 0],
]);
const learn = (value: number, words: string): void => {
  for (const word of words.split(' ')) constants.set(word, value);
};
learn(Infinity, 'Infinity INFINITY HUGE_VAL HUGE_VALF inf Inf Inf32 Inf16 Inf64 math.Inf(1) math.Inf(+1) math.Inf(0)');
learn(-Infinity, 'math.Inf(-1)');
learn(NaN, 'NaN NAN nan NaN32 NaN16 NaN64 Indeterminate math.NaN()');
for (const type of ['float', 'double', 'Float', 'Double', 'Single']) {
  learn(Infinity, `${type}.POSITIVE_INFINITY ${type}.PositiveInfinity`);
  learn(-Infinity, `${type}.NEGATIVE_INFINITY ${type}.NegativeInfinity`);
  learn(NaN, `${type}.NaN`);
}
/** The largest numbers of the two types, which masks are often filled with. */
const [float32Max, float64Max] = [3.4028234663852886e38, Number.MAX_VALUE];
for (const [type, most] of [
  ['f32', float32Max],
  ['f64', float64Max],
] as const)
  for (const path of ['', 'std::', 'core::']) {
    learn(Infinity, `${path}${type}::INFINITY`);
    learn(-Infinity, `${path}${type}::NEG_INFINITY`);
    learn(NaN, `${path}${type}::NAN`);
    learn(most, `${path}${type}::MAX`);
    learn(-most, `${path}${type}::MIN`);
  }
for (const [type, most] of [
  ['float', float32Max],
  ['double', float64Max],
] as const) {
  learn(Infinity, `std::numeric_limits<${type}>::infinity()`);
  learn(NaN, `std::numeric_limits<${type}>::quiet_NaN()`);
  learn(most, `std::numeric_limits<${type}>::max() ${type}.MaxValue`);
  learn(-most, `std::numeric_limits<${type}>::lowest() ${type}.MinValue`);
}
learn(float32Max, 'FLT_MAX math.MaxFloat32 Float.MAX_VALUE');
learn(float64Max, 'DBL_MAX math.MaxFloat64 Double.MAX_VALUE');
const longestConstant = Math.max(...[...constants.keys()].map((word) => word.length));

function readWord(s: Scanner, seen: NumeralNotes): NumberKind {
  if (!isLetter(peek(s))) return 'none';
  const end = Math.min(s.end, s.at + longestConstant + 1);
  let at = s.at;
  const template = s.text.startsWith('std::numeric_limits<', at);
  while (at < end && isConstantPart(s.text.charCodeAt(at), template)) at++;
  // `math.Inf(-1)`: with its argument.
  if (s.text.charCodeAt(at) === code.open) at = closeNear(s.text, at, end);
  s.steps += at - s.at;
  const word = s.text.slice(s.at, at);
  const value = constants.get(word);
  if (value === undefined) return 'none';
  const type = /\b(f32|f64)::/.exec(word)?.[1];
  if (type !== undefined) {
    seen.own = true;
    seen.dtype ??= type === 'f32' ? 'float32' : 'float64';
  }
  s.at = at;
  s.value = value;
  return 'number';
}

const isConstantPart = (c: number, template: boolean): boolean =>
  isWordPart(c) || c === code.dot || c === code.colon || (template && (c === code.less || c === code.greater));

function closeNear(text: string, open: number, end: number): number {
  const close = text.slice(open, end).indexOf(')');
  return close < 0 ? open : open + close + 1;
}
