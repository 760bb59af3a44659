/** Scores that weigh a sum of values and went through no softmax: through sigmoid, through log_softmax, or divided by their own sum. */
import { t, type Paced } from '../../../text';
import { exp } from '../../../math';
import type { Source } from '../../explain';
import { denseOf, productOf } from '../../nearest';
import { averagesBy, passes, throughMoves, type Meeting } from '../../recognise';
import type { Dense, Graph, Node, OperationName } from '../../tensor';
import { isKey, isQuery, isValue } from './calls';
import { rewritten, textAt, type Compared, type Found, type Mend } from './found';

/** With the weight that differs most from softmax of the same scores. */
export type Unnormalised = Found & { readonly compared: Compared };

export function* findUnnormalised(graph: Graph, text: string, name: (node: Node) => string, sourceOf: (node: Node) => Source | undefined): Paced<readonly Unnormalised[]> {
  const found: Unnormalised[] = [];
  for (const meeting of yield* averagesBy(graph, scoresOf)) {
    const source = isOfTokens(meeting, name) ? sourceOf(meeting.weights) : undefined;
    const [scores, weights] = source ? [yield* denseOf(source, meeting.scores), yield* denseOf(source, meeting.weights)] : [];
    const compared = scores && weights && comparedWith(scores, weights);
    if (compared && weights) found.push({ ...saidOf(meeting.weights, weights, text), node: meeting.weights, compared });
  }
  return found;
} // prettier-ignore

/** What sigmoid, log_softmax or a division by the sum over the last axis is taken of. */
function scoresOf({ operation, operands: [a, b], attributes: { axis, axes } }: Node): Node | undefined {
  if (!a || operation === 'sigmoid') return a;
  const last = (a.shape?.length ?? 0) - 1;
  const isLast = (one: number | undefined): boolean => one === last || one === -1;
  if (operation === 'log_softmax') return isLast(axis ?? axes?.[0]) ? a : undefined;
  const sum = operation === 'divide' && b ? unclipped(throughMoves(b)) : undefined;
  if (sum?.operation !== 'sum' || (sum.operands[0] && sizesOf(sum.operands[0])) !== a) return undefined;
  const { axis: one, axes: all = one === undefined ? [] : [one] } = sum.attributes;
  return all.length === 1 && isLast(all[0]) ? a : undefined;
}

/** What is kept above a small number before something is divided by it. */
const unclipped = (node: Node): Node =>
  node.operation === 'clip' && node.operands[0] ? throughMoves(node.operands[0]) : node;

const isOfSizes = (divisor: Node): boolean => unclipped(throughMoves(divisor)).operands[0]?.operation === 'absolute';
const sizesOf = (node: Node): Node | undefined => (node.operation === 'absolute' ? node.operands[0] : node);

/** Whether queries, keys and values are computed, or called so: the layers of a network are neither. */
function isOfTokens({ weights, q, k, v, sum }: Meeting, name: (node: Node) => string): boolean {
  const product = productOf(sum);
  const isComputed = (node: Node): boolean => throughMoves(node).operands.length > 0;
  const hasFeatures = product?.right.some((letter) => product.out.includes(letter) && !product.left.includes(letter));
  const isKernel = weights.operation === 'divide' && [q, k].some(isFeature);
  return hasFeatures === true && !isKernel && ([[q, isQuery], [k, isKey], [v, isValue]] as const).every(([node, is]) => isComputed(node) || is(name(node)));
} // prettier-ignore

/** Queries or keys as linear attention has them (Katharopoulos et al. 2020): there a division by the sum is all of it. */
function isFeature(node: Node): boolean {
  let at: Node | undefined = node;
  for (let turn = 0; at && turn < 8; turn++) {
    if (kernels.has(at.operation)) return true;
    if (!passes(at) && !['add', 'multiply', 'divide', 'concat'].includes(at.operation)) return false;
    at = at.operands[0];
  }
  return false;
}

const kernels: ReadonlySet<string> = new Set(['elu', 'relu', 'exp', 'softmax', 'softplus', 'sigmoid', 'gelu', 'where', 'maximum', 'square', 'power', 'absolute'] satisfies readonly OperationName[]); // prettier-ignore

/** Cell by cell beside softmax over the last axis; undefined where nothing differs, or a row is no row of numbers. */
function comparedWith({ data, shape }: Dense, weights: Dense): Compared | undefined {
  const [n = 1, m = 1] = shape.slice(-2);
  if (shape.length < 2 || m < 2 || weights.data.length !== data.length) return undefined;
  let [at, most, right] = [-1, 1e-4, 0];
  for (let i = 0; i < n * m; i++) {
    const row = data.subarray(i - (i % m), i - (i % m) + m);
    const top = Math.max(...row);
    const standard = exp((data[i] as number) - top) / row.reduce((sum, x) => sum + exp(x - top), 0);
    const difference = Math.abs((weights.data[i] as number) - standard);
    if (difference > most) [at, most, right] = [i, difference, standard];
  }
  return at < 0 ? undefined : { at: [Math.floor(at / m), at % m], own: weights.data[at] as number, standard: right };
}

function saidOf(node: Node, { data, shape }: Dense, text: string): Pick<Found, 'rule' | 'message' | 'mends'> {
  const total = data.subarray(0, shape.at(-1)).reduce((a, b) => a + b, 0);
  const sum = Number.isFinite(total) ? Number(total.toPrecision(3)) : '−∞';
  const was = textAt(text, node.range);
  const mends = (...variants: readonly (string | undefined)[]): readonly Mend[] => rewritten(t('Take softmax'), text, node, ...variants);
  if (node.operation === 'log_softmax')
    return { rule: 'softmax-log', message: t('The values are summed by log_softmax, the logarithms of the weights: those of query 0 sum to {0}, not to 1.', sum), mends: mends(was.replace(/\blog_softmax\b/, 'softmax'), was.replace(/\bLogSoftmax\b/, 'Softmax')) };
  if (node.operation === 'sigmoid')
    return { rule: 'softmax-none', message: t('The weights are sigmoids of the scores: those of query 0 sum to {0}. Standard attention takes softmax, whose weights sum to 1.', sum), mends: mends(was.replace(/\bsigmoid\(\s*\)$/, 'softmax(dim=-1)'), was.replace(/\bsigmoid\((.*)\)$/s, 'softmax($1, dim=-1)'), was.replace(/\bsigmoid\((.*)\)$/s, 'softmax($1, axis=-1)')) };
  const normed = was.replace(/\bnormalize\((.*), p=1(?:\.0)?(,.*)\)$/s, 'softmax($1$2)');
  if (node.operands[1] && isOfSizes(node.operands[1])) return { rule: 'softmax-none', message: t('The scores are divided by the sum of their absolute values: softmax divides exp of the scores by the sum of these.'), mends: mends(normed) };
  const name = /^(\w+)\s*\/\s*(?:\1\.sum\(|\w+\.sum\(\s*\1\b)/.exec(was)?.[1];
  const exponentials = name === undefined ? [] : ['np', 'torch', 'jnp'].map((library) => was.replace(new RegExp(String.raw`(?<![\w.])${name}\b`, 'g'), `${library}.exp(${name})`));
  return { rule: 'softmax-none', message: t('The scores are divided by their sum without exp: softmax divides exp of the scores by the sum of these.'), mends: mends(...exponentials) };
} // prettier-ignore
