import { t } from '../../text';
import { mistake, papers, type Family, type Mistake } from './entry';

/* Softmax, the sum of values, and what becomes of the heads. */

const softmaxLine = 'A = np.exp(S - S.max(-1, keepdims=True)); A /= A.sum(-1, keepdims=True)';

const axis: Family = {
  part: 'softmax',
  cause: () => t('softmax has no default axis that is right for every shape.'),
  look: () => t('Rows of the weights do not sum to 1; columns, or everything, may.'),
  fix: softmaxLine,
};
const kept: Family = {
  part: 'softmax',
  cause: () => t('A sum or maximum over the last axis drops it: what is left meets the columns of a square matrix, without an error.'),
  look: () => t('Only square scores can have it; rows of the weights do not sum to 1 where the sums have it.'),
  fix: softmaxLine,
}; // prettier-ignore
const missing: Family = {
  part: 'softmax',
  cause: () => t('A step of softmax was left out, or another function stands in its place.'),
  look: () => t('Rows of the weights do not sum to 1, or one of their cells is 1.'),
  fix: softmaxLine,
};
const flat: Family = {
  part: 'softmax',
  cause: () => t('Softmax was computed with something added or repeated.'),
  look: () => t('Weights are closer together than they should be.'),
  fix: softmaxLine,
};
const overflow: Family = {
  part: 'softmax',
  cause: () => t('exp of more than 88 is infinite in float32, and ∞/∞ is NaN: the largest score has to be subtracted.'),
  look: () => t('Rows of NaN where scores are large.'),
  fix: softmaxLine,
  defined: papers.softmax,
};
const rounded: Family = {
  part: 'softmax',
  cause: () => t('Numbers were rounded on the way, by hand or by // or an integer array.'),
  look: () => t('Later digits do not fit, early ones do.'),
  fix: softmaxLine,
};
const sum: Family = {
  part: 'mix',
  cause: () => t('An axis of the product was exchanged, or another matrix stands for V.'),
  look: () => t('The weights are right, the output is not.'),
  fix: 'A @ V',
};
const join: Family = {
  part: 'merge',
  cause: () => t('reshape and view keep the reading order; to put heads beside each other needs a transpose.'),
  look: () => t('Each head is right by itself; the output holds pieces of several tokens.'),
  fix: 'O.transpose(1, 0, 2).reshape(n, h * d_v)',
};
const reduce: Family = {
  ...join,
  cause: () => t('Heads were reduced to one matrix instead of being put beside each other.'),
  look: () => t('Columns repeat, or there are fewer of them.'),
};
const out: Family = {
  part: 'out',
  cause: () => t('The last projection was left out, repeated, or holds another layout.'),
  look: () => t('Joined heads are right, the output is not.'),
  fix: 'O @ W_o + b_o',
};
const beside: Family = {
  part: 'sum',
  cause: () => t('What is added to attention’s output is X as it came, once.'),
  look: () => t('The difference is X, or a multiple of it.'),
  fix: 'X + attention(norm(X))  # or norm(X + attention(X))',
  defined: papers.preNorm,
};

export const outputs: readonly Mistake[] = [
  mistake(axis, 'softmaxQueries', () => t('Softmax goes over the queries instead of the keys'), 'labmlai/annotated_deep_learning_paper_implementations/issues/146'), // prettier-ignore
  mistake(axis, 'softmaxWhole', () => t('Softmax goes over the whole matrix')),
  mistake(kept, 'sumUnkept', () => t('The sums of rows divide columns')),
  mistake(kept, 'maxUnkept', () => t('The largest scores of rows are taken off columns')),
  mistake(kept, 'bothUnkept', () => t('The largest scores and the sums of rows are those of columns')),
  mistake(axis, 'softmaxMixed', () => t('Each row’s largest score is taken off, but the sums are those of columns')),
  mistake(axis, 'softmaxHeads', () => t('Softmax goes over the heads')),
  mistake(missing, 'noSoftmax', () => t('Softmax is missing')),
  mistake(missing, 'sigmoid', () => t('A sigmoid stands for softmax')),
  mistake(missing, 'relu', () => t('ReLU stands for softmax')),
  mistake(missing, 'sumOnly', () => t('Scores are divided by their sum, without exponentials')),
  mistake(missing, 'noSum', () => t('Exponentials are not divided by their sum')),
  mistake(missing, 'logSoftmax', () => t('The logarithm of the weights is used: log_softmax')),
  mistake(missing, 'argmax', () => t('Only the key with the largest score counts')),
  mistake(missing, 'logSumExp', () => t('The logarithm of each row’s sum of exponentials stands in the place of the weights: logsumexp'), 'huggingface/transformers/issues/36096'), // prettier-ignore
  mistake(missing, 'softmaxNegative', () => t('Softmax of the negative scores')),
  mistake(missing, 'softmaxBaseTwo', () => t('2 stands for e in softmax: exp2 without the factor log2(e)')),
  mistake(flat, 'softmaxTwice', () => t('Softmax is applied twice')),
  mistake(flat, 'softmaxPlusOne', () => t('1 is added to the sum of exponentials'), 'karpathy/llama2.c/issues/59'),
  mistake(flat, 'softmaxEpsilon', () => t('1e-6 is added to the sum of exponentials')),
  mistake(flat, 'softmaxEpsilonLarge', () => t('1e-3 is added to the sum of exponentials')),
  mistake(flat, 'headsMeanFirst', () => t('Scores are averaged over heads before softmax')),
  mistake(overflow, 'noMax', () => t('The largest score is not subtracted, and exp overflows'), 'NVIDIA/FasterTransformer/issues/43'), // prettier-ignore
  mistake(rounded, 'weightsRounded2', () => t('The weights are rounded to 2 digits before they meet V')),
  mistake(rounded, 'weightsRounded1', () => t('The weights are rounded to 1 digit before they meet V')),
  mistake(rounded, 'weightsWhole', () => t('The weights are cut to whole numbers, as in an integer array')),
  mistake(sum, 'weightsTransposed', () => t('The weights are transposed before they meet V')),
  mistake(sum, 'valuesTransposed', () => t('V is transposed')),
  mistake(sum, 'turnedKeysAsValues', () => t('The weights meet the keys, as they are in the scores, instead of V')),
  mistake(sum, 'elementwise', () => t('Weights and V are multiplied cell by cell')),
  mistake(sum, 'meanOfValues', () => t('The mean of all values is taken, without weights')),
  mistake(join, 'viewMerge', () => t('Heads are joined by reshape without a transpose'), 'jsbaan/transformer-from-scratch/pull/6'), // prettier-ignore
  mistake(join, 'strideMerge', () => t('The columns of the heads are interleaved')),
  mistake(join, 'headsReversed', () => t('The heads are joined in reverse order')),
  mistake(join, 'headsStacked', () => t('The heads are stacked as rows')),
  mistake(reduce, 'headsAveraged', () => t('The heads are averaged')),
  mistake(reduce, 'headsMeanRepeated', () => t('The mean of the heads stands in the place of each')),
  mistake(reduce, 'headsSummed', () => t('The heads are added up')),
  mistake(reduce, 'firstHead', () => t('Only the first head is kept')),
  mistake(reduce, 'lastHead', () => t('Only the last head is kept: each overwrites the one before')),
  mistake(out, 'noWo', () => t('W_O is not applied')),
  mistake(out, 'transposedWo', () => t('W_O is transposed'), undefined, {
    cause: () => t('nn.Linear keeps W as outputs × inputs and multiplies by its transpose; X @ W does not.'),
  }),
  mistake(out, 'woTwice', () => t('W_O is applied twice')),
  mistake(out, 'noBo', () => t('The bias of the output is missing')),
  mistake(out, 'boTwice', () => t('The bias of the output is added twice')),
  mistake(out, 'outputWhole', () => t('The output is cut to whole numbers, as in an integer array')),
  mistake(beside, 'residual', () => t('X is added to the output')),
  mistake(beside, 'noResidual', () => t('X is not added to the output')),
  mistake(beside, 'residualNormed', () => t('The normalised X is added to the output instead of X'), 'Howuhh/faster-trajectory-transformer/issues/3'), // prettier-ignore
  mistake(beside, 'normOfOutput', () => t('The output is normalised before X is added, not their sum'), 'harvardnlp/annotated-transformer/issues/110'), // prettier-ignore
];

/** Which weights were dropped cannot be computed; what is left of them has a signature (`dropout.ts`). */
export const dropout = mistake(
  {
    part: 'softmax',
    cause: () => t('scaled_dot_product_attention applies dropout_p in evaluation too; a module has to pass 0 there.'),
    look: () => t('Some weights are 0, all others are larger than they should be by the same factor.'),
    fix: 'dropout_p=self.p if self.training else 0.0',
  },
  'dropoutOn',
  () => t('Dropout is still on'),
  'pytorch/pytorch/issues/124464',
);

const half: Family = {
  part: 'softmax',
  cause: () => t('Tensors are of half precision: every product and sum is rounded to its few digits.'),
  look: () => t('Every number is one that this precision has; digits after the first two or three differ.'),
  fix: 'x.float()  # or torch.autocast(..., enabled=False) around attention',
};

/** What is computed in half precision is known by its numbers (`precision.ts`): in which order a library rounds is not. */
export const precisions = {
  // A number of bfloat16 is mostly one of float16 too.
  bfloat16: mistake(
    half,
    'bfloat16',
    () => t('Numbers are rounded to bfloat16 on the way'),
    'tinygrad/tinygrad/pull/12280',
  ),
  float16: mistake(
    half,
    'float16',
    () => t('Numbers are rounded to float16 on the way'),
    'pytorch/pytorch/issues/123911',
  ),
} as const;
