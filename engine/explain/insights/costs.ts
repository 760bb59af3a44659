import type { Step } from '../../plan';
import { sizeOf } from '../../math';
import type { AttentionTrace } from '../../run';
import { find } from './find';

export interface Costs {
  /** Numbers that training would learn: weights and biases of this attention. */
  readonly parameters: number;
  /** Multiply-adds of the products, and one for each number that another step makes (a bias, a division, an exponential). */
  readonly multiplyAdds: number;
  /** One fully connected layer from all tokens' inputs to all tokens' outputs: (n·d + m·d_c)·(n·d_out) weights, m·d_c with a context. */
  readonly fullyConnectedParameters: number;
  readonly fullyConnectedMultiplyAdds: number;
}

/** Parameters and multiply-adds of this attention and of a fully connected layer over the same tokens; undefined without X and output. */
export function costs(trace: AttentionTrace): Costs | undefined {
  const [x, output] = [find(trace, 'x'), find(trace, 'output')];
  if (!x || !output) return undefined;
  const isParameter = (id: string): boolean => /^[wb][qkvo]$/.test(id);
  const parameters = trace.plan.steps.reduce((sum, s) => sum + (isParameter(s.id) ? sizeOf(s.shape) : 0), 0);
  const context = find(trace, 'context');
  const inputs = numbersOf(x) + (context ? numbersOf(context) : 0);
  const dense = inputs * numbersOf(output);
  const batch = sizeOf(x.shape) / numbersOf(x);
  const { multiplyAdds } = trace.plan;
  return { parameters, multiplyAdds, fullyConnectedParameters: dense, fullyConnectedMultiplyAdds: dense * batch };
}

/** Of one input of a batch. */
const numbersOf = ({ shape }: Step): number => sizeOf(shape.slice(-2));
