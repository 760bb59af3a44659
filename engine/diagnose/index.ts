/** Says which step of an attention a printed result is, and which known mistake explains every digit of it. */
export { catalogue, dropout, parts, type Mistake, type Part } from './catalogue';
export { checkNumbers, checkTrace, type Answer } from './check';
export { allowedChance, chanceOf, evidenceOf, type Evidence, type Named, type Printed } from './printed';
export { rowsOf, type Matrix } from './matrices';
export { checkResult, digitsFor, stepsPrintedAs, type Checked, type Form, type FoundStep, type Near } from './result';
export { causesOf, evidenceWords, firstOf, partName, wordsOf } from './words';
export { separated, type Separation } from './separate';
export { decimalsOf } from './decimals';
export { mistakenSteps, type Mistaken } from './mistaken';
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
export { verdictOf, type Apart, type Finding, type Remade, type Verdict } from './verdict';
