import { sizeOf } from '../tensor';
import type { AttentionTrace } from '../trace';
import { find } from './find';

export interface Costs {
  /** Numbers that training would learn: weights and biases of this attention. */
  readonly parameters: number;
  readonly multiplyAdds: number;
  /** One fully connected layer from all tokens' inputs to all tokens' outputs: (n·d)·(n·d_out) weights. */
  readonly fullyConnectedParameters: number;
  readonly fullyConnectedMultiplyAdds: number;
}

/** Parameters and multiply-adds of this attention and of a fully connected layer over the same tokens; undefined without X and output. */
export function costs(trace: AttentionTrace): Costs | undefined {
  const [x, output] = [find(trace, 'x'), find(trace, 'output')];
  if (!x || !output) return undefined;
  const isParameter = (id: string): boolean => /^[wb][qkvo]$/.test(id);
  const parameters = trace.plan.steps.reduce((sum, s) => sum + (isParameter(s.id) ? sizeOf(s.shape) : 0), 0);
  const dense = sizeOf(x.shape) * sizeOf(output.shape);
  const { multiplyAdds } = trace.plan;
  return { parameters, multiplyAdds, fullyConnectedParameters: dense, fullyConnectedMultiplyAdds: dense };
}
