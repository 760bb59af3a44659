/* Python programs: the process that reads them, what stands at their places, and where it is shown in an editor. */

export { codeOf, inDocument, type Code } from './code';
export { createProgramClient, type ProgramClient } from './client';
export { programValues } from './hover';
export { registerPlaces } from './register';
