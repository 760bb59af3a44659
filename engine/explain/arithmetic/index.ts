// Lines of arithmetic that can be redone by hand from the digits that are shown: every surface takes its digits from here.
export type { Places, Shown } from './digits';
export { boundText, type About, type ShownResult } from './redo';
export {
  productFormula,
  shownProducts,
  type PlacesOf,
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
} from './others';
export { shownWork, workName, workText, type ShownWorkLine } from './work';
export { amount, equals, marginOf, signOf } from './say';
