/** The engine's public face: everything the page, the extension, tests and other programs may use. */
export * from './text/problems';
export { t, useTexts, type Texts } from './text/l10n';
export * from './math/tensor';
export {
  decodeNumber,
  encodeMatrix,
  encodeNumber,
  fieldNames,
  fields,
  isVocabulary,
  matrixDefaults,
  sameTokenizer,
  textDefaults,
  tokenLimit,
} from './spec/spec';
export type * from './spec/spec';
export * from './spec/validate';
export type { Choice, Control, GroupId, Option as ControlOption, Quantity } from './spec/field';
export { wholeFrom, type Limit } from './spec/limits';
export { spread } from './spec/shapes/mask';
export { blockSchema, schemaFiles, specSchema } from './spec/schema';
export { fieldControls, readSwitches, writeSwitches } from './spec/switches';
export { startWith } from './spec/fields/start';
export {
  wordsAt,
  sentencesAt,
  inPlain,
  type Role,
  type StepSentences,
  type StepWords,
  type WordsContext,
} from './plan/words';
export * from './plan/plan';
export type * from './text/token';
export { planOf } from './plan/planner';
export { asColumns, columnsShape, columnsStep, hasColumns, turns } from './plan/columns';
export {
  count,
  named,
  number,
  plainText,
  say,
  shapeMark,
  signs,
  size,
  slot,
  spansOf,
  together,
  type Lead,
  type Place as SentencePlace,
  type Sentence,
  type Span,
  type TokenMark,
} from './text/sentence';
export * from './plan/operations';
export type { Tile, TileRequest } from './run/tile';
export * from './run/trace';
export { bytesHeld, memoryLimit, overBudget } from './run/budget';
export * from './run/run';
export { heldLimit } from './run/large/deferred';
export { fusedRunner, copyResult as copyPooledResult } from './run/large/fused-kernel';
export type { FusedChunk, FusedInputs } from './run/large/fused-chunk';
export type { OverviewHelper } from './run/large/overview-types';
export type { PooledAttentionResult } from './run/backend/wasm/index';
export { sourceValues } from './run/sources';
export * from './explain/cell';
export type * from './operations/explanation';
export type { FromTo } from './operations/operation';
export * from './explain/arithmetic/index';
export { whereItGoes } from './explain/onward';
export { extremeRows, extremeRowsInParts, type ExtremeRows, type RowEntropy } from './explain/entropy';
export { largestAt } from './explain/terms';
export {
  encodingNames,
  loadTokenizer,
  tokenize,
  tokenizerFromJson,
  tokenizerFromVocab,
  vocabularyFile,
  type EncodingName,
  type TextToken,
  type TokenizeOptions,
  type Tokenizer,
} from './tokens/index';
export { tokenizerName, tokenizerOf, vocabularySize, withPieces } from './spec/pieces';
export * from './parse/index';
export { hasLargeMatrix, packPaced, unpack, type Packed } from './run/pack';
export { looksLikeSpec, specFromJson, type SpecText } from './parse/spec-json';
export { hashSpec, hashTrace, valuesOf } from './run/hash';
export * from './explain/insights/index';
export { nextTurn } from './text/turn';
export { leadAt, leadingOf, type Leading, type Slice } from './plan/leading';
export { notebookOf, programOf, type Library, type Program, type ProgramStep } from './write/code/index';
export { axesOf, fitsOf, looksLike, statisticsOf } from './explain/describe/index';
export type { Described, Fact, FactId, Fit, Part, Statistics } from './explain/describe/index';
export { notations, printMatrix, titleOfNotation } from './write/print/index';
export type { Notation, Printable, Printed } from './write/print/index';
export * from './run/trace-json';
export * from './run/backend/webgpu/index';
export { runWasm, type WasmValues } from './run/backend/wasm/run';
export { wasmKernels as wasmKernels, type Build as WasmBuild } from './run/backend/wasm/index';
export * from './files/index';
export * from './lessons/index';
