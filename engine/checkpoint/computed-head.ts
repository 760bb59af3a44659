import type { HeadValues } from './attention';
import type { LayerAttention } from './forward';

/** How the tokens of queries and keys are written. */
export interface Labels {
  readonly queries: readonly string[];
  readonly keys: readonly string[];
}

/** One head as it was computed, as plain data: all that its scores, weights and output follow from. */
export interface ComputedHead extends HeadValues {
  readonly headWidth: number;
  readonly scale: number;
  readonly causal: boolean;
  readonly window?: number;
  readonly softcap?: number;
  /** T5's bias by bucket: this head's column of the table. */
  readonly bias?: {
    readonly bidirectional: boolean;
    readonly maxDistance: number;
    readonly column: readonly number[];
  };
  readonly labels: Labels;
}

/** A head of an attention. Throws a RangeError where there is no such head. */
export function computedHead(attention: LayerAttention, head: number, labels: Labels): ComputedHead {
  const { part, heads, table, keys } = attention;
  const values = heads[head];
  if (!values) throw new RangeError(`no head ${head}`);
  const { headWidth, scale, causal, window, softcap, buckets } = part;
  return {
    ...values,
    headWidth,
    scale,
    causal,
    // A window that holds all keys hides none.
    ...(window !== undefined && window < keys && { window }),
    ...(softcap !== undefined && { softcap }),
    ...(buckets &&
      table && {
        bias: {
          bidirectional: buckets.bidirectional,
          maxDistance: buckets.maxDistance,
          column: Array.from({ length: buckets.count }, (_, i) => table[i * part.heads + head] as number),
        },
      }),
    labels,
  };
}
