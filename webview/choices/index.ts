/* What the reader has chosen, as plain JSON that is saved with the page and sent to the host: values of controls, edited cells, tokenized texts, display options. */

export { applyControls, sameControls, controlValuesOf, type ControlValues } from './control-values';
export { cellsOf, isEdit, remaining, sizeOfEdits, withEdit, withEdits, type Edit, type Edited } from './edits';
export { misvalueOf, pathOf, refusalOf } from './given';
export { initialReading, paces, readingFrom, type Guess, type Reading } from './reading';
export {
  tokenizedBy,
  filesOf,
  isVocabulary,
  textOf,
  withTokenized,
  without,
  type TokenizedText,
} from './tokenized-text';
export { readNumber, readPasted } from './typed-text';
