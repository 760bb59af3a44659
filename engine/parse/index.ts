/**
 * Finds matrices and text in a document, and makes a spec of them. The functions named `…Paced` are generators that do the same with regular
 * yields, for a thread that has other work too.
 */
export { specFromText, specFromTextPaced, type Assembled, type ReadAs } from './assemble';
export { conventionOf } from './convention';
export { encodeMatrixPaced } from './encode-paced';
export { copiedCells, pythonIn } from './copied-cells';
export { wholeOfLoop } from './loop';
export { fencedPython, type FencedPython } from './fenced-python';
export { problemsWithRanges, readPositions } from './json-positions';
export { literalAt, literalAtPaced, type LiteralAt } from './literal-at';
export {
  parseMatrices,
  parseMatricesPaced,
  scanCandidatesPaced,
  textLimit,
  windowSize,
  type Matrices,
} from './literals';
export type { Candidate, MatrixFormat, ParsedMatrix } from './matrix';
export { linesOf, wordPairs } from './code';
export { linePlaces, type LinePlaces } from './line-places';
export { readingComputed, readingName, setNameReader, type NameAt, type NameReader } from './named';
export { placesOf, type Above, type Meaning, type NamedValue, type NamedValues } from './named-values';
export { roleByValues, roleOf } from './roles';
export { isListName } from './stack-tokens';
export { isNewline, scannerOf } from './scanner';
export { looksLikeSpec, specFromJson, type SpecText } from './spec-json';
export {
  labelsFrom,
  specOfQkv,
  specOfScores,
  specOfWeighted,
  specOfWeights,
  specOfX,
  withoutWords,
} from './start-specs';
export { isFollowed, statedFieldNotes, type StatedField } from './stated-fields';
