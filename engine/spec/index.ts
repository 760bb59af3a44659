/** The input of every computation: the fields of a spec, whether JSON is a valid spec, and whether its shapes fit together. */
export { type BoxModel, boxModel, boxModels, modelFile, stepsOf, trainingOf } from './box';
export { type Dims, dimsOf, rowCounts, scoresDims } from './dims';
export type { Choice, Control, GroupId, Option, Planned, Quantity } from './field';
export {
  type HeadChange,
  type Block,
  type FeedForward,
  type LayerWeights,
  type Unembedding,
  blockEpsilon,
  type Differential,
  differentialEpsilon,
  isPaired,
  lambdaInit,
  outputHeads,
  valueHeads,
  type OutputProjection,
  type QkNorm,
  defaultEpsilon,
  type Embedding,
  type Positions,
  type ModelName,
  dividesInFloat32,
  multipliesInFloat32,
  type AlsoHidden,
  hidesMore,
  isCausal,
  type Mask,
  reachOf,
  type Decode,
  type PositionIds,
  listsOf,
  type Convention,
  type Projections,
  fusedWidth,
  type RelativeBias,
  bucketingOf,
  type Rotary,
  rotates,
  type Scale,
  type Start,
  hasX,
  startWith,
  type ProgramStep,
  programLimit,
  programRest,
} from './fields';
export { layerCount, pathInLayer, shownLayer, specOfLayer, weightsOfLayer } from './layers';
export { type Limit, labelLimit, wholeFrom } from './limits';
export { type SpecHeads, type SpecMatrix, type SpecNumber, decodeNumber, encodeMatrix, encodeNumber } from './matrix';
export {
  type VocabularyStart,
  noTokens,
  rowsOf,
  tokenizerName,
  tokenizerOf,
  tokensOf,
  usesVocabulary,
  vocabularyNeeded,
  vocabularySize,
  visibleText,
  withPieces,
} from './pieces';
export { blockSchema, schemaFiles, specSchema } from './schema';
export { type FieldSetting, isSettable, settingValue, withSettings } from './settings';
export { checkSpec, maskShape, spread, writeSpread } from './shapes';
export {
  type AttentionSpec,
  type FieldControl,
  type FieldName,
  type SpecField,
  type SpecSwitches,
  fieldNames,
  fields,
  kinds,
  matrixDefaults,
  settableFields,
  textDefaults,
} from './spec';
export { fieldControls, readSwitches, writeSwitches } from './switches';
export {
  type Piece,
  type SplitterName,
  type TokenizerChoice,
  type VocabularyName,
  isVocabulary,
  sameTokenizer,
  splitters,
  tokenLimit,
} from './text';
export { validateSpec } from './validate';
