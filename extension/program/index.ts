/* Python programs and formulas in an editor: lenses above attentions, shapes at the ends of lines, values and formulas on hovers. */

export { formulaHover, registerFormulas, type FormulaReader } from './formulas';
export { registerFormulaHints, type FormulaHintReader } from './formula-hints';
export { registerClaims, type ClaimsReader } from './claims';
export type { DoctorReader } from './doctor';
export { createOffer } from './offer';
export { programValues } from './hover';
export { registerPrinted, type PrintedReader } from './printed';
export { alongCommands, createAlong, type Along } from './along';
export { outlineCommand, placeParagraph, placesBeside, registerModel, showOutline, type ModelReader } from './model';
export { registerPlaces } from './register';
export type { PlacesReader } from './shown';
