/** What is said of a program beside the nearest standard attention: one sentence. */
import { t } from '../../text';
import type { Difference, Nearest } from './nearest';

/** `line`: of a place in the text, from 1. */
export function wordsOf(
  { first, sameResult, agree }: Nearest,
  line: (difference: Pick<Difference, 'node'>) => number,
): string {
  const last = agree.at(-1);
  if (!first) return last ? t('The same numbers as standard attention, to line {0}.', line(last)) : t('Standard attention of the same queries and keys.'); // prettier-ignore
  if (sameResult) return t('The same result as standard attention, another way: line {0} differs.', line(first));
  return differs(first, line(first));
}

function differs(first: Difference, line: number): string {
  const most = Number(first.most.toPrecision(3));
  switch (first.stage) {
    case 'scores':
      return t('Line {0} differs from standard attention, whose scores are QKᵀ: by up to {1}.', line, most);
    case 'hidden':
      return t('Unlike standard attention, line {0} hides keys after the softmax: what is left does not sum to 1.', line); // prettier-ignore
    case 'scaled':
      return t('Line {0} differs from standard attention, whose softmax takes QKᵀ/√d_k: by up to {1}.', line, most);
    case 'weights':
      return t('Line {0} differs from standard attention, whose softmax runs over the keys: by up to {1}.', line, most);
    case 'used':
      return t('Line {0} changes the weights, as standard attention does not: by up to {1}.', line, most);
    case 'attended':
      return t('Line {0} differs from standard attention, which sums V by the weights: by up to {1}.', line, most);
    case 'joined':
      return t('Line {0} differs from standard attention, which puts a token’s heads side by side: by up to {1}.', line, most); // prettier-ignore
  }
}
