import { t } from '../../text';
import { mistake, papers, type Family, type Mistake } from './entry';

/* Before attention: positions that are added, the norm of a block. */

const positions: Family = {
  part: 'input',
  cause: () => t('The formula of sines and cosines was written down from memory, or for another layout.'),
  look: () => t('Nearly right where positions are small; the difference grows with the position.'),
  fix: 'P[:, 0::2], P[:, 1::2] = np.sin(pos / 10000**(two_i / d)), np.cos(pos / 10000**(two_i / d))',
};
const added: Family = {
  ...positions,
  cause: () => t('Positions were added in another place, or not at all.'),
  look: () => t('Tokens that are alike get the same or exaggerated differences.'),
  fix: 'X = E + P',
};

const norm: Family = {
  part: 'norm',
  cause: () => t('LayerNorm was written by hand: another estimate of the variance, or ε in another place.'),
  look: () => t('All numbers of a row differ by nearly the same factor, the more the narrower the row.'),
  fix: '(x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)',
  defined: papers.layerNorm,
};
const order: Family = {
  ...norm,
  cause: () => t('Two kinds of block are in use: norm before attention (GPT-2, Llama) and after the sum (Vaswani et al. 2017).'),
  look: () => t('Means and variances of the rows do not fit: 0 and 1 where they should not be, or the reverse.'),
  fix: 'X + attention(norm(X))  # or norm(X + attention(X))',
  defined: papers.preNorm,
}; // prettier-ignore

export const before: readonly Mistake[] = [
  mistake(added, 'noPositions', () => t('Positions are not added')),
  mistake(added, 'positionsTwice', () => t('Positions are added twice')),
  mistake(added, 'positionsMultiplied', () => t('The input is multiplied by the positions instead of added to them')),
  mistake(added, 'embeddingScaled', () => t('The input is multiplied by √d_model')),
  mistake(positions, 'positionsFromOne', () => t('Positions count from 1')),
  mistake(positions, 'positionsReversed', () => t('Positions count backwards')),
  mistake(positions, 'positionsLayout', () => t('Sines and cosines stand in halves where they should alternate, or the reverse'), 'tensorflow/text/issues/1122'), // prettier-ignore
  mistake(positions, 'positionsSwapped', () => t('Sines and cosines are exchanged')),
  mistake(positions, 'positionsColumn', () => t('Each column has a frequency of its own, where two share one'), 'DongjunLee/transformer-tensorflow/issues/6'), // prettier-ignore
  mistake(positions, 'positionsDouble', () => t('The exponent is twice the column: 2·2i/d instead of 2i/d'), 'shenweichen/DeepCTR/issues/379'), // prettier-ignore
  mistake(positions, 'positionsTimes', () => t('Positions are multiplied by 10000^(2i/d) instead of divided'), 'harvardnlp/annotated-transformer/issues/131'), // prettier-ignore
  mistake(positions, 'positionsBase', () => t('The base of the positions is 1000 instead of 10000'), 'maxjcohen/transformer/issues/62'), // prettier-ignore
  mistake(norm, 'normUnbiased', () => t('The variance of the norm is divided by d − 1'), 'harvardnlp/annotated-transformer/pull/119'), // prettier-ignore
  mistake(norm, 'normEpsilonOutside', () => t('ε is added to the standard deviation instead of the variance'), 'hkproj/pytorch-transformer/pull/31'), // prettier-ignore
  mistake(norm, 'normStandard', () => t('The norm divides by torch.std + ε: variance over d − 1, and ε outside the root'), 'codertimo/BERT-pytorch/issues/30'), // prettier-ignore
  mistake(norm, 'normNoRoot', () => t('The norm divides by the variance instead of its root')),
  mistake(norm, 'normRootTwice', () => t('The norm divides by the root of the standard deviation'), 'hyunwoongko/transformer/issues/7'), // prettier-ignore
  mistake(norm, 'normNoEpsilon', () => t('The norm has no ε')),
  mistake(norm, 'normTokens', () => t('The norm goes over the tokens instead of the columns')),
  mistake(norm, 'normKind', () => t('LayerNorm stands for RMSNorm, or the reverse')),
  mistake(norm, 'noGains', () => t('Gains and biases of the norm are missing')),
  mistake(order, 'noNorm', () => t('The norm is missing')),
  mistake(order, 'normOrder', () => t('The norm stands after the sum instead of before attention, or the reverse'), 'hkproj/pytorch-transformer/issues/14'), // prettier-ignore
  mistake(order, 'normUnasked', () => t('The input is normalised before the projections')),
];
