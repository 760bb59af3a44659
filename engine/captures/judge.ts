import { exp } from '../math';
import type { Paced } from '../text';
import { exactHead, type ExactHead, type Variant } from './exact';
import type { CapturedHead } from './read-head';

/** A number of the process's output beside the exact one. */
export interface Apart {
  readonly row: number;
  readonly column: number;
  readonly own: number;
  readonly exact: number;
}

/** What explains every number of an output that rounding does not. */
export type Cause =
  /** Rounding to a coarser type than its tensors have. */
  | { readonly kind: 'precision'; readonly dtype: 'TF32' | 'float16' | 'bfloat16' }
  | { readonly kind: 'scale'; readonly scale: number }
  /** Another causal mask: none, or query i sees keys up to i + causal. */
  | { readonly kind: 'causal'; readonly causal: number | null }
  | { readonly kind: 'mask'; readonly mask: 'none' | 'inverted' };

export type Judged =
  /**
   * Apart by no more than its type explains; the largest distance. `empty`: what the process gives in rows whose keys are all hidden, where softmax
   * is NaN: kernels differ there by convention, and padding on the left makes such rows in every batch.
   */
  | { readonly is: 'agrees'; readonly by: number; readonly empty?: 'zero' | 'other' }
  /** `rows`: how many queries have such a number. `worst` is furthest beyond what rounding explains. */
  | { readonly is: 'differs'; readonly worst: Apart; readonly allowed: number; readonly rows: number; readonly cause?: Cause }
  | { readonly is: 'dropped'; readonly p: number }; // prettier-ignore

/** Half the distance of neighbouring numbers at 1: the largest relative error of one rounding. */
const roundings: Readonly<Record<string, number>> = { float64: 1.1102230246251565e-16, float32: 5.960464477539063e-8, TF32: 1 / 2048, float16: 1 / 2048, bfloat16: 1 / 256 }; // prettier-ignore
/** Half of the least distance of two numbers, for weights that fall below the type's range. */
const leasts: Readonly<Record<string, number>> = { float16: 2.9802322387695312e-8 };

/**
 * Compares the process's output with the exact one. Allowed is what its type can explain at most: sums in float32 (float64 for float64), each step
 * rounded once to the type. What lies beyond is looked for among other masks, scales and types; a cause must explain every number.
 */
export function* judgeHead(head: CapturedHead, exact: ExactHead): Paced<Judged> {
  const { about } = head;
  if (about.dropout > 0) return { is: 'dropped', p: about.dropout };
  const dtype = coarser(about.dtype, about.computed);
  const found = compared(head, exact, dtype);
  if (!found.worst) return { is: 'agrees', by: found.by };
  // Where some rows see no key, the others are compared; where none does, nothing would be left.
  const skip = exact.empty.length < head.n ? new Set(exact.empty) : new Set<number>();
  const visible = compared(head, exact, dtype, skip);
  if (!visible.worst) return { is: 'agrees', by: visible.by, empty: inEmptyRows(head, exact) };
  const differs = { is: 'differs', worst: visible.worst, allowed: visible.allowed, rows: visible.rows } as const;
  const cause = yield* causeOf(head, exact, dtype, skip);
  return cause ? { ...differs, cause } : differs;
}

const coarser = (a: string, b: string): string => ((roundings[b] ?? 0) > (roundings[a] ?? 0) ? b : a);

interface Compared {
  readonly by: number;
  readonly worst?: Apart;
  readonly allowed: number;
  readonly rows: number;
}

/** `skip`: rows that are left out. */
function compared(head: CapturedHead, exact: ExactHead, dtype: string, skip?: ReadonlySet<number>): Compared {
  const { out, v, n } = head;
  let [by, beyond, allowed, rows] = [0, 0, 0, 0];
  let worst: Apart | undefined;
  for (let row = 0; row < n; row++) {
    if (skip?.has(row)) continue;
    let isApart = false;
    for (let column = 0; column < v.columns; column++) {
      const at = row * v.columns + column;
      const [own, right] = [out.values[at] as number, exact.out[at] as number];
      if (Object.is(own, right) || (own !== own && right !== right)) continue;
      const [distance, limit] = [Math.abs(own - right), limitAt(head, exact, row, column, dtype)];
      // Not a number, or infinite, on one side alone.
      const share = Number.isFinite(distance) ? distance / limit : Infinity;
      if (share <= 1) by = Math.max(by, distance);
      else isApart = true;
      if (share > Math.max(1, beyond)) [beyond, allowed, worst] = [share, limit, { row, column, own, exact: right }];
    }
    if (isApart) rows++;
  }
  return { by, allowed, rows, ...(worst && { worst }) };
}

/** How far a type can take an output's number from the exact one. */
function limitAt({ q, v, m }: CapturedHead, exact: ExactHead, row: number, column: number, dtype: string): number {
  const single = roundings['float32'] as number;
  const unit = roundings[dtype] ?? single;
  const sum = dtype === 'float64' ? unit : single;
  const at = row * v.columns + column;
  const d = q?.columns ?? 0;
  // Q, K and their product are each rounded, the sum has d terms; scale, bias and cap round the score three times more.
  const score = (exact.sizes[row] as number) * (3 * unit + (d + 1) * sum) + 4 * unit * (exact.scores[row] as number);
  const relative = exp(2 * score) - 1 + 5 * unit + 2 * (m + 4) * sum;
  return relative * (exact.mixed[at] as number) + unit * Math.abs(exact.out[at] as number) + (leasts[dtype] ?? 0) * (exact.totals[column] as number) + Number.MIN_VALUE; // prettier-ignore
}

const inEmptyRows = ({ out, v }: CapturedHead, { empty }: ExactHead): 'zero' | 'other' =>
  empty.every((row) => out.values.subarray(row * v.columns, (row + 1) * v.columns).every((x) => x === 0))
    ? 'zero'
    : 'other';

function* causeOf(
  head: CapturedHead,
  exact: ExactHead,
  dtype: string,
  skip: ReadonlySet<number>,
): Paced<Cause | undefined> {
  const { about, q, n, m, hidden } = head;
  const tries: (readonly [Variant, Cause])[] = [];
  const width = q?.columns ?? 0;
  const causals = [null, 0, m - n - about.rows[0], about.causal === null ? null : about.causal + 1, about.causal === null ? null : about.causal - 1]; // prettier-ignore
  for (const causal of new Set(causals)) if (causal !== about.causal) tries.push([{ causal }, { kind: 'causal', causal }]); // prettier-ignore
  if (hidden) for (const mask of ['none', 'inverted'] as const) tries.push([{ mask }, { kind: 'mask', mask }]);
  if (head.bias) tries.push([{ mask: 'none' }, { kind: 'mask', mask: 'none' }]);
  if (q) for (const scale of [1, 1 / Math.sqrt(width), 1 / width]) if (scale !== about.scale) tries.push([{ scale }, { kind: 'scale', scale }]); // prettier-ignore
  for (const [variant, cause] of tries)
    if (!compared(head, yield* exactHead(head, variant), dtype, skip).worst) return cause;
  for (const coarse of ['TF32', 'float16', 'bfloat16'] as const)
    if ((roundings[coarse] ?? 0) > (roundings[dtype] ?? 0) && !compared(head, exact, coarse, skip).worst) return { kind: 'precision', dtype: coarse }; // prettier-ignore
  return undefined;
}
