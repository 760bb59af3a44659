/* What activation needs before anything else is loaded: names that VS Code knows, and two small functions. It imports nothing, so activation stays at a few kilobytes. */

export { hasAttentionCode } from './attention-code';
export { hasLessonBlock } from './lesson-block';
export { savedKeys, viewTypes } from './names';
export { nextTurn } from './next-turn';
