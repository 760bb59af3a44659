/** Runs what no line calls, with sizes and numbers that stand in, so that its attention has steps that can be looked at. */
export { sampleSeed } from './attempt';
export { type Refusal, samplesOf } from './samples';
export { otherSize, sizeNamed, usual } from './sizes';
