/*
 * What activation needs before anything else is loaded: names that VS Code knows, and small functions. It imports nothing but VS Code, so that activation loads
 * only a few kilobytes.
 */

export { codeLanguages, formulaLanguages, hasAttentionCode, hasFormulas, mayCompute } from './attention-code';
export { hasLessonBlock } from './lesson-block';
export { debugTypes, lastingKeys, outputRenderer, savedKeys, viewTypes } from './names';
export { nextTurn } from './next-turn';
export { hasOpenDocument } from './open-document';
