/** Reading matrices and text where they stand. `reading…` does the same with places to stop, for a thread that is shared. */
export { readingSpec, specFromText, type Assembled, type Taken } from './assemble';
export { literalAt, readingLiteral, type LiteralAt } from './around';
export { readingMatrices, parseMatrices, textLimit, windowSize, type Matrices } from './literals';
export type { ParsedMatrix } from './matrix';
export { partByNumbers } from './roles';
export { isFollowed, saidNotes, type Said } from './said';
export { nameAt, readingName, type Above, type NameAt } from './program/index';
export { finish, inStretches, type Paced } from '../text/pace';
