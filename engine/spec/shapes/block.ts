import { t, counted } from '../../text';
import { dimsOf, type Dims } from '../dims';
import { type LayerWeights, isCausal } from '../fields';
import { layerCount, pathInLayer, specOfLayer, weightsOfLayer } from '../layers';
import type { AttentionSpec } from '../spec';
import { report, show, tensor, type Checker } from './checker';
import { checkOutput, outputWidth } from './output';

/** What stands around attention, against the width of X. Called when everything before it fits. `projections` checks those of a layer. */
export function checkBlock(check: Checker, dModel: number, projections: (layer: Checker) => void): void {
  const { spec } = check;
  if (!spec.block) return;
  if (spec.decode) checkDecoded(check, spec.block.shown ?? 1);
  checkCount(check);
  for (let layer = 1; layer <= layerCount(spec); layer++) checkLayer(check, layer, dModel, projections);
  const { norm, normBias } = spec.block.last ?? {};
  checkNorm(check, 'block.last.norm', norm, normBias, dModel);
  if ((norm ?? normBias) && !(spec.block.finalNorm && spec.block.norm !== 'none'))
    report(check, 'block', 'block.last', t('{0}: nothing is normed there', 'block.last'));
  checkUnembedding(check, dModel);
}

/** A decoder's step is shown in the last layer. The layers before it fill its cache row by row, which is only right if no row saw a later one. */
function checkDecoded(check: Checker, shown: number): void {
  const { spec } = check;
  const layers = layerCount(spec);
  if (layers === 1) return;
  if (shown !== layers)
    report(check, 'block', 'block.shown', t('block.shown is {0}: a step of a decoder is shown in the last layer, {1}', shown, layers), t('Layers before it compute all rows, which fill its cache.')); // prettier-ignore
  if (!isCausal(spec.mask) && spec.alsoHidden?.causal !== true && !isCausalWindow(spec))
    report(check, 'block', 'mask', t('a step of a decoder with {0} layers needs a causal mask: rows of its cache would have seen later ones', layers)); // prettier-ignore
}

const isCausalWindow = ({ mask }: AttentionSpec): boolean =>
  typeof mask === 'object' && mask.kind === 'window' && mask.causal;

function checkCount(check: Checker): void {
  const { weights } = check.spec.block ?? {};
  const layers = layerCount(check.spec);
  if (!weights || weights.length === layers) return;
  const hint = t('One entry for each layer: {} where its weights are drawn.');
  const message = t('block.weights has entries: {0}, block.layers is {1}', weights.length, layers);
  report(check, 'shape-mismatch', 'block.weights', message, hint);
}

/** A layer's problems, with the places that they have in the whole spec. */
function checkLayer(check: Checker, layer: number, dModel: number, projections: (layer: Checker) => void): void {
  const { spec } = check;
  const [own, at] = [weightsOfLayer(spec, layer), `block.weights.${layer - 1}`];
  const some = ['wq', 'wk', 'wv'].filter((name) => own[name as 'wq'] === undefined);
  if (some.length === 1 || some.length === 2)
    report(check, 'shape-mismatch', at, t('{0} has no {1}: W_q, W_k and W_v come together', at, some.join(', ')));
  checkShared(check, own);
  checkUsed(check, at, own);
  const inner: Checker = { spec: specOfLayer(spec, layer), problems: [] };
  if (own.wq) projections(inner);
  if (own.wo && inner.problems.length === 0) checkOutput(inner);
  if (inner.problems.length === 0) checkSum(inner, dModel);
  for (const { path = '', ...problem } of inner.problems) {
    const place = pathInLayer(spec, layer, path);
    check.problems.push({ ...problem, path: place, message: problem.message.replace(path, place) });
  }
  checkNorm(check, `${at}.norm1`, own.norm1, own.norm1Bias, dModel);
  checkNorm(check, `${at}.norm2`, own.norm2, own.norm2Bias, dModel);
  checkFeedForward(check, at, own, dModel);
}

/** Each weight that is given has a step that uses it. */
function checkUsed(check: Checker, at: string, own: LayerWeights): void {
  const { block, feedForward } = check.spec;
  const refuse = (names: readonly (keyof LayerWeights)[], without: (path: string) => string): void => {
    for (const name of names) if (own[name]) report(check, 'block', `${at}.${name}`, without(`${at}.${name}`));
  };
  if (!own.wq) refuse(['bq', 'bk', 'bv'], (path) => t('{0}: a bias that is given needs its weights beside it', path));
  if (!own.wo) refuse(['bo'], (path) => t('{0}: a bias that is given needs its weights beside it', path));
  if (block?.norm === 'none') refuse(['norm1', 'norm2'], (path) => t('{0}: nothing is normed there', path));
  else if (!feedForward) refuse(['norm2'], (path) => t('{0}: nothing is normed there', path));
  if (!feedForward) refuse(['w1', 'b1', 'wg', 'w2', 'b2'], (path) => t('{0}: there is no feed-forward layer', path));
}

/** Weights that were given belong to one layer. */
function checkShared(check: Checker, own: LayerWeights): void {
  const { spec } = check;
  if (layerCount(spec) === 1) return;
  const hint = t('Give each layer its own in block.weights.');
  const refuse = (path: string): void => {
    if (check.problems.every((problem) => problem.path !== path))
      report(check, 'block', path, t('{0}: the weights of one layer are given, and there are {1}', path, layerCount(spec)), hint); // prettier-ignore
  };
  const { from } = spec.projections;
  if ((from === 'given' || from === 'fused') && !own.wq) refuse('projections');
  if (spec.outputProjection?.from === 'given' && !own.wo) refuse('outputProjection');
}

/** What attention makes is added to X: both need the same columns. */
function checkSum(check: Checker, dModel: number): void {
  const width = outputWidth(check, dModel);
  if (width === undefined || width === dModel) return;
  const hint = t('Take an output projection W_O, or h·d_v = d_model.');
  report(check, 'block', 'block', t('attention makes rows of {0}, X has {1}: they cannot be added', counted(width, 'number'), dModel), hint); // prettier-ignore
}

function checkRow(check: Checker, path: string, row: Row, width: number): void {
  if (!row || row.length === width) return;
  report(check, 'shape-mismatch', path, t('{0} has {1}, expected {2}', path, counted(row.length, 'number'), width));
}

type Row = readonly unknown[] | undefined;

function checkNorm(check: Checker, path: string, gains: Row, biases: Row, width: number): void {
  checkRow(check, path, gains, width);
  checkRow(check, `${path}Bias`, biases, width);
  const rms = check.spec.block?.of === 'rms';
  if (biases && (rms || !gains)) {
    const at = `${path}Bias`;
    report(check, 'block', at, rms ? t('{0}: an RMS norm has no biases', at) : t('{0} without {1}: gains and biases come together', at, path)); // prettier-ignore
  }
}

/** Both products, and the gate of SwiGLU, as `convention` applies them. */
function checkFeedForward(check: Checker, at: string, own: LayerWeights, dModel: number): void {
  const { feedForward, convention } = check.spec;
  const gated = feedForward?.of === 'swiglu';
  const names = [...(['w1', 'w2'] as const), ...(gated ? (['wg'] as const) : [])];
  const given = names.filter((name) => own[name]);
  if (feedForward && !gated && own.wg) report(check, 'block', `${at}.wg`, t('{0}: only SwiGLU has a gate', `${at}.wg`));
  checkRow(check, `${at}.b2`, own.b2, dModel);
  if (!feedForward || given.length === 0) {
    checkRow(check, `${at}.b1`, own.b1, feedForward?.width ?? 4 * dModel);
    return;
  }
  const lacking = names.filter((name) => !own[name]);
  if (lacking.length) {
    report(check, 'block', at, t('{0} has no {1}: the products of a feed-forward layer come together', at, lacking.join(', '))); // prettier-ignore
    return;
  }
  const width = turned(tensor(check, `${at}.w1`, own.w1 ?? [], 2), convention)[1] ?? 0;
  if (feedForward.width !== undefined && feedForward.width !== width)
    report(check, 'shape-mismatch', 'feedForward.width', t('feedForward.width is {0}, {1} has {2}', feedForward.width, `${at}.w1`, width)); // prettier-ignore
  for (const name of names) {
    const found = tensor(check, `${at}.${name}`, own[name] ?? [], 2);
    const expected = turned(name === 'w2' ? [width, dModel] : [dModel, width], convention);
    if (show(found) !== show(expected))
      report(check, 'shape-mismatch', `${at}.${name}`, t('{0} is {1}, expected {2}', `${at}.${name}`, show(found), show(expected))); // prettier-ignore
  }
  checkRow(check, `${at}.b2`, own.b2, dModel);
  checkRow(check, `${at}.b1`, own.b1, width);
}

const turned = ([rows = 0, columns = 0]: Dims, convention: AttentionSpec['convention']): Dims =>
  convention === 'XW' ? [rows, columns] : [columns, rows];

function checkUnembedding(check: Checker, dModel: number): void {
  const { start, unembedding, convention } = check.spec;
  const table = start.from === 'text' || start.from === 'ids';
  if (unembedding?.from === 'tied' && !table)
    report(check, 'block', 'unembedding', t('there is no embedding table to tie to: the start is "{0}"', start.from), t('Give W_U, or a size.')); // prettier-ignore
  if (unembedding?.from === 'random' && !table && unembedding.size === undefined)
    report(check, 'block', 'unembedding.size', t('unembedding.size is missing: without a text nothing says how many words there are')); // prettier-ignore
  if (unembedding?.from !== 'given') return;
  const [rows, columns] = turned(tensor(check, 'unembedding.wu', unembedding.wu, 2), convention);
  if (rows !== dModel) {
    const expected = show(turned([dModel, columns ?? 0], convention));
    report(check, 'shape-mismatch', 'unembedding.wu', t('{0} is {1}, expected {2}', 'unembedding.wu', show(dimsOf(unembedding.wu)), expected)); // prettier-ignore
  }
  checkRow(check, 'unembedding.bu', unembedding.bu, columns ?? 0);
}
