/* Messages between the host and a lesson's page, their validation, and the progress that is saved. */

export {
  parseLessonHostMessage,
  parseLessonPageMessage,
  type LessonHostMessage,
  type LessonMessage,
  type ModelFileMessage,
  type NoModelFileMessage,
  type LessonPageMessage,
  type LessonState,
} from './messages';
export {
  answeredIn,
  askedHash,
  begunAgain,
  emptyProgress,
  isProgress,
  openIn,
  takenBack,
  totalOf,
  type Attempt,
  type Progress,
} from './progress';
