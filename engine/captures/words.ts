import { t } from '../text';
import type { Cause, Judged } from './judge';
import type { CapturedHead } from './read-head';

/** What was found of a head, in a sentence. */
export function judgedWords(judged: Judged, { about }: Pick<CapturedHead, 'about'>): string {
  const type = about.computed;
  if (judged.is === 'dropped') return t('Not compared: dropout left out weights at random (p = {0}).', judged.p);
  if (judged.is === 'agrees') {
    const agrees = judged.by === 0 ? t('Its output is the exact one.') : t('Its output is the exact one within what {0} rounds away: apart by {1} at most.', type, bound(judged.by)); // prettier-ignore
    return judged.empty ? `${emptyWords[judged.empty]()} ${agrees}` : agrees;
  }
  const { worst, allowed, rows, cause } = judged;
  const where = t('Its output differs by more than {0} explains, in {1} of its queries: {2} in row {3}, column {4}, exact is {5}, and rounding explains {6}.', type, rows, few(worst.own), worst.row + about.rows[0], worst.column, few(worst.exact), bound(allowed)); // prettier-ignore
  return cause
    ? `${causeWords(cause)} ${where}`
    : `${t('No mask, scale or type that was tried explains it.')} ${where}`;
}

const emptyWords = {
  zero: () => t('Queries that see no key: this kernel gives zeros, where softmax gives NaN. All others agree.'),
  other: () => t('Queries that see no key: this kernel gives numbers, where softmax gives NaN. All others agree.'),
};

function causeWords(cause: Cause): string {
  switch (cause.kind) {
    case 'precision':
      return t('It was computed less exactly than its tensors are stored: rounding as in {0} explains every number.', cause.dtype); // prettier-ignore
    case 'scale':
      return t('A scale of {0} explains every number.', few(cause.scale));
    case 'causal':
      return cause.causal === null
        ? t('Without its causal mask every number is explained: later keys were seen.')
        : t('A causal mask in which query 0 sees keys up to {0} explains every number.', cause.causal);
    case 'mask':
      return cause.mask === 'none'
        ? t('Without its mask every number is explained: the mask was not applied.')
        : t('With its mask the other way round every number is explained.');
  }
}

/** `1.2e−7`: two digits, rounded up, as it is the most that something is. */
export function bound(x: number): string {
  const nearest = x.toExponential(1);
  const [digits = '', exponent = ''] = nearest.split('e');
  const text =
    Number(nearest) < x ? Number(`${(Number(digits) + 0.1).toFixed(1)}e${exponent}`).toExponential(1) : nearest;
  return text.replace('e+0', '').replace('e+', 'e').replace('-', '−');
}

/** Six digits, with a real minus. */
const few = (x: number): string => String(Number(x.toPrecision(6))).replace(/-/g, '−');
