/** Marking again by a corrected lesson, on the numbers that students had. */
import { t, fail, ok, type Problem, type Result } from '../text';
import { hashSpec } from '../run';
import type { ClassReport, Graded, MarkChange } from './class-report';
import { asDealt, waysOf } from './deal';
import { lessonOf, type Lesson, type LessonPart } from './lesson';
import { statementsOf, type Option, type Question } from './question';

/**
 * A student's variant with the questions of a corrected lesson. Blocks stay as the student had them; statements stay in the order in which the student saw
 * them, so that a response means what it meant.
 */
export function correctedVariant(own: Lesson, written: Lesson, corrected: Lesson): Lesson {
  const questions = corrected.questions.map((question) => inOrderOf(question, find(own, question), find(written, question)));
  const parts: LessonPart[] = [
    ...own.blocks.map((block): LessonPart => ({ kind: 'block', block })),
    ...questions.map((question): LessonPart => ({ kind: 'question', question })),
  ];
  return { ...lessonOf(corrected.source, parts, own.computed), title: corrected.title };
} // prettier-ignore

const find = ({ questions }: Lesson, { id }: Question): Question | undefined => questions.find((q) => q.id === id);

/** The statements of a corrected question in the order of the student's variant. */
function inOrderOf(question: Question, own: Question | undefined, written: Question | undefined): Question {
  const asked = asDealt(question, own?.dealt);
  const [before, seen, now] = [written && asDealt(written, own?.dealt), own, asked].map((q) =>
    q ? statementsOf(q) : [],
  );
  if (!before?.length || !seen || !now) return asked;
  // Statements of a variant are those of the lesson that were dealt, in another order.
  const ordered = seen.map((one): Option => now[before.findIndex(({ text }) => text === one.text)] ?? one);
  return 'steps' in asked && asked.kind === 'find-wrong-step'
    ? { ...asked, steps: ordered }
    : { ...asked, ...('options' in asked && { options: ordered }) };
}

/** What no correction may change, as the students' answers would mean something else. Problems have ranges in the corrected lesson. */
export function notCorrected(written: Lesson, corrected: Lesson): readonly Problem[] {
  const blocks = corrected.blocks.filter(({ id, spec }) => {
    const before = written.blocks.find((block) => block.id === id);
    return !before || hashSpec(before.spec) !== hashSpec(spec);
  });
  const questions = corrected.questions.flatMap((question): Problem[] => {
    const before = find(written, question);
    const at = (message: string): Problem[] => [{ code: 'correction', message, range: question.range }];
    if (!before) return at(t('question {0} is new: nobody was asked it', question.id));
    if (before.kind !== question.kind || isSeveral(before) !== isSeveral(question)) return at(t('question {0} is of another kind: answers to it cannot be read', question.id));
    if (shapeOf(before) !== shapeOf(question)) return at(t('question {0} has another number of statements: answers to it would mean others', question.id));
    if (cellsOf(before) !== cellsOf(question)) return at(t('question {0} asks for other cells', question.id));
    if (hasRepeated(before)) return at(t('question {0} has two statements of the same words: their order cannot be told', question.id));
    return [];
  }); // prettier-ignore
  return [...blocks.map(({ id, range }): Problem => ({ code: 'correction', message: t('block {0} has other numbers than were handed out', id), range })), ...questions]; // prettier-ignore
}

/** How many ways there are to ask it, and how many statements stand at each place of each. */
const shapeOf = (q: Question): string => waysOf(q).map((way) => statementsOf(way).map(({ or }) => or?.length ?? 0).join()).join(';'); // prettier-ignore
const cellsOf = (q: Question): string =>
  JSON.stringify(waysOf(q).map((way) => (way.kind === 'matrix' ? way.cells : [])));
const isSeveral = (q: Question): boolean => q.kind === 'choose' && 'several' in q && q.several === true;
const hasRepeated = (q: Question): boolean =>
  waysOf(q).some((way) => {
    const texts = statementsOf(way).flatMap(({ text, or = [] }) => [text, ...or.map((other) => other.text)]);
    return new Set(texts).size !== texts.length;
  });

/** Whether a correction can be marked by. */
export const checkCorrection = (written: Lesson, corrected: Lesson): Result<Lesson> => {
  const problems = notCorrected(written, corrected);
  return problems.length ? fail(...problems) : ok(corrected);
};

/** Every answer whose verdict or points differ, and what fell away with a question that was taken out. */
export function changesBetween(before: ClassReport, after: ClassReport): readonly MarkChange[] {
  return after.students.flatMap((row, i) => {
    const old = before.students[i];
    if (!old || !row.marked) return [];
    return old.answers.flatMap((was): MarkChange[] => {
      const is = row.answers.find(({ question }) => question === was.question);
      if (is && is.earned === was.earned && is.mark.verdict === was.mark.verdict) return [];
      const now = is && { verdict: is.mark.verdict, earned: is.earned };
      return [{ student: row.student, question: was.question, before: stateOf(was), ...(now && { after: now }) }];
    });
  });
}

const stateOf = ({ mark, earned }: Graded): MarkChange['before'] => ({ verdict: mark.verdict, earned });
