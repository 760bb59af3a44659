/** Says which step of an attention a printed result is, and which known mistake explains every digit of it. */
export { catalogue, dropout, parts, type Mistake, type Part } from './catalogue';
export { checkNumbers, type Answer } from './check';
export { chanceOf, type Evidence, type Named, type Printed } from './printed';
export { checkResult, digitsFor, type Checked, type Form, type FoundStep } from './result';
export { firstOf, partName, wordsOf } from './words';
export { decimalsOf } from './decimals';
export {
  conventions,
  maskKindOf,
  readMask,
  sideBySide,
  type Convention,
  type ConventionId,
  type MaskKind,
  type MaskReading,
  type Pattern,
  type ReadMask,
} from './mask';
export { printedAs, printedLiteral } from './literal';
export { verdictOf, type Finding, type Remade, type Verdict } from './verdict';
