import { emptyProgress, type LessonMessage, type LessonState } from '../../webview/lesson-protocol';

/** The initial state of a lesson that is saved as one HTML file: without any answers. */
export const stateOf = (lesson: LessonMessage): LessonState => ({
  version: 1,
  uri: null,
  lesson: { ...lesson, uri: null, progress: emptyProgress },
  drafts: {},
  presenting: false,
  slide: 0,
});
