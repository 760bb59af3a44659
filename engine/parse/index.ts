/** Reading matrices and text where they stand. */
export { specFromText, wordLimit, type Assembled } from './assemble';
export { literalAt, parseMatrices, textLimit, windowSize, type LiteralAt, type Matrices } from './literals';
export type { ParsedMatrix } from './matrix';
