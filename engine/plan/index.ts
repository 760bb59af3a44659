/** Turns a spec into a plan: the ordered steps of attention with operands, shapes, formulas and words, but no values. */
export { asColumns, columnsShape, columnsStep, hasColumns, isTransposedInColumns } from './columns';
export { drawsOf, seededStream } from './draws';
export { type LeadingDimension, type Slice, leadingIndexAt, leadingDimensions } from './leading';
export {
  type BackendCall,
  type CallOf,
  type Kernels,
  type OnGpu,
  type OperationCall,
  type OperationName,
  type SourceCall,
  type SourceName,
  isSource,
  operationOf,
  operations,
} from './operations';
export {
  type Correction,
  type Plan,
  type StepGroup,
  type StepSentenceData,
  type Step,
  type ValueKind,
  isWholeKind,
  mainSteps,
  stepNumber,
} from './plan';
export { planOf } from './planner';
export { type Role, type StepSentences, type StepWords, inPlain, sentencesAt, wordsAt } from './words';
export type { WordsContext } from './word-context';
export { workOf } from './work';
