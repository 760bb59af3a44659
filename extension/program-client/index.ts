/* The client of the process that reads Python programs and formulas, and which program a document belongs to. */

export { answerOf, createProgramClient, type Timeouts, type ProgramClient, type Reply } from './client';
export { createNameReader } from './names';
export { storedOutputs, type CodeCell } from './cells';
export { codeOf, inDocument, isInCode, placeIn, ranAt, type Code } from './code';
export { bookOf, formularyOf, wholeOf, type Formulary } from './math';
