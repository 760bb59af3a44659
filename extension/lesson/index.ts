/* Playing lessons: their panels, answers, progress, and the results files that students hand in. */

export { registerLessons } from './open';
