/** A program that has stopped in a process: the attention in it with the process's own numbers. */
export type { LiveInfo, LiveScalar, LiveTensorInfo, Stopped } from './info';
export {
  type Compared,
  type Difference,
  type LiveProgram,
  type Needed,
  comparing,
  liveNames,
  neededOf,
  readingLive,
} from './explain';
