/* The client of the process that reads Python programs, and which program a document belongs to. */

export { createProgramClient, type Patience, type ProgramClient, type Reply } from './client';
export { codeOf, inDocument, type Code } from './code';
