import { joined, say, type HeadEvidence, type Model, type Sentence, type SentencePlace, type Step } from '../../engine/index'; // prettier-ignore
import { percent } from '../draw';
import type { TraceHandle } from '../trace';
import { weightsOfLayer, type HeadWeights } from './question';

/** The weights of every head that the plan has, by layer and head. */
export async function readHeads(trace: TraceHandle, model: Model): Promise<readonly HeadWeights[]> {
  const found = model.evidence.map(async (evidence) => {
    const step = weightsOfLayer(trace.spec, trace.plan, evidence.layer);
    return step ? [{ ...(await readHead(trace, step, evidence)), vocabulary: model.vocabulary }] : [];
  });
  return (await Promise.all(found)).flat();
}

async function readHead(trace: TraceHandle, step: Step, evidence: HeadEvidence): Promise<HeadWeights> {
  const { max } = await trace.read(step.id, { head: evidence.head });
  return { step, batch: 0, evidence, isMeasured: true, values: Float64Array.from(max) };
}

/** How likely each word of the vocabulary is to follow each row: rows×vocabulary, row-major. */
export interface NextTokens {
  readonly words: readonly string[];
  readonly shares: Float64Array;
}

export async function readNext(trace: Pick<TraceHandle, 'plan' | 'read'>): Promise<NextTokens | undefined> {
  const step = trace.plan.steps.find(({ id }) => id === 'probabilities');
  if (!step) return undefined;
  const { max } = await trace.read(step.id, {});
  return { words: step.columnLabels, shares: Float64Array.from(max) };
}

export interface NextToken {
  readonly text: string;
  readonly share: number;
  /** With all heads, where some are changed. */
  readonly before?: number;
}

/** The likeliest to follow a row, and how likely they were with all heads; those that were likeliest then are among them. */
export function nextAfter(
  now: NextTokens,
  before: NextTokens | undefined,
  row: number,
  most: number,
): readonly NextToken[] {
  const width = now.words.length;
  const of = ({ shares }: NextTokens): Float64Array => shares.subarray(row * width, (row + 1) * width);
  const largest = (shares: Float64Array): number[] =>
    [...shares.keys()].sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0));
  const found = new Set([...(before ? largest(of(before)).slice(0, 2) : []), ...largest(of(now)).slice(0, most)]);
  return [...found]
    .slice(0, most + 1)
    .map((at) => ({
      text: now.words[at] ?? '',
      share: of(now)[at] ?? 0,
      ...(before && { before: of(before)[at] ?? 0 }),
    }))
    .sort((a, b) => b.share - a.share);
}

/** What the change of heads does to the likeliest token after a row, and whether another row has another one. */
export function verdictOf(now: NextTokens, before: NextTokens, row: number, query: SentencePlace): Sentence {
  const width = now.words.length;
  const rowOf = ({ shares }: NextTokens, at: number): Float64Array => shares.subarray(at * width, (at + 1) * width);
  const top = (of: NextTokens, at: number): number => rowOf(of, at).indexOf(Math.max(...rowOf(of, at)));
  const [was, is] = [top(before, row), top(now, row)];
  const token = (at: number): SentencePlace => ({ kind: 'token', token: now.words[at] ?? '', role: 'query', axis: 'row' });
  const share = (of: NextTokens, at: number): number => rowOf(of, row)[at] ?? 0;
  const rows = now.shares.length / width;
  const same = Array.from({ length: rows }, (_, at) => top(now, at) === top(before, at)).filter(Boolean).length;
  const [had, has] = [share(before, was), share(now, was)];
  return joined(
    was === is
      ? say('After {0} the likeliest token is still {1}: {2} with all heads, {3} now.', query, token(was), percent(had), percent(has))
      : say('After {0} the likeliest token was {1}, with {2}, which has {3} now; it is {4}, with {5}.', query, token(was), percent(had), percent(has), token(is), percent(share(now, is))),
    ...(was === is && Math.abs(had - has) < 0.01 ? [say('This prediction hardly changes.')] : []),
    say('The likeliest token stays the same in {0} of {1} rows.', same, rows),
  );
} // prettier-ignore
