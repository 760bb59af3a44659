/** The ways in which a question may be asked: its own, and those that `or` adds. A variant deals one of them. */
import { statementsOf, type Dealt, type Option, type OtherOption, type Question } from './question';

/** Every way as a question of its own, in order; the first has the question's own fields. Their statements still have their alternatives. */
export function waysOf(question: Question): readonly Question[] {
  const { or, ...own } = question;
  if (!or) return [question];
  const known = ways.get(question);
  if (known) return known;
  // The reader has checked that the fields are those of the question's kind.
  const found = [own, ...or.map((fields) => ({ ...own, ...fields }) as Question)];
  ways.set(question, found);
  return found;
}

const ways = new WeakMap<Question, readonly Question[]>();
const dealtOnes = new WeakMap<Question, Map<string, Question>>();

/** Whether variants may ask the question in another way, or with other statements. */
export const isDealt = (question: Question): boolean =>
  question.or !== undefined || statementsOf(question).some(({ or }) => or !== undefined);

/** A way and statements, by a function that draws a whole number from 0 to below `n`. */
export function deal(question: Question, draw: (n: number) => number): Dealt {
  const all = waysOf(question);
  const way = draw(all.length);
  return { way, statements: statementsOf(all[way] ?? question).map(({ or }) => draw(1 + (or?.length ?? 0))) };
}

/** The question as it was dealt, without alternatives. A way or a statement that is not there is the question's own. */
export function asDealt(question: Question, dealt: Dealt | undefined): Question {
  if (!dealt) return question;
  const key = JSON.stringify(dealt);
  const known = dealtOnes.get(question) ?? new Map<string, Question>();
  dealtOnes.set(question, known);
  const found = known.get(key) ?? { ...withStatements(waysOf(question)[dealt.way] ?? question, dealt), dealt };
  known.set(key, found);
  return found;
}

function withStatements(way: Question, { statements }: Dealt): Question {
  const { or: _, ...question } = way;
  const own = statementsOf(question);
  if (own.length === 0) return question;
  const others = own.map(({ or }, i) => or?.[(statements[i] ?? 0) - 1]);
  const options = own.map((one, i) => statementOf(others[i] ?? one));
  const explanation = others.find((one) => one?.explanation !== undefined)?.explanation;
  const explained = explanation === undefined ? question : { ...question, explanation };
  return explained.kind === 'find-wrong-step'
    ? { ...explained, steps: options }
    : { ...explained, ...('options' in explained && { options }) };
}

const statementOf = ({ text, claim, feedback }: OtherOption): Option => ({
  text,
  claim,
  ...(feedback === undefined ? {} : { feedback }),
});

/** Every statement that some variant may have, way by way: a place in this list is the same in all variants. */
export const everyStatementOf = (question: Question): readonly Option[] =>
  waysOf(question).flatMap((way) => statementsOf(way).flatMap((own) => [own, ...(own.or ?? [])]));

/** The place of a statement among `everyStatementOf`; −1 if it is not there. */
export const placeOf = (question: Question, text: string | undefined): number =>
  everyStatementOf(question).findIndex((one) => one.text === text);
