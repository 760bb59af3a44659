/** Python programs, read and not run: what their names come to, the graph of what they compute with tensors, the attentions in it, and answers about all of it. */
export {
  type Cause,
  type Finding,
  type RuleId,
  type Severity,
  diagnosing,
  diagnosingText,
  isRule,
  ruleIds,
  rules,
  severities,
} from './doctor';
export {
  type CellStart,
  type Source,
  type Written,
  explaining,
  newSource,
  numbersOf,
  readingAttention,
} from './explain';
export { type ImportedFile, type NodeMaker, constant, input, operate } from './machine';
export { nameAt, nameReader, namesOf } from './names';
export { inRunOrder, matchPrinted, numbersIn, orderNote, readingPlaces } from './places';
export type {
  AttentionPlace,
  LinePart,
  LineShapes,
  NumberPlace,
  NumberPlaces,
  OpenProgram,
  Part,
  Places,
  PrintedMatrix,
  RunOrder,
  StoredOutput,
  ValueAt,
} from './places';
export { type Program, runProgram } from './program';
export { findAttention, isSample, lastOf } from './recognise';
export {
  checkCode,
  codeVerdict,
  codeWords,
  isRight,
  matrixName,
  resultsInComments,
  stackOf,
  stepAsPrinted,
  type CodeChecked,
  type CommentedResult,
  type PrintedStack,
} from './results';
export { otherSize, sizeNamed, usual } from './samples';
export {
  type Answer,
  type AttentionAnswer,
  type AttentionChoice,
  type CodeSide,
  type NamedFile,
  type LiveAnswer,
  type LiveInfo,
  type LiveScalar,
  type LiveTensorInfo,
  type NearestAnswer,
  type PrintedStep,
  type Question,
  type Questions,
  type Review,
  type WrittenNumbers,
  createAnswering,
} from './serve';
export {
  type Attributes,
  type Dense,
  type Dim,
  type Graph,
  type Node,
  type OperationName,
  type Shape,
  Raised,
  add,
  dimWith,
  floorDivide,
  formatShape,
  isKnownShape,
  multiply,
  newAllowance,
  rounding,
  same,
  symbol,
} from './tensor';
