/* The page that plays a lesson. */

export { startLesson } from './start';
