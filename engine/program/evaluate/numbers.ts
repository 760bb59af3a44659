/** Arithmetic on Python's own numbers. */
import { pow } from '../../math';
import { t } from '../../text';
import {
  raise,
  unknown,
  type Machine,
  bool,
  float,
  int,
  sized,
  type SymbolicInt,
  type Unknown,
  type Value,
} from '../machine';
import { add, floorDivide, multiply, same, subtract, type Dim } from '../tensor';

type Whole = number | bigint;

/** An int (or bool) as a number. */
export const wholeOf = (value: Value): Whole | undefined =>
  value.kind === 'int' ? value.value : value.kind === 'bool' ? Number(value.value) : undefined;

/** Any Python number as float64. */
export const realOf = (value: Value): number | undefined =>
  value.kind === 'float' ? value.value : wholeOf(value) === undefined ? undefined : Number(wholeOf(value));

export const isNumber = (value: Value): boolean => realOf(value) !== undefined || value.kind === 'symbol';

/** How many numbers a range has. */
export const rangeSize = ({ start, stop, step }: Value & { kind: 'range' }): number =>
  Math.max(0, Math.ceil((stop - start) / step));

/** A size: a whole number or a name. */
export function dimOf(value: Value): Dim | undefined {
  if (value.kind === 'symbol') return value.dim;
  const whole = wholeOf(value);
  return whole === undefined ? undefined : Number(whole);
}

const exact = (operation: (a: bigint, b: bigint) => bigint, a: Whole, b: Whole): Value =>
  int(operation(BigInt(a), BigInt(b)));

function wholeArithmetic(operator: string, a: Whole, b: Whole): Value | undefined {
  const plain = typeof a === 'number' && typeof b === 'number';
  const within = (x: number, otherwise: () => Value): Value =>
    plain && Number.isSafeInteger(x) ? int(x === 0 ? 0 : x) : otherwise();
  switch (operator) {
    case 'Add':
      return within(plain ? a + b : NaN, () => exact((x, y) => x + y, a, b));
    case 'Sub':
      return within(plain ? a - b : NaN, () => exact((x, y) => x - y, a, b));
    case 'Mult':
      return within(plain ? a * b : NaN, () => exact((x, y) => x * y, a, b));
    case 'FloorDiv':
      return Number(b) === 0
        ? raise('ZeroDivisionError', 'integer division or modulo by zero')
        : exact(floorQuotient, a, b);
    case 'Mod':
      return Number(b) === 0
        ? raise('ZeroDivisionError', 'integer division or modulo by zero')
        : exact((x, y) => x - floorQuotient(x, y) * y, a, b);
    case 'Pow':
      return Number(b) < 0 ? float(pow(Number(a), Number(b))) : power(a, b);
    case 'BitAnd':
      return exact((x, y) => x & y, a, b);
    case 'BitOr':
      return exact((x, y) => x | y, a, b);
    case 'BitXor':
      return exact((x, y) => x ^ y, a, b);
    case 'LShift':
      return Number(b) > 4096 ? undefined : exact((x, y) => x << y, a, b);
    case 'RShift':
      return exact((x, y) => x >> y, a, b);
    default:
      return undefined;
  }
}

/** Numbers of more digits than these are not worth their time. */
const digitsLimit = 20_000;

function power(a: Whole, b: Whole): Value | undefined {
  let [result, base, left] = [1n, BigInt(a), BigInt(b)];
  if (Number(b) * BigInt(a).toString(2).length > digitsLimit * 4) return undefined;
  for (; left > 0n; left >>= 1n) {
    if (left & 1n) result *= base;
    base *= base;
  }
  return int(result);
}

function floorQuotient(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function realArithmetic(operator: string, a: number, b: number): Value | undefined {
  switch (operator) {
    case 'Add':
      return float(a + b);
    case 'Sub':
      return float(a - b);
    case 'Mult':
      return float(a * b);
    case 'Div':
      return float(a / b);
    case 'FloorDiv':
      return b === 0
        ? raise('ZeroDivisionError', 'float floor division by zero')
        : float(Math.floor((a - floatMod(a, b)) / b + 0.5));
    case 'Mod':
      return b === 0 ? raise('ZeroDivisionError', 'float modulo') : float(floatMod(a, b));
    case 'Pow':
      return float(pow(a, b));
    default:
      return undefined;
  }
}

/** With the divisor's sign. */
function floatMod(a: number, b: number): number {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

/** Sizes by name: sums, products and quotients stay names; the rest is a number that is not known. */
function symbolic(operator: string, a: Value, b: Value, by: SymbolicInt): Value | undefined {
  const [x, y] = [dimOf(a), dimOf(b)];
  const of = { Add: add, Sub: subtract, Mult: multiply, FloorDiv: floorDivide }[operator];
  if (of && x !== undefined && y !== undefined && y !== 0) return sized(of(x, y), by.cause);
  const type = operator === 'Div' || a.kind === 'float' || b.kind === 'float' || operator === 'Pow' ? 'float' : 'int';
  return { kind: 'unknown', cause: by.cause, type };
}

/** `a operator b` for numbers; undefined where that is not defined. */
export function arithmetic(m: Machine, operator: string, a: Value, b: Value): Value | undefined {
  const by = a.kind === 'symbol' ? a : b.kind === 'symbol' ? b : undefined;
  if (by) return isNumber(a) && isNumber(b) ? symbolic(operator, a, b, by) : undefined;
  const [x, y] = [wholeOf(a), wholeOf(b)];
  if (x !== undefined && y !== undefined && operator !== 'Div') {
    if (a.kind === 'bool' && b.kind === 'bool' && operator.startsWith('Bit'))
      return bool(Boolean(realOf(wholeArithmetic(operator, x, y) as Value)));
    return wholeArithmetic(operator, x, y) ?? unknown(m, t('this number is too large to be followed'), 'int');
  }
  const [p, q] = [realOf(a), realOf(b)];
  if (p === undefined || q === undefined) return undefined;
  const whole = x !== undefined && y !== undefined;
  if (operator === 'Div' && q === 0) return raise('ZeroDivisionError', `${whole ? '' : 'float '}division by zero`);
  return realArithmetic(operator, p, q);
}

/** -1, 0 or 1; undefined where it depends on names, NaN where neither comes first. */
export function order(a: Value, b: Value): number | undefined {
  const [x, y] = [wholeOf(a), wholeOf(b)];
  if (x !== undefined && y !== undefined) return x < y ? -1 : x > y ? 1 : 0;
  const [p, q] = [realOf(a), realOf(b)];
  if (p !== undefined && q !== undefined) return p < q ? -1 : p > q ? 1 : p === q ? 0 : NaN;
  return undefined;
}

/** Whether two sizes are equal, one of which is known by name. */
export function sameSize(a: Value, b: Value): boolean | undefined {
  const [x, y] = [dimOf(a), dimOf(b)];
  return x === undefined || y === undefined ? undefined : same(x, y);
}

export const typeOfNumber = (value: Value): Unknown['type'] | undefined => {
  if (value.kind === 'unknown') return value.type;
  if (value.kind === 'symbol') return 'int';
  return value.kind === 'int' || value.kind === 'float' || value.kind === 'bool' ? value.kind : undefined;
};
