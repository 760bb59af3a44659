/* Text documents and notebook cells: what is selected, which matrix stands at an offset, and where a range lies after edits. */

export { exists, findDocument, isCell, isSameUri, liesBeside, rangeIn, textOf, watchFile } from './documents';
export { isExam, isExamDocument, isInExamFolder, unlessExam } from './exam';
export { nameInDocument, type MatrixInDocument } from './named-matrix';
export { hashing, hashText, inDocumentOrder, joinedLength, rangeToDocument } from './parts';
export { fileName, labelOf, locate, locateInDocument, locateInText, nameOf, showRange } from './places';
export { aboveOf, inputOf, literalInDocument, readInput, type Input } from './selection';
export { sentenceAt } from './sentence';
export { createSourceTracker, type SourceTracker } from './source';
export { fromWholeLine } from './text-window';
export { moveRanges, withLineEnds } from './tracking';
