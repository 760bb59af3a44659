import { traceOfBlock, type Lesson, type LessonBlock, type Question, type Take } from '../../engine/index';
import { askedHash, type Attempt, type Progress } from '../lesson-protocol';

/** The attempts at a lesson's present questions: those at what was asked once are left out. */
export function attemptsAt(lesson: Lesson, { answers }: Progress): Map<string, Attempt> {
  const found = new Map<string, Attempt>();
  for (const question of lesson.questions) {
    const attempt = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
    if (attempt?.asked === askedHash(question, lesson)) found.set(question.id, attempt);
  }
  return found;
}

type Attempts = ReadonlyMap<string, Attempt>;

/** Questions of a block that are neither answered nor given up. */
function openAbout({ questions }: Lesson, attempts: Attempts, block: string): Question[] {
  const isOpen = ({ id }: Question): boolean => !attempts.get(id)?.right && !attempts.get(id)?.revealed;
  const aboutOf = (q: Question): string | undefined => (q.kind === 'number' ? (q.of.about ?? q.about) : q.about);
  return questions.filter((q) => aboutOf(q) === block && isOpen(q));
}

/** Steps of a block whose shape is asked for by a question that is still open. */
export const askedShapes = (lesson: Lesson, attempts: Attempts, block: string): ReadonlySet<string> =>
  new Set(openAbout(lesson, attempts, block).flatMap((q) => (q.kind === 'shape' ? [q.step] : [])));

const sizes: readonly (Take | undefined)[] = ['rows', 'columns', 'cells', 'multiplyAdds'];

/** Steps whose numbers an open question asks for. Statements, places and orders are found by looking. */
const numbersIn = (q: Question): readonly string[] =>
  q.kind === 'matrix' || (q.kind === 'pick-cell' && 'claimed' in q)
    ? [q.step]
    : q.kind === 'number' && !sizes.includes(q.of.take)
      ? [q.of.step]
      : [];

/** Steps of a block that the explainer keeps back: those whose numbers or shape is asked for, and what is computed from these numbers. */
export function keptBack(lesson: Lesson, attempts: Attempts, block: LessonBlock): readonly string[] {
  const kept = new Set(openAbout(lesson, attempts, block.id).flatMap(numbersIn));
  const trace = kept.size ? traceOfBlock(block) : undefined;
  // Operands come first.
  if (trace?.ok)
    for (const { id, operands } of trace.value.plan.steps) if (operands.some((of) => kept.has(of))) kept.add(id);
  return [...new Set([...kept, ...askedShapes(lesson, attempts, block.id)])];
}

/** Whether a cell of a block is asked for by a question that is still open: it is kept back until then. */
export function isAsked(
  lesson: Lesson,
  attempts: Attempts,
  block: string,
): (step: string, index: readonly number[]) => boolean {
  const open = new Set<string>();
  for (const q of openAbout(lesson, attempts, block)) {
    if (q.kind === 'matrix') for (const cell of q.cells) open.add(`${q.step} ${cell.join()}`);
    if (q.kind === 'number' && q.of.cell && (q.of.take ?? 'value') === 'value') open.add(`${q.of.step} ${q.of.cell.join()}`);
  }
  return (step, index) => index.some((_, i) => i <= index.length - 2 && index.slice(0, i).every((x) => x === 0) && open.has(`${step} ${index.slice(i).join()}`));
} // prettier-ignore
