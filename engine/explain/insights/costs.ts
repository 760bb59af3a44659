import type { Step } from '../../plan';
import { sizeOf } from '../../math';
import type { AttentionTrace } from '../../run';
import { findStep } from './trace-values';

export interface Costs {
  /** Numbers that training would learn: weights and biases. */
  readonly parameters: number;
  /** Multiply-adds of the products, plus one for each number of every other step (a bias, a division, an exponential). */
  readonly multiplyAdds: number;
  /** Of one fully connected layer from all inputs to all outputs: (n·d + m·d_c)·(n·d_out) weights; m·d_c only with a context, likewise for an input of the values. */
  readonly fullyConnectedParameters: number;
  readonly fullyConnectedMultiplyAdds: number;
}

/** Costs of this attention and of a fully connected layer over the same tokens; undefined without X or output. */
export function costs(trace: AttentionTrace): Costs | undefined {
  const [x, output] = [findStep(trace, 'x'), findStep(trace, 'output')];
  if (!x || !output) return undefined;
  const isParameter = (id: string): boolean => /^([wb][qkvo]|scoreVector|lambdaVectors|headGain)$/.test(id);
  const parameters = trace.plan.steps.reduce((sum, s) => sum + (isParameter(s.id) ? sizeOf(s.shape) : 0), 0);
  const others = ['context', 'valueSource'].flatMap((id) => findStep(trace, id) ?? []);
  const inputs = [x, ...others].reduce((sum, step) => sum + numbersOf(step), 0);
  const dense = inputs * numbersOf(output);
  const batch = sizeOf(x.shape) / numbersOf(x);
  const { multiplyAdds } = trace.plan;
  return { parameters, multiplyAdds, fullyConnectedParameters: dense, fullyConnectedMultiplyAdds: dense * batch };
}

/** Numbers of one input of a batch. */
const numbersOf = ({ shape }: Step): number => sizeOf(shape.slice(-2));
