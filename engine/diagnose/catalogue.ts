import { t } from '../text';

/** The parts of attention in which a mistake can be, in the order in which they are computed. */
export const parts = ['project', 'cut', 'scale', 'mask', 'softmax', 'mix', 'merge', 'out'] as const;
export type Part = (typeof parts)[number];

export interface Mistake {
  readonly id: string;
  readonly part: Part;
  /** In the field's words. */
  readonly name: () => string;
  /** What to write instead, in NumPy; S: scores, A: weights, n: tokens, h: heads. */
  readonly fix: string;
  /** Where somebody made this mistake in public code; without one, only `defined` says what is right. */
  readonly reported?: string;
  /** Where the right computation is defined. */
  readonly defined: string;
}

const paper = 'https://arxiv.org/abs/1706.03762';
const github = (path: string): string => `https://github.com/${path}`;

const mistake = (id: string, part: Part, name: () => string, fix: string, reported?: string): Mistake => ({
  id,
  part,
  name,
  fix,
  defined: paper,
  ...(reported === undefined ? {} : { reported: github(reported) }),
});

const [wq, wk, wv] = ['Q = X @ W_q + b_q', 'K = X @ W_k + b_k', 'V = X @ W_v + b_v'] as const;
const all = `${wq}; ${wk}; ${wv}`;
const scaled = 'S = Q @ K.T / np.sqrt(d_k)';
const masked = 'S = np.where(hidden, -np.inf, S)';
const causal = 'hidden = np.triu(np.ones((n, n)), 1) == 1';
const softmax = 'A = np.exp(S - S.max(-1, keepdims=True)); A /= A.sum(-1, keepdims=True)';
const split = 'Q.reshape(n, h, d_k).transpose(1, 0, 2)';
const joined = 'O.transpose(1, 0, 2).reshape(n, h * d_v)';
const out = 'O @ W_o + b_o';

const [fuxi, jsbaan] = ['reczoo/FuxiCTR/issues/30', 'jsbaan/transformer-from-scratch/pull/6'];
const [axis, polarity] = ['labmlai/annotated_deep_learning_paper_implementations/issues/146', 'rasbt/LLMs-from-scratch/issues/1061']; // prettier-ignore

/** Mistakes whose effect on every number can be computed. Their arithmetic is in `walk.ts`, by these ids. */
export const catalogue: readonly Mistake[] = [
  mistake('transposedWq', 'project', () => t('W_Q is transposed'), wq),
  mistake('transposedWk', 'project', () => t('W_K is transposed'), wk),
  mistake('transposedWv', 'project', () => t('W_V is transposed'), wv),
  mistake('transposedAll', 'project', () => t('W_Q, W_K and W_V are transposed'), all),
  mistake('noBq', 'project', () => t('The bias of Q is missing'), wq),
  mistake('noBk', 'project', () => t('The bias of K is missing'), wk),
  mistake('noBv', 'project', () => t('The bias of V is missing'), wv),
  mistake('noBias', 'project', () => t('The biases of Q, K and V are missing'), all),
  mistake('swapQK', 'project', () => t('Q and K are swapped'), scaled),
  mistake('swapKV', 'project', () => t('K and V are swapped'), all),
  mistake('valuesAreKeys', 'project', () => t('The keys are used as values'), wv),
  mistake('valuesAreX', 'project', () => t('X is used as values, without W_V'), wv),
  mistake('keysAreQueries', 'project', () => t('The queries are used as keys'), wk),
  mistake('viewHeads', 'cut', () => t('Heads are cut by reshape without a transpose'), split, fuxi),
  mistake('strideHeads', 'cut', () => t('Heads take every h-th column instead of neighbouring ones'), split),
  mistake('oneHead', 'cut', () => t('All heads are computed as one'), split),
  mistake('noScale', 'scale', () => t('The scores are not divided by √d_k'), scaled, 'mlc-ai/mlc-llm/pull/3426'),
  mistake('scaleD', 'scale', () => t('The scores are divided by d_k instead of √d_k'), scaled),
  mistake('scaleModel', 'scale', () => t('The scores are divided by the root of the width of all heads'), scaled, 'omihub777/ViT-CIFAR/pull/11'), // prettier-ignore
  mistake('scaleKeys', 'scale', () => t('The scores are divided by the root of the number of keys'), scaled),
  mistake('scaleTimes', 'scale', () => t('The scores are multiplied by √d_k'), scaled, 'esceptico/perceiver-io/issues/9'), // prettier-ignore
  mistake('scaleFourth', 'scale', () => t('The scores are divided by the fourth root of d_k'), scaled),
  mistake('scaleZero', 'scale', () => t('The scores are multiplied by 0'), scaled, 'SKaiNET-developers/SKaiNET/pull/880'), // prettier-ignore
  mistake('scaleAfter', 'scale', () => t('The weights are divided by √d_k, instead of the scores'), scaled),
  mistake('noMask', 'mask', () => t('The mask is not applied'), masked, 'facebookresearch/xformers/issues/103'),
  mistake('maskInverted', 'mask', () => t('The mask is inverted'), masked, polarity),
  mistake('maskTransposed', 'mask', () => t('The mask is transposed'), masked),
  mistake('maskStrict', 'mask', () => t('A token does not see itself'), causal),
  mistake('maskLoose', 'mask', () => t('A token sees the next one too'), causal, 'RVC-Boss/GPT-SoVITS/issues/965'),
  mistake('maskZero', 'mask', () => t('Hidden scores are 0 instead of −∞'), masked),
  mistake('maskTiny', 'mask', () => t('Hidden scores are 1e-9 instead of −1e9'), masked),
  mistake('maskAdded', 'mask', () => t('A mask of 0 and 1 is added to the scores, 1 where keys are hidden'), masked),
  mistake('maskAddedSeen', 'mask', () => t('A mask of 0 and 1 is added to the scores, 1 where keys are seen'), masked),
  mistake('maskAfter', 'mask', () => t('The mask is applied after softmax, and the rows do not sum to 1'), masked, 'huggingface/pytorch-image-models/pull/2236'), // prettier-ignore
  mistake('softmaxQueries', 'softmax', () => t('Softmax goes over the queries instead of the keys'), softmax, axis),
  mistake('softmaxWhole', 'softmax', () => t('Softmax goes over the whole matrix'), softmax),
  mistake('softmaxHeads', 'softmax', () => t('Softmax goes over the heads'), softmax),
  mistake('noSoftmax', 'softmax', () => t('Softmax is missing'), softmax),
  mistake('sigmoid', 'softmax', () => t('A sigmoid stands for softmax'), softmax),
  mistake('sumOnly', 'softmax', () => t('Scores are divided by their sum, without exponentials'), softmax),
  mistake('noSum', 'softmax', () => t('Exponentials are not divided by their sum'), softmax),
  mistake('softmaxTwice', 'softmax', () => t('Softmax is applied twice'), softmax),
  mistake('weightsTransposed', 'mix', () => t('The weights are transposed before they meet V'), 'A @ V'),
  mistake('viewMerge', 'merge', () => t('Heads are joined by reshape without a transpose'), joined, jsbaan),
  mistake('strideMerge', 'merge', () => t('The columns of the heads are interleaved'), joined),
  mistake('headsReversed', 'merge', () => t('The heads are joined in reverse order'), joined),
  mistake('noWo', 'out', () => t('W_O is not applied'), out),
  mistake('transposedWo', 'out', () => t('W_O is transposed'), out),
  mistake('noBo', 'out', () => t('The bias of the output is missing'), out),
  mistake('residual', 'out', () => t('X is added to the output'), out),
];
