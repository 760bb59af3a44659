import { t, finish, namesApart, type Paced, fail, ok, type Problem, type Result } from '../text';
import { planOf, type Step } from '../plan';
import { runReferencePaced, type AttentionTrace } from '../run';
import { decodeNumber, type SpecNumber } from '../spec';
import type { LessonBlock } from './block';
import { blockBudget, fitsLesson } from './budget';
import { decideClaim, isNear, shownTolerance, type Traces } from './claim';
import type { Extreme, Option, Question } from './question';
import { shownErrorOf, shownErrors } from './shown-error';
import { cellsOf, indexIn, inPath, stepNamed, valueOf, type CellNumber } from './quantity';

/** The right answer, computed from the spec. */
export type Answer =
  | { readonly kind: 'choose' | 'find-wrong-step'; readonly index: number; readonly options: readonly string[] }
  | { readonly kind: 'number'; readonly value: number; readonly digits: number; readonly tolerance: number }
  | { readonly kind: 'shape'; readonly shape: readonly number[] }
  | {
      readonly kind: 'matrix';
      readonly cells: readonly CellNumber[];
      readonly digits: number;
      readonly tolerance: number;
    }
  | { readonly kind: 'pick-cell'; readonly cell: readonly number[]; readonly value: number }
  | { readonly kind: 'order-steps'; readonly order: readonly string[] }
  | { readonly kind: 'several'; readonly indices: readonly number[]; readonly options: readonly string[] }
  /** What is not marked has no right answer. */
  | { readonly kind: 'text'; readonly lines: number };

/** The blocks that answers are computed from: a lesson, or part of one. */
export interface Blocks {
  readonly blocks: readonly LessonBlock[];
  /** All questions: what one asks for is not shown to those who work on another. */
  readonly questions?: readonly Question[];
}

const traces = new WeakMap<LessonBlock, Result<AttentionTrace>>();

/** The trace of a block, computed once. A Problem if it is too large for a lesson. */
export const traceOfBlock = (block: LessonBlock): Result<AttentionTrace> => finish(tracingBlock(block));

/** The same as pausable work. */
export function* tracingBlock(block: LessonBlock): Paced<Result<AttentionTrace>> {
  const result = traces.get(block) ?? (yield* computing(block));
  traces.set(block, result);
  return result;
}

function* computing({ id, spec }: LessonBlock): Paced<Result<AttentionTrace>> {
  const plan = planOf(spec);
  if (!plan.ok) return plan;
  const { multiplyAdds, bytes } = plan.value;
  if (fitsLesson(spec, plan.value)) return yield* runReferencePaced(spec, plan.value);
  const { work, bytes: most } = blockBudget(spec);
  const message = t(
    '{0}: {1} multiply-adds and {2} bytes, a lesson computes at most {3} and {4}',
    id,
    multiplyAdds,
    bytes,
    work,
    most,
  );
  return fail({ code: 'too-large', message, hint: t('Take fewer tokens or a smaller width.') });
}

/** Returns traces by block id; without an id, of the block that the question is about. */
export const tracesFor =
  ({ about }: Pick<Question, 'about'>, { blocks }: Blocks): Traces =>
  (id = about) => {
    const block = blocks.find((b) => b.id === id);
    if (block) return traceOfBlock(block);
    const hint = t('The blocks are {0}.', blocks.map((b) => b.id).join(', ') || t('none'));
    return fail({ code: 'unknown-block', message: id === undefined ? t('no block before this question') : t('no block {0}', id), hint });
  }; // prettier-ignore

/**
 * The right answer of a question, computed by the engine. A Problem, whose path is a field of the question, if there is none: an unknown step or
 * cell, a tie, no true statement or several.
 */
export function answerOf(q: Question, lesson: Blocks): Result<Answer> {
  const of = tracesFor(q, lesson);
  const from = (answer: (trace: AttentionTrace) => Result<Answer>): Result<Answer> => {
    const trace = of();
    return trace.ok ? answer(trace.value) : trace;
  };
  switch (q.kind) {
    case 'choose':
      if ('options' in q && q.several === true) return trueStatements(q.options, of);
      if ('options' in q) return onlyStatement(q.options, true, 'choose', of);
      return from((trace) => extremeLineAnswer(q.among, digitsOf(q), trace));
    case 'find-wrong-step':
      return onlyStatement(q.steps, false, 'find-wrong-step', of);
    case 'number':
      return from(() => numberAnswer(q, of, lesson));
    case 'shape':
      return from((trace) => shapeAnswer(q.step, trace));
    case 'matrix':
      return from((trace) => matrixAnswer(q, trace, lesson));
    case 'order-steps':
      return from((trace) => orderAnswer(q.steps, trace));
    case 'text':
      return ok({ kind: 'text', lines: q.lines ?? 4 });
    case 'pick-cell':
      return from((trace) => ('claimed' in q ? wrongCell(q, trace) : pickCellAnswer(q, trace)));
  }
}

export const digitsOf = ({ digits }: Pick<Question, 'digits'>): number => digits ?? 4;
/**
 * What counts as right: one unit of the last requested digit, so that a truncated number does, and what the digits that are shown leave open besides.
 * Half a unit if integers are requested and the answer is one: for 6 hidden cells, 5 and 7 are wrong.
 */
function toleranceOf(q: Pick<Question, 'digits' | 'tolerance'>, truth: readonly number[], shown: number): number {
  if (digitsOf(q) === 0 && q.tolerance === undefined && truth.every((x) => Number.isInteger(x))) return 0.5;
  const asked = q.tolerance ?? Number(`1e-${digitsOf(q)}`);
  return shown === 0 ? asked : upTo2Digits(asked + shown);
}

/** A tolerance as it is said, not below what it is: 0.0021345 is 0.0022. */
function upTo2Digits(x: number): number {
  const [digits = '0', exponent = '0'] = x.toExponential(1).split('e');
  const said = Number(`${digits}e${exponent}`);
  return said >= x ? said : Number((said + Number(`1e${Number(exponent) - 1}`)).toPrecision(2));
}

/** Steps of the question's block whose numbers some question asks for. */
function hiddenBy(q: Question, { questions = [q] }: Blocks): (step: string) => boolean {
  const blockOf = (one: Question): string | undefined =>
    one.kind === 'number' ? (one.of.about ?? one.about) : one.about;
  const asked = new Set(questions.filter((one) => blockOf(one) === blockOf(q)).flatMap((one) => (one.kind === 'matrix' ? [one.step] : one.kind === 'number' ? [one.of.step] : []))); // prettier-ignore
  return (step) => asked.has(step);
}

const at = (result: { readonly problems: readonly Problem[] }, path: string): Result<never> =>
  fail(...result.problems.map((p) => inPath(p, path)));

function shapeAnswer(id: string, trace: AttentionTrace): Result<Answer> {
  const step = stepNamed(trace, id);
  return step.ok ? ok({ kind: 'shape', shape: step.value.shape }) : at(step, 'step');
}

function numberAnswer(q: Extract<Question, { kind: 'number' }>, of: Traces, lesson: Blocks): Result<Answer> {
  const trace = of(q.of.about);
  if (!trace.ok) return at(trace, 'of');
  const found = valueOf(trace.value, q.of);
  if (!found.ok) return at(found, 'of');
  const shown = shownErrorOf(trace.value, q.of, hiddenBy(q, lesson));
  return ok({
    kind: 'number',
    value: found.value,
    digits: digitsOf(q),
    tolerance: toleranceOf(q, [found.value], shown),
  });
}

function matrixAnswer(q: Extract<Question, { kind: 'matrix' }>, trace: AttentionTrace, lesson: Blocks): Result<Answer> {
  const step = stepNamed(trace, q.step);
  if (!step.ok) return at(step, 'step');
  const cells: CellNumber[] = [];
  for (const [i, cell] of q.cells.entries()) {
    const index = indexIn(step.value, cell);
    if (!index.ok) return at(index, `cells[${i}]`);
    cells.push({ index: index.value, value: trace.value(q.step, index.value) });
  }
  const errors = shownErrors(trace, hiddenBy(q, lesson));
  const shown = Math.max(0, ...cells.map(({ index }) => errors.ofResult(step.value, index)));
  const tolerance = toleranceOf(q, cells.map(({ value }) => value), shown); // prettier-ignore
  return ok({ kind: 'matrix', cells, digits: digitsOf(q), tolerance });
}

/** The index of the only statement that is true (or, in an argument, false); a Problem if there are none or several. */
function onlyStatement(
  options: readonly Option[],
  wanted: boolean,
  kind: 'choose' | 'find-wrong-step',
  of: Traces,
): Result<Answer> {
  const path = kind === 'choose' ? 'options' : 'steps';
  const found: number[] = [];
  for (const [i, option] of options.entries()) {
    const holds = decideClaim(option.claim, of);
    if (!holds.ok) return at(holds, `${path}[${i}].claim`);
    if (holds.value === wanted) found.push(i);
  }
  const [index, second] = found;
  if (index === undefined) return fail({ code: 'no-answer', message: noneOf(options.length, wanted), path });
  if (second === undefined) return ok({ kind, index, options: options.map((o) => o.text) });
  return fail({ code: 'no-answer', message: severalOf(found.map((i) => String(i + 1)), wanted), path: `${path}[${second}]` });
} // prettier-ignore

/** The indices of all true statements; a Problem if there are none. */
function trueStatements(options: readonly Option[], of: Traces): Result<Answer> {
  const indices: number[] = [];
  for (const [i, option] of options.entries()) {
    const holds = decideClaim(option.claim, of);
    if (!holds.ok) return at(holds, `options[${i}].claim`);
    if (holds.value) indices.push(i);
  }
  if (indices.length > 0) return ok({ kind: 'several', indices, options: options.map((o) => o.text) });
  return fail({ code: 'no-answer', message: noneOf(options.length, true), path: 'options' });
}

const noneOf = (count: number, wanted: boolean): string =>
  wanted ? t('none of the {0} statements is true', count) : t('none of the {0} statements is false', count);

function severalOf(statements: readonly string[], wanted: boolean): string {
  const which = statements.reduce((some, one) => t('{0} and {1}', some, one));
  return wanted
    ? t('statements {0} are true; exactly one must be', which)
    : t('statements {0} are false; exactly one must be', which);
}

/** The extreme cell; a Problem if another one equals it in the digits shown. */
function extremeOf(extreme: Extreme, shown: number, trace: AttentionTrace): Result<CellNumber> {
  const cells = cellsOf(trace, extreme);
  if (!cells.ok) return at(cells, 'step');
  const sign = extreme.take === 'largest' ? 1 : -1;
  if (cells.value.some((c) => Number.isNaN(c.value)))
    return fail({ code: 'no-answer', message: t('{0} has NaN: no cell is the {1}', extreme.step, extreme.take), path: 'step' });
  const [first, second] = [...cells.value].sort((a, b) => sign * (b.value - a.value || 0));
  if (!first) return fail({ code: 'no-answer', message: t('{0} has no cells', extreme.step), path: 'step' });
  if (second && isNear(first.value, second.value, Number(`1e-${shown}`))) {
    const message = t('[{0}] and [{1}] of {2} are equal in {3} digits', first.index.join(','), second.index.join(','), extreme.step, shown);
    return fail({ code: 'tie', message, path: 'take' });
  }
  return ok(first);
} // prettier-ignore

function pickCellAnswer(q: Extreme & Question, trace: AttentionTrace): Result<Answer> {
  const found = extremeOf(q, digitsOf(q), trace);
  return found.ok ? ok({ kind: 'pick-cell', cell: found.value.index, value: found.value.value }) : found;
}

function extremeLineAnswer(extreme: Extreme, shown: number, trace: AttentionTrace): Result<Answer> {
  const found = extremeOf(extreme, shown, trace);
  if (!found.ok) return at(found, 'among');
  const step = stepNamed(trace, extreme.step);
  if (!step.ok) return at(step, 'among.step');
  const byColumn = extreme.row !== undefined;
  if (byColumn === (extreme.column !== undefined))
    return fail({ code: 'field', message: t('among: expected row or column'), path: 'among' });
  const index = found.value.index.at(byColumn ? -1 : -2) ?? 0;
  return ok({ kind: 'choose', index, options: labels(step.value, byColumn) });
}

/** Row or column labels; repeated tokens get their index. */
const labels = ({ rowLabels, columnLabels }: Step, byColumn: boolean): readonly string[] =>
  namesApart(byColumn ? columnLabels : rowLabels);

/** The only cell of a claimed matrix that differs from the step's. */
function wrongCell(
  q: { claimed: readonly (readonly SpecNumber[])[]; step: string; head?: number; tolerance?: number },
  trace: AttentionTrace,
): Result<Answer> {
  const cells = cellsOf(trace, { step: q.step, ...(q.head === undefined ? {} : { head: q.head }) });
  if (!cells.ok) return at(cells, 'step');
  const claimed = q.claimed.flat();
  if (claimed.length !== cells.value.length)
    return fail({ code: 'shape-mismatch', message: t('{0} numbers for {1} cells of {2}', claimed.length, cells.value.length, q.step), path: 'claimed' });
  const within = q.tolerance ?? shownTolerance(claimed);
  const wrong = cells.value.filter(({ value }, i) => !isNear(value, decodeNumber(claimed[i] as SpecNumber), within));
  const [only, second] = wrong;
  if (only && !second) return ok({ kind: 'pick-cell', cell: only.index, value: only.value });
  const which = wrong.slice(0, 4).map((c) => `[${c.index.join(',')}]`).join(', ');
  const message = which
    ? t('{0} cells are wrong: {1}; exactly one must be', wrong.length, which)
    : t('{0} cells are wrong; exactly one must be', wrong.length);
  return fail({ code: 'no-answer', message, path: 'claimed' });
} // prettier-ignore

/** The steps in the plan's order; a Problem unless each depends on the one before, as several orders would be right. */
function orderAnswer(steps: readonly string[], trace: AttentionTrace): Result<Answer> {
  const plan = trace.plan.steps;
  for (const [i, id] of steps.entries()) {
    const step = stepNamed(trace, id);
    if (!step.ok) return at(step, `steps[${i}]`);
    if (steps.indexOf(id) !== i)
      return fail({ code: 'tie', message: t('{0} is listed twice', id), path: `steps[${i}]` });
  }
  const order = plan.map((s) => s.id).filter((id) => steps.includes(id));
  const free = order.findIndex((id, i) => i > 0 && !dependsOn(plan, id, order[i - 1] ?? ''));
  if (free < 0) return ok({ kind: 'order-steps', order });
  const message = t('{0} and {1} do not need each other: both orders are right', order[free - 1], order[free]);
  return fail({ code: 'tie', message, path: 'steps' });
}

/** Whether a step depends on another, directly or indirectly. */
function dependsOn(plan: readonly Step[], id: string, earlier: string): boolean {
  const reached = new Set([id]);
  for (const step of [...plan].reverse())
    if (reached.has(step.id)) for (const operand of step.operands) reached.add(operand);
  return reached.has(earlier);
}

/** The right answers of a lesson, in the order of its questions; undefined where there is none on its numbers. */
export const answersIn = (lesson: Blocks & { readonly questions: readonly Question[] }): readonly (Answer | undefined)[] =>
  lesson.questions.map((question) => {
    const answer = answerOf(question, lesson);
    return answer.ok ? answer.value : undefined;
  }); // prettier-ignore
