/** Reading matrices and text where they stand. */
export { specFromText, wordLimit, type Assembled } from './assemble';
export { literalAt, type LiteralAt } from './around';
export { parseMatrices, textLimit, windowSize, type Matrices } from './literals';
export type { ParsedMatrix } from './matrix';
export { nameAt, type Above, type NameAt } from './program/index';
