/* Commands for teachers: setting up a class, and grading what students handed in. */

export { registerClassroom } from './classroom';
