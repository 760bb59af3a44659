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

/** What a question asks for, so that the page keeps it back: steps with their numbers, or with their shape, and single cells. */
interface Withheld {
  readonly numbers?: string;
  readonly shape?: string;
  readonly cells?: { readonly step: string; readonly at: readonly (readonly number[])[] };
}

const sizes: readonly Take[] = ['rows', 'columns', 'cells', 'multiplyAdds'];

/** Statements, places and orders are found by looking. */
function withheldBy(q: Question): Withheld {
  switch (q.kind) {
    case 'matrix':
      return { numbers: q.step, cells: { step: q.step, at: q.cells } };
    case 'number': {
      const { step, cell, take = 'value' } = q.of;
      const cells = cell && take === 'value' ? { cells: { step, at: [cell] } } : {};
      return { ...(sizes.includes(take) ? {} : { numbers: step }), ...cells };
    }
    case 'shape':
      return { shape: q.step };
    case 'pick-cell':
      return 'claimed' in q ? { numbers: q.step } : {};
    case 'choose':
    case 'find-wrong-step':
    case 'order-steps':
      return {};
  }
}

/** Steps of a block whose shape is asked for by a question that is still open. */
export const askedShapes = (lesson: Lesson, attempts: Attempts, block: string): ReadonlySet<string> =>
  new Set(openAbout(lesson, attempts, block).flatMap((q) => withheldBy(q).shape ?? []));

/** Steps of a block that the explainer keeps back: those whose numbers or shape is asked for, and what is computed from these numbers. */
export function keptBack(lesson: Lesson, attempts: Attempts, block: LessonBlock): readonly string[] {
  const kept = new Set(openAbout(lesson, attempts, block.id).flatMap((q) => withheldBy(q).numbers ?? []));
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
  const cells = openAbout(lesson, attempts, block).flatMap((q) => withheldBy(q).cells ?? []);
  const open = new Set(cells.flatMap(({ step, at }) => at.map((cell) => `${step} ${cell.join()}`)));
  return (step, index) => index.some((_, i) => i <= index.length - 2 && index.slice(0, i).every((x) => x === 0) && open.has(`${step} ${index.slice(i).join()}`));
} // prettier-ignore
