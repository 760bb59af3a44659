import { formatShape } from '../math';
import type { Answer } from './answer';
import { csvLine } from './csv';
import { fillIn, showNumber } from './fill';
import { inlineText } from './inline';
import type { Lesson } from './lesson';
import { answersOf } from './variant';

/** A student and the student's variant of a lesson. */
export interface Variant {
  readonly student: string;
  readonly lesson: Lesson;
}

/** The right answers as CSV, one line for each student; without students, those of the unvaried lesson. */
export function answersCsv(lesson: Lesson, variants: readonly Variant[]): string {
  const rows = variants.length ? variants : [{ student: '(all)', lesson }];
  const lines = rows.map((row) => [row.student, ...answersOf(row.lesson).map(({ question: { about }, answer }) => (answer.ok ? fillIn(showAnswer(answer.value), row.lesson, about).text : ''))]); // prettier-ignore
  return [['student', ...lesson.questions.map((q) => q.id)], ...lines].map(csvLine).join('');
}

/** A right answer as short text. */
export function showAnswer(answer: Answer): string {
  switch (answer.kind) {
    case 'number':
      return plain(answer.value, answer.digits);
    case 'shape':
      return formatShape(answer.shape);
    case 'matrix':
      return answer.cells.map(({ index, value }) => `[${index.join(',')}] = ${plain(value, answer.digits)}`).join(', ');
    case 'pick-cell':
      return `[${answer.cell.join(',')}]`;
    case 'order-steps':
      return answer.order.join(' → ');
    case 'choose':
    case 'find-wrong-step':
      return showChoice(answer.index, answer.options);
    case 'several':
      return answer.indices.map((i) => showChoice(i, answer.options)).join('; ');
    case 'text':
      return '';
  }
}

/** A statement or a token with its number: `2: sat` for index 1. */
export function showChoice(index: number, options: readonly string[]): string {
  const text = options[index];
  return text === undefined ? String(index + 1) : `${index + 1}: ${inlineText(text)}`;
}

/** A number with an ASCII minus, which spreadsheets can read. */
const plain = (x: number, digits: number): string => showNumber(x, digits).replaceAll('−', '-');
