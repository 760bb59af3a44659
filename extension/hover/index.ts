/* The hover over a matrix, the code lens above Q, K and V, and the inputs that are collected from hovers. */

export { lensesOf } from './codelens';
export { copyCommand, copyMatrix } from './copy';
export { hoverProvider, type PlaceParagraphs, type ProgramValues } from './hover';
export { commandUri, escapeMarkdown } from './markdown';
export { registerInputs } from './inputs';
