import assert from 'node:assert/strict';
import { answerOf, mark, positionAt, readLesson, type Answer, type Lesson, type Mark, type Problem, type Question, type StudentResponse } from '../../engine/index'; // prettier-ignore

/** Reads a lesson. Asserts that it has no problems. */
export function lessonFrom(source: string): Lesson {
  const { lesson, problems } = readLesson(source);
  assert.deepEqual(placed(source, problems), []);
  return lesson;
}

/** Problems as `line:column message`. */
export const placed = (source: string, problems: readonly Problem[]): string[] =>
  problems.map(({ message, range }) => {
    const at = positionAt(source, range?.start ?? -1);
    return `${at.line}:${at.column} ${message}`;
  });

export const problemsIn = (source: string): string[] => placed(source, readLesson(source).problems);

export const fenced = (language: string, body: string): string => `\`\`\`${language}\n${body}\n\`\`\`\n`;

/** A lesson with a block of 3×3 scores and one question about it. */
export const asking = (question: object): string =>
  `# T\n\n${fenced('attention id=a', small)}\n${fenced('attention-question', JSON.stringify(question))}`;

export const small = 'Q = [[1, 0], [0, 2], [1, 1]]\nK = [[1, 1], [3, 0], [0, -1]]\nV = [[1, 2], [3, 4], [5, 6]]';

export function answered(question: Question, lesson: Lesson): Answer {
  const answer = answerOf(question, lesson);
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.value;
}

export function marked(question: Question, lesson: Lesson, response: StudentResponse): Mark {
  const result = mark(question, lesson, response);
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

export const only = (lesson: Lesson): Question => {
  const [question] = lesson.questions;
  assert.ok(question);
  return question;
};

const encoded = (x: number): number | 'inf' | '-inf' | 'nan' =>
  Number.isNaN(x) ? 'nan' : x === Infinity ? 'inf' : x === -Infinity ? '-inf' : x;

/** The right response to a question. */
export function rightResponse(answer: Answer): StudentResponse {
  switch (answer.kind) {
    case 'number':
      return encoded(answer.value);
    case 'shape':
      return answer.shape;
    case 'matrix':
      return answer.cells.map((c) => encoded(c.value));
    case 'pick-cell':
      return answer.cell;
    case 'order-steps':
      return answer.order;
    case 'choose':
    case 'find-wrong-step':
      return answer.index;
    case 'several':
      return answer.indices;
    case 'text':
      return 'Because.';
  }
}

/** Wrong responses: every other option, numbers just outside the tolerance, other cells, shapes and orders. */
export function wrongResponses(answer: Answer): StudentResponse[] {
  switch (answer.kind) {
    case 'number':
      return Number.isFinite(answer.value)
        ? [answer.value + 1.01 * answer.tolerance, answer.value - 1.01 * answer.tolerance, 'nan']
        : [0, 'nan'];
    case 'shape':
      return [
        [...answer.shape.slice(0, -1), (answer.shape.at(-1) ?? 0) + 1],
        [...answer.shape, 2],
      ];
    case 'matrix':
      return [answer.cells.map((c) => encoded(c.value + 1.01 * answer.tolerance))];
    case 'pick-cell':
      return [[...answer.cell.slice(0, -1), (answer.cell.at(-1) ?? 0) + 1]];
    case 'order-steps':
      return [[...answer.order].reverse()];
    case 'choose':
    case 'find-wrong-step':
      return answer.options.flatMap((_, i) => (i === answer.index ? [] : [i]));
    case 'several':
      return answer.options.flatMap((_, i) => (answer.indices.includes(i) ? [] : [[i]]));
    case 'text':
      return [];
  }
}
