/* Playing lessons: their panels, answers, progress and results files. */

export { registerLessons } from './open';
