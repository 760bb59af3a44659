import {
  layerCount,
  say,
  shownLayer,
  type AttentionSpec,
  type HeadChange,
  type HeadEvidence,
  type Sentence,
  type SentencePlace,
  type Step,
} from '../../engine/index';

/* A row of a head that is looked at, and whether a key of it stands out: else none is said to win. */

/** The weights of one head of an input, row-major, and what was measured of it. */
export interface HeadWeights {
  readonly step: Step;
  readonly batch: number;
  readonly evidence: HeadEvidence;
  /** The words of its model, if it reads words. */
  readonly vocabulary?: readonly string[];
  /** Whether its model was measured; else `evidence` says only which head it is. */
  readonly isMeasured: boolean;
  readonly values: Float64Array;
}

/** A row of a head and the key that it looks at most. */
export interface Focus {
  readonly head: HeadWeights;
  readonly row: number;
  readonly key: number;
  readonly weight: number;
}

/** The weights of a row, by key. */
export function weightsOf({ head: { step, values }, row }: Focus): Float64Array {
  const n = step.shape.at(-1) ?? 0;
  return values.subarray(row * n, (row + 1) * n);
}

/** The head by whose weights the values of a head are weighed, where these are exchanged; undefined where they are its own. */
export const exchangedWith = (spec: AttentionSpec, head: HeadWeights): number | undefined =>
  changesOf(spec, head).findLast((one) => one.weightsOf !== undefined)?.weightsOf;

export const isRemoved = (spec: AttentionSpec, head: HeadWeights): boolean =>
  changesOf(spec, head).some((one) => one.weightsOf === undefined);

function changesOf(spec: AttentionSpec, { step, evidence }: HeadWeights): readonly HeadChange[] {
  const named = /^layer(\d+)_/.exec(step.id)?.[1];
  const own = named === undefined ? Math.min(shownLayer(spec), layerCount(spec)) : Number(named);
  return (spec.headChanges ?? []).filter(({ head, layer = 1 }) => head === evidence.head && layer === own);
}

/** The key with the second largest weight of a row; the same key where it is the only one. */
export function secondOf(focus: Focus): number {
  const weights = weightsOf(focus);
  const others = [...weights.keys()].filter((j) => j !== focus.key);
  return others.reduce((best, j) => ((weights[j] ?? 0) > (weights[best] ?? 0) ? j : best), others[0] ?? focus.key);
}

/** The keys that have a weight. */
const seenIn = (focus: Focus): number => weightsOf(focus).filter((weight) => weight !== 0).length;

/**
 * Whether no key of a row stands out: `evenly` where all are written alike, or none has a tenth more than an even share of a model's row; `alike` where
 * the two largest are written alike.
 */
export function drawIn(focus: Focus, written: (weight: number) => string): 'evenly' | 'alike' | undefined {
  const [seen, weights] = [seenIn(focus), weightsOf(focus)];
  const texts = new Set([...weights].filter((weight) => weight !== 0).map(written));
  if (seen < 2) return undefined;
  if (texts.size === 1 || (focus.head.isMeasured && focus.weight * seen <= 1.1)) return 'evenly';
  return written(focus.weight) === written(weights[secondOf(focus)] ?? NaN) ? 'alike' : undefined;
}

/** The question and answer of such a row. `mark` names a key. */
export function drawWords(
  focus: Focus,
  how: 'evenly' | 'alike',
  query: SentencePlace,
  mark: (key: number) => SentencePlace,
  largest: SentencePlace,
): Record<'question' | 'answer', Sentence> {
  const answer =
    how === 'evenly'
      ? say('{0:alone} shares its attention evenly among the {1} keys that it sees: the largest share is {2}.', query, seenIn(focus), largest)
      : say('{0:alone} gives {1:alone} and {2:alone} the same weight, {3}, and no key more.', query, mark(focus.key), mark(secondOf(focus)), largest);
  return { question: say('Where does {0:alone} look?', query), answer };
} // prettier-ignore
