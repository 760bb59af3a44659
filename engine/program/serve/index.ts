/** Questions about programs and their answers, plain data both ways. */
export {
  type Answer,
  type AttentionAnswer,
  type AttentionChoice,
  type NamedFile,
  type NearestAnswer,
  type PrintedStep,
  type Question,
  type Questions,
  type WrittenNumbers,
  createAnswering,
} from './answer';
