/** Writes matrices in other notations, plans as NumPy or PyTorch programs, and what made a cell as plain text. */
export { formatNumber, isWhole, printCell } from './cell';
export { type Library, type Program, type ProgramStep, notebookOf, programOf } from './code';
export { type Notation, type Printable, type Printed, notations, printMatrix, titleOfNotation } from './print';
