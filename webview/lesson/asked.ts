import type { Lesson } from '../../engine/index';
import { askedHash, type Attempt, type Progress } from './progress';

/** The attempts at a lesson's present questions: those at what was asked once are left out. */
export function attemptsAt(lesson: Lesson, { answers }: Progress): Map<string, Attempt> {
  const found = new Map<string, Attempt>();
  for (const question of lesson.questions) {
    const attempt = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
    if (attempt?.asked === askedHash(question, lesson)) found.set(question.id, attempt);
  }
  return found;
}

/** Whether a cell of a block is asked for by a question that is still open: it is kept back until then. */
export function isAsked(
  lesson: Lesson,
  attempts: ReadonlyMap<string, Attempt>,
  block: string,
): (step: string, index: readonly number[]) => boolean {
  const open = new Set<string>();
  for (const q of lesson.questions) {
    const attempt = attempts.get(q.id);
    if (attempt?.right || attempt?.revealed) continue;
    const about = q.kind === 'number' ? (q.of.about ?? q.about) : q.about;
    if (about !== block) continue;
    if (q.kind === 'matrix') for (const cell of q.cells) open.add(`${q.step} ${cell.join()}`);
    if (q.kind === 'number' && q.of.cell && (q.of.take ?? 'value') === 'value') open.add(`${q.of.step} ${q.of.cell.join()}`);
  }
  return (step, index) => index.some((_, i) => i <= index.length - 2 && index.slice(0, i).every((x) => x === 0) && open.has(`${step} ${index.slice(i).join()}`));
} // prettier-ignore
