import { lookedAt, traceOfBlock, type Lesson, type LessonBlock, type Question, type Take } from '../../engine/index';
import { askedHash, begunAgain, type Attempt, type Progress } from '../lesson-protocol';

/**
 * The attempts at the lesson's current questions. An attempt is dropped if its question has been changed since; in an exam its counts stay, or who edits
 * the file and takes the edit back would begin anew.
 */
export function attemptsAt(lesson: Lesson, { answers }: Progress, exam = false): Map<string, Attempt> {
  const found = new Map<string, Attempt>();
  for (const question of lesson.questions) {
    const attempt = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
    const asked = askedHash(question, lesson);
    if (attempt?.asked === asked) found.set(question.id, attempt);
    else if (exam && attempt)
      for (const [id, counts] of begunAgain(new Map([[question.id, attempt]]))) found.set(id, { ...counts, asked });
  }
  return found;
}

type Attempts = ReadonlyMap<string, Attempt>;

/** Questions about a block that are neither answered correctly nor revealed. */
function openQuestionsAbout({ questions }: Lesson, attempts: Attempts, block: string): Question[] {
  const isOpen = ({ id }: Question): boolean => !attempts.get(id)?.right && !attempts.get(id)?.revealed;
  const aboutOf = (q: Question): string | undefined => (q.kind === 'number' ? (q.of.about ?? q.about) : q.about);
  return questions.filter((q) => aboutOf(q) === block && isOpen(q));
}

/** What must be hidden while a question is open: a step's values, a step's shape, and single cells. */
interface Withheld {
  readonly numbers?: string;
  readonly shape?: string;
  readonly cells?: { readonly step: string; readonly at: readonly (readonly number[])[] };
}

const sizes: readonly Take[] = ['rows', 'columns', 'cells', 'multiplyAdds'];

/** Hides nothing for questions on statements, wrong steps and order: those are answered by looking, but for predictions. */
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
    case 'text':
      return {};
  }
}

/** A step of a block that a prediction is about, and the question's number, until a first answer to it is checked: whoever was wrong may then look. */
interface Predicted {
  readonly step: string;
  readonly what: 'numbers' | 'shape';
  readonly number: number;
}

function predictedIn({ questions }: Lesson, attempts: Attempts, block: string): readonly Predicted[] {
  return questions.flatMap((q, i) => {
    const isAnswered = attempts.get(q.id)?.attempts || attempts.get(q.id)?.revealed;
    if (q.predict !== true || isAnswered) return [];
    return lookedAt(q).filter((one) => one.block === block).map(({ step, what }) => ({ step, what, number: i + 1 }));
  });
} // prettier-ignore

const predicted = (lesson: Lesson, attempts: Attempts, block: string, what: Predicted['what']): readonly string[] =>
  predictedIn(lesson, attempts, block).filter((one) => one.what === what).map(({ step }) => step); // prettier-ignore

/** The number of the question that has to be answered before a step of a block is shown, where that is a prediction. */
export function predictedBy(lesson: Lesson, attempts: Attempts, block: LessonBlock): (step: string) => number | undefined {
  const found = predictedIn(lesson, attempts, block.id).map(({ step, what, number }) => ({ number, steps: what === 'shape' ? new Set([step]) : withDependents([step], block) }));
  return (step) => found.find(({ steps }) => steps.has(step))?.number;
} // prettier-ignore

/** Steps of a block whose shape an open question asks for. */
export const askedShapes = (lesson: Lesson, attempts: Attempts, block: string): ReadonlySet<string> =>
  new Set([
    ...openQuestionsAbout(lesson, attempts, block).flatMap((q) => withheldBy(q).shape ?? []),
    ...predicted(lesson, attempts, block, 'shape'),
  ]);

/** The same in an exam, where no answer opens them. */
export const examShapes = (lesson: Lesson, block: string): ReadonlySet<string> =>
  askedShapes(withoutPredictions(lesson), new Map(), block);

/** No answer opens anything in an exam, so that a prediction, which opens with its first answer, keeps nothing back: what other questions need would be gone. */
const withoutPredictions = (lesson: Lesson): Lesson => ({ ...lesson, questions: lesson.questions.filter((q) => q.predict !== true) }); // prettier-ignore

/** Steps that the explainer hides of a block: those whose values or shape open questions ask for, and all that are computed from such values. */
export function withheldSteps(lesson: Lesson, attempts: Attempts, block: LessonBlock): readonly string[] {
  const numbers = openQuestionsAbout(lesson, attempts, block.id).flatMap((q) => withheldBy(q).numbers ?? []);
  const kept = withDependents([...numbers, ...predicted(lesson, attempts, block.id, 'numbers')], block);
  return [...new Set([...kept, ...askedShapes(lesson, attempts, block.id)])];
}

/** Steps, and all that are computed from them. */
function withDependents(steps: readonly string[], block: LessonBlock | undefined): ReadonlySet<string> {
  const kept = new Set(steps);
  const trace = kept.size && block ? traceOfBlock(block) : undefined;
  // Plans list operands before the steps that use them, so one pass finds all dependents.
  if (trace?.ok)
    for (const { id, operands } of trace.value.plan.steps) if (operands.some((of) => kept.has(of))) kept.add(id);
  return kept;
}

/** In an exam: every cell of a step that some question asks for, or that is computed from it. */
export function isWithheld(lesson: Lesson, block: string): (step: string) => boolean {
  const found = lesson.blocks.find(({ id }) => id === block);
  const steps = new Set(found ? withheldSteps(withoutPredictions(lesson), new Map(), found) : []);
  return (step) => steps.has(step);
}

/** Whether an open question asks for a cell of a block, or a prediction is about its step, so that its value is hidden. */
export function isAsked(
  lesson: Lesson,
  attempts: Attempts,
  block: string,
): (step: string, index: readonly number[]) => boolean {
  const cells = openQuestionsAbout(lesson, attempts, block).flatMap((q) => withheldBy(q).cells ?? []);
  const open = new Set(cells.flatMap(({ step, at }) => at.map((cell) => `${step} ${cell.join()}`)));
  const found = lesson.blocks.find(({ id }) => id === block);
  const whole = withDependents(predicted(lesson, attempts, block, 'numbers'), found);
  return (step, index) => whole.has(step) || index.some((_, i) => i <= index.length - 2 && index.slice(0, i).every((x) => x === 0) && open.has(`${step} ${index.slice(i).join()}`));
} // prettier-ignore
