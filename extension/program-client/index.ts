/* Asks the process that reads Python programs, and says which program a document is. */

export { createProgramClient, type ProgramClient } from './client';
export { codeOf, inDocument, type Code } from './code';
