/** What is said of a program beside the nearest standard attention: one sentence. */
import { t } from '../../text';
import type { Difference, Nearest } from './nearest';

/** `line`: of a place in the text, from 1; of a notebook with its cell. */
export function wordsOf(
  { first, sameResult, agree }: Nearest,
  line: (difference: Pick<Difference, 'node'>) => number | string,
): string {
  const last = agree.at(-1);
  if (!first) return last ? t('To line {0} the numbers are those of standard attention, given the code’s own queries, keys, values and mask, right or wrong.', line(last)) : t('Standard attention of the same queries and keys.'); // prettier-ignore
  if (sameResult) return t('The same result as standard attention, another way: line {0} differs.', line(first));
  return differs(first, line(first));
}

function differs(first: Difference, line: number | string): string {
  const [own = '', other = ''] = [first.own, first.standard].map((x) => String(Number.isFinite(x) ? Number(x.toPrecision(4)) : x).replace('Infinity', '∞').replaceAll('-', '−')); // prettier-ignore
  switch (first.stage) {
    case 'scores':
      return t(
        'Line {0} differs from standard attention, whose scores are QKᵀ: here {1}, there {2}.',
        line,
        own,
        other,
      );
    case 'hidden':
      return t('Unlike standard attention, line {0} hides keys after the softmax: what is left does not sum to 1.', line); // prettier-ignore
    case 'scaled':
      return t(
        'Line {0} differs from standard attention, whose softmax takes QKᵀ/√d_k: here {1}, there {2}.',
        line,
        own,
        other,
      );
    case 'weights':
      return t(
        'Line {0} differs from standard attention, whose softmax runs over the keys: here {1}, there {2}.',
        line,
        own,
        other,
      );
    case 'used':
      return t('Line {0} changes the weights, as standard attention does not: here {1}, there {2}.', line, own, other);
    case 'attended':
      return t(
        'Line {0} differs from standard attention, which sums V by the weights: here {1}, there {2}.',
        line,
        own,
        other,
      );
    case 'joined':
      return t('Line {0} differs from standard attention, which puts a token’s heads side by side: here {1}, there {2}.', line, own, other); // prettier-ignore
  }
}
