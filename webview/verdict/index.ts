/* What was found of a result that the reader brought: the finding in words, and their numbers beside those of the step. */

export { createOwnNumbers, isComparedStep, type OwnNumbers } from './own-numbers';
export { createVerdict, verdictIn, type VerdictModel, type VerdictView } from './verdict';
