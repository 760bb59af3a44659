/* Lines of arithmetic that can be redone by hand from the digits that are shown: every surface takes its digits from here. */
export type { DigitFormat, ShownNumber } from './digits';
export { boundText, type Deviation, type ShownResult } from './relation';
export {
  productFormula,
  shownProducts,
  type DigitFormatOf,
  type ShownFormula,
  type ShownProducts,
  type ShownTerm,
} from './products';
export { shownSoftmax, softmaxFormula, type ShownPowers, type ShownShare, type ShownSoftmax } from './softmax';
export {
  rootOf,
  shownAngle,
  shownApplied,
  shownDistance,
  shownQuotient,
  shownReduced,
  shownRotation,
  shownSame,
  shownSum,
  type ShownAngle,
  type ShownLine,
} from './one-line';
export { shownWork, workName, workText, type ShownWorkLine } from './multi-line';
export { amount, equals, marginOf, signOf } from './result-text';
