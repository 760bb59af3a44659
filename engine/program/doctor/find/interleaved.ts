/** Features of heads side by side: as they were cut from the values, or in the other order, `(d h)` for `(h d)`. */
import { t, type Paced } from '../../../text';
import { isKnownShape } from '../../tensor';
import { joinedHeads, productOf } from '../../nearest';
import { headsOf, type Facts } from '../facts';
import { movedFrom } from './heads';
import { rewritten, textAt, type Found } from './found';

export function* findInterleaved(facts: Facts, text: string): Paced<readonly Found[]> {
  const { own, attention, source } = facts;
  const [heads, { v }] = [headsOf(facts), own];
  const joined = yield* joinedHeads({ ...attention, heads }, source, own);
  const product = v && productOf(v.sum);
  if (!v || !product || !joined || heads < 2 || v.width < 2) return [];
  const [head = '', feature = ''] = v.wanted.slice(-3).filter((_, i) => i !== 1);
  const [merged, cut] = [movedFrom(joined.node, v.sum), movedFrom(v.sum.operands[1] ?? v.sum)];
  if (!merged || !cut || !v.sum.shape || !isKnownShape(v.sum.shape)) return [];
  // Weights of an axis for heads cut nothing, and a weight whose rows were moved takes what is joined as it is.
  const { output } = attention.parts;
  const [weight] = [output?.operands[0], output].flatMap((one) => one?.operands[1] ?? []);
  const width = cut.base.shape?.at(-1);
  if (typeof width !== 'number' || width % (heads * v.width) > 0 || (weight && movedFrom(weight)?.chain.some(({ operation }) => operation === 'reshape'))) return [];
  const axes = [head, feature].map((one) => v.out.indexOf(one));
  const row = Array.from(merged.from.subarray(0, heads * v.width), (cell) => axes.map((axis) => indexAt(cell, v.sum.shape as readonly number[], axis)));
  // What heads a value's features are from, and which of each.
  const places = row.map(([h = 0, c = 0]) => cut.from[cellAt(cut.shape, [product.right.indexOf(head), h], [product.right.indexOf(feature), c])]);
  const [joins, cuts] = [orderOf(row), orderOf(sortedBy(row, places))];
  const reshape = merged.chain.findLast(({ operation }) => operation === 'reshape');
  if (!joins || !cuts || joins === cuts || !reshape) return [];
  const message =
    joins === 'features'
      ? t('Heads are cut from the features one after the other and joined feature by feature: feature 0 of each of the {0} heads, then feature 1.', heads)
      : t('Heads are cut feature by feature, feature 0 to the first of {0} heads and feature 1 to the next, and joined one after the other.', heads);
  const mends = rewritten(t('Join the heads as they were cut'), text, reshape, joins === 'features' ? textAt(text, reshape.range).replace(/\(d h\)/, '(h d)') : undefined);
  return [{ rule: 'heads-interleaved', node: reshape, message, mends }];
} // prettier-ignore

function indexAt(cell: number, shape: readonly number[], axis: number): number {
  const stride = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
  return Math.floor(cell / stride) % (shape[axis] ?? 1);
}

/** The first cell at these indices. */
const cellAt = (shape: readonly number[], ...at: readonly (readonly [axis: number, index: number])[]): number =>
  at.reduce((sum, [axis, index]) => sum + index * shape.slice(axis + 1).reduce((a, b) => a * b, 1), 0);

/** Pairs in the order of their places; none where two share one, as the heads of a group do. */
function sortedBy<T>(pairs: readonly T[], places: readonly (number | undefined)[]): readonly T[] {
  if (new Set(places).size < pairs.length) return [];
  return pairs.map((pair, i) => [pair, places[i] ?? 0] as const).sort(([, a], [, b]) => a - b).map(([pair]) => pair); // prettier-ignore
}

/** Whether all features of one head stand before those of the next, or one feature of all heads before the next. */
function orderOf(row: readonly (readonly number[])[]): 'heads' | 'features' | undefined {
  const isSorted = (first: number, then: number): boolean =>
    row.every((pair, i) => i === 0 || ((pair[first] ?? 0) - (row[i - 1]?.[first] ?? 0) || (pair[then] ?? 0) - (row[i - 1]?.[then] ?? 0)) > 0); // prettier-ignore
  if (row.length === 0) return undefined;
  return isSorted(0, 1) ? 'heads' : isSorted(1, 0) ? 'features' : undefined;
}
