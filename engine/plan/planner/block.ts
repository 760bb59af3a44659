import { t } from '../../text';
import { formula, product, symbol, weight, type Expression, type Symbol } from '../../operations';
import {
  blockEpsilon,
  layerCount,
  pathInLayer,
  shownLayer,
  specOfLayer,
  weightsOfLayer,
  dimsOf,
  visibleText,
  type FeedForward,
} from '../../spec';
import { providedModel } from '../../models';
import type { BackendCall } from '../operations';
import { planAttention } from './attention';
import { decoding } from './decoding';
import { addStep, stepOf, symbolOf, tokenTexts, widthOf, type Draft, type Shape, type Source } from './draft';
import type { DescribedStep, NormId } from '../words';
import { planHeads, planProjections, randomWeights } from './projections';
import { TABLE, X } from './symbols';

/*
 * Layers of a transformer: attention with a residual sum and norms around it, then a feed-forward layer with the same, as often as there are layers,
 * then the words of the vocabulary. The layer that is shown has the ids of attention alone; those of the others begin with the layer.
 * Drawn in the order of the steps: of each layer gains of the norm before attention, W_q, W_k, W_v, b_q, b_k, b_v, W_O, b_O, gains of the norm after,
 * W_g, W_1, b_1, W_2, b_2; at the end gains and W_U. Gains of a norm come before its biases.
 */

const N = symbol('x', 'N');
const R = symbol('x', 'R');
const F = symbol('output', 'F');
const L = symbol('scores', 'L');

/** The rows after each layer: X⁽¹⁾. */
const streamOf = (layer: number): Pick<Source, 'symbol' | 'unicode'> => ({
  symbol: symbol('x', `X^{(${layer})}`),
  unicode: `X${[...`(${layer})`].map((c) => '⁽⁾⁰¹²³⁴⁵⁶⁷⁸⁹'['()0123456789'.indexOf(c)] ?? c).join('')}`,
});

export function planBlocks(draft: Draft): void {
  const { spec } = draft;
  const shared = new Set(draft.steps.map(({ id }) => id));
  let stream: Source = { id: 'x', symbol: X, unicode: 'X' };
  let end = draft;
  for (let i = 1; i <= layerCount(spec); i++) {
    const shown = i === shownLayer(spec);
    const scope = shown ? '' : `layer${i}_`;
    const layer = { scope, number: i, shared, source: stream, path: (path: string) => pathInLayer(spec, i, path) };
    const { decode, ...whole } = specOfLayer(spec, i);
    // A decoder's step asks in the last layer: those before it have filled its cache row by row.
    const asks = decode && i === layerCount(spec);
    const own: Draft = {
      ...end,
      spec: { ...whole, ...(asks && { decode }) },
      branches: shown ? draft.branches : {},
      layer,
    };
    if (!shown) own.group = { id: `layer${i}`, name: t('Layer {0}', i - 1) };
    const made = planLayer(own, i, stream);
    stream = made.stream;
    end = { ...end, tokens: made.draft.tokens };
  }
  planEnd({ ...end, group: { id: 'nextToken', name: t('Next token') } }, stream);
}

/** The rows after a layer, and the draft with the tokens whose rows they are. */
interface Made {
  readonly stream: Source;
  readonly draft: Draft;
}

function planLayer(whole: Draft, i: number, all: Source): Made {
  const { norm } = whole.spec.block ?? {};
  const before = norm === 'before';
  const source = before ? planNorm(whole, 'normed', all, N, 'N', i, 1) : all;
  const draft = { ...attend(withSource(whole, source)), ...(whole.layer && { layer: whole.layer }) };
  const stream = draft.decoded === undefined ? all : planOwnRow(draft, all, draft.decoded);
  if (!draft.group) draft.group = { id: 'feedForward', name: t('Feed-forward') };
  const last = draft.spec.feedForward === undefined && norm !== 'after';
  const sum = last ? streamOf(i) : { symbol: R, unicode: 'R' };
  planSum(draft, 'residual', sum, stream, 'output');
  const attended: Source = { id: fullId(draft, 'residual'), ...sum };
  const row = norm === 'after' ? planNorm(draft, 'residualNormed', attended, N, 'N', i, 1) : attended;
  const { feedForward } = draft.spec;
  return { stream: feedForward ? planFeedForward(draft, feedForward, i, row) : row, draft };
}

/** The row of a decoder's step, to which what attention found is added. */
function planOwnRow(draft: Draft, { id, symbol: of, unicode }: Source, row: number): Source {
  const own = { symbol: symbol(of.role, `{${of.latex}}_{${row}}`), unicode: `${unicode} ${t('of the step')}` };
  const call = { op: 'cut', rows: [row, row + 1] } as const;
  addStep(draft, { id: 'ownRow', ...own, call, operands: [id], rows: tokenTexts(draft.tokens) });
  return { id: fullId(draft, 'ownRow'), ...own };
}

/** Attention as it is without a block, from the rows of this layer; gives the draft to go on with. */
function attend(draft: Draft): Draft {
  planProjections(draft);
  const cut = decoding(draft);
  planHeads(cut);
  planAttention(cut);
  return cut;
}

const withSource = (draft: Draft, source: Source): Draft =>
  draft.layer ? { ...draft, layer: { ...draft.layer, source } } : draft;

const fullId = (draft: Draft, id: string): string => stepOf(draft, id).id;

function planSum(
  draft: Draft,
  id: DescribedStep,
  of: Pick<Source, 'symbol' | 'unicode'>,
  a: Source,
  b: DescribedStep,
): void {
  const sum = formula`${of.symbol} = ${a.symbol} + ${symbolOf(draft, b)}`;
  addStep(draft, { id, ...of, call: { op: 'add' }, operands: [a.id, b], formula: sum, rows: tokenTexts(draft.tokens) }); // prettier-ignore
}

// --- norms ------------------------------------------------------------------------

type Place = 1 | 2 | 'last';

/** Norms the rows of `of`; its gains (and biases) are given, drawn, or all 1 (0), which takes no step. */
function planNorm(
  draft: Draft,
  id: NormId,
  of: Source,
  to: Symbol,
  unicode: string,
  layer: number,
  place: Place,
): Source {
  const { epsilon = blockEpsilon, of: kind = 'layer' } = draft.spec.block ?? {};
  const beside = gainsOf(draft, id, widthOf(draft, of.id), layer, place);
  const call: BackendCall = kind === 'rms' ? { op: 'rmsNorm', epsilon } : { op: 'layerNorm', epsilon };
  addStep(draft, { id, symbol: to, unicode, call, operands: [of.id, ...beside], rows: tokenTexts(draft.tokens) });
  return { id: fullId(draft, id), symbol: to, unicode };
}

function gainsOf(draft: Draft, id: NormId, width: number, layer: number, place: Place): readonly string[] {
  const { block } = draft.spec;
  const own = weightsOfLayer(draft.spec, layer);
  const { norm, normBias } =
    place === 'last' ? (block?.last ?? {}) : { norm: own[`norm${place}`], normBias: own[`norm${place}Bias`] };
  const at = place === 'last' ? 'block.last.norm' : `block.weights.${layer - 1}.norm${place}`;
  const drawn = block?.gains === 'random' && !norm;
  if (!norm && !drawn) return [];
  const gains = planRow(draft, `${id}Gains`, 'g', width, norm && at);
  const biased = block?.of !== 'rms' && (drawn || normBias);
  return biased ? [gains, planRow(draft, `${id}Biases`, 'c', width, normBias && `${at}Bias`)] : [gains];
}

/** A row of gains or biases: given at a path, or drawn. */
function planRow(draft: Draft, id: DescribedStep, latex: string, width: number, path: string | undefined): string {
  const of = symbol('parameter', latex);
  const shape = [1, width];
  const row = { id, symbol: of, unicode: latex, place: 'input', shape } as const;
  if (path === undefined) {
    const call = { op: 'random', divideBy: 1, divideByLatex: '' } as const;
    addStep(draft, { ...row, call });
  } else addStep(draft, { ...row, call: { op: 'given', path } });
  return id;
}

// --- feed-forward -------------------------------------------------------------------

const activations = { relu: 'relu', gelu: 'gelu', 'gelu-tanh': 'geluTanh', silu: 'silu', swiglu: 'silu' } as const;

function planFeedForward(draft: Draft, feed: FeedForward, i: number, from: Source): Source {
  const { norm } = draft.spec.block ?? {};
  const input = norm === 'before' ? planNorm(draft, 'ffNormed', from, symbol('x', "N'"), 'N′', i, 2) : from;
  const dModel = widthOf(draft, input.id);
  const own = weightsOfLayer(draft.spec, i);
  const given = own.w1 && dimsOf(own.w1)[draft.spec.convention === 'XW' ? 1 : 0];
  const width = given ?? feed.width ?? 4 * dModel;
  const of = { op: 'apply', of: activations[feed.of] } as const;
  const gated = feed.of === 'swiglu';
  if (gated)
    planProduct(draft, i, {
      id: 'ffGate',
      symbol: symbol('output', 'G'),
      unicode: 'G',
      from: input,
      weight: 'wg',
      shape: [dModel, width],
    });
  planProduct(draft, i, { id: 'ffHidden', symbol: F, unicode: 'F', from: input, weight: 'w1', shape: [dModel, width] });
  const active = gated ? symbol('output', "G'") : symbol('output', "F'");
  const rows = tokenTexts(draft.tokens);
  addStep(draft, {
    id: 'ffActive',
    symbol: active,
    unicode: gated ? 'G′' : 'F′',
    call: of,
    operands: [gated ? 'ffGate' : 'ffHidden'],
    rows,
  });
  const inner = gated
    ? ({ id: 'ffGated', symbol: symbol('output', "F'"), unicode: 'F′' } as const)
    : ({ id: 'ffActive', symbol: active, unicode: 'F′' } as const);
  if (gated) addStep(draft, { ...inner, call: { op: 'combine', sign: '×' }, operands: ['ffActive', 'ffHidden'], rows });
  planProduct(draft, i, {
    id: 'ffOutput',
    symbol: symbol('output', "Y'"),
    unicode: 'Y′',
    from: inner,
    weight: 'w2',
    shape: [width, dModel],
  });
  const after = norm === 'after';
  const sum = after ? { symbol: symbol('x', "R'"), unicode: 'R′' } : streamOf(i);
  const id = after ? 'blockSum' : 'blockOutput';
  planSum(draft, id, sum, from, 'ffOutput');
  const result = { id: fullId(draft, id), ...sum };
  const { symbol: to, unicode } = streamOf(i);
  return after ? planNorm(draft, 'blockOutput', result, to, unicode, i, 2) : result;
}

/** Products, and their ids where a bias follows. */
const beforeBias = {
  ffGate: 'ffGate',
  ffHidden: 'ffHiddenProduct',
  ffOutput: 'ffOutputProduct',
  logits: 'logitsProduct',
} as const satisfies Readonly<Record<string, DescribedStep>>;

interface Product {
  readonly id: keyof typeof beforeBias;
  readonly symbol: Symbol;
  readonly unicode: string;
  readonly from: Source;
  readonly weight: 'w1' | 'w2' | 'wg';
  readonly shape: Shape;
}

const indices = { w1: '1', w2: '2', wg: 'g' } as const;

/** from · W (+ b), of weights that the layer gives or that are drawn. */
function planProduct(draft: Draft, i: number, { id, from, weight: name, shape, ...of }: Product): void {
  const { convention, feedForward } = draft.spec;
  const own = weightsOfLayer(draft.spec, i);
  const at = indices[name];
  const W = weight(`W_${at}`);
  const transposed = convention === 'XWT';
  const [inner = 0] = shape;
  const row = {
    id: name,
    symbol: W,
    unicode: `W_${at}`,
    place: 'input',
    shape: transposed ? [...shape].reverse() : shape,
  } as const;
  const path = `block.weights.${i - 1}`;
  if (own[name]) addStep(draft, { ...row, call: { op: 'given', path: `${path}.${name}` } });
  else addStep(draft, { ...row, ...randomWeights(draft, inner) });
  const bias = name === 'wg' ? undefined : (`b${at}` as 'b1' | 'b2');
  const given = bias && own[bias];
  const biased = bias && (given ?? feedForward?.bias) ? bias : undefined;
  if (biased) {
    const b = symbol('parameter', `b_${at}`);
    const beside = { id: biased, symbol: b, unicode: `b_${at}`, place: 'input', shape: [1, shape[1] ?? 1] } as const;
    if (given) addStep(draft, { ...beside, call: { op: 'given', path: `${path}.${biased}` } });
    else addStep(draft, { ...beside, ...randomWeights(draft, inner) });
  }
  planApplied(
    draft,
    id,
    of,
    from,
    { id: name, symbol: W, transposed },
    biased && { id: biased, symbol: symbol('parameter', `b_${at}`) },
  );
}

interface Weights {
  readonly id: string;
  readonly symbol: Symbol;
  readonly transposed: boolean;
}

function planApplied(
  draft: Draft,
  id: keyof typeof beforeBias,
  of: Pick<Source, 'symbol' | 'unicode'>,
  from: Source,
  by: Weights,
  bias: { readonly id: string; readonly symbol: Symbol } | undefined,
  columns?: readonly string[],
): void {
  const rows = tokenTexts(draft.tokens);
  const made: Expression = formula`${of.symbol} = ${product(from.symbol, by.symbol, by.transposed)}`;
  const call = { op: 'matmul', transposeB: by.transposed } as const;
  const first = bias ? beforeBias[id] : id;
  addStep(draft, { ...of, id: first, call, operands: [from.id, by.id], formula: made, rows, columns });
  if (!bias) return;
  addStep(draft, { ...of, id, call: { op: 'add' }, operands: [first, bias.id], formula: formula`${made} + ${bias.symbol}`, rows, columns }); // prettier-ignore
}

// --- the next token -------------------------------------------------------------------

function planEnd(draft: Draft, stream: Source): void {
  const { block, unembedding } = draft.spec;
  const normed = block?.finalNorm && block.norm !== 'none';
  const last = normed
    ? planNorm(draft, 'finalNormed', stream, symbol('x', 'N_{\\text{end}}'), t('N end'), 0, 'last')
    : stream;
  if (!unembedding) return;
  const words = wordsOf(draft);
  const by = planUnembedding(draft, widthOf(draft, last.id));
  const bu = unembedding.from === 'given' && unembedding.bu;
  const b_U = symbol('parameter', 'b_U');
  if (bu)
    addStep(draft, {
      id: 'bu',
      symbol: b_U,
      unicode: 'b_U',
      place: 'input',
      call: { op: 'given', path: 'unembedding.bu' },
      shape: [1, bu.length],
    });
  const of = { symbol: L, unicode: 'L' };
  planApplied(draft, 'logits', of, last, by, bu ? { id: 'bu', symbol: b_U } : undefined, words);
  const rows = tokenTexts(draft.tokens);
  const { topK } = unembedding;
  if (topK !== undefined) {
    const call = { op: 'topK', k: topK } as const;
    addStep(draft, { id: 'topLogits', symbol: symbol('scores', "L'"), unicode: 'L′', call, operands: ['logits'], rows, columns: words }); // prettier-ignore
  }
  const operands = [topK === undefined ? 'logits' : 'topLogits'];
  addStep(draft, { id: 'probabilities', symbol: symbol('weights', '\\hat{Y}'), unicode: 'Ŷ', kind: 'weights', call: { op: 'softmax', emptyRow: 'nan' }, operands, rows, columns: words }); // prettier-ignore
}

/** What the rows of the embedding table are called, where they are words. */
function wordsOf(draft: Draft): readonly string[] | undefined {
  const { unembedding, start, embedding, model } = draft.spec;
  const learned = model && unembedding?.from === 'tied' && providedModel(model);
  if (learned) return learned.vocabulary.map(visibleText);
  const named = start.from === 'text' && start.tokenizer !== 'bytes' && embedding?.from !== 'given';
  const fits = unembedding?.from === 'tied' || (unembedding?.from === 'random' && unembedding.size === undefined);
  return fits && named ? stepOf(draft, 'table').rowLabels : undefined;
}

function planUnembedding(draft: Draft, dModel: number): Weights {
  const { unembedding, convention } = draft.spec;
  if (unembedding?.from === 'tied') return { id: 'table', symbol: TABLE, transposed: true };
  const W_U = weight('W_U');
  const transposed = convention === 'XWT';
  const row = { id: 'wu', symbol: W_U, unicode: 'W_U', place: 'input' } as const;
  if (unembedding?.from === 'given') {
    const shape = dimsOf(unembedding.wu);
    addStep(draft, { ...row, call: { op: 'given', path: 'unembedding.wu' }, shape });
  } else {
    const size = unembedding?.size ?? stepOf(draft, 'table').shape[0] ?? 1;
    addStep(draft, {
      ...row,
      ...randomWeights(draft, dModel),
      shape: transposed ? [size, dModel] : [dModel, size],
    });
  }
  return { id: 'wu', symbol: W_U, transposed };
}
