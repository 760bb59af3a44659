/** The engine's public face: everything the page, the extension, tests and other programs may use. */
export * from './problems';
export { t, useTexts, type Texts } from './l10n';
export * from './tensor';
export * from './spec';
export * from './validate';
export * from './words';
export * from './plan';
export type * from './token';
export { planOf } from './planner';
export { asColumns, columnsShape, columnsStep, columnsWords, hasColumns, swapSides, turns } from './columns';
export * from './operations';
export type { Tile, TileRequest } from './tile';
export * from './trace';
export * from './run';
export { heldLimit } from './large/deferred';
export { alongRoad, copied as copiedRows } from './large/along';
export type { RoadPart, RoadWork } from './large/road-work';
export type { OverviewHelper } from './large/picture';
export type { Surveyed } from './backend/wasm/index';
export { sourceValues } from './sources';
export * from './cell';
export type * from './explanation';
export { whereItGoes } from './onward';
export { extremeRows, extremeRowsInParts, type ExtremeRows, type RowEntropy } from './entropy';
export { largestAt } from './terms';
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
export { tokenizerName, tokenizerOf, vocabularySize, withPieces } from './tokens/pieces';
export * from './parse/index';
export { holdsMuch, packing, unpacked, type Packed } from './packed';
export { looksLikeSpec, specFromJson, type SpecText } from './parse/spec-json';
export { hashSpec, hashTrace, valuesOf } from './hash';
export * from './insights/index';
export { nextTurn } from './turn';
export { leadAt, leadingOf, type Leading, type Slice } from './leading';
export { notebookOf, programOf, type Library, type Program, type ProgramStep } from './code/index';
export { axesOf, fitsOf, looksLike, statisticsOf } from './describe/index';
export type { Described, Fact, FactId, Fit, Part, Statistics } from './describe/index';
export { notations, printMatrix, titleOfNotation } from './print/index';
export type { Notation, Printable, Printed } from './print/index';
export * from './trace-json';
export * from './backend/webgpu/index';
export { runWasm, type WasmValues } from './backend/wasm/run';
export { kernels as wasmKernels, type Build as WasmBuild } from './backend/wasm/index';
export * from './files/index';
export * from './lessons/index';
