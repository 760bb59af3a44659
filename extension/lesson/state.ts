import { emptyProgress, type LessonHostMessage, type LessonState } from '../../webview/lesson-protocol';

/** What a lesson that was saved as one file starts from: unanswered, whoever saved it. */
export const stateOf = (lesson: LessonHostMessage): LessonState => ({
  version: 1,
  uri: null,
  lesson: { ...lesson, uri: null, progress: emptyProgress },
  drafts: {},
  presenting: false,
  slide: 0,
});
