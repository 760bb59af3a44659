/* The page of a recorded model: every attention in the order in which it ran, its heads as small pictures, and where the process's output is not the exact one. */

export { startCapture } from './start';
