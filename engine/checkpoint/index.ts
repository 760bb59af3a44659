/** Models from a folder as Hugging Face writes them: their architecture from config.json, their weights read by range, and a forward pass layer by layer. */
export { openCheckpoint, type Checkpoint } from './open';
export { tokenizerFile, type CheckpointFolder } from './weights';
export { mostProbable, runForward, type ForwardResult, type LayerAttention, type Prediction } from './forward';
export { named, scoreHead, type HeadScores, type ScoredHead, type ScoredKind } from './evidence';
export { specOfHead, type Labels } from './head-spec';
