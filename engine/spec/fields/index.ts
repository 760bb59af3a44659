/** The declaration of every field of a spec, a file for each group: type, limits, default, note, control. `spec.ts` makes one table of all; the other parts of the room take theirs from here. */
export { type HeadChange } from './ablation';
export { type AlsoHidden, hidesMore, isCausal } from './also-hidden';
export { type Block, blockEpsilon, type FeedForward, type LayerWeights, type Unembedding } from './block';
export { type Differential, differentialEpsilon, isPaired, lambdaInit, outputHeads, valueHeads } from './differential';
export { dividesInFloat32, multipliesInFloat32 } from './divided';
export { defaultEpsilon, type OutputProjection, type QkNorm } from './heads';
export { type Embedding, type Positions } from './input';
export { isWindow, type Mask, reachOf } from './mask';
export { type ModelName } from './model';
export { type Decode, decodes, isRow, listsOf, placeLimit, type PositionIds } from './places';
export { programLimit, programRest, type ProgramStep } from './program';
export { type Convention, fusedWidth, type Projections } from './projections';
export { bucketingOf, type RelativeBias } from './relative';
export { type Rotary, rotates } from './rope';
export { type Scale } from './scale';
export { hasX, type Start, startWith } from './start';
