/**
 * Random streams that match those of NumPy's `RandomState` and `default_rng` and of PyTorch's CPU generator.
 * Each begins at a seed, and its numbers come in the order in which a program draws them.
 *
 * Equal to the last bit, by construction: every `uniform`, `rand`, `random`, `integers`, `randint`; and which words are
 * drawn, rejected and kept back, so that no stream ever drifts. PyTorch's float32 `randn` and `normal_` too: they come from
 * a kernel whose arithmetic is repeated here.
 *
 * Equal but for the last bits of a few: float64 `normal` and `randn`. They go through a logarithm (in PyTorch a sine and a
 * cosine too), here correctly rounded, in the C library within 1 ulp. Measured over 80,000 draws each against NumPy 1.24
 * and 2.4 and PyTorch 1.13 with glibc 2.36: `RandomState` 99.96 % equal, worst 2 ulp (3 with a scale);
 * `default_rng` all but one, 1 ulp; PyTorch float64 99.8 %, worst 2 ulp (3 with a scale). So 15 significant digits.
 *
 * That is for x86-64 with AVX2. Builds for other processors contract a·b + c differently: NumPy's `uniform` and `normal`
 * may differ there in the last bit, PyTorch's float32 normals by about 1e-6.
 */
import { ok, type Result } from '../text';
import type { DType } from '../math';
import * as defaultRng from './defaultRng';
import * as randomState from './randomState';
import type { Seed } from './seed';
import * as torch from './torch';

export { type MersenneTwister, nextWord, twisterFromWords } from './mt19937';
export type { Seed } from './seed';
// For whoever follows a program draw by draw.
export {
  type TorchStream,
  copyTorch,
  drawBernoulli as drawTorchBernoulli,
  drawBounded as drawTorchBounded,
  drawIntelBernoulli,
  fillNormal as fillTorchNormal,
  fillUniform as fillTorchUniform,
  fillNormalBfloat as fillTorchNormalBfloat,
  fillUniformHalf as fillTorchUniformHalf,
  seedTorch,
} from './torch';

/** `np.random.seed` / `RandomState`, `np.random.default_rng`, `torch.manual_seed` on the CPU. */
export const generators = ['numpy.RandomState', 'numpy.default_rng', 'torch'] as const;
export type Generator = (typeof generators)[number];

export interface StreamChoice {
  readonly generator: Generator;
  readonly seed: Seed;
  /** PyTorch only: the dtype of the tensors that are filled, since it changes what is drawn; float32 by default, as there. */
  readonly dtype?: DType | undefined;
}

/**
 * A seeded stream. Each call makes the draws that the Python call makes for an array of `count` values, in row-major
 * order, and leaves the generator as that call leaves it. Bounds and scales are the caller's to check: those that Python
 * refuses throw a RangeError.
 */
export interface RandomStream {
  /**
   * `normal(loc, scale, count)`, `torch.empty(count).normal_(loc, scale)`; with the defaults `randn(count)`,
   * `standard_normal(count)`, `torch.randn(count)`.
   */
  normal(count: number, loc?: number, scale?: number): Float64Array;
  /**
   * `uniform(low, high, count)`, `torch.empty(count).uniform_(low, high)`; with the defaults `rand(count)`,
   * `random(count)`, `torch.rand(count)`.
   */
  uniform(count: number, low?: number, high?: number): Float64Array;
  /** `randint(low, high, count)`, `integers(low, high, count)`, `torch.randint(low, high, (count,))`; `high` is excluded. */
  integers(count: number, low: number, high: number): Float64Array;
}

/** A stream from a seed, or a Problem that says which seeds the generator takes. */
export function createStream(choice: StreamChoice): Result<RandomStream> {
  switch (choice.generator) {
    case 'numpy.RandomState':
      return withInterface(randomState.seedRandomState(choice.seed), (stream) => numpyFace(stream, randomState));
    case 'numpy.default_rng':
      return withInterface(defaultRng.seedDefaultRng(choice.seed), (stream) => numpyFace(stream, defaultRng));
    case 'torch':
      return withInterface(torch.seedTorch(choice.seed), (stream) => torchFace(stream, choice.dtype ?? 'float32'));
  }
}

const withInterface = <S>(seeded: Result<S>, face: (stream: S) => RandomStream): Result<RandomStream> =>
  seeded.ok ? ok(face(seeded.value)) : seeded;

/** Single draws of a NumPy generator. */
interface Draws<S> {
  drawUniform(stream: S): number;
  drawNormal(stream: S): number;
  drawBounded(stream: S, low: number, high: number): number;
}

function numpyFace<S>(stream: S, draws: Draws<S>): RandomStream {
  return {
    normal(count, loc = 0, scale = 1) {
      checkScale(scale);
      return filled(count, () => loc + scale * draws.drawNormal(stream));
    },
    uniform(count, low = 0, high = 1) {
      const width = high - low;
      check(Number.isFinite(width), `uniform from ${low} to ${high}: range exceeds valid bounds`);
      return filled(count, () => low + width * draws.drawUniform(stream));
    },
    integers(count, low, high) {
      checkIntegers(low, high);
      return filled(count, () => draws.drawBounded(stream, low, high));
    },
  };
}

const torchFace = (stream: torch.TorchStream, dtype: DType): RandomStream => ({
  normal(count, mean = 0, std = 1) {
    checkScale(std);
    return torch.fillNormal(stream, dtype, new Float64Array(count), mean, std);
  },
  uniform(count, low = 0, high = 1) {
    check(low <= high, `uniform from ${low} to ${high}: expects from <= to`);
    return torch.fillUniform(stream, dtype, new Float64Array(count), low, high);
  },
  integers(count, low, high) {
    checkIntegers(low, high);
    return filled(count, () => torch.drawBounded(stream, low, high));
  },
});

function filled(count: number, draw: () => number): Float64Array {
  const out = new Float64Array(count);
  for (let i = 0; i < count; i++) out[i] = draw();
  return out;
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new RangeError(message);
}

const checkScale = (scale: number): void => check(scale >= 0 && !Object.is(scale, -0), `scale ${scale}: scale < 0`);

function checkIntegers(low: number, high: number): void {
  const safe = Number.isSafeInteger(low) && Number.isSafeInteger(high);
  check(safe && low < high, `integers from ${low} to ${high}: needs integers with low < high`);
}
