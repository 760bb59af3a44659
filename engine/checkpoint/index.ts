/** Models from a folder as Hugging Face writes them: their architecture from config.json, their weights read by range, and a forward pass layer by layer. */
export { openCheckpoint, type Checkpoint } from './open';
export type { CheckpointFolder } from './weights';
export { runForward, type ForwardResult, type LayerAttention } from './forward';
export { named, scoreHead, type HeadScores, type ScoredHead, type ScoredKind } from './evidence';
export { computedHead, type ComputedHead } from './computed-head';
export { specOfHead } from './head-spec';
export { runText, tokenizerIn, type Asked, type HeadPlace, type PlacedHead, type TextRun } from './text-run';
export {
  createModelServer,
  modelKernels,
  type FromModel,
  type ModelSummary,
  type ModelRun,
  type ToModel,
} from './serve';
export { diskFolder, type DiskFiles } from './disk-folder';
