/**
 * Elementary functions built from + − × ÷, comparisons, rounding to an integer and integers alone, so that their bytes
 * are the same in every JavaScript engine and on every processor. Each is correctly rounded to float64: a fast path in
 * pairs of doubles with a bound on its error, and integer arithmetic where that bound leaves two candidates.
 */
export { erf } from './erf';
export { exp } from './exp';
export { log } from './log';
export { cos, sin } from './trig';
export { tanh } from './tanh';
export { pow } from './pow';
export { cos32, exp32, log32, sin32, tanh32 } from './float32';
