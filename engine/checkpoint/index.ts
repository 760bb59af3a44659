/** Models from a folder as Hugging Face writes them: their architecture from config.json, their weights read by range, and a forward pass layer by layer. */
export { openCheckpoint, type Checkpoint } from './open';
export { notesOf } from './notes';
export type { CheckpointFolder } from './weights';
export { runForward, type ForwardResult, type LayerAttention } from './forward';
export { named, scoreHead, type HeadScores, type ScoredHead, type ScoredKind } from './evidence';
export { headKinds, kindTitle, restsOnFirst } from './kinds';
export { computedHead, type ComputedHead } from './computed-head';
export { specOfHead } from './head-spec';
export { compareRuns, type ComparedHead, type WeightsDifference } from './compare';
export { measureKernels, type Measured } from './measure';
export { pictureOf, type Picture } from './picture';
export { pickedFiles, type PickedFile } from './picked-files';
export { runText, tokenizerIn, type Asked, type HeadPlace, type PicturedHead, type PlacedHead, type ReadTokens, type TextRun } from './text-run'; // prettier-ignore
export {
  createModelServer,
  modelKernels,
  type FromModel,
  type ModelPlace,
  type ModelProgress,
  type ModelQuestion,
  type ModelReply,
  type Side,
  type ModelSummary,
  type ModelRun,
  type ToModel,
} from './serve';
export { answerSecond, asBrowserWorker, startSecondThread, type FromSecond, type SecondThread, type ToSecond } from './second-thread'; // prettier-ignore
export { diskFolder, type DiskFiles } from './disk-folder';
