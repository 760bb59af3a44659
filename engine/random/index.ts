import { fail, ok, type Result } from '../problems';
import { nextNormal, nextUniform, seedRandomState } from './random-state';

/** Draws in the order that a program draws them; every call continues where the last one ended. */
export interface RandomStream {
  /** `count` numbers from N(0, 1): `np.random.randn`, `np.random.normal(size=…)`. */
  normal(count: number): Float64Array;
  /** `count` numbers over [0, 1): `np.random.rand`. */
  uniform(count: number): Float64Array;
}

export interface StreamSpec {
  readonly generator: 'numpy.RandomState';
  readonly seed: number;
}

/** A stream from its start. A seed that NumPy would refuse is a Problem. */
export function createStream({ seed }: StreamSpec): Result<RandomStream> {
  if (!(Number.isInteger(seed) && seed >= 0 && seed < 4294967296)) {
    return fail({ code: 'seed', path: 'random.seed', message: `seed ${seed}: NumPy takes whole numbers from 0 to 4294967295` });
  }
  const state = seedRandomState(seed);
  const draw = (count: number, next: () => number): Float64Array => Float64Array.from({ length: count }, next);
  return ok({
    normal: (count) => draw(count, () => nextNormal(state)),
    uniform: (count) => draw(count, () => nextUniform(state)),
  });
}
