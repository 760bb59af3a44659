/** Insights: facts about attention that the numbers of a trace show, computed from it. */
export {
  insightsAt,
  insightsInParts,
  insightsOfCell,
  insightsOfPlan,
  insightsVary,
  type Insight,
} from './step-insights';
export { decoded, decodedWords, type Decoded } from './decode';
export { costs, type Costs } from './costs';
export { maskedAfterSoftmax, type MaskedAfterSoftmax } from './masking';
export { scoreGeometryAt, type ScoreGeometry } from './score-geometry';
export { naiveSoftmax, type NaiveSoftmax } from './naive';
export { overflow, type Overflow } from './overflow';
export { properties, type Property, type ReversedRow } from './properties';
export { sampledRows, scaleEffect, widthSweep, type ScalePoint, type Sharpness, type WidthPoint } from './scale';
export { rowSharpness, softmaxJacobian, type RowSharpness } from './sharpness';
export { shuffleTokens, shuffleTokensFrom, type ShuffledTokens } from './shuffle';
export { scoreVariance, variance, type ScoreVariance } from './variance';
