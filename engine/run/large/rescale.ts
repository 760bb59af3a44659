import { exp, type Tensor } from '../../math';

/**
 * Turns a softmax over part of a row (`shares`, cells from … to) into the row's weights in that part, in place. `top` is the row's
 * largest score and `sum` its Σ exp(score − top). The part's largest cell has the weight exp(score − top) / sum, which gives the factor.
 */
export function rescaleToRow(
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
