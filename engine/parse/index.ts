/** Reading matrices and text where they stand. `reading…` does the same with places to stop, for a thread that is shared. */
export { specFromTextPaced, specFromText, type Assembled, type ReadAs } from './assemble';
export { literalAt, literalAtPaced, type LiteralAt } from './literal-at';
export { parseMatricesPaced, parseMatrices, textLimit, windowSize, type Matrices } from './literals';
export type { ParsedMatrix } from './matrix';
export { roleByValues } from './roles';
export { isFollowed, statedFieldNotes, type StatedField } from './stated-fields';
export { nameAt, readingName, type Above, type NameAt } from './program/index';
export { finish, inStretches, type Paced } from '../text/pace';
