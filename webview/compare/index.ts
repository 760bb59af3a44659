/* Comparing two traces: the pinned explanation with the current one, or edited values with the original ones. */

export { eachRowChunk, type Readable } from './compare-steps';
export { createComparing, type Comparing } from './compare-views';
export type { DifferencePicture } from './difference-trace';
export type { ToolsActions } from './toolbar';
