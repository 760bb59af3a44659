/* Editing cells in the matrices of the page, by keyboard or by paste. */

export { dropEdits, writingOf } from './actions';
export { createCellEditor, type CellWriting } from './cell';
export { createMarks, type CellNote, type Notes } from './marks';
export { editedWords, originOf } from './words';
