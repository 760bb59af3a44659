/* The timeline: all steps of the plan in order, with arrows for the dataflow, and the Play button. */

export { addPlayKey, createPlay, type PlayModel } from './play';
export { createTimeline, type Timeline } from './timeline';
