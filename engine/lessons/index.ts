/** Lessons: Markdown with blocks of attention and questions, marking, variants, results and reports. */
export { answerOf, digitsOf, toleranceOf, traceOfBlock, type Answer, type Blocks } from './answer';
export { arithmeticOf } from './arithmetic';
export type { LessonBlock, Setting } from './block';
export { decide, type Claim } from './claim';
export { fillIn, showNumber, type Filled } from './fill';
export {
  gradeClass,
  type ClassReport,
  type Graded,
  type HandedFile,
  type QuestionReport,
  type StudentReport,
} from './grade';
export { blockBefore, lessonLimit, readLesson, type Lesson, type LessonPart, type ReadLesson } from './lesson';
export { mark, type Mark, type Response as StudentResponse, type Verdict } from './mark';
export { takes, type Quantity, type Take } from './quantity';
export { questionKinds, type Asked, type Extreme, type Question } from './question';
export { reportCsv, reportHtml } from './report';
export { hashLesson, keyOf, readKey, readResults, resultsOf, writeResults } from './results';
export type { Answered, BlockHashes, Handed, Key, Results } from './results';
export { answersOf, variantOf } from './variant';
