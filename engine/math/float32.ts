import { exp } from './exp';
import { log } from './log';
import { cos, sin } from './trig';
import { tanh } from './tanh';

/**
 * For float32 arguments, rounded to float32: the float64 result rounded once more. Rounding twice goes wrong only where
 * the float64 result lies exactly in the middle between two float32 while the true value does not. Every float32 argument
 * was tried (for the sine and cosine up to 400000): that happens nowhere for exp, cos and tanh; for sin at 9830.3984375;
 * for log at 5 arguments (0.0117943827…, 9.47263622…, 58037908, 1.27837837e23, 5.49830608e28). There the result is the
 * second nearest float32, 0.5000001 ulp from the true value.
 */
export const exp32 = (x: number): number => Math.fround(exp(x));
export const log32 = (x: number): number => Math.fround(log(x));
export const sin32 = (x: number): number => Math.fround(sin(x));
export const cos32 = (x: number): number => Math.fround(cos(x));
export const tanh32 = (x: number): number => Math.fround(tanh(x));
