import { t } from '../../text/l10n';
import type { Problem, TextRange } from '../../text/problems';

/** Whose rules hold. `list`: nested Python lists. `printed`: digits of some program's output. */
export type Library = 'numpy' | 'torch' | 'tensorflow' | 'jax' | 'list' | 'printed';
export type NumberType = 'bool' | 'int32' | 'int64' | 'float32' | 'float64';

export interface ArrayValue {
  readonly kind: 'array';
  readonly library: Library;
  readonly dtype: NumberType;
  /** No dimension for a single number in an array. */
  readonly shape: readonly number[];
  /** Row-major, each representable in the dtype. */
  readonly values: Float64Array;
}

/** A number of Python's own. NumPy's and the like are arrays without dimensions. */
export interface ScalarValue {
  readonly kind: 'scalar';
  readonly value: number;
  readonly type: 'bool' | 'int' | 'float';
}

export interface SequenceValue {
  readonly kind: 'sequence';
  readonly items: readonly Value[];
}

/** A string, None, a dtype: what arguments may be. */
export interface WordValue {
  readonly kind: 'word';
  readonly text: string;
}

export type Value = ArrayValue | ScalarValue | SequenceValue | WordValue;

/** What `refuse` throws: the only exception of this folder, caught where an entry is computed, and made its Problem. */
export interface Refusal {
  readonly refused: Problem;
}

/** Gives up the computation of an entry. Thrown, since it may come from any depth of an expression. */
export function refuse({ start, end }: TextRange, message: string, hint?: string): never {
  const refused: Problem = { code: 'expression', message, range: { start, end }, ...(hint ? { hint } : {}) };
  throw { refused } satisfies Refusal as unknown as Error;
}

export const isRefusal = (error: unknown): error is Refusal =>
  typeof error === 'object' && error !== null && 'refused' in error;

/** Longest side and size of what is computed, and operations for one question. */
export const mostElements = 1_000_000;

export const scalar = (value: number, type: ScalarValue['type']): ScalarValue => ({ kind: 'scalar', value, type });

export const isFloat = (dtype: NumberType): boolean => dtype === 'float32' || dtype === 'float64';

/** How a value is named in messages. */
export function describe(value: Value): string {
  if (value.kind === 'array') {
    const what = value.library === 'list' ? t('list') : value.dtype;
    return value.shape.length ? `${value.shape.join('×')} ${what}` : t('one {0}', what);
  }
  if (value.kind === 'scalar') return String(value.value);
  return value.kind === 'sequence' ? t('a sequence of {0}', value.items.length) : value.text;
}

const libraryNames: Readonly<Record<Library, string>> = {
  numpy: 'NumPy',
  torch: 'PyTorch',
  tensorflow: 'TensorFlow',
  jax: 'JAX',
  get list() {
    return t('a Python list');
  },
  get printed() {
    return t('printed digits');
  },
};
export const nameOfLibrary = (library: Library): string => libraryNames[library];

/** A number rounded or cut as the dtype holds it; refused beyond its range. */
export function fit(value: number, dtype: NumberType, at: TextRange): number {
  switch (dtype) {
    case 'float64':
      return value;
    case 'float32':
      return Math.fround(value);
    case 'bool':
      return value === 0 ? 0 : 1;
    default: {
      const whole = Math.trunc(value) + 0;
      const most = dtype === 'int32' ? 2147483647 : Number.MAX_SAFE_INTEGER;
      if (!(Math.abs(whole) <= most)) refuse(at, t('{0} is beyond what is computed in {1}', value, dtype));
      return whole;
    }
  }
}

export function arrayOf(
  library: Library,
  dtype: NumberType,
  shape: readonly number[],
  values: Float64Array,
): ArrayValue {
  return { kind: 'array', library, dtype, shape, values };
}

/** The same numbers in another dtype. */
export function cast(a: ArrayValue, dtype: NumberType, at: TextRange): ArrayValue {
  if (a.dtype === dtype) return a;
  return { ...a, dtype, values: a.values.map((x) => fit(x, dtype, at)) };
}
