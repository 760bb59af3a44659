/** What rules look at: the numbers of one attention of a program, and standard attention of the same queries, keys and values. */
import type { Paced } from '../../text';
import { planOf } from '../../plan';
import { runReferencePaced, valuesOf as traceValues } from '../../run';
import type { Node } from '../tensor';
import type { Source } from '../explain';
import { cellsOf, denseOf, hiddenBelow, maskOf, partsOf, specOf, type Parts } from '../nearest';
import { comesFrom, isOwn, mixedBy, type Attention } from '../recognise';

export interface Facts {
  readonly attention: Attention;
  readonly source: Source;
  readonly own: Parts;
  /** QKᵀ as the code has it, before scale and mask. */
  readonly scores: Node;
  /** From what softmax takes back to the scores. */
  readonly way: readonly OnWay[];
  /** Of every input and head, a query a row: what softmax takes, gives, and what V is summed by. */
  readonly input: Float64Array;
  readonly weights: Float64Array;
  readonly used: Float64Array;
  /** 1 where softmax takes so little that nothing is left of a key. */
  readonly hidden: Float64Array;
  /** Keys are rows of the code's weights: all is put in the order of queries and keys. */
  readonly isTurned: boolean;
  /** Whether the code itself says which keys are hidden: no mask stands in, and none is drawn. */
  readonly ownMask: boolean;
}

export interface OnWay {
  readonly node: Node;
  readonly from: Node;
  readonly others: readonly Node[];
}

export interface Standard {
  readonly weights: ArrayLike<number>;
  readonly output: ArrayLike<number>;
  /** QKᵀ. */
  readonly scores: ArrayLike<number>;
}

/** Undefined where queries and keys do not meet in a product, or numbers cannot be had. */
export function* factsOf(attention: Attention, source: Source, isTurned = false): Paced<Facts | undefined> {
  const { site, parts } = attention;
  const own = yield* partsOf(attention, source);
  const [input, weights] = [yield* denseOf(source, site.input), yield* denseOf(source, site.weights)];
  if (!own || !parts.scores || !input || !weights) return undefined;
  const cells = own.lead.reduce((a, b) => a * b, own.n * own.m);
  if (input.data.length !== cells || weights.data.length !== cells) return undefined;
  // `bmm(keys, query).squeeze(2)`: what stands in rows are the keys of one query.
  if (own.m === 1 && own.n > 1) return undefined;
  const sum = own.v;
  const used = sum && (yield* cellsOf(source, sum.used, sum.usedLetters, [...sum.wanted.slice(0, -2), 'query', 'key'], [...own.lead, own.n, own.m])); // prettier-ignore
  const way = wayTo(site.input, parts.scores);
  // Talking heads are no departure from attention of separate heads but another kind: nothing is compared.
  if ([...way, ...(sum ? wayTo(sum.used, site.weights) : [])].some(({ node }) => mixedBy(node))) return undefined;
  return {
    attention,
    source,
    isTurned,
    own,
    scores: parts.scores,
    way,
    input: input.data,
    weights: weights.data,
    used: used ?? weights.data,
    hidden: input.data.map((x) => Number(x <= hiddenBelow)),
    ownMask: way.every(({ others }) => others.every(isOwn)),
  };
}

/** Back from what softmax takes; each node with the operand that the scores come through. */
function wayTo(input: Node, scores: Node): readonly OnWay[] {
  const way: OnWay[] = [];
  for (let at = input; at !== scores && way.length < 64; ) {
    const from = at.operands.find((operand) => comesFrom(operand, scores));
    if (!from) break;
    way.push({ node: at, from, others: at.operands.filter((operand) => operand !== from && !comesFrom(operand, scores)) });
    at = from;
  }
  return way;
} // prettier-ignore

/** The same with queries, keys, values and heads as they are, scaled by √d_k, with these keys hidden. */
export function* standardOf({ own, attention }: Facts, hidden: Float64Array): Paced<Standard | undefined> {
  const heads = attention.heads ?? 1;
  const spec = specOf(own, heads, maskOf(hidden, own, heads), attention.site.weights.dtype);
  const plan = spec && planOf(spec);
  const trace = spec && plan?.ok ? yield* runReferencePaced(spec, plan.value) : undefined;
  if (!trace?.ok) return undefined;
  const values = (...ids: readonly string[]): ArrayLike<number> => {
    const step = ids.flatMap((id) => trace.value.plan.steps.find((one) => one.id === id) ?? [])[0];
    return step ? traceValues(trace.value, step) : [];
  };
  return { weights: values('weights'), output: values('headOutputs', 'output'), scores: values('scores') };
}

/** Each matrix of a stack. */
export function* matricesOf({ own: { n, m } }: Facts, data: ArrayLike<number>): Generator<(i: number, j: number) => number> {
  for (let at = 0; at < data.length; at += n * m) yield (i, j) => data[at + i * m + j] as number;
} // prettier-ignore

/** Also where the code has no inputs beside them; then the axis may be of inputs as well. */
export const headsOf = ({ attention: { heads = 1 }, own: { lead } }: Facts): number =>
  heads > 1 ? heads : lead.length === 1 ? (lead[0] ?? 1) : 1;
