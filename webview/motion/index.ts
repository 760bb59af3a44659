/* The computation of a cell or a row as motion: frames as plain data, every digit of which is a number of the trace, and the player that shows them. */

export { createMotion, type Motion, type MotionModel } from './motion';
export { readMaterial, scopesOf, type Material, type Scope } from './material';
export { momentOf } from './moment';
export { storyOf } from './story';
export type { Frame, MotionNumber, Piece, Said, Story } from './frame';
