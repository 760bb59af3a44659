/* What the reader has chosen, as plain JSON that is saved with the page and sent to the host: values of controls, edited cells, tokenized texts, display options. */

export { applySwitches, sameSwitches, switchesOf, type Switches } from './control-values';
export { cellsOf, isEdit, remaining, sizeOfEdits, withEdit, withEdits, type Edit, type Edited } from './edits';
export { misvalueOf, pathOf, refusalOf } from './given';
export { initialReading, paces, readingFrom, type Guess, type Reading } from './reading';
export { cutBy, filesOf, isVocabulary, textOf, withCut, without, type Cut } from './tokenized-text';
export { readNumber, readPasted } from './typed-text';
