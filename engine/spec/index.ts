/** The input of every computation: the fields of a spec, whether JSON is a valid spec, and whether its shapes fit together. */
export { type BoxModel, boxModel, boxModels, modelFile, stepsOf, trainingOf } from './box';
export { type Dims, dimsOf, rowCounts, scoresDims } from './dims';
export type { Choice, Control, GroupId, Option, Planned, Quantity } from './field';
export { type HeadChange } from './fields/ablation';
export { type Block, type FeedForward, type LayerWeights, type Unembedding, blockEpsilon } from './fields/block';
export { layerCount, pathInLayer, shownLayer, specOfLayer, weightsOfLayer } from './layers';
export {
  type Differential,
  differentialEpsilon,
  isPaired,
  lambdaInit,
  outputHeads,
  valueHeads,
} from './fields/differential';
export { type OutputProjection, type QkNorm, defaultEpsilon } from './fields/heads';
export type { Embedding, Positions } from './fields/input';
export { type ModelName } from './fields/model';
export { dividesInFloat32, multipliesInFloat32 } from './fields/divided';
export { type AlsoHidden, hidesMore, isCausal } from './fields/also-hidden';
export { type Mask, reachOf } from './fields/mask';
export { type Decode, type PositionIds, listsOf } from './fields/places';
export { type Convention, type Projections, fusedWidth } from './fields/projections';
export { type RelativeBias, bucketingOf } from './fields/relative';
export { type Rotary, rotates } from './fields/rope';
export type { Scale } from './fields/scale';
export { type Start, hasX, startWith } from './fields/start';
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
export { checkSpec } from './shapes';
export { maskShape, spread, writeSpread } from './shapes/mask';
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
export { type ProgramStep, programLimit, programRest } from './fields/program';
