/** What stands where in a program: the shapes of its lines, the value at an offset, the places of its attentions, what printed an output or a number. */
export { attentionPlaces, isCausal, titleOf, type AttentionPlace } from './attentions';
export { tensorOf, type State } from './describe';
export { linesOf, type LinePart, type LineShapes } from './lines';
export { numberPlaces, type AskedNumber, type NumberPlace, type NumberPlaces } from './number';
export {
  inputsAmong,
  matchPrinted,
  numbersIn,
  type PrintedMatrix,
  type PrintedNode,
  type StoredOutput,
} from './printed';
export { openingPlaces, readingPlaces, type OpenedPlaces, type OpenProgram, type Places } from './read';
export { inRunOrder, orderNote, type RunOrder } from './run-order';
export { placeAt, valueAt, type Part, type ValueAt } from './value';
export { fromPrinted, offBy, withDropout } from './rounding';
export { openingNotebook } from './kept';
