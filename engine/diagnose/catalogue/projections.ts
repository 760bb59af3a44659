import { t } from '../../text';
import { mistake, papers, type Family, type Mistake } from './entry';

/* Q, K and V; heads; RoPE. */

const [wq, wk, wv] = ['Q = X @ W_q + b_q', 'K = X @ W_k + b_k', 'V = X @ W_v + b_v'] as const;
const all = `${wq}; ${wk}; ${wv}`;

const layout: Family = {
  part: 'project',
  cause: () => t('nn.Linear keeps W as outputs × inputs and multiplies by its transpose; X @ W does not.'),
  look: () => t('Shapes fit because W is square; all numbers differ.'),
  fix: all,
};
const bias: Family = {
  part: 'project',
  cause: () => t('Weights were copied without their biases, or the layer was made with bias=False.'),
  look: () => t('Every row differs by the same amounts before softmax.'),
  fix: all,
};
const names: Family = {
  part: 'project',
  cause: () => t('Two variables or arguments were exchanged.'),
  look: () => t('Shapes fit because widths are equal; all numbers differ.'),
  fix: all,
};
const fused: Family = {
  part: 'project',
  cause: () => t('A projection to Q, K and V at once is cut in another order than its weights were joined in.'),
  look: () => t('Shapes fit; Q, K and V hold columns of one another.'),
  fix: 'Q, K, V = np.split(X @ W_qkv, 3, axis=-1)',
};
const cross: Family = {
  part: 'project',
  cause: () => t('Self-attention and cross-attention take keys and values from different tokens.'),
  look: () => t('Right where both inputs are alike.'),
  fix: 'Q = X @ W_q; K = context @ W_k; V = context @ W_v',
};
const split: Family = {
  part: 'cut',
  cause: () => t('reshape and view keep the reading order; to bring heads forward needs a transpose.'),
  look: () => t('Heads hold pieces of several tokens; with one head everything is right.'),
  fix: 'Q.reshape(n, h, d_k).transpose(1, 0, 2)',
};
const groups: Family = {
  part: 'cut',
  cause: () => t('Neighbouring query heads share keys; tile and repeat along another axis give another order.'),
  look: () => t('Some heads are right, those whose keys happen to be theirs.'),
  fix: 'K = np.repeat(K, h // kv_heads, axis=0)',
  defined: papers.grouped,
};
const rope: Family = {
  part: 'turn',
  cause: () => t('RoPE exists in several layouts, and was carried over from another model.'),
  look: () => t('The first token is right, as its angle is 0; later ones differ more and more.'),
  fix: 'q * cos + rotate_half(q) * sin',
  defined: papers.rope,
};
const places: Family = {
  ...rope,
  cause: () => t('The position of the query is not the one that its keys count from.'),
  look: () => t('Only distances enter: shifting queries and keys together changes nothing.'),
  fix: 'pos = start + np.arange(n)  # start: length of the cache',
};

export const projections: readonly Mistake[] = [
  mistake(layout, 'transposedWq', () => t('W_Q is transposed'), undefined, { fix: wq }),
  mistake(layout, 'transposedWk', () => t('W_K is transposed'), undefined, { fix: wk }),
  mistake(layout, 'transposedWv', () => t('W_V is transposed'), undefined, { fix: wv }),
  mistake(layout, 'transposedAll', () => t('W_Q, W_K and W_V are transposed')),
  mistake(bias, 'noBq', () => t('The bias of Q is missing'), undefined, { fix: wq }),
  mistake(bias, 'noBk', () => t('The bias of K is missing'), undefined, { fix: wk }),
  mistake(bias, 'noBv', () => t('The bias of V is missing'), undefined, { fix: wv }),
  mistake(bias, 'noBias', () => t('The biases of Q, K and V are missing'), 'sbryngelson/ANEForge/pull/253'),
  mistake(bias, 'biasTwice', () => t('The biases of Q, K and V are added twice')),
  mistake(bias, 'biasBefore', () => t('The biases are added before the product with W')),
  mistake(names, 'swapQK', () => t('Q and K are swapped'), undefined, { fix: 'S = Q @ K.T / np.sqrt(d_k)' }),
  mistake(names, 'swapKV', () => t('K and V are swapped'), 'tenstorrent/tt-mlir/issues/8958'),
  mistake(names, 'swapQV', () => t('Q and V are swapped')),
  mistake(names, 'valuesAreKeys', () => t('The keys are used as values'), undefined, { fix: wv }),
  mistake(names, 'valuesAreQueries', () => t('The queries are used as values'), undefined, { fix: wv }),
  mistake(names, 'keysAreQueries', () => t('The queries are used as keys'), undefined, { fix: wk }),
  mistake(names, 'keysAreValues', () => t('The values are used as keys'), undefined, { fix: wk }),
  mistake(names, 'sharedWq', () => t('W_Q stands for W_K and W_V too')),
  mistake(
    names,
    'sharedWk',
    () => t('W_K stands for W_Q and W_V too'),
    'Khaliladib11/Transformer-from-scratch/issues/1',
  ),
  mistake(names, 'weightsSwappedQK', () => t('W_Q and W_K are exchanged, their biases are not'), undefined, {
    fix: all,
  }),
  mistake(names, 'weightsSwappedKV', () => t('W_K and W_V are exchanged, their biases are not'), undefined, {
    fix: all,
  }),
  mistake(names, 'weightsSwappedQV', () => t('W_Q and W_V are exchanged, their biases are not'), undefined, {
    fix: all,
  }),
  mistake(names, 'queriesAreX', () => t('X is used as queries, without W_Q'), undefined, { fix: wq }),
  mistake(names, 'keysAreX', () => t('X is used as keys, without W_K'), undefined, { fix: wk }),
  mistake(names, 'valuesAreX', () => t('X is used as values, without W_V'), undefined, { fix: wv }),
  mistake(fused, 'fusedByHead', () => t('The fused QKV is cut head by head, where it is Q, then K, then V'), 'awslabs/slapo/pull/46'), // prettier-ignore
  mistake(fused, 'fusedColumns', () => t('The fused QKV is cut by every third column')),
  mistake(fused, 'fusedRolled', () => t('The fused QKV is cut as K, V, Q')),
  mistake(fused, 'fusedRolledBack', () => t('The fused QKV is cut as V, Q, K')),
  mistake(cross, 'selfForCross', () => t('Keys and values come from X instead of the context')),
  mistake(cross, 'contextForQueries', () => t('Queries come from the context, keys and values from X')),
  mistake(cross, 'valuesOfX', () => t('Values come from X instead of the context')),
  mistake(cross, 'normQueriesOnly', () => t('Only the queries are normalised, keys and values are not'), 'facebookresearch/xformers/pull/233'), // prettier-ignore
  mistake(split, 'viewHeads', () => t('Heads are cut by reshape without a transpose'), 'reczoo/FuxiCTR/issues/30'),
  mistake(split, 'viewQueries', () => t('Only the queries are cut into heads by reshape without a transpose')),
  mistake(split, 'strideHeads', () => t('Heads take every h-th column instead of neighbouring ones')),
  mistake(split, 'oneHead', () => t('All heads are computed as one')),
  mistake(split, 'headsRolled', () => t('Each head takes the values of the next one')),
  mistake(groups, 'groupsTiled', () => t('Key and value heads are tiled (0 1 0 1) instead of repeated (0 0 1 1)'), 'onnx/onnx/pull/7274'), // prettier-ignore
  mistake(groups, 'groupsFirst', () => t('All query heads share the first key and value head')),
  mistake(groups, 'groupsReversed', () => t('Key and value heads are shared in reverse order')),
  mistake(groups, 'groupsAveraged', () => t('Key and value heads are averaged')),
  mistake({ ...split, part: 'turn' }, 'keysViewed', () => t('K is reshaped to d_k × n instead of transposed'), undefined, { fix: 'S = Q @ K.T' }), // prettier-ignore
  mistake({ ...rope, cause: names.cause, look: names.look, defined: papers.attention }, 'cosine', () => t('Queries and keys are normalised: cosine similarity'), undefined, { fix: 'S = Q @ K.T / np.sqrt(d_k)' }), // prettier-ignore
  mistake(rope, 'noRope', () => t('RoPE is missing')),
  mistake(rope, 'ropeLayout', () => t('RoPE turns halves where it should turn adjacent pairs, or the reverse'), 'huggingface/transformers/issues/25199'), // prettier-ignore
  mistake(rope, 'ropeMixed', () => t('RoPE’s angles are those of adjacent pairs, but halves are turned'), 'raiyanyahya/how-to-train-your-gpt/issues/6'), // prettier-ignore
  mistake(rope, 'ropeBase', () => t('RoPE has another base: 10000, or 500000 in place of it'), 'huggingface/candle/pull/3746'), // prettier-ignore
  mistake(rope, 'ropeExponent', () => t('RoPE’s exponent is i/d instead of 2i/d')),
  mistake(rope, 'ropeByWidth', () => t('RoPE’s frequencies are those of the width of all heads'), 'Lightricks/LTX-Video/issues/224'), // prettier-ignore
  mistake(rope, 'ropeTimes', () => t('RoPE multiplies by base^(2i/d) instead of dividing')),
  mistake(rope, 'ropeBackwards', () => t('RoPE turns the other way')),
  mistake(rope, 'ropeTwice', () => t('RoPE is applied twice')),
  mistake(rope, 'ropeValues', () => t('RoPE turns the values too'), 'tenstorrent/tt-mlir/issues/8958'),
  mistake(rope, 'ropeKeysOnly', () => t('RoPE turns the keys only')),
  mistake(rope, 'ropeQueriesOnly', () => t('RoPE turns the queries only')),
  mistake(rope, 'ropeOpposite', () => t('RoPE turns keys the other way than queries')),
  mistake(places, 'ropeByHead', () => t('RoPE counts heads instead of tokens'), 'mlfoundations/open_lm/issues/4'),
  mistake(places, 'ropeQueriesFromOne', () => t('Queries are turned by one position more than keys')),
  mistake(places, 'ropeCacheRestart', () => t('With a cache, the query’s position starts again at 0'), 'pytorch/executorch/pull/2010'), // prettier-ignore
];
