/** Matches a line that opens a lesson block. A line that only looks like one merely costs loading the extension. */
const opening =
  /^[ \t>\ufeff]*(?:(?:[-*+]|\d{1,9}[.)])[ \t][ \t>]*)?(?:`{3,}|~{3,})[ \t]*attention(?:-question)?(?![\w-])/m;

/** Whether a Markdown text opens a lesson block. Does not use the engine, so that activation can call it. */
export const hasLessonBlock = (text: string): boolean => opening.test(text);
