/** What the user's own numbers say about attention: computed from a trace, never written by hand. */
export { insightsAt, insightsInParts, insightsOfCell, insightsOfPlan, insightsVary, type Insight } from './at';
export { costs, type Costs } from './costs';
export { maskedAfter, type MaskedAfter } from './masking';
export { meetingAt, type Meeting } from './meeting';
export { naiveSoftmax, type NaiveSoftmax } from './naive';
export { overflow, type Overflow } from './overflow';
export { properties, type Property, type ReversedRow } from './properties';
export { rowsTaken, scaleEffect, widthSweep, type ScalePoint, type Sharpness, type WidthPoint } from './scale';
export { rowSharpness, softmaxJacobian, type RowSharpness } from './sharpness';
export { shuffled, shuffledFrom, type Shuffled } from './shuffle';
export { scoreVariance, variance, type ScoreVariance } from './variance';
