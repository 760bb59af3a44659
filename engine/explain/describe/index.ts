/** What a matrix looks like: identity, mask, weights, …, its statistics and the range of its colours. */
export { limitWithoutOutliers, signedColourLimit } from './colour-range';
export { statisticsOf, type Statistics } from './statistics';
export { looksLike } from './facts';
export type { Fact, FactId } from './fact';
export type { Described } from './grid';
export { axesOf, fitsOf, type Fit, type NamedMatrix } from './fits';
