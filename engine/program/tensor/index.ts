/** What a program computes with tensors: a graph of operations, each with a shape rule and a kernel; sizes that may be names; number types. */
export { type Dense, NotComputed, count, stridesOf } from './dense';
export {
  type Dim,
  type Shape,
  type Symbolic,
  add,
  dimWith,
  floorDivide,
  formatDim,
  formatShape,
  isKnownShape,
  isNamedShape,
  multiply,
  remaining,
  same,
  sizeOf,
  subtract,
  symbol,
} from './dims';
export {
  type DType,
  type Library,
  type Operand,
  bytesOf,
  defaultOf,
  dtypes,
  floatLimits,
  floatOf,
  integerLimits,
  isFloat,
  promote,
  quotientOf,
  isHalf,
  rounding,
  scalarName,
  sumOf,
} from './dtypes';
export { arithmetic, comparing, floating, sameType, testing } from './elementwise';
export { erf } from './erf';
export { Ended, Raised } from './errors';
export { type Allowance, newAllowance, valuesOf, valuesWith, workOf } from './force';
export { type Attributes, type Cause, type Graph, type Node, nodeLimit, sameNode } from './graph';
export { walked } from './kernels';
export { isElementwise, type Operation, type OperationName, operations } from './operations';
export { axisOf, broadcast, compactText, listText, tupleText } from './shapes';
