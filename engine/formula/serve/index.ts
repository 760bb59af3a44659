/** Questions about formulas and whole documents, answered by the process that reads programs. */
export {
  type Answer,
  type FormulaQuestions,
  type FromServer,
  type Question,
  type QuestionKind,
  type Questions,
  type ShownModel,
  type ToServer,
  createAnswering,
} from './answer';
