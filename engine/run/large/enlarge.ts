import { exp } from '../../math/math';
import type { Tensor } from '../../math/tensor';

/**
 * Makes of a softmax over a part of a row (`shares`, cells from … to) the row's own weights there: that the part's largest has the weight
 * exp(score − top) / sum says what to multiply them by.
 */
export function enlarge(
  scores: Tensor['data'],
  shares: Tensor['data'],
  [from, to]: readonly [number, number],
  { top, sum }: { readonly top: number; readonly sum: number },
): void {
  let best = from;
  for (let i = from + 1; i < to; i++) if ((scores[i] as number) > (scores[best] as number)) best = i;
  const share = shares[best] as number;
  if (!(share > 0)) return;
  const factor = exp((scores[best] as number) - top) / (sum * share);
  for (let i = from; i < to; i++) shares[i] = (shares[i] as number) * factor;
}
