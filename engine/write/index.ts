/** Writes matrices in other notations, and plans as NumPy or PyTorch programs. */
export { type Library, type Program, type ProgramStep, notebookOf, programOf } from './code';
export { type Notation, type Printable, type Printed, notations, printMatrix, titleOfNotation } from './print';
