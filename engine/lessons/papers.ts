/** The papers of a class as `closePairs` compares them. */
import type { Paced } from '../text';
import { answersIn, type Answer } from './answer';
import type { Graded, StudentReport } from './class-report';
import { closePairs, type Answers, type ClosePair, type Given } from './close-papers';
import type { Lesson } from './lesson';
import { correctedVariant } from './correction';
import { waysOf } from './deal';
import { verdictOf, type Response } from './mark';
import type { Question } from './question';
import { variantOf } from './variant';

/** A row of the report, and the lesson with its numbers. */
interface OwnPaper {
  readonly row: StudentReport;
  readonly own: Lesson;
}

/** Sets of numbers, beside those of the class, on which wrong answers are tried. */
const mostOthers = 60;

/** `written`: the lesson that was handed out, whose variants have numbers that nobody has; `lesson`: the one whose questions mark. */
export function* closePairsOf(
  written: Lesson,
  lesson: Lesson,
  rows: readonly StudentReport[],
  variant: (seed: number | null) => Lesson | undefined,
): Paced<readonly ClosePair[]> {
  const papers = rows.flatMap((row): OwnPaper[] => {
    const own = row.marked ? variant(row.seed) : undefined;
    return own ? [{ row, own }] : [];
  });
  const vary = new Set(papers.map(({ row }) => row.seed)).size > 1;
  const answers = new Map(papers.map(({ own }) => [own, answersIn(own)]));
  let others: readonly (readonly (Answer | undefined)[])[] = [];
  const responseOf = (q: number, i: number): Response => papers[i]?.row.answers[q]?.response ?? null;
  const asked: Answers = {
    groups: groupsOf(lesson),
    isRightOn: (q, i, j) => isRight(answers.get(papers[j]?.own ?? lesson)?.[q], responseOf(q, i)),
    *prepare() {
      if (vary) others = yield* othersOf(written, lesson, new Set(papers.map(({ row }) => row.seed)));
    },
    others: (q, i) => ({ right: others.filter((one) => isRight(one[q], responseOf(q, i))).length, of: others.length }),
  };
  const given = papers.map(({ row }) => ({ student: row.student, given: row.answers.map(givenOf) }));
  return yield* closePairs(given, asked);
}

const isRight = (answer: Answer | undefined, response: Response): boolean =>
  answer !== undefined && verdictOf(answer, response) === 'right';

/** The right answers of variants that nobody in the class has. */
function* othersOf(written: Lesson, lesson: Lesson, taken: ReadonlySet<number | null>): Paced<readonly (readonly (Answer | undefined)[])[]> {
  const found: (readonly (Answer | undefined)[])[] = [];
  for (let seed = 1; found.length < mostOthers && seed <= 2 * mostOthers; seed++) {
    const other = taken.has(seed) ? undefined : variantOf(written, seed);
    if (other?.ok) found.push(answersIn(lesson === written ? other.value : correctedVariant(other.value, written, lesson)));
    yield;
  }
  return found;
} // prettier-ignore

function givenOf({ response, statement, statements, mark }: Graded): Given | undefined {
  const { verdict, misconceptions } = mark;
  if (verdict !== 'right' && verdict !== 'wrong' && verdict !== 'partial') return undefined;
  const hasBlank = Array.isArray(response) && response.some((x: unknown) => x === null);
  return {
    key: statement === undefined ? (statements?.join() ?? JSON.stringify(response)) : `statement ${statement}`,
    verdict: verdict === 'right' ? 'right' : 'wrong',
    counts: misconceptions === undefined && !hasBlank,
  };
}

/** For each question the name of its group. Two are in one where some way of the one and some way of the other follow from each other: whichever were dealt. */
export function groupsOf(lesson: Lesson): readonly string[] {
  const keys = lesson.questions.map((question) => new Set(waysOf(question).map((way) => groupOf(way, lesson))));
  const groups = keys.map((_, i) => i);
  for (const [i, own] of keys.entries())
    for (let j = 0; j < i; j++) {
      const [from, to] = [groups[i], groups[j]];
      if (from === to || to === undefined || ![...own].some((key) => keys[j]?.has(key))) continue;
      groups.forEach((group, at) => void (group === from && (groups[at] = to)));
    }
  return groups.map(String);
}

/** Questions on one row of the numbers of one block, or of blocks made from it, follow from each other. */
function groupOf(question: Question, lesson: Lesson): string {
  const row = rowOf(question);
  const about = question.kind === 'number' ? (question.of.about ?? question.about) : question.about;
  return row === undefined ? `question ${question.id}` : `row ${row} of ${rootOf(about, lesson)}`;
}

function rowOf(question: Question): number | undefined {
  switch (question.kind) {
    case 'number':
      return question.of.cell?.at(-2) ?? question.of.row;
    case 'matrix':
      return question.cells[0]?.at(-2);
    case 'choose':
      return 'among' in question ? question.among.row : undefined;
    case 'pick-cell':
      return 'claimed' in question ? undefined : question.row;
    case 'shape':
    case 'find-wrong-step':
    case 'order-steps':
    case 'text':
      return undefined;
  }
}

function rootOf(id: string | undefined, lesson: Lesson): string {
  const from = lesson.blocks.find((block) => block.id === id)?.from;
  return from === undefined ? (id ?? '') : rootOf(from, lesson);
}
