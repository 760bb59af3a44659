/** Lessons: Markdown with blocks of attention and questions, marking, variants, results and reports. */
export { answerOf, digitsOf, traceOfBlock, type Answer, type Blocks } from './answer';
export { arithmeticOf } from './arithmetic';
export { settingFields, type LessonBlock, type Setting } from './block';
export type { Claim } from './claim';
export { fillIn, showNumber, type Filled } from './fill';
export {
  gradeClass,
  gradingClass,
  type ClassReport,
  type Graded,
  type HandedFile,
  type QuestionReport,
  type StudentReport,
} from './grade';
export { regionsOf, type Region } from './fences';
export { blockBefore, lessonLimit, partLimit, readingLesson, readLesson } from './lesson';
export type { Lesson, LessonPart, ReadLesson } from './lesson';
export { mark, type Mark, type Response as StudentResponse, type Verdict } from './mark';
export { takes, type Quantity, type Take } from './quantity';
export { questionKinds, type Asked, type Extreme, type Question } from './question';
export { reportCsv, reportHtml } from './report';
export { keyOf, plainName, readKey, readResults, resultsName, resultsOf, textOfBytes, writeResults } from './results';
export type { Answered, BlockHashes, Handed, Key, Results, Seeded } from './results';
export { answersCsv, showAnswer } from './answers';
export { planClass, planningClass, type ClassAsked, type ClassPlan } from './classroom';
export { keyFileName, teacherFolder, type ClassFile } from './class-files';
export type { BlockCheck } from './remarks';
export { folderNameOf, foldersOf, mostStudents, readStudents, type StudentList } from './students';
export { answersOf, variantOf } from './variant';
export { readVariantFile, variantFileName, type VariantFile } from './variant-file';
export { variantText, type VariantText } from './variant-text';
