import { t, fail, ok, type Result } from '../../text';
import { formatShape } from '../../math';

/** A tensor to be written in a notation: 1 to 4 dimensions, values row-major. */
export interface Printable {
  readonly name?: string | undefined;
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
  /** The dtype as written: `float32`, `bool`. If absent, float64, or float32 where `format` is a library with that default. */
  readonly dtype?: string | undefined;
  /** The format in which the matrix was found, as in `ParsedMatrix`. */
  readonly format?: string | undefined;
  readonly rowLabels?: readonly string[] | undefined;
  readonly columnLabels?: readonly string[] | undefined;
}

/** Text in a notation, and notes for the person who pastes it, one sentence each. */
export interface Printed {
  readonly text: string;
  readonly notes: readonly string[];
}

export const printed = (text: string, ...notes: readonly string[]): Printed => ({ text, notes });

export const isBool = ({ dtype }: Printable): boolean => dtype === 'bool' || dtype === 'bool_';

const ofFloat32 = new Set(['torch', 'tensorflow', 'jax']);
const known = new Set('float64 float32 float16 bfloat16 int64 int32 int16 int8 uint8 bool'.split(' '));
const synonyms = new Map([
  ['double', 'float64'],
  ['float', 'float64'],
  ['half', 'float16'],
  ['int', 'int64'],
  ['long', 'int64'],
  ['bool_', 'bool'],
]);

/**
 * The dtype to write: the stated one by its full name, else float64, but float32 for fractions in PyTorch, TensorFlow and JAX. A stated
 * integer type cannot hold fractions: then float64.
 */
export function dtypeOf({ dtype = '', format = '', values }: Printable): string {
  const stated = format === 'torch' && dtype === 'float' ? 'float32' : (synonyms.get(dtype) ?? dtype);
  if (known.has(stated) && (!/^(u?int|bool)/.test(stated) || isWhole(values))) return stated;
  return ofFloat32.has(format) && !isWhole(values) ? 'float32' : 'float64';
}

/** Whether all values are integers that float64 holds exactly. */
export function isWhole(values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isSafeInteger(values[i])) return false;
  return true;
}

/** The shortest digits that give the same float64, including −0; NaN and infinities as given. */
export function digitsOf(
  x: number,
  words: { readonly nan: string; readonly inf: string; readonly minus: string },
): string {
  if (Number.isNaN(x)) return words.nan;
  if (x === Infinity) return words.inf;
  if (x === -Infinity) return words.minus;
  return Object.is(x, -0) ? '-0.0' : String(x).replace('e+', 'e');
}

/** Nested brackets, one line for each row, continuation lines indented. */
export function nested({ shape, values }: Printable, number: (x: number) => string, indent: string): string {
  let at = 0;
  const write = (dimension: number): string => {
    const n = shape[dimension] ?? 0;
    if (dimension >= shape.length - 1) {
      const row = Array.from({ length: n }, (_, j) => number(values[at + j] ?? NaN));
      at += n;
      return `[${row.join(', ')}]`;
    }
    const blank = '\n'.repeat(shape.length - 1 - dimension);
    const parts = Array.from({ length: n }, () => write(dimension + 1));
    return `[${parts.join(`,${blank}${indent}${' '.repeat(dimension + 1)}`)}]`;
  };
  return write(0);
}

/** The rows as texts; a flat list is one row. A Problem for more than two dimensions, naming `notation`. */
export function rowsOf(
  { name, shape, values }: Printable,
  notation: string,
  number: (x: number) => string,
): Result<string[][]> {
  if (shape.length > 2) {
    const message = t(
      '{0} is {1}; {2} has rows and columns only',
      name ?? t('the matrix'),
      formatShape(shape),
      notation,
    );
    return fail({ code: 'dimensions', message, hint: t('Copy it as NumPy, PyTorch, JSON or JavaScript.') });
  }
  const columns = shape.at(-1) ?? 0;
  const rows = shape.length > 1 ? (shape[0] ?? 0) : 1;
  return ok(
    Array.from({ length: rows }, (_, i) =>
      Array.from({ length: columns }, (_, j) => number(values[i * columns + j] ?? NaN)),
    ),
  );
}

/** A name as an identifier: `self_q_proj_weight` for `self.q_proj.weight`. Undefined if nothing is left of it. */
export function identifier(name: string | undefined, reserved: ReadonlySet<string>): string | undefined {
  const plain = name
    ?.replace(/[₀-₉]/g, (digit) => String(digit.charCodeAt(0) - 0x2080))
    .replace(/[^A-Za-z0-9_]+/g, '_');
  if (!plain || /^_*$/.test(plain)) return undefined;
  return /^\d/.test(plain) || reserved.has(plain) ? `_${plain}` : plain;
}
