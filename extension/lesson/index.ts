/* Playing lessons: their panels, answers, progress, and the results files that students hand in. */

export { course } from './course';
export { registerLessons } from './open';
