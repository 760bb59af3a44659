/** Numbers: tensors and rectangles of them, correctly rounded elementary functions, and position encodings. */
export { type Bucketing, bucketOf } from './buckets';
export { erf } from './erf';
export { exp } from './exp';
export { type Half, heldAs, isHalf, largestOf, roundTo, roundedTo, unitOf } from './half';
export { log } from './log';
export { productError, sumError } from './pair';
export {
  type Apart,
  type PositionsDtype,
  type RowPositions,
  alibi,
  alibiSlopes,
  angleOf,
  columnInOtherLayout,
  distanceAt,
  inputsOf,
  positionAt,
  rotationDivisor,
  rotations,
  roundingTo,
  sinusoidal,
} from './positions';
export { type Rectangle, emptyAs, heightOf, paste, widthOf } from './rectangle';
export { tanh } from './tanh';
export { type DType, type Precision, type Tensor, allocate, bytesOf, formatShape, sizeOf, tensor } from './tensor';
export { pow } from './pow';
export { cos, sin } from './trig';
export { type RopeScaling, type Turn, type Turning, angleAt, baseOf, timesOf, turnsOf } from './turns';
