/** Lessons: Markdown with blocks of attention and questions, marking, variants, results and reports. */
export { answerOf, digitsOf, traceOfBlock, type Answer, type Blocks } from './answer';
export { arithmeticOf } from './arithmetic';
export { settingFields, type LessonBlock, type Setting } from './block';
export type { Claim } from './claim';
export { readingComputedBlocks, type ComputedBlocks } from './computed';
export { examFileName, frontMatterOf } from './front-matter';
export { figureDigits, fillIn, showNumber, type Filled } from './fill';
export { withoutNames } from './anonymous';
export { feedbackPages } from './feedback';
export { canvasCsv, moodleCsv, type Gradebook } from './gradebook';
export { gradeClass, gradingClass, type GradingRequest } from './grade';
export { deepestFolder, isMarkdown, isResultsFile, largestLesson, mostBytes, refused, type Refused } from './handed-in';
export { regionsOf, type Region } from './fences';
export { blockBefore, lessonLimit, partLimit, readingLesson, readLesson } from './lesson';
export type { Lesson, LessonPart, ReadLesson } from './lesson';
export { handedOut } from './handed-out';
export { lookedAt } from './looked-at';
export { waysOf } from './deal';
export { notesIn } from './notes';
export type { Misconception } from './misconceptions';
export { modelsNamed, unreadModelCode } from './model-block';
export { mark, type Mark, type Response as StudentResponse, type Verdict } from './mark';
export { takes, type Quantity, type Take } from './quantity';
export { pointsOf, questionKinds, type QuestionContent, type Extreme, type Question } from './question';
export { reportCsv, reportHtml } from './report';
export { keyOf, plainName, readKey, readResults, resultsName, resultsOf, textOfBytes, writeResults } from './results';
export type { AnswerRecord, BlockHashes, ResultsInput, Key, Results, StudentSeed } from './results';
export { answersCsv, showAnswer } from './answers';
export { planClass, planningClass, type ClassRequest, type ClassPlan } from './classroom';
export { keyFileName, teacherFolder, type ClassFile } from './class-files';
export type {
  BlockCheck,
  ClassReport,
  Graded,
  HandedFile,
  MisconceptionReport,
  QuestionReport,
  StudentReport,
} from './class-report';
export { equalIn, spreadNotes, spreadOf, type Spread } from './spread';
export type { ClosePair } from './close-papers';
export type { Identity } from './student-table';
export { folderNameOf, foldersOf, mostStudents, readStudents, type StudentList } from './students';
export { answersOf, otherAnswersOf, variantOf } from './variant';
export { readVariantFile, variantFileName, type VariantFile } from './variant-file';
export { variantText, type VariantText } from './variant-text';
