/* The picture of a step: its operand matrices and its result, arranged as its operation combines them. */

export { createSequenceView, createStepView, type StepView } from './product';
export { largest } from './softmax';
