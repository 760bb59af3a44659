import { t, type Result } from '../text';
import { decodeNumber, type SpecNumber } from '../spec';
import { answerOf, tracesFor, type Answer, type Blocks } from './answer';
import { arithmeticOf } from './arithmetic';
import { isNear, type Claim } from './claim';
import { factsOf, numbersOf } from './facts';
import { figureDigits, fillIn, showNumber } from './fill';
import { inlineText } from './inline';
import { explainedWrong } from './explained-wrong';
import type { Misconception } from './misconceptions';
import { countsInPart, statementsOf, type Question } from './question';

/**
 * A student's response. choose, find-wrong-step: index of the statement, from 0. number: a number. shape: all dimensions. matrix: a number for
 * each cell to fill in, null for an empty one. pick-cell: [row, column], preceded by the head if there are several. order-steps: ids. choose several: indices. text: the text. null: not
 * answered.
 */
export type Response = SpecNumber | string | readonly (SpecNumber | null)[] | readonly string[] | null;

/** `collected`: a text, for a person to mark. */
export type Verdict = 'right' | 'partial' | 'wrong' | 'unanswered' | 'unreadable' | 'collected';

export interface Mark {
  readonly verdict: Verdict;
  /** From 0 to 1; matrix and order-steps can be partly right. */
  readonly points: number;
  /** One sentence: the response and the right answer. */
  readonly reason: string;
  /** How the right answer is computed, one line each. */
  readonly arithmetic: readonly string[];
  /** The mistakes any of which gives the wrong numbers, if that is hardly by chance. */
  readonly misconceptions?: readonly Misconception[];
}

/** A mark with feedback for a student who tries again. */
export interface Marked extends Mark {
  /** The reason without the right answer: the response, how much of it is right, and where a wrong number comes from. */
  readonly feedback: string;
  /** Indices, in the question's list, of cells that are wrong or blank. */
  readonly wrong?: readonly number[];
}

/** Marks a response. A Problem if the question has no answer. */
export function mark(question: Question, lesson: Blocks, response: Response): Result<Marked> {
  const answer = answerOf(question, lesson);
  if (!answer.ok) return answer;
  const judged = countsInPart(question) ? judge(answer.value, response) : allOrNothing(judge(answer.value, response));
  const trace = tracesFor(question, lesson)();
  const arithmetic = trace.ok ? reasonsFor(question, answer.value, lesson) : [];
  const isWrong = judged.verdict === 'wrong' || judged.verdict === 'partial';
  const explained = isWrong ? explainedWrong(question, answer.value, lesson, response) : undefined;
  const more = explained?.says ?? (isWrong ? chosenFeedback(question, lesson, response) : undefined);
  if (more === undefined) return { ok: true, value: { ...judged, arithmetic } };
  const [reason, feedback] = [judged.reason, judged.feedback].map((text) => `${text} ${more}`);
  const misconceptions = explained?.misconceptions.map(({ id, name }): Misconception => ({ id, name }));
  return { ok: true, value: { ...judged, ...(reason && feedback && { reason, feedback }), arithmetic, ...(misconceptions && { misconceptions }) } };
} // prettier-ignore

/** The verdict alone, of an answer that is known. */
export const verdictOf = (answer: Answer, response: Response): Verdict => judge(answer, response).verdict;

/** What the lesson says of a statement that was wrongly chosen, or else the numbers and shapes that decide it. */
function chosenFeedback(question: Question, lesson: Blocks, response: Response): string | undefined {
  const chosen = typeof response === 'number' ? statementsOf(question)[response] : undefined;
  if (!chosen) return undefined;
  if (chosen.feedback !== undefined) return inlineText(fillIn(chosen.feedback, lesson, question.about).text);
  const facts = factsOf([chosen.claim], tracesFor(question, lesson)).map((fact) => fact.replace(/^1: /, ''));
  return facts.length > 0 ? t('Look at {0}.', facts.join('; ')) : undefined;
}

type Judgement = Omit<Marked, 'arithmetic' | 'misconceptions'>;

/** A judgement for which the reason can be shown as feedback: it reveals nothing. */
const openJudgement = (verdict: Verdict, points: number, reason: string): Judgement => ({
  verdict, points, reason, feedback: reason,
}); // prettier-ignore
const rightJudgement = (reason: string): Judgement => openJudgement('right', 1, `${reason}.`);
const wrongJudgement = (given: string, answer: string): Judgement => ({
  ...openJudgement('wrong', 0, t('{0} was given; {1} is right.', given, answer)), feedback: t('{0} was given.', given),
}); // prettier-ignore
const unreadable = (reason: string): Judgement => openJudgement('unreadable', 0, reason);

function judge(answer: Answer, response: Response): Judgement {
  if (isBlank(response)) return openJudgement('unanswered', 0, t('No answer was given.'));
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
    case 'several':
      return judgeSeveral(answer, response);
    case 'text':
      return typeof response === 'string'
        ? openJudgement('collected', 0, t('A text is not marked by this program.'))
        : unreadable(t('The response is not a text.'));
  }
}

const isBlank = (response: Response): boolean =>
  response === null ||
  (typeof response === 'string' && response.trim() === '') ||
  (Array.isArray(response) && response.every((x: unknown) => x === null));

const isNumber = (x: unknown): x is SpecNumber =>
  typeof x === 'number' || x === 'inf' || x === '-inf' || x === 'nan' || x === '-0';

function judgeChoice({ index, options }: Extract<Answer, { index: number }>, response: Response): Judgement {
  if (typeof response !== 'number' || options[response] === undefined)
    return unreadable(t('The response is no statement from 0 to {0}.', options.length - 1));
  const name = (i: number): string => t('{0} (“{1}”)', i + 1, inlineText(options[i] ?? ''));
  return response === index ? rightJudgement(name(index)) : wrongJudgement(name(response), name(index));
}

/** Where parts do not count, an answer that is partly right is wrong. */
const allOrNothing = (judged: Judgement): Judgement =>
  judged.verdict === 'partial' ? { ...judged, verdict: 'wrong', points: 0 } : judged;

/** The share of the true statements that was chosen, less as many for false ones. */
function judgeSeveral({ indices, options }: Extract<Answer, { kind: 'several' }>, response: Response): Judgement {
  const given: readonly unknown[] = Array.isArray(response) ? response : [];
  const isPlace = (i: unknown): boolean => typeof i === 'number' && options[i] !== undefined;
  if (!Array.isArray(response) || !given.every(isPlace) || new Set(given).size !== given.length)
    return unreadable(t('The response is no list of statements from 0 to {0}.', options.length - 1));
  const named = (all: readonly unknown[]): string =>
    all.length === 0 ? t('none') : [...(all as readonly number[])].sort((a, b) => a - b).map((i) => String(i + 1)).join(', '); // prettier-ignore
  const chosen = indices.filter((i) => given.includes(i)).length;
  const [missing, tooMany] = [indices.length - chosen, given.length - chosen];
  if (missing === 0 && tooMany === 0) return rightJudgement(named(indices));
  const points = Math.max(0, chosen - tooMany) / indices.length;
  const { reason } = wrongJudgement(named(given), named(indices));
  const feedback = t('{0} was given: not every true statement, or a false one too.', named(given));
  return { verdict: points > 0 ? 'partial' : 'wrong', points, reason, feedback };
}

const toleranceText = (tolerance: number): string => `±${Number(tolerance.toPrecision(6))}`;
/** Whether an exact integer is required, so that no other number is close. */
const isWhole = ({ digits, tolerance }: { readonly digits: number; readonly tolerance: number }): boolean =>
  digits === 0 && tolerance === 0.5;
function judgeNumber(answer: Extract<Answer, { kind: 'number' }>, response: Response): Judgement {
  if (!isNumber(response)) return unreadable(t('The response is not a number.'));
  const { value, digits, tolerance } = answer;
  const shown = `${showNumber(value, digits)}${isWhole(answer) ? '' : ` (${toleranceText(tolerance)})`}`;
  if (isNear(decodeNumber(response), value, tolerance)) return rightJudgement(shown);
  const given = String(response);
  const feedback = isWhole(answer)
    ? Number.isInteger(response)
      ? t('{0} was given; it is another whole number.', given)
      : t('{0} was given; a whole number is asked.', given)
    : t('{0} was given; within {1} is asked.', given, toleranceText(tolerance));
  return { ...wrongJudgement(given, shown), feedback };
}

function judgeIndices(
  truth: readonly number[],
  response: Response,
  what: 'shape' | 'cell',
  between: string,
): Judgement {
  if (!Array.isArray(response) || !response.every((x: unknown) => typeof x === 'number')) return unreadable(what === 'cell' ? t('The response is no cell.') : t('The response is not a shape.'));
  const all = response as readonly number[];
  // A program may print a leading batch dimension of one that the plan does not have.
  const batch = what === 'shape' && all.slice(0, -truth.length).every((n) => n === 1);
  const given = batch && all.length > truth.length ? all.slice(-truth.length) : all;
  const show = (xs: readonly number[]): string => (what === 'cell' ? `[${xs.join(between)}]` : xs.join(between));
  // A student who sees a single matrix may leave out leading dimensions of one.
  const lead = truth.slice(0, Math.max(0, truth.length - given.length));
  const same = show([...lead, ...given]) === show(truth) && lead.every((i) => i === (what === 'cell' ? 0 : 1));
  return same ? rightJudgement(show(truth)) : wrongJudgement(show(all), show(truth));
} // prettier-ignore

function judgeMatrix(answer: Extract<Answer, { kind: 'matrix' }>, response: Response): Judgement {
  const { cells, digits, tolerance } = answer;
  const given: readonly unknown[] = Array.isArray(response) ? response : [];
  if (given.length !== cells.length || !given.every((x) => x === null || isNumber(x)))
    return unreadable(t('The response is no list of {0} numbers.', cells.length));
  const bad = cells.flatMap(({ value }, i) => {
    const x = given[i];
    return isNumber(x) && isNear(decodeNumber(x), value, tolerance) ? [] : [i];
  });
  if (!bad.length)
    return rightJudgement(
      isWhole(answer)
        ? t('All {0} cells', cells.length)
        : t('All {0} cells ({1})', cells.length, toleranceText(tolerance)),
    );
  const shown = cells.filter((_, i) => bad.includes(i)).slice(0, 4);
  const truths = shown.map((c) => t('[{0}] is {1}', c.index.join(','), showNumber(c.value, digits)));
  const good = cells.length - bad.length;
  const points = 1 - bad.length / cells.length;
  const verdict = points > 0 ? 'partial' : 'wrong';
  const reason = t('{0} of {1} cells are right; {2}.', good, cells.length, truths.join(', '));
  const feedback = isWhole(answer)
    ? t('{0} of {1} cells are right.', good, cells.length)
    : t('{0} of {1} cells are right; within {2} is asked.', good, cells.length, toleranceText(tolerance));
  return { verdict, points, reason, feedback, wrong: bad };
}

/** One point for each step that directly follows its predecessor in the right order. */
function judgeOrder(order: readonly string[], response: Response): Judgement {
  const given: readonly unknown[] = Array.isArray(response) ? response : [];
  const known = given.every((id) => typeof id === 'string' && order.includes(id));
  if (given.length !== order.length || !known || new Set(given).size !== order.length)
    return unreadable(t('The response is no order of {0}.', order.join(', ')));
  if (order.every((id, i) => given[i] === id)) return rightJudgement(order.join(' → '));
  const pairs = order.slice(1).filter((id, i) => given[given.indexOf(id) - 1] === order[i]).length;
  const { reason } = wrongJudgement(given.join(' → '), order.join(' → '));
  const points = pairs / (order.length - 1);
  const feedback = t('{0} was given: {1} of {2} neighbours are right.', given.join(' → '), pairs, order.length - 1);
  return { verdict: points > 0 ? 'partial' : 'wrong', points, reason, feedback };
}

/** The arithmetic of the cells of a question. */
function reasonsFor(q: Question, answer: Answer, lesson: Blocks): readonly string[] {
  const traces = tracesFor(q, lesson);
  const trace = traces(q.kind === 'number' ? q.of.about : undefined);
  if (!trace.ok) return [];
  // A whole number comes of numbers that need not be whole.
  const lines = (step: string, index: readonly number[], digits = 4): readonly string[] =>
    arithmeticOf(trace.value, step, index, digits < 2 ? figureDigits : digits);
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
    case 'text':
      return [];
  }
}

const claimsOf = (q: Question): readonly Claim[] => statementsOf(q).map(({ claim }) => claim);
