import { checkResult, printedLiteral, wordsOf } from '../diagnose';
import {
  checkCode,
  codeWords,
  resultsInComments,
  stackOf,
  type CodeChecked,
  type CodeSide,
  type PrintedStack,
} from '../program';
import { fail, ok, positionAt, t, type Problem, type Result } from '../text';
import { attentionOf, matricesOf, noteLines, sourceOf, traceOf, type Source } from './reading';
import type { Input, Lines, ToolHost } from './tool'; // prettier-ignore

export async function checkNumbersOf(input: Input, host: ToolHost): Promise<Lines> {
  const source = await sourceOf(input, host);
  if (!source.ok) return source;
  const asked = typeof input['result'] === 'string' ? input['result'] : undefined;
  const program = source.value.isProgram ? await checkProgram(source.value, asked, host) : undefined;
  return program ?? checkMatrices(source.value, asked, input, host);
}

/** Numbers that stand in a text, or that are given beside it. */
interface Numbers {
  readonly text: string;
  readonly matrix: Awaited<ReturnType<typeof matricesOf>>[number];
  readonly name: string;
}

/** The matrices that were asked for: literal numbers, or the name of a matrix of the text. */
async function numbersOf(text: string, asked: string, host: ToolHost): Promise<readonly Numbers[]> {
  const given = await matricesOf(asked, host);
  if (given.length > 0) return given.map((matrix) => ({ text: asked, matrix, name: matrix.name ?? t('the result') }));
  const own = await matricesOf(text, host);
  return own.filter(({ name }) => name === asked.trim()).map((matrix) => ({ text, matrix, name: asked.trim() }));
}

const noResult = (asked: string | undefined): Problem => ({
  code: 'no-result',
  message: asked === undefined ? t('no printed result was found') : t('{0} is no matrix of numbers, and none of the text has this name', JSON.stringify(asked.slice(0, 60))),
  hint: t('Give the numbers in {0} as they were printed: [[0.67, 0.33], [0.5, 0.5]].', 'result'),
}); // prettier-ignore

// --- given matrices -------------------------------------------------------------------

async function checkMatrices(source: Source, asked: string | undefined, input: Input, host: ToolHost): Promise<Lines> {
  const read = await attentionOf(source, { set: input['set'] }, host);
  if (!read.ok) return read;
  const { spec, notes } = read.value;
  if (spec.start.from === 'text')
    return fail({ code: 'no-attention', message: t('neither code that computes attention nor its matrices were found') });
  const trace = await traceOf(spec, host);
  if (!trace.ok) return trace;
  const inputs = new Set(trace.value.plan.steps.filter(({ operands }) => operands.length === 0).map(({ id }) => id));
  const own = (await matricesOf(source.text, host)).filter(({ role }) => role === undefined || !inputs.has(role === 'xi' ? 'x' : role));
  const all: readonly Numbers[] = asked === undefined ? own.map((matrix) => ({ text: source.text, matrix, name: matrix.name ?? t('the matrix of line {0}', positionAt(source.text, matrix.range.start).line) })) : await numbersOf(source.text, asked, host);
  const said: string[] = [];
  for (const { text, matrix, name } of all) {
    const printed = printedLiteral(text, matrix);
    if (!printed) {
      if (asked !== undefined) said.push(t('{0} is {1}: give one matrix of rows and columns, such as one head.', name, matrix.shape.join('×')));
      continue;
    }
    const checked = await host.run(checkResult(trace.value, printed));
    if (!checked.ok) return checked;
    if (asked === undefined && checked.value.is === 'step' && checked.value.steps.every(({ step }) => inputs.has(step.id))) continue;
    said.push(...wordsOf(checked.value, name, printed.rows.flat().length));
  }
  return said.length > 0 ? ok([...said, ...noteLines(notes)]) : fail(noResult(asked));
} // prettier-ignore

// --- a program's ----------------------------------------------------------------------

const mostAttentions = 8;

/** Undefined where the code has no attention: then its matrices are read as they stand. */
async function checkProgram(source: Source, asked: string | undefined, host: ToolHost): Promise<Lines | undefined> {
  const sides = await sidesOf(source, host);
  if (!sides.ok) return sides;
  if (sides.value.length === 0) return undefined;
  const mine = await printedOf(source.text, asked, host);
  const told: string[] = [];
  for (const stack of mine) {
    const best = await bestOf(sides.value, stack, host);
    if (!best.ok) return best;
    told.push(...codeWords(best.value.checked, best.value.side.spec, stack).flatMap((words) => words.split('\n')));
  }
  return told.length > 0 ? ok(told) : fail(noResult(asked));
}

async function printedOf(text: string, asked: string | undefined, host: ToolHost): Promise<readonly PrintedStack[]> {
  const commented = await host.run(resultsInComments(text));
  if (asked === undefined) return commented;
  const named = commented.filter(({ name }) => name === asked.trim());
  if (named.length > 0) return named;
  return (await numbersOf(text, asked, host)).flatMap(({ text: within, matrix, name }) => stackOf(name, within, matrix) ?? []); // prettier-ignore
}

/** The last attentions of a program, the last one at the end. */
async function sidesOf({ text, path }: Source, host: ToolHost): Promise<Result<readonly CodeSide[]>> {
  const last = await host.ask('review', { text }, path);
  if (!last.ok) return last;
  const { attention, side } = last.value;
  if (attention.is === 'refused') return fail(...attention.problems);
  if (attention.is === 'none') return ok([]);
  const others = attention.all.map((_, i) => i).filter((i) => i !== attention.which);
  const sides: CodeSide[] = [];
  for (const at of others.slice(-mostAttentions + 1)) {
    const review = await host.ask('review', { text, at }, path);
    if (!review.ok) return review;
    if (review.value.side) sides.push(review.value.side);
  }
  return ok(side ? [...sides, side] : sides);
}

interface Beside {
  readonly side: CodeSide;
  readonly checked: CodeChecked;
}

/** The attention that has the result, else one with a mistake that explains it, else the last. */
async function bestOf(sides: readonly CodeSide[], stack: PrintedStack, host: ToolHost): Promise<Result<Beside>> {
  const found: Beside[] = [];
  let problems: readonly Problem[] = [];
  for (const side of sides) {
    const checked = await host.run(checkCode(side, stack));
    if (checked.ok) found.push({ side, checked: checked.value });
    else problems = checked.problems;
  }
  const isKnown = ({ checked: { other } }: Beside): boolean => other !== undefined && other.is !== 'none';
  const best = found.find(({ checked }) => checked.own.length > 0) ?? found.findLast(isKnown) ?? found.at(-1);
  return best ? ok(best) : fail(...problems);
}
