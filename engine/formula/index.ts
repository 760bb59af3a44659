/**
 * Formulas of a document, as expressions with shapes: LaTeX, Unicode and plain text, in Markdown, notebooks and `.tex`. What is attention's
 * mathematics is understood or refused in words; what is not is left alone. Pure: text in, findings with ranges out.
 */
export { formulasOf, readFormulas, readingFormulas, type Formula, type FormulaPart, type Formulas } from './formulas';
export { explainFormula, explainingFormula, type ExplainedFormula } from './explain';
export type { Expression } from './tree';
export type { Notation } from './regions';
export type { FormulaHint } from './hints';
export { describeAt, type DescribedFormula, type DescribedPart } from './describe';
export { attentionFormulas, type AttentionFormula } from './attentions';
export type { Answer, FormulaQuestions, FromServer, Question, QuestionKind, Questions, ToServer } from './serve';
export { checkingDocument, type Mark, type MarkRule } from './claims';
export { createAnswering, type ShownModel } from './serve';
export { openingDocument, type AskProgram, type OpenDocument } from './whole';
export {
  matchingMatrix,
  modelling,
  type DocumentModel,
  type DocumentPlace,
  type DocumentStop,
  type LoopAttention,
  type MatchedMatrix,
  type ModelledAttention,
  type PlacePart,
  type UnreadPlace,
  type WholeLoop,
} from './model';
