import { hexFloat } from './hex-float';
import { code, isBlank, isDigit, isLetter, isQuote, isSign, isWordPart, peek, wordEnd, type Scanner } from './scanner';

/** What was read at the cursor: a number (in `scanner.value`), something that looks like one, or neither. */
export type NumberKind = 'number' | 'complex' | 'malformed' | 'none';

/**
 * Reads one number and moves past it: `1.`, `.5`, `-1e-3`, `1_000`, `0xff`, `0x1.8p3`, `1/3`, `−2` (U+2212), `inf`, `nan`, `np.inf`,
 * `float('-inf')`, `True`. On 'none' the cursor stays; on 'complex' and 'malformed' it is after the text read. `unary`: blanks may separate
 * the sign from the number, as no other number precedes.
 */
export function readNumber(s: Scanner, unary: boolean): NumberKind {
  const start = s.at;
  const sign = readSign(s, unary);
  const c = peek(s);
  const kind: NumberKind =
    isDigit(c) || (c === code.dot && isDigit(peek(s, 1)))
      ? readQuotient(s)
      : isLetter(c) || c === code.dot
        ? readWordNumber(s)
        : 'none';
  if (kind === 'none') s.at = start;
  else if (sign < 0) s.value = -s.value;
  s.steps += s.at - start + 1;
  return kind;
}

export function readSign(s: Scanner, unary: boolean): 1 | -1 {
  const c = peek(s);
  if (!isSign(c)) return 1;
  s.at++;
  while (unary && isBlank(peek(s))) s.at++;
  return c === code.plus ? 1 : -1;
}

/** A decimal, or `1/3` as a single division, as Python 3, JavaScript, MATLAB, Julia and R compute it. */
function readQuotient(s: Scanner): NumberKind {
  const kind = readDigits(s);
  if (kind !== 'number' || peek(s) !== code.slash || !isDigit(peek(s, 1))) return kind;
  const numerator = s.value;
  s.at++;
  const divisor = readDigits(s);
  s.value = numerator / s.value;
  return divisor;
}

// Powers of ten that float64 holds exactly. A decimal of at most 15 characters multiplied or divided by one of them is rounded once, from exact
// operands, and so equals the language's own conversion (Clinger 1990).
const powers = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
] as const;

/** 10ᵉ where a float64 holds it exactly (e from 0 to 22), else 0. */
export const power = (e: number): number => powers[e] ?? 0;

function readDigits(s: Scanner): NumberKind {
  const { text } = s;
  const start = s.at;
  let i = start;
  let [mantissa, scale] = [0, 0];
  let c = text.charCodeAt(i);
  for (; isDigit(c); c = text.charCodeAt(i)) {
    mantissa = mantissa * 10 + (c - 48);
    i++;
  }
  if (c === code.dot) {
    i++;
    for (c = text.charCodeAt(i); isDigit(c); c = text.charCodeAt(i)) {
      mantissa = mantissa * 10 + (c - 48);
      scale--;
      i++;
    }
  }
  const isExact = i - start <= 15;
  const exponent = exponentEnd(s, i, c);
  if (exponent > i) {
    scale += Number(text.slice(i + 1, exponent));
    i = exponent;
  }
  s.at = i;
  const next = peek(s);
  // A second point belongs to the number (`1.2.3`) unless it begins an ellipsis.
  if (isWordPart(next) || (next === code.dot && peek(s, 1) !== code.dot)) return readOddNumber(s, start);
  const power = isExact ? powers[scale < 0 ? -scale : scale] : undefined;
  s.value = power === undefined ? Number(text.slice(start, i)) : scale < 0 ? mantissa / power : mantissa * power;
  return 'number';
}

function exponentEnd(s: Scanner, i: number, c: number): number {
  if (c !== 101 && c !== 69) return i;
  let j = i + 1;
  if (isSign(s.text.charCodeAt(j)) && s.text.charCodeAt(j) !== code.unicodeMinus) j++;
  if (!isDigit(s.text.charCodeAt(j))) return i;
  while (isDigit(s.text.charCodeAt(j))) j++;
  return j;
}

/** Digits with letters or underscores: `1_000`, `0xff`, `2.5j`, or something unknown (`12px`, `1.2.3`). */
function readOddNumber(s: Scanner, start: number): NumberKind {
  while (isWordPart(peek(s)) || peek(s) === code.dot || isExponentSign(s)) s.at++;
  const written = s.text.slice(start, s.at);
  const last = written.charCodeAt(written.length - 1) | 32;
  if ((last === 106 || last === 105) && isPlain(written.slice(0, -1))) return 'complex';
  const plain = written.includes('_') ? withoutUnderscores(written) : written;
  s.value = plain === undefined ? NaN : /^0x[^p]*p/i.test(plain) ? hexFloat(plain) : Number(plain);
  return Number.isNaN(s.value) ? 'malformed' : 'number';
}

/** Of `1e-3`, and of hexadecimal `0x1p-3`. */
function isExponentSign(s: Scanner): boolean {
  const before = s.text.charCodeAt(s.at - 1) | 32;
  return (peek(s) === code.minus || peek(s) === code.plus) && (before === 101 || before === 112) && isDigit(peek(s, 1));
}

const isPlain = (written: string): boolean => {
  const plain = withoutUnderscores(written);
  return plain !== undefined && plain !== '' && !Number.isNaN(Number(plain));
};

/** `1000` for `1_000`; undefined if an underscore is neither between two digits nor behind a base (PEP 515: `0x_ff`). */
function withoutUnderscores(written: string): string | undefined {
  const base = /^0[xob]_?/i.exec(written)?.[0] ?? '';
  const isInBase = /x/i.test(base) ? isHexDigit : isDigit;
  const parts = written.slice(base.length).split('_');
  const sound = parts.every((part, i) => part !== '' && (i === 0 || isInBase(part.charCodeAt(0))));
  const closed = parts.slice(0, -1).every((part) => isInBase(part.charCodeAt(part.length - 1)));
  return sound && closed ? base.slice(0, 2) + parts.join('') : undefined;
}

const isHexDigit = (c: number): boolean => isDigit(c) || (c >= 97 && c <= 102) || (c >= 65 && c <= 70);

const words = new Map<string, number>([
  ['True', 1],
  ['true', 1],
  ['False', 0],
  ['false', 0],
]);
const infinities = ['inf', 'Inf', 'INF', 'infinity', 'Infinity', 'PINF', 'POSITIVE_INFINITY'];
const undefineds = ['nan', 'NaN', 'NAN', 'Nan'];
const modules = [
  '',
  'np.',
  'numpy.',
  'math.',
  'torch.',
  'jnp.',
  'jax.numpy.',
  'cp.',
  'tf.experimental.numpy.',
  'Number.',
];
for (const module of modules) {
  for (const word of infinities) words.set(module + word, Infinity);
  for (const word of undefineds) words.set(module + word, NaN);
  for (const word of ['NINF', 'NEGATIVE_INFINITY']) words.set(module + word, -Infinity);
}
// Swift, with and without the type, and Ruby.
for (const type of ['', 'Float', 'Double', 'Float32', 'Float64']) {
  words.set(`${type}.infinity`, Infinity);
  words.set(`${type}.nan`, NaN);
}
words.set('Float::INFINITY', Infinity);
words.set('Float::NAN', NaN);
for (const module of ['np.', 'numpy.', 'jnp.', 'cp.']) {
  words.set(`${module}infty`, Infinity);
  words.set(`${module}True_`, 1);
  words.set(`${module}False_`, 0);
}

/** Calls that return their argument unchanged, up to the written digits. */
const scalarCalls = new Set(['float', 'float.fromhex', 'Number']);
for (const module of ['np.', 'numpy.', 'jnp.', 'torch.'])
  for (const type of ['float16', 'float32', 'float64', 'float_', 'double', 'longdouble', 'bfloat16'])
    scalarCalls.add(module + type);

function readWordNumber(s: Scanner): NumberKind {
  let end = wordEnd(s, peek(s) === code.dot ? s.at + 1 : s.at);
  if (s.text.startsWith('Float::', s.at)) end = wordEnd(s, end + 2);
  const length = end - s.at;
  if (length > 32) return 'none';
  const word = s.text.slice(s.at, end);
  const value = words.get(word);
  if (value !== undefined) {
    s.at = end;
    s.value = value;
    return 'number';
  }
  return scalarCalls.has(word) ? readScalarCall(s, end) : 'none';
}

/** `float('-inf')`, `np.float64(0.5)`. */
function readScalarCall(s: Scanner, afterWord: number): NumberKind {
  if (s.text.charCodeAt(afterWord) !== code.open) return 'none';
  const start = s.at;
  s.at = afterWord + 1;
  const quote = peek(s);
  if (isQuote(quote)) s.at++;
  while (isBlank(peek(s))) s.at++;
  // Does not call readNumber, so that `float(float(…` does not recurse.
  const sign = readSign(s, true);
  const kind = isDigit(peek(s)) || peek(s) === code.dot ? readDigits(s) : readPlainWord(s);
  while (isBlank(peek(s))) s.at++;
  if (isQuote(quote) && peek(s) === quote) s.at++;
  if (kind !== 'number' || peek(s) !== code.close) {
    s.at = start;
    return 'none';
  }
  s.at++;
  s.value *= sign;
  return 'number';
}

function readPlainWord(s: Scanner): NumberKind {
  const end = wordEnd(s);
  const value = end - s.at > 32 ? undefined : words.get(s.text.slice(s.at, end));
  if (value === undefined) return 'none';
  s.at = end;
  s.value = value;
  return 'number';
}
