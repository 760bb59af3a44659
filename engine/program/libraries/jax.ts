/** What JAX has as one function of its own; the rest is NumPy's, or Python in `prelude/jax.ts`. */
import { axisArgument, apply, rankOf } from './support';
import { nodeArgument } from './support';
import type { Row } from './table';

const softmax = (name: 'softmax' | 'log_softmax'): Row => ({
  names: `jax.nn.${name}`,
  signature: 'x, axis=, where=, initial=',
  run: function* (call) {
    const node = yield* nodeArgument(call, 'x');
    const axis = yield* axisArgument(call, 'axis', rankOf(call, node), -1);
    return apply(call, name, [node], { axis }, node.dtype);
  },
  source: `JAX, jax.nn.${name}`,
  oracle: 'transcribed',
});

export const jaxRows: readonly Row[] = [softmax('softmax'), softmax('log_softmax')];
