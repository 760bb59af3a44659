/* The controls with which questions of a lesson are answered, one for each kind. */
import type { Answer, Question } from '../../../engine/index';
import { createCell } from './cell';
import { createChoice } from './choice';
import type { Asking, Control } from './control';
import { createMatrix } from './matrix';
import { createNumber } from './number';
import { createOrder } from './order';
import { createSeveral } from './several';
import { createText } from './text';
import { createShape } from './shape';

export type { Asking, Control } from './control';

/** Makes the control for a question's kind. */
export function createControl(asking: Asking): Control {
  const { question, answer } = asking;
  switch (answer.kind) {
    case 'choose':
    case 'find-wrong-step':
      return createChoice({ ...asking, answer });
    case 'several':
      return createSeveral({ ...asking, answer });
    case 'text':
      return createText(asking, answer.lines);
    case 'number':
      return createNumber({ ...asking, answer });
    case 'shape':
      return createShape(asking);
    case 'matrix':
      return createMatrix({ ...asking, answer, question: narrowed(question, 'matrix') });
    case 'pick-cell':
      return createCell({ ...asking, answer, question: narrowed(question, 'pick-cell') });
    case 'order-steps':
      return createOrder({ ...asking, answer, question: narrowed(question, 'order-steps') });
  }
}

type Kind = Question['kind'] & Answer['kind'];

/** Narrows a question to the kind of its answer, which is always the same. */
function narrowed<K extends Kind>(question: Question, kind: K): Extract<Question, { readonly kind: K }> {
  if (question.kind !== kind) throw new Error(`${question.id}: ${question.kind} has an answer of ${kind}`);
  return question as Extract<Question, { readonly kind: K }>;
}
