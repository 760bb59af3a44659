/* Help for writing lessons in a Markdown editor: diagnostics, completions, hovers, and blocks in the Markdown preview. */

export { previewPlugin, registerLessonAuthoring } from './lesson-authoring';
