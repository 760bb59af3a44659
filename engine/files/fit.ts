import { t, type Problem, type Result, fail, ok } from '../text';
import { type Plan, planOf } from '../plan';
import { bytesHeld, memoryLimit } from '../run';
import type { AttentionSpec } from '../spec';
import { bytesOf, sizeOf } from '../math';
import { specFromTensors } from './assemble';
import { startsAfterQueries, cutParts, dimsOfPart, hidesKeys, rowCount, type TensorPart } from './parts';
import type { FileRole } from './roles';

/** Most numbers that are sent to the panel, which saves them across reloads: about 40 MB as JSON. */
export const numberLimit = 1 << 21;

export interface TensorFit {
  /** What all rows would need: the number of the tensors' elements, and the bytes of the steps' values. */
  readonly numbers: number;
  readonly bytes: number;
  readonly fits: boolean;
  /** Number of rows to choose from. */
  readonly rows: number;
  /** The most rows that fit; 0 if not even one does. */
  readonly mostRows: number;
}

/**
 * The resources that computing attention from tensors would need, from their shapes alone. Problems: those of `specFromTensors`, and
 * `too-large` if fewer rows would not help.
 */
export function fitOf(parts: readonly TensorPart[]): Result<TensorFit> {
  const all = parts.map(({ values: _, ...part }) => part);
  if (numbersOf(cutParts(all, { start: 0, end: 1 })) > numberLimit)
    return fail(tensorsTooLarge({ numbers: numbersOf(all), bytes: Infinity }));
  // `cutParts` would keep a row where there is none, and make one of a single number.
  const hasNoRow = all.some(({ shape }) => shape.length === 0 || shape.includes(0));
  const made = specFromTensors(hasNoRow ? all : cutParts(all, { start: 0, end: mostChecked }));
  if (!made.ok) return made;
  const shapes = all.filter(({ role }) => made.value.used.has(role));
  const rows = rowCount(shapes);
  const bytesAt = bytesOfRows(shapes);
  if (!bytesAt.ok) return bytesAt;
  const need = (end: number): Need => ({
    numbers: numbersOf(cutParts(shapes, { start: 0, end })),
    bytes: bytesAt.value(end),
  });
  const whole = need(rows);
  if (isWithin(whole)) return ok({ ...whole, fits: true, rows, mostRows: rows });
  const mostRows = mostRowsOf(need, rows);
  return mostRows > 0 ? ok({ ...whole, fits: false, rows, mostRows }) : fail(tensorsTooLarge(whole));
}

/** Shapes are checked with at most this many rows: longer parts have the same problems. */
const mostChecked = 1 << 17;

interface Need {
  readonly numbers: number;
  readonly bytes: number;
}

const numbersOf = (parts: readonly TensorPart[]): number => parts.reduce((sum, { shape }) => sum + sizeOf(shape), 0);

const isWithin = ({ numbers, bytes }: Need): boolean => numbers <= numberLimit && bytes <= memoryLimit;

/** A plan and the dtype of its numbers. */
interface Planned {
  readonly plan: Plan;
  readonly dtype: AttentionSpec['dtype'];
}

/** Rows of queries and of keys in the small plans from which large ones are extrapolated. */
const smallRows = [[2, 2], [3, 2], [2, 3], [3, 3]] as const; // prettier-ignore

/**
 * A function from a number of rows to the bytes of the steps' values. Plans of thousands of tokens take long, so it extrapolates from small
 * ones, step by step. Steps that are computed on demand take no memory.
 */
function bytesOfRows(parts: readonly TensorPart[]): Result<(rows: number) => number> {
  const sizes = { n: rowsOf(parts, queryRoles), m: rowsOf(parts, keyRoles), late: startsAfterQueries(parts) };
  const samples: Planned[] = [];
  for (const [n, m] of smallRows) {
    const made = specFromTensors(parts.map((part) => resized(part, { n, m }, sizes, parts)));
    if (!made.ok) return made;
    const planned = planOf(made.value.spec);
    if (!planned.ok) return planned;
    samples.push({ plan: planned.value, dtype: made.value.spec.dtype });
  }
  return ok((rows) => heldBytes(samples, rows, sizes));
}

/** Rows of queries and of keys in the parts, where there are any. */
interface MostRows {
  readonly n: number | undefined;
  readonly m: number | undefined;
}

/** Bytes held with a given number of rows, computed from a plan whose steps have extrapolated shapes. */
function heldBytes(samples: readonly Planned[], rows: number, most: MostRows): number {
  const [first] = samples;
  if (!first) return 0;
  const steps = first.plan.steps.map((step, i) => {
    const sizes = (d: number): number[] => samples.map(({ plan }) => plan.steps[i]?.shape[d] ?? 0);
    return { ...step, shape: step.shape.map((_, d) => extrapolatedSize(sizes(d), rows, most)) };
  });
  return bytesHeld({ ...first.plan, steps, bytes: bytesOf(first.dtype, steps) }, first.dtype);
}

/** Extrapolates one dimension of a step: it grows with n (rows of queries), with m (rows of keys), or is constant. */
function extrapolatedSize(sizes: readonly number[], rows: number, most: MostRows): number {
  const [a = 0, b = 0, c = 0, d = 0] = sizes;
  if (most.m === undefined) return a + (rows - 2) * (d - a);
  const [n, m] = [Math.min(rows, most.n ?? 1) - 2, Math.min(rows, most.m) - 2];
  return a + n * (b - a) + m * (c - a);
}

const queryRoles: ReadonlySet<FileRole> = new Set(['x', 'q', 'scores', 'weights']);
const keyRoles: ReadonlySet<FileRole> = new Set(['context', 'k']);

const rowsOf = (parts: readonly TensorPart[], roles: ReadonlySet<FileRole>): number | undefined => {
  const part = parts.find(({ role }) => roles.has(role));
  return part && dimsOfPart(part)[0];
};

interface Rows {
  readonly n: number;
  readonly m: number;
}

/** A part with other numbers of queries and keys. */
function resized(
  part: TensorPart,
  { n, m }: Rows,
  was: { n: number | undefined; m: number | undefined; late: boolean },
  parts: readonly TensorPart[],
): TensorPart {
  const [rows, columns] = dimsOfPart(part);
  const of = (height: number, width = columns): TensorPart => ({
    ...part,
    shape: [...part.shape.slice(0, -2), height, width],
  });
  if (queryRoles.has(part.role)) return of(n);
  if (part.role === 'v' && was.m === undefined) return part;
  if (keyRoles.has(part.role) || part.role === 'v') return of(m);
  if (part.role !== 'mask') return part;
  const width = was.late || (was.m === undefined && columns !== was.n) ? columns : was.m === undefined ? n : m;
  // As b×1×m: with as many tokens as inputs, b×m would be taken for n×m.
  if (hidesKeys(part, parts)) return { ...of(1, width), shape: [part.shape.at(-3) ?? rows, 1, width] };
  return of(rows === was.n ? n : rows, width);
}

/** The most rows that fit, by bisection: needs grow with rows. */
function mostRowsOf(need: (rows: number) => Need, rows: number): number {
  let [low, high] = [0, rows];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isWithin(need(middle))) low = middle;
    else high = middle;
  }
  return low;
}

/** `3145728 numbers, and 5000 MB for the steps; the limits are 2097152 numbers and 1074 MB` */
export function tensorsTooLarge({ numbers, bytes }: Need, hint = t('Choose smaller tensors.')): Problem {
  const megabytes = (n: number): string => t('{0} MB', Math.ceil(n / 1e6));
  const limit = megabytes(memoryLimit);
  const message =
    bytes === Infinity
      ? t(
          '{0} numbers, and more than {1} for the steps; the limits are {2} numbers and {1}',
          numbers,
          limit,
          numberLimit,
        )
      : t(
          '{0} numbers, and {1} for the steps; the limits are {2} numbers and {3}',
          numbers,
          megabytes(bytes),
          numberLimit,
          limit,
        );
  return { code: 'too-large', message, hint };
}
