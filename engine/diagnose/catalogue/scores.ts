import { t } from '../../text';
import { mistake, papers, type Family, type Mistake } from './entry';

/* The scale and the mask. */

const scaled = 'S = Q @ K.T / np.sqrt(d_k)';
const masked = 'S = np.where(hidden, -np.inf, S)';
const causal = 'hidden = np.triu(np.ones((n, n)), 1) == 1';

const scale: Family = {
  part: 'scale',
  cause: () => t('The divisor is √d_k, where d_k is the width of one head; the code took something else.'),
  look: () => t('Weights are sharper or flatter than they should be, and the order within a row is kept.'),
  fix: scaled,
};
const rounded: Family = {
  part: 'scale',
  cause: () => t('Numbers were rounded on the way, by hand or by // or an integer array.'),
  look: () => t('Later digits do not fit, early ones do.'),
  fix: scaled,
};
const mask: Family = {
  part: 'mask',
  cause: () => t('In one library 1 means hidden, in another seen; one is added, the other replaces.'),
  look: () => t('Weights stand where there should be zeros.'),
  fix: masked,
};
const leak: Family = {
  part: 'mask',
  cause: () => t('The fill is not low enough: e to it is not 0.'),
  look: () => t('Hidden cells have small weights that are not 0, the same for all of a row.'),
  fix: masked,
};
const bounds: Family = {
  part: 'mask',
  cause: () => t('The diagonal of triu or tril is one off, or counts from another corner.'),
  look: () => t('One more or one fewer key in each row; a row of NaN where none is left.'),
  fix: causal,
};
const window: Family = {
  part: 'mask',
  cause: () => t('Some count the token itself in the window’s size, others only those beside it.'),
  look: () => t('The first rows are right; later ones see one key more or fewer.'),
  fix: 'hidden = (i - j >= size) | (j > i)',
  defined: papers.window,
};

export const scores: readonly Mistake[] = [
  mistake(scale, 'noScale', () => t('The scores are not divided by √d_k'), 'mlc-ai/mlc-llm/pull/3426'),
  mistake(scale, 'scaleRoot', () => t('The scores are divided by √d_k, where this attention has another divisor')),
  mistake(scale, 'scaleD', () => t('The scores are divided by d_k instead of √d_k, or twice by √d_k')),
  mistake(scale, 'scaleModel', () => t('The scores are divided by the root of the width of all heads'), 'omihub777/ViT-CIFAR/pull/11'), // prettier-ignore
  mistake(scale, 'scaleInput', () => t('The scores are divided by √d_model, the root of the width of X'), 'FareedKhan-dev/train-llm-from-scratch/pull/3'), // prettier-ignore
  mistake(scale, 'scaleWidth', () => t('The scores are divided by the width of all heads')),
  mistake(scale, 'scaleBoth', () => t('The scores are divided by √d_k and by √d_model')),
  mistake(scale, 'scaleKeys', () => t('The scores are divided by the root of the number of keys')),
  mistake(scale, 'scaleHeads', () => t('The scores are divided by the root of the number of heads')),
  mistake(scale, 'scaleValues', () => t('The scores are divided by √d_v')),
  mistake(scale, 'scaleTimes', () => t('The scores are multiplied by √d_k'), 'esceptico/perceiver-io/issues/9'),
  mistake(scale, 'scaleTimesD', () => t('The scores are multiplied by d_k')),
  mistake(scale, 'scaleFourth', () => t('The scores are divided by the fourth root of d_k: only Q or only K is scaled by half')), // prettier-ignore
  mistake(scale, 'scaleHalf', () => t('The scores are divided by d_k/2')),
  mistake(scale, 'scaleEight', () => t('The scores are divided by 8, the root of the paper’s d_k of 64')),
  mistake(scale, 'scaleZero', () => t('The scores are multiplied by 0'), 'SKaiNET-developers/SKaiNET/pull/880'),
  mistake(scale, 'scaleAfter', () => t('The weights or the output are divided by √d_k, instead of the scores')),
  mistake(rounded, 'scaleInteger', () => t('√d_k is rounded down to a whole number')),
  mistake(rounded, 'scaleFloor', () => t('The scores are divided with //, which rounds down')),
  mistake(rounded, 'scoresWhole', () => t('The scores are cut to whole numbers, as in an integer array')),
  mistake(rounded, 'scoresRounded2', () => t('The scores are rounded to 2 digits before softmax')),
  mistake(rounded, 'scoresRounded1', () => t('The scores are rounded to 1 digit before softmax')),
  mistake(mask, 'noMask', () => t('The mask is not applied'), 'facebookresearch/xformers/issues/103'),
  mistake(mask, 'maskInverted', () => t('The mask is inverted'), 'rasbt/LLMs-from-scratch/issues/1061'),
  mistake(mask, 'maskTransposed', () => t('The mask is transposed, or a mask of keys is broadcast over queries')),
  mistake(mask, 'maskReversed', () => t('The mask is mirrored')),
  mistake(mask, 'maskFirstRow', () => t('Every query has the mask of the first one')),
  mistake(mask, 'maskLastRow', () => t('Every query has the mask of the last one')),
  mistake(mask, 'maskFirstHead', () => t('The mask reaches the first head only')),
  mistake(mask, 'maskAdded', () => t('A mask of 0 and 1 is added to the scores, 1 where keys are hidden')),
  mistake(mask, 'maskAddedSeen', () => t('A mask of 0 and 1 is added to the scores, 1 where keys are seen')),
  mistake(mask, 'maskTaken', () => t('A mask of 0 and 1 is subtracted from the scores')),
  mistake(mask, 'maskNaN', () => t('The mask is multiplied by −∞, and 0 · −∞ is NaN')),
  mistake(mask, 'maskAfter', () => t('The mask is applied after softmax, and the rows do not sum to 1'), 'huggingface/pytorch-image-models/pull/2236'), // prettier-ignore
  mistake(
    mask,
    'maskInfiniteAfter',
    () => t('−∞ is filled in after softmax, where 0 is meant'),
    'gabrielmittag/NISQA/issues/17',
  ),
  mistake(leak, 'maskZero', () => t('Hidden scores are 0 instead of −∞: the scores are multiplied by the mask')),
  mistake(leak, 'maskTiny', () => t('Hidden scores are 1e-9 instead of −1e9')),
  mistake(leak, 'maskMinusOne', () => t('Hidden scores are −1 instead of −∞')),
  mistake(leak, 'maskMinusTen', () => t('Hidden scores are −10 instead of −∞')),
  mistake(leak, 'maskPositive', () => t('Hidden scores are +1e9: only what is hidden is seen')),
  mistake(bounds, 'maskStrict', () => t('A token does not see itself')),
  mistake(bounds, 'maskLoose', () => t('A token sees the next one too'), 'RVC-Boss/GPT-SoVITS/issues/965'),
  mistake(bounds, 'causalToo', () => t('A causal mask is applied that this attention has not')),
  mistake(bounds, 'causalForgotten', () => t('Later tokens are not hidden')),
  mistake(bounds, 'maskStart', () => t('The causal mask begins at the first key, not at the cache’s end'), 'pytorch/pytorch/issues/108108'), // prettier-ignore
  mistake(bounds, 'maskEnd', () => t('The causal mask ends at the last key, not at the first query’s own')),
  mistake(window, 'windowShort', () => t('The window is one key too short')),
  mistake(window, 'windowLong', () => t('The window is one key too long'), 'huggingface/transformers/issues/39408'),
  mistake(window, 'windowForgotten', () => t('The window is missing, only later tokens are hidden')),
  mistake(window, 'windowBoth', () => t('The window reaches to later tokens too')),
  mistake(window, 'windowBlocks', () => t('The window is cut into blocks that do not overlap')),
];
