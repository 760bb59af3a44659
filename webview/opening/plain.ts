import {
  namesApart,
  isUnnamed,
  leadingDimensions,
  say,
  type HeadEvidence,
  type Plan,
  type Sentence,
  type SentencePlace,
  type Slice,
  type Step,
  type Token,
} from '../../engine/index';
import { weightsStep } from '../arcs';
import { formatNumber, percent } from '../draw';
import { leadingIndex, sliceRequest, type TraceHandle } from '../trace';
import { drawIn, drawWords, secondOf, weightsOf } from './focus';
import { focusAt, type Focus, type HeadWeights } from './question';

/* The question of an attention that no measured model computes: which row shares itself out most clearly, without a claim what for. */

/** Most tokens on a side: all rows are read to find one that is worth a question. */
const mostTokens = 512;

/** The weights that a question can be asked of: every row is shared out among two keys or more. Undefined where there are none, or too many. */
export function askedStep({ plan, overview }: TraceHandle): Step | undefined {
  const step = weightsStep(plan);
  const [rows = 0, columns = 0] = step?.shape.slice(-2) ?? [];
  const asks = step?.kind === 'weights' && rows > 0 && columns > 1 && Math.max(rows, columns) <= mostTokens;
  return asks && !overview ? step : undefined;
}

/** The weights of every head, of the input of the batch that is looked at. */
export async function readPlainHeads(trace: TraceHandle, { batch }: Slice): Promise<readonly HeadWeights[]> {
  const step = askedStep(trace);
  if (!step) return [];
  const heads = leadingDimensions(trace.plan, trace.spec.heads, step).includes('head') ? (step.shape.at(-3) ?? 1) : 1;
  return Promise.all(Array.from({ length: heads }, (_, head) => readPlainHead(trace, step, { batch, head })));
}

async function readPlainHead(trace: TraceHandle, step: Step, slice: Slice): Promise<HeadWeights> {
  const lead = leadingIndex(trace, step, slice);
  const { max, nan } = await trace.read(step.id, sliceRequest(lead));
  const values = Float64Array.from(max, (value, i) => ((nan[i] ?? 0) > 0 ? NaN : value));
  return { step, batch: slice.batch, evidence: unmeasured(slice.head), isMeasured: false, values };
}

const unmeasured = (head: number): HeadEvidence => ({ layer: 0, head, kind: 'none', score: 0, control: 0, scores: {}, costs: {} }); // prettier-ignore

/** The row `only` if that is given; else the one that is shared out most clearly: one that has a choice, prefers a key, and gives another token most of itself, if there is one. */
export function plainFocus([head]: readonly HeadWeights[], only?: number): Focus | undefined {
  if (!head) return undefined;
  const [rows = 0, columns = 0] = head.step.shape.slice(-2);
  const asked = only === undefined || only >= rows ? undefined : focusAt(head, only);
  if (asked && !Number.isNaN(asked.weight)) return asked;
  const found = Array.from({ length: rows }, (_, row) => focusAt(head, row)).filter(({ row }) => {
    const shares = head.values.subarray(row * columns, (row + 1) * columns);
    return !shares.some(Number.isNaN) && shares.filter((share) => share > 0).length > 1;
  });
  const others = found.filter((focus) => !isOwn(focus));
  const clear = (of: readonly Focus[]): readonly Focus[] => of.filter((focus) => drawOf(focus) === undefined);
  // A row that keeps most for itself says more than one that prefers none.
  const best = [clear(others), clear(found), others, found].find(({ length }) => length > 0) ?? [];
  return [...best].sort((a, b) => b.weight - a.weight)[0];
}

/** Whether a row gives most to the token that it is itself. */
function isOwn({ head: { step }, row, key }: Focus): boolean {
  const [rows, columns] = step.shape.slice(-2);
  return row === key && rows === columns && step.rowLabels[row] === step.columnLabels[key];
}

/** A label, with its place where several are alike. */
const nameOf = (labels: readonly string[], at: number): string =>
  (isUnnamed(labels) ? labels : namesApart(labels))[at] ?? '';

/** A token that names a row of the weights. */
export const queryMark = ({ step: { rowLabels } }: HeadWeights, row: number): SentencePlace => ({
  kind: 'token',
  token: nameOf(rowLabels, row),
  role: 'query',
  axis: 'row',
  unnamed: isUnnamed(rowLabels),
});

/** A token that names a column of the weights: row j of the keys. */
export const keyMark = ({ step: { columnLabels } }: HeadWeights, column: number): SentencePlace => ({
  kind: 'token',
  token: nameOf(columnLabels, column),
  role: 'key',
  axis: 'row',
  unnamed: isUnnamed(columnLabels),
});

/** A row's weights, and their sum. */
function rowOf(focus: Focus): readonly [weights: Float64Array, sum: number] {
  const weights = weightsOf(focus);
  return [weights, weights.reduce((sum, weight) => sum + weight, 0)];
}

/** Whether a row's weights are shares of one whole, as far as digits that were rounded say: none is negative, they sum to 1. */
function isShared(focus: Focus): boolean {
  const [weights, sum] = rowOf(focus);
  return Math.abs(sum - 1) <= 0.01 && !weights.some((weight) => weight < 0);
}

const written = (weight: number): string => formatNumber(weight, { decimals: 3, exponent: false });

/** How a weight of a row is written: in per cent only where it is a share. */
export const weightText = (focus: Focus, weight: number): string =>
  isShared(focus) ? percent(weight) : written(weight);

/** Whether no key of a row stands out, as its weights are written. */
export const drawOf = (focus: Focus): 'evenly' | 'alike' | undefined =>
  drawIn(focus, (weight) => weightText(focus, weight));

/** Asks why a row gives a key so much; makes no claim of what for. */
export function plainWords(focus: Focus): Record<'question' | 'answer', Sentence> {
  const { head, row, key } = focus;
  const [query, looked] = [queryMark(head, row), keyMark(head, key)];
  const [weights, sum] = rowOf(focus);
  const text = (at: number): SentencePlace => ({ kind: 'number', text: weightText(focus, weights[at] ?? NaN), role: 'weights' });
  const second = secondOf(focus);
  const draw = drawOf(focus);
  if (draw && isShared(focus)) return drawWords(focus, draw, query, (at) => keyMark(head, at), text(key));
  if (!isShared(focus))
    return {
      question: say('Why does {0:alone} give {1:alone} its largest weight, {2}?', query, looked, text(key)),
      answer: say('The next largest is {0}, that of {1:alone}. The weights of this row sum to {2}, not to 1.', text(second), keyMark(head, second), written(sum)),
    };
  return {
    question: isOwn(focus)
      ? say('Why does {0:alone} keep {1} of its attention for itself?', query, text(key))
      : say('Why does {0} of the attention of {1:alone} go to {2:alone}?', text(key), query, looked),
    answer: say('The next largest share of the row, {0}, goes to {1:alone}.', text(second), keyMark(head, second)),
  };
} // prettier-ignore

/** The tokens of the queries and of the keys; one list where they are the same. */
export function sidesOf({ tokens, keyTokens }: Plan, { step }: HeadWeights): readonly [Side, Side | undefined] {
  const keys = sideOf(step.columnLabels, keyTokens);
  const same = step.rowLabels.length === step.columnLabels.length && step.rowLabels.every((label, i) => label === step.columnLabels[i]); // prettier-ignore
  return same ? [keys, undefined] : [keys, sideOf(step.rowLabels, tokens)];
}

/** The names that stand in the picture. */
export type Side = readonly Pick<Token, 'text' | 'special'>[];

const sideOf = (labels: readonly string[], tokens: readonly Token[]): Side =>
  labels.length === tokens.length ? tokens : labels.map((text) => ({ text }));
