/* Writing lessons: problems, completions and a preview in the Markdown editor. */

export { previewPlugin, registerLessonAuthoring } from './lesson-authoring';
