/** A line that opens one of our blocks; what looks like one and is none costs a reading, no more. */
const opening =
  /^[ \t>\ufeff]*(?:(?:[-*+]|\d{1,9}[.)])[ \t][ \t>]*)?(?:`{3,}|~{3,})[ \t]*attention(?:-question)?(?![\w-])/m;

/** Whether a line of a text opens a block of ours. Apart, so that start-up can ask without the engine. */
export const hasLessonBlock = (text: string): boolean => opening.test(text);
