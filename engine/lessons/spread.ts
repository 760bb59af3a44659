/** How far variants of a lesson differ in their answers: what a neighbour's paper is worth. */
import { t, type Problem } from '../text';
import { answersIn, type Answer } from './answer';
import { isNear } from './claim';
import type { Lesson } from './lesson';

/** The answers that variants of one question have. */
export interface Spread {
  readonly question: string;
  /** Share of pairs of variants, from 0 to 1, in which the right answer of one is right in the other too. */
  readonly shared: number;
}

/** A question discriminates where a neighbour's right answer is wrong in more than half of the pairs. */
export const discriminates = ({ shared }: Spread): boolean => shared < 0.5;
/** Whether every variant has the same answer. */
const isEqual = ({ shared }: Spread): boolean => shared === 1;

/** Most neighbours that a variant is compared with: for a thousand students all pairs would be half a million. */
const mostNeighbours = 40;

/** For each question, in order; none where there are fewer than two variants. */
export function spreadOf(variants: readonly Lesson[]): readonly Spread[] {
  const [first, second] = variants;
  if (!first || !second) return [];
  const all = variants.map(answersIn);
  return first.questions.flatMap(({ id, kind }, i) => {
    if (kind === 'text') return [];
    const answers = all.map((one) => one[i]);
    let [pairs, shared] = [0, 0];
    for (let by = 1; by <= Math.min(mostNeighbours, answers.length - 1); by++)
      for (const [at, own] of answers.entries()) {
        const other = answers[(at + by) % answers.length];
        if (!own || !other) continue;
        pairs++;
        if (isRightIn(own, other)) shared++;
      }
    return [{ question: id, shared: pairs === 0 ? 1 : shared / pairs }];
  });
} // prettier-ignore

/** Whether the right answer `other` of another variant is right where `own` is: statements by their words, wherever they stand. */
function isRightIn(own: Answer, other: Answer): boolean {
  switch (own.kind) {
    case 'number':
      return other.kind === 'number' && isNear(other.value, own.value, own.tolerance);
    case 'matrix':
      return other.kind === 'matrix' && own.cells.every(({ value }, i) => isNear(other.cells[i]?.value ?? NaN, value, own.tolerance));
    case 'shape':
      return other.kind === 'shape' && own.shape.join() === other.shape.join();
    case 'pick-cell':
      return other.kind === 'pick-cell' && own.cell.join() === other.cell.join();
    case 'order-steps':
      return other.kind === 'order-steps' && own.order.join() === other.order.join();
    case 'several':
      return other.kind === 'several' && wordsOf(own) === wordsOf(other);
    // A text is nobody else's.
    case 'text':
      return false;
    case 'choose':
    case 'find-wrong-step':
      return 'index' in other && own.options[own.index] === other.options[other.index];
  }
} // prettier-ignore

const wordsOf = ({ indices, options }: Extract<Answer, { kind: 'several' }>): string =>
  indices.map((i) => options[i]).sort().join('\0'); // prettier-ignore

/** Ids of the questions that have one answer for everybody. */
export const equalIn = (spread: readonly Spread[]): readonly string[] =>
  spread.filter(isEqual).map(({ question }) => question);

/** How many questions tell students apart, and what a neighbour's paper would score, for the teacher. */
export function spreadNotes(spread: readonly Spread[]): readonly Problem[] {
  if (spread.length === 0) return [];
  const copied = spread.reduce((sum, { shared }) => sum + shared, 0) / spread.length;
  const count = spread.filter(discriminates).length;
  const equal = equalIn(spread);
  const notes = [t('{0} of {1} questions discriminate: a neighbour’s right answer is mostly wrong there. A neighbour’s paper, all right, would score {2} %.', count, spread.length, Math.round(100 * copied))]; // prettier-ignore
  if (equal.length > 0) notes.push(t('the same answer for everybody: {0}', equal.join(', ')));
  return notes.map((message) => ({ code: 'spread', message }));
}
