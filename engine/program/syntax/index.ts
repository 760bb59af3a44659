/** Cuts a program's text into statements and parses each of them; a node's place becomes characters of the text. */
export { assignedNames } from './assigned';
export { bodiesOf } from './bodies';
export { type Skipped, type Unit, readProgram } from './parse';
export { type Source, rangeOf, sourceOf, startOf, textOf } from './source';
export type { Arg, Arguments, Expression, Place, Statement } from './tree';
export type * as tree from './tree';
