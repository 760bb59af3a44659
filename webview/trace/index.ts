/* A computed trace as views see it: how it is read, the order of its steps, the selected cell and slice, tokens as rows or columns. */

export { mainSteps } from '../../engine/index';
export { drawnStep, isTransposed, oriented, shownNames, shownShape, shownText } from './orientation';
export { labelAt, saysPlaces, shortLabel } from './labels';
export { firstSlice, leadingIndex, sliceRequest, queryHead, sliceOf } from './slice';
export {
  carryCell,
  clampCell,
  exampleCell,
  inputsOf,
  keysInRows,
  needsParentheses,
  isOff,
  neighbour,
  rowOfToken,
  stepOf,
  walkedSteps,
  firstUser,
  type Cell,
} from './steps';
export type { ComputeReport, OverviewControl, ReadTile, Shuffling, TraceHandle } from './trace-handle';
