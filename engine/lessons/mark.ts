import type { Result } from '../problems';
import { decodeNumber, type SpecNumber } from '../spec';
import type { AttentionTrace } from '../trace';
import { answerOf, tracesFor, type Answer, type Blocks } from './answer';
import { arithmeticOf } from './arithmetic';
import { near } from './claim';
import { showNumber } from './fill';
import type { Question } from './question';

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
}

/** Marks a response. A Problem when the question has no answer. */
export function mark(question: Question, lesson: Blocks, response: Response): Result<Mark> {
  const answer = answerOf(question, lesson);
  if (!answer.ok) return answer;
  const { verdict, points, reason } = judge(answer.value, response);
  const trace = tracesFor(question, lesson)();
  const slip = verdict === 'wrong' && trace.ok ? slipOf(question, answer.value, response, trace.value) : '';
  const arithmetic = trace.ok ? reasonsFor(question, answer.value, lesson) : [];
  return { ok: true, value: { verdict, points, reason: reason + slip, arithmetic } };
}

type Judged = Omit<Mark, 'arithmetic'>;

const right = (reason: string): Judged => ({ verdict: 'right', points: 1, reason: `${reason}.` });
const wrong = (given: string, answer: string): Judged => ({
  verdict: 'wrong', points: 0, reason: `${given} was given; ${answer} is right.`,
}); // prettier-ignore
const unreadable = (what: string): Judged => ({
  verdict: 'unreadable', points: 0, reason: `The response is no ${what}.`,
}); // prettier-ignore

function judge(answer: Answer, response: Response): Judged {
  if (isBlank(response)) return { verdict: 'unanswered', points: 0, reason: 'No answer was given.' };
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
    return unreadable(`statement from 0 to ${options.length - 1}`);
  const name = (i: number): string => `${i + 1} (“${options[i]}”)`;
  return response === index ? right(name(index)) : wrong(name(response), name(index));
}

const within = (tolerance: number): string => `±${Number(tolerance.toPrecision(6))}`;

function judgeNumber(answer: Extract<Answer, { kind: 'number' }>, response: Response): Judged {
  if (!isNumber(response)) return unreadable('number');
  const { value, digits, tolerance } = answer;
  const shown = `${showNumber(value, digits)} (${within(tolerance)})`;
  return near(decodeNumber(response), value, tolerance) ? right(shown) : wrong(String(response), shown);
}

function judgeIndices(
  truth: readonly number[],
  response: Response,
  what: 'shape' | 'cell',
  between: string,
): Judged {
  if (!Array.isArray(response) || !response.every((x: unknown) => typeof x === 'number')) return unreadable(what);
  const given = response as readonly number[];
  const show = (xs: readonly number[]): string => (what === 'cell' ? `[${xs.join(between)}]` : xs.join(between));
  // Leading dimensions of one are left out by who sees one matrix.
  const lead = truth.slice(0, Math.max(0, truth.length - given.length));
  const same = show([...lead, ...given]) === show(truth) && lead.every((i) => i === (what === 'cell' ? 0 : 1));
  return same ? right(show(truth)) : wrong(show(given), show(truth));
} // prettier-ignore

function judgeMatrix({ cells, digits, tolerance }: Extract<Answer, { kind: 'matrix' }>, response: Response): Judged {
  const given: readonly unknown[] = Array.isArray(response) ? response : [];
  if (given.length !== cells.length || !given.every((x) => x === null || isNumber(x)))
    return unreadable(`list of ${cells.length} numbers`);
  const bad = cells.filter(({ value }, i) => {
    const x = given[i];
    return !isNumber(x) || !near(decodeNumber(x), value, tolerance);
  });
  if (!bad.length) return right(`All ${cells.length} cells (${within(tolerance)})`);
  const shown = bad.slice(0, 4).map((c) => `[${c.index.join(',')}] is ${showNumber(c.value, digits)}`);
  const reason = `${cells.length - bad.length} of ${cells.length} cells are right; ${shown.join(', ')}.`;
  const points = 1 - bad.length / cells.length;
  return { verdict: points > 0 ? 'partial' : 'wrong', points, reason };
}

/** Points for each step that stands right after the one it belongs after. */
function judgeOrder(order: readonly string[], response: Response): Judged {
  const given: readonly unknown[] = Array.isArray(response) ? response : [];
  const known = given.every((id) => typeof id === 'string' && order.includes(id));
  if (given.length !== order.length || !known || new Set(given).size !== order.length)
    return unreadable(`order of ${order.join(', ')}`);
  if (order.every((id, i) => given[i] === id)) return right(order.join(' → '));
  const pairs = order.slice(1).filter((id, i) => given[given.indexOf(id) - 1] === order[i]).length;
  const { reason } = wrong(given.join(' → '), order.join(' → '));
  const points = pairs / (order.length - 1);
  return { verdict: points > 0 ? 'partial' : 'wrong', points, reason };
}

/** Where a wrong number comes from, if it is another cell of the same place: an earlier step, or rows and columns exchanged. */
function slipOf(q: Question, answer: Answer, response: Response, trace: AttentionTrace): string {
  if (answer.kind !== 'number' || q.kind !== 'number' || !q.of.cell || q.of.about !== undefined || !isNumber(response))
    return '';
  const given = decodeNumber(response);
  const places = [q.of.cell, [...q.of.cell.slice(0, -2), ...q.of.cell.slice(-2).reverse()]];
  for (const step of [...trace.plan.steps].reverse()) {
    for (const cell of places) {
      const lead = step.shape.length - cell.length;
      if (lead < 0 || !cell.every((i, d) => i < (step.shape[lead + d] ?? 0))) continue;
      if (near(trace.value(step.id, cell), given, answer.tolerance)) return ` That is ${step.id}[${cell.join(',')}].`;
    }
  }
  return '';
}

/** The arithmetic of the cells that a question is about. */
function reasonsFor(q: Question, answer: Answer, lesson: Blocks): readonly string[] {
  const about = q.kind === 'number' ? q.of.about : undefined;
  const trace = tracesFor(q, lesson)(about);
  if (!trace.ok) return [];
  const lines = (step: string, index: readonly number[], digits = 4): readonly string[] =>
    arithmeticOf(trace.value, step, index, digits);
  if (q.kind === 'number' && q.of.cell) return lines(q.of.step, q.of.cell, q.digits);
  if (q.kind === 'matrix' && answer.kind === 'matrix')
    return answer.cells.slice(0, 8).flatMap((c) => lines(q.step, c.index, q.digits));
  if (q.kind === 'pick-cell' && answer.kind === 'pick-cell') return lines(q.step, answer.cell);
  const step = q.kind === 'shape' ? trace.value.plan.steps.find((s) => s.id === q.step) : undefined;
  return step ? [step.shapes] : [];
}
