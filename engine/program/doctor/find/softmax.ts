/** Softmax: over which axis, how often. */
import { t, type Paced, type TextRange } from '../../../text';
import type { Node } from '../../tensor';
import { denseOf } from '../../nearest';
import { comesFrom, throughMoves } from '../../recognise';
import { matricesOf, type Facts } from '../facts';
import { rewritten, textAt, type Found, type Mend } from './found';

/** A sum that is 1 to this is 1: of float16 too. */
const near = 5e-3;

export function* findSoftmax(facts: Facts, text: string): Paced<readonly Found[]> {
  return [...axisOf(facts, text), ...twice(facts, text), ...(yield* ofOtherRows(facts))];
}

function axisOf(facts: Facts, text: string): readonly Found[] {
  const { attention: { site }, own: { n, m }, hidden } = facts; // prettier-ignore
  const off = farthestSum(facts);
  const rank = site.weights.shape?.length ?? 0;
  if (sumsToOne(facts) || facts.attention.keys !== 'rows') return [];
  const common = { node: site.weights, hidden };
  const [axis, second] = site.axes ?? [];
  const sum = Number(off.sum.toPrecision(3));
  if (n > 1 && m > 1 && sumsToOneInAll(facts))
    return [{ ...common, rule: 'softmax-matrix', message: t('Softmax runs over the whole matrix, not over the keys of each query: the weights of query {0} sum to {1}, not to 1.', off.row, sum), mends: ofMatrix(text, site.weights) }]; // prettier-ignore
  const lost = sumsWithoutAxis(site.weights);
  if (lost)
    return [{ ...common, rule: 'softmax-axis', message: t('The sums of the rows have lost their axis and divide columns: the weights of query {0} sum to {1}, not to 1.', off.row, sum), mends: ofLostAxis(text, lost) }]; // prettier-ignore
  if (axis === undefined || second !== undefined || axis === rank - 1) return [];
  const message =
    axis === rank - 2
      ? t('Softmax runs over the queries, not over the keys: the weights of query {0} sum to {1}, not to 1.', off.row, sum)
      : t('Softmax runs over axis {0}, of heads or inputs, not over the keys: the weights of query {1} sum to {2}, not to 1.', axis, off.row, sum); // prettier-ignore
  return [{ ...common, rule: 'softmax-axis', message, mends: facts.isTurned ? ofRows(text, site.weights) : ofAxis(text, site.weights) }];
} // prettier-ignore

/**
 * Softmax by hand whose maxima are not those of the rows, `exp(z - z.max(axis=0))`: only what all keys of a query have alike leaves the weights as they
 * are. Where sums over the maxima's axis divide the exponentials too, as in slot attention, the maxima fall out.
 */
function* ofOtherRows(facts: Facts): Paced<readonly Found[]> {
  const { attention: { site, keys }, own: { n, m }, scores, hidden, isTurned, source, used, weights } = facts; // prettier-ignore
  const [from, maxima] = exponentOf(site.weights)?.operands ?? [];
  const max = maxima && throughMoves(maxima);
  const [axis, second] = site.axes ?? [];
  const isOfKeys = axis === (site.weights.shape?.length ?? 0) - 1 && second === undefined && used.every((x, i) => Math.abs(x - (weights[i] as number)) < near);
  if (isTurned || keys !== 'rows' || n < 2 || m < 2 || !isOfKeys || !sumsToOne(facts) || !from || maxima?.shape?.at(-1) !== m) return [];
  if (max?.operation !== 'max' || !max.operands[0] || throughMoves(max.operands[0]) !== throughMoves(from) || !comesFrom(from, scores)) return [];
  const data = (yield* denseOf(source, maxima))?.data.slice(0, m);
  if (!data?.some((x) => Math.abs(x - (data[0] as number)) > 1e-3)) return [];
  return [{ rule: 'softmax-axis', node: maxima, hidden, message: t('The maximum that is subtracted is another for each key: it changes the weights.'), mends: [] }];
} // prettier-ignore

/** The difference `x - y` of weights that are exp(x − y) by their sums. */
function exponentOf({ operation, operands: [above] }: Node): Node | undefined {
  const [exponent] = operation === 'divide' && above ? throughMoves(above).operands : [];
  const at = exponent && throughMoves(exponent);
  return at?.operation === 'subtract' ? at : undefined;
}

/** Whether each row of weights sums to 1. */
export const sumsToOne = (facts: Facts): boolean => Math.abs(farthestSum(facts).sum - 1) < near;

/** The row of weights whose sum is farthest from 1: of the first input and head, which is shown first, if it has one. */
function farthestSum(facts: Facts): { readonly row: number; readonly sum: number } {
  let far = { row: 0, sum: 1 };
  for (const at of matricesOf(facts, facts.used))
    for (let row = 0; row < facts.own.n; row++) {
      let sum = 0;
      for (let j = 0; j < facts.own.m; j++) sum += at(row, j);
      if (Math.abs(sum - 1) > Math.abs(far.sum - 1)) far = { row, sum };
      if (row === facts.own.n - 1 && Math.abs(far.sum - 1) >= near) return far;
    }
  return far;
}

function sumsToOneInAll(facts: Facts): boolean {
  for (const at of matricesOf(facts, facts.weights)) {
    let sum = 0;
    for (let i = 0; i < facts.own.n; i++) for (let j = 0; j < facts.own.m; j++) sum += at(i, j);
    if (!(Math.abs(sum - 1) <= near)) return false;
  }
  return true;
}

/** The sums by which exponentials are divided, where they were taken over the last axis and have one axis less. */
function sumsWithoutAxis({ operation, operands, shape }: Node): Node | undefined {
  const sums = operation === 'divide' ? operands[1] : undefined;
  if (sums?.operation !== 'sum' || !shape || sums.shape?.length !== shape.length - 1) return undefined;
  // Of a square matrix the shape does not say over which axis.
  const { axis, axes = axis === undefined ? [] : [axis] } = sums.attributes;
  const of = sums.operands[0];
  const last = (of?.shape?.length ?? 0) - 1;
  const isOverLast = axes.length === 1 && (axes[0] === last || axes[0] === -1);
  return isOverLast && of?.shape?.slice(0, -1).join() === sums.shape.join() ? sums : undefined;
}

const keptAxis = (): string => t('Keep the axis of the sums');

function ofLostAxis(text: string, sums: Node): readonly Mend[] {
  const was = textAt(text, sums.range);
  return rewritten(keptAxis(), text, sums, ...[', keepdims=True)', ', keepdim=True)'].map((end) => was.replace(/\)\s*$/, end)));
} // prettier-ignore

const overKeys = (): string => t('Run softmax over the keys, the last axis');

/** An axis that stands in the call, or in the call that made the layer; else one that is added. */
function ofAxis(text: string, node: Node): readonly Mend[] {
  const was = textAt(text, node.range);
  const named = was.replace(/\b(dim|axis)(\s*=\s*)-?\d+/g, '$1$2-1');
  const positional = was.replace(/,\s*-?\d+\s*\)$/, ', -1)');
  const added = /\b(?:dim|axis)\b|\/|^[^(]*$/.test(was) ? undefined : was.replace(/\s*\)$/, ', dim=-1)');
  // A helper of the code's own takes its axis from whoever calls it.
  const calls = node.stack.flatMap((range) => {
    const call = textAt(text, range);
    const isShort = !call.includes('\n') && call.length < 200;
    return isShort ? rewritten(overKeys(), text, { range }, call.replace(/\b(dim|axis)(\s*=\s*)-?\d+/g, '$1$2-1'), call.replace(/,\s*-?\d+\s*\)$/, ', -1)')) : []; // prettier-ignore
  });
  const bare = was.replace(/\(\s*-?\d+\s*\)$/, '(-1)');
  // Sums over the last axis divide rows only if they keep it.
  const kept = ['keepdims', 'keepdim'].map((word) =>
    was.replace(/\b(dim|axis)(\s*=\s*)-?\d+\s*\)(?!.*\))/s, `$1$2-1, ${word}=True)`),
  );
  return [...rewritten(overKeys(), text, node, named, positional, bare, added, ...kept), ...calls, ...ofLayer(text)];
}

/** Of weights whose rows are keys. */
function ofRows(text: string, node: Node): readonly Mend[] {
  const was = textAt(text, node.range);
  return rewritten(t('Run softmax over the keys, here the rows'), text, node, was.replace(/\b(dim|axis)(\s*=\s*)-?\d+/g, '$1$2-2'), was.replace(/([,(]\s*)-?\d+\s*\)$/, '$1-2)'));
} // prettier-ignore

/** `nn.Softmax(dim=1)`, where there is one. */
function ofLayer(text: string): readonly Mend[] {
  const [only, ...more] = [...text.matchAll(/\bSoftmax\(\s*(?:dim\s*=\s*|axis\s*=\s*)?(-?\d*)\s*\)/g)];
  if (!only || more.length > 0) return [];
  const range = { start: only.index, end: only.index + only[0].length };
  return rewritten(overKeys(), text, { range }, only[0].includes('axis') ? 'Softmax(axis=-1)' : 'Softmax(dim=-1)');
}

function ofMatrix(text: string, node: Node): readonly Mend[] {
  const was = textAt(text, node.range);
  const ends = [', axis=-1, keepdims=True)', ', dim=-1, keepdim=True)'];
  const called = ends.map((end) => was.replace(/\)\s*$/, end));
  const method = ends.map((end) => was.replace(/\.sum\(\s*\)\s*$/, `.sum(${end.slice(2)}`));
  const sum = throughMoves(node.operands[1] ?? node);
  return [
    ...rewritten(overKeys(), text, node, ...method, ...called),
    ...(sum === node ? [] : rewritten(overKeys(), text, sum, ...ends.flatMap((end) => [textAt(text, sum.range).replace(/\.sum\(\s*\)$/, `.sum(${end.slice(2)}`), textAt(text, sum.range).replace(/\)$/, end)]))),
  ];
} // prettier-ignore

/** Weights that are taken through softmax again. */
function twice(facts: Facts, text: string): readonly Found[] {
  const { own, attention: { site }, hidden } = facts; // prettier-ignore
  const second = own.v && secondOf(own.v.used, site.weights);
  if (!second) return [];
  const calls = callsOf(second, site.weights);
  const [first] = second.operands;
  const inner = first && textAt(text, first.range);
  const message = t('Softmax is taken twice: of the scores, and of the weights that result.');
  const title = t('Take softmax once');
  const mends = calls ? rewritten(title, text, { range: calls.outer }, textAt(text, calls.inner)) : rewritten(title, text, second, inner); // prettier-ignore
  return [{ rule: 'softmax-twice', node: second, ...(calls && { range: calls.outer }), hidden, message, mends }];
}

/** Of a helper of the code's own that is called with what it gave: both calls, one inside the other. */
function callsOf(second: Node, weights: Node): { readonly outer: TextRange; readonly inner: TextRange } | undefined {
  const isIn = (stack: Node['stack'], { start, end }: TextRange): boolean => stack.some((one) => one.start === start && one.end === end); // prettier-ignore
  const outer = second.stack.find((one) => !isIn(weights.stack, one));
  const inner = weights.stack.find((one) => !isIn(second.stack, one));
  return outer && inner && outer.start <= inner.start && inner.end <= outer.end ? { outer, inner } : undefined;
}

/** Between the weights and what the values are summed by: a softmax beside them, of other scores, is none of theirs. */
function secondOf(used: Node, weights: Node): Node | undefined {
  let second: Node | undefined;
  for (let at: Node | undefined = used; at; at = at.operands[0]) {
    if (at === weights) return second;
    if (at.operation === 'softmax' || at.operation === 'exp') second ??= at;
  }
  return undefined;
}
