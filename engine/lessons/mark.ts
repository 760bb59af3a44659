import { t, type Result } from '../text';
import { decodeNumber, type SpecNumber } from '../spec';
import type { AttentionTrace } from '../run';
import { answerOf, tracesFor, type Answer, type Blocks } from './answer';
import { arithmeticOf } from './arithmetic';
import { near, type Claim } from './claim';
import { factsOf, numbersOf } from './facts';
import { showNumber } from './fill';
import { inlineText } from './inline';
import { statementsOf, type Question } from './question';

/**
 * What a student answered. choose, find-wrong-step: the number of the statement, from 0. number: a number. shape: all dimensions.
 * matrix: a number for each blanked cell, null where none is given. pick-cell: [row, column], with head where there are several.
 * order-steps: ids. null: not answered.
 */
export type Response = SpecNumber | readonly (SpecNumber | null)[] | readonly string[] | null;

export type Verdict = 'right' | 'partial' | 'wrong' | 'unanswered' | 'unreadable';

export interface Mark {
  readonly verdict: Verdict;
  /** 0 to 1; partial answers of matrix and order-steps have their share. */
  readonly points: number;
  /** One sentence: what was given and what is right. */
  readonly reason: string;
  /** How the right answer comes about, one line each. */
  readonly arithmetic: readonly string[];
  /** The other cell that a wrong number is: `scores[1,2]`. */
  readonly slip?: string;
}

/** A mark with what a student may be told who tries again. */
export interface Marked extends Mark {
  /** The reason with the answer kept back: what was given, how much of it is right, where it comes from. */
  readonly feedback: string;
  /** Cells of a matrix that are wrong or blank, by their place in the question's list. */
  readonly wrong?: readonly number[];
}

/** Marks a response. A Problem when the question has no answer. */
export function mark(question: Question, lesson: Blocks, response: Response): Result<Marked> {
  const answer = answerOf(question, lesson);
  if (!answer.ok) return answer;
  const judged = judge(answer.value, response);
  const trace = tracesFor(question, lesson)();
  const slip =
    judged.verdict === 'wrong' && trace.ok ? slipOf(question, answer.value, response, trace.value) : undefined;
  const arithmetic = trace.ok ? reasonsFor(question, answer.value, lesson) : [];
  if (slip === undefined) return { ok: true, value: { ...judged, arithmetic } };
  const [reason, feedback] = [judged.reason, judged.feedback].map((text) => [text, t('That is {0}.', slip)].join(' '));
  return { ok: true, value: { ...judged, ...(reason && feedback && { reason, feedback }), arithmetic, slip } };
}

type Judged = Omit<Marked, 'arithmetic' | 'slip'>;

/** Where nothing is to be kept back, both sentences are one. */
const judged = (verdict: Verdict, points: number, reason: string): Judged => ({
  verdict, points, reason, feedback: reason,
}); // prettier-ignore
const right = (reason: string): Judged => judged('right', 1, `${reason}.`);
const wrong = (given: string, answer: string): Judged => ({
  ...judged('wrong', 0, t('{0} was given; {1} is right.', given, answer)), feedback: t('{0} was given.', given),
}); // prettier-ignore
const unreadable = (reason: string): Judged => judged('unreadable', 0, reason);

function judge(answer: Answer, response: Response): Judged {
  if (isBlank(response)) return judged('unanswered', 0, t('No answer was given.'));
  switch (answer.kind) {
    case 'choose':
    case 'find-wrong-step':
      return judgeChoice(answer, response);
    case 'number':
      return judgeNumber(answer, response);
    case 'shape':
      return judgeIndices(answer.shape, response, 'shape', '×');
    case 'pick-cell':
      return judgeIndices(answer.cell, response, 'cell', ',');
    case 'matrix':
      return judgeMatrix(answer, response);
    case 'order-steps':
      return judgeOrder(answer.order, response);
  }
}

const isBlank = (response: Response): boolean =>
  response === null || (Array.isArray(response) && response.every((x: unknown) => x === null));

const isNumber = (x: unknown): x is SpecNumber =>
  typeof x === 'number' || x === 'inf' || x === '-inf' || x === 'nan' || x === '-0';

function judgeChoice({ index, options }: Extract<Answer, { index: number }>, response: Response): Judged {
  if (typeof response !== 'number' || options[response] === undefined)
    return unreadable(t('The response is no statement from 0 to {0}.', options.length - 1));
  const name = (i: number): string => t('{0} (“{1}”)', i + 1, inlineText(options[i] ?? ''));
  return response === index ? right(name(index)) : wrong(name(response), name(index));
}

const within = (tolerance: number): string => `±${Number(tolerance.toPrecision(6))}`;
/** Where whole numbers are asked for nothing else is near. */
const isWhole = ({ digits, tolerance }: { readonly digits: number; readonly tolerance: number }): boolean =>
  digits === 0 && tolerance === 0.5;
function judgeNumber(answer: Extract<Answer, { kind: 'number' }>, response: Response): Judged {
  if (!isNumber(response)) return unreadable(t('The response is no number.'));
  const { value, digits, tolerance } = answer;
  const shown = `${showNumber(value, digits)}${isWhole(answer) ? '' : ` (${within(tolerance)})`}`;
  if (near(decodeNumber(response), value, tolerance)) return right(shown);
  const given = String(response);
  const feedback = isWhole(answer)
    ? t('{0} was given; a whole number is asked.', given)
    : t('{0} was given; within {1} is asked.', given, within(tolerance));
  return { ...wrong(given, shown), feedback };
}

function judgeIndices(
  truth: readonly number[],
  response: Response,
  what: 'shape' | 'cell',
  between: string,
): Judged {
  if (!Array.isArray(response) || !response.every((x: unknown) => typeof x === 'number')) return unreadable(what === 'cell' ? t('The response is no cell.') : t('The response is no shape.'));
  const all = response as readonly number[];
  // A program has a batch of one before the matrix, where the plan has none.
  const batch = what === 'shape' && all.slice(0, -truth.length).every((n) => n === 1);
  const given = batch && all.length > truth.length ? all.slice(-truth.length) : all;
  const show = (xs: readonly number[]): string => (what === 'cell' ? `[${xs.join(between)}]` : xs.join(between));
  // Leading dimensions of one are left out by who sees one matrix.
  const lead = truth.slice(0, Math.max(0, truth.length - given.length));
  const same = show([...lead, ...given]) === show(truth) && lead.every((i) => i === (what === 'cell' ? 0 : 1));
  return same ? right(show(truth)) : wrong(show(all), show(truth));
} // prettier-ignore

function judgeMatrix(answer: Extract<Answer, { kind: 'matrix' }>, response: Response): Judged {
  const { cells, digits, tolerance } = answer;
  const given: readonly unknown[] = Array.isArray(response) ? response : [];
  if (given.length !== cells.length || !given.every((x) => x === null || isNumber(x)))
    return unreadable(t('The response is no list of {0} numbers.', cells.length));
  const bad = cells.flatMap(({ value }, i) => {
    const x = given[i];
    return isNumber(x) && near(decodeNumber(x), value, tolerance) ? [] : [i];
  });
  if (!bad.length)
    return right(
      isWhole(answer) ? t('All {0} cells', cells.length) : t('All {0} cells ({1})', cells.length, within(tolerance)),
    );
  const shown = cells.filter((_, i) => bad.includes(i)).slice(0, 4);
  const truths = shown.map((c) => t('[{0}] is {1}', c.index.join(','), showNumber(c.value, digits)));
  const good = cells.length - bad.length;
  const points = 1 - bad.length / cells.length;
  const verdict = points > 0 ? 'partial' : 'wrong';
  const reason = t('{0} of {1} cells are right; {2}.', good, cells.length, truths.join(', '));
  const feedback = isWhole(answer)
    ? t('{0} of {1} cells are right; a whole number is asked.', good, cells.length)
    : t('{0} of {1} cells are right; within {2} is asked.', good, cells.length, within(tolerance));
  return { verdict, points, reason, feedback, wrong: bad };
}

/** Points for each step that stands right after the one it belongs after. */
function judgeOrder(order: readonly string[], response: Response): Judged {
  const given: readonly unknown[] = Array.isArray(response) ? response : [];
  const known = given.every((id) => typeof id === 'string' && order.includes(id));
  if (given.length !== order.length || !known || new Set(given).size !== order.length)
    return unreadable(t('The response is no order of {0}.', order.join(', ')));
  if (order.every((id, i) => given[i] === id)) return right(order.join(' → '));
  const pairs = order.slice(1).filter((id, i) => given[given.indexOf(id) - 1] === order[i]).length;
  const { reason } = wrong(given.join(' → '), order.join(' → '));
  const points = pairs / (order.length - 1);
  const feedback = t('{0} was given: {1} of {2} neighbours are right.', given.join(' → '), pairs, order.length - 1);
  return { verdict: points > 0 ? 'partial' : 'wrong', points, reason, feedback };
}

/** Where a wrong number comes from, if it is another cell of the same place: an earlier step, or rows and columns exchanged. */
function slipOf(q: Question, answer: Answer, response: Response, trace: AttentionTrace): string | undefined {
  if (answer.kind !== 'number' || q.kind !== 'number' || !q.of.cell || q.of.about !== undefined || !isNumber(response))
    return undefined;
  const given = decodeNumber(response);
  const places = [q.of.cell, [...q.of.cell.slice(0, -2), ...q.of.cell.slice(-2).reverse()]];
  // Half a unit would take anything for the source of a whole number.
  const close = isWhole(answer) ? 1e-9 : answer.tolerance;
  for (const step of [...trace.plan.steps].reverse()) {
    for (const cell of places) {
      const lead = step.shape.length - cell.length;
      if (lead < 0 || !cell.every((i, d) => i < (step.shape[lead + d] ?? 0))) continue;
      if (near(trace.value(step.id, cell), given, close)) return `${step.id}[${cell.join(',')}]`;
    }
  }
  return undefined;
}

/** The arithmetic of the cells that a question is about. */
function reasonsFor(q: Question, answer: Answer, lesson: Blocks): readonly string[] {
  const traces = tracesFor(q, lesson);
  const trace = traces(q.kind === 'number' ? q.of.about : undefined);
  if (!trace.ok) return [];
  const lines = (step: string, index: readonly number[], digits = 4): readonly string[] =>
    arithmeticOf(trace.value, step, index, digits);
  switch (q.kind) {
    case 'number':
      return q.of.cell ? lines(q.of.step, q.of.cell, q.digits) : [];
    case 'matrix':
      return answer.kind === 'matrix' ? answer.cells.slice(0, 8).flatMap((c) => lines(q.step, c.index, q.digits)) : [];
    case 'pick-cell':
      return answer.kind === 'pick-cell' ? lines(q.step, answer.cell) : [];
    case 'choose':
      if ('among' in q) return numbersOf(trace.value, q.among, q.digits);
      return factsOf(claimsOf(q), traces);
    case 'find-wrong-step':
      return factsOf(claimsOf(q), traces);
    case 'shape':
      return trace.value.plan.steps.filter(({ id }) => id === q.step).map(({ shapes }) => shapes);
    case 'order-steps':
      return [];
  }
}

const claimsOf = (q: Question): readonly Claim[] => statementsOf(q).map(({ claim }) => claim);
