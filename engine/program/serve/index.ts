/** Questions about programs and their answers, plain data both ways. */
export {
  type Answer,
  type AttentionAnswer,
  type AttentionChoice,
  type CodeFinding,
  type CodeLine,
  type CodeSide,
  type NamedFile,
  type NearestAnswer,
  type PrintedStep,
  type Question,
  type Questions,
  type Review,
  type WrittenNumbers,
  createAnswering,
} from './answer';
