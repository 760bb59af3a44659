/** What a matrix looks like, and what it fits with. */
export { limitWithoutOutliers, signedColourLimit } from './colour-range';
export { statisticsOf, type Statistics } from './statistics';
export { looksLike } from './facts';
export type { Fact, FactId } from './fact';
export type { Described } from './grid';
export { axesOf, fitsOf, type Fit, type Part } from './fits';
