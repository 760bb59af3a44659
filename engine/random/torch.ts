import { t, fail, ok, type Result } from '../text';
import { cos, log, sin, type DType } from '../math';
import { fused32, fused64 } from './fused';
import { copyTwister, nextWord, twisterFromWord, type MersenneTwister } from './mt19937';
import { seedIntegers, seedProblem, type Seed } from './seed';
import { vectorLog, vectorSineCosine } from './torchVector';

/** PyTorch's default generator on the CPU. */
export interface TorchStream {
  readonly twister: MersenneTwister;
  /** The sine half of the last pair of normals of a small tensor, before scaling. */
  spare: number | undefined;
}

/** `torch.manual_seed(seed)`: an integer from −2^63 to 2^64 − 1, of which the generator uses the lower 32 bits. */
export function seedTorch(seed: Seed): Result<TorchStream> {
  const integers = Array.isArray(seed) ? fail(seedProblem(seed, t('must be one integer'))) : seedIntegers(seed);
  if (!integers.ok) return integers;
  const [integer = 0n] = integers.value;
  if (integer < -0x8000000000000000n || integer > 0xffffffffffffffffn)
    return fail(seedProblem(seed, t('must be between -0x8000_0000_0000_0000 and 0xffff_ffff_ffff_ffff')));
  return ok({ twister: twisterFromWord(Number(BigInt.asUintN(32, integer))), spare: undefined });
}

/** One draw on [0, 1): 24 bits of one word for float32, 53 of two for float64. */
function drawUnit(twister: MersenneTwister, dtype: DType): number {
  const word = nextWord(twister);
  if (dtype === 'float32') return (word & 0xffffff) / 16777216;
  return ((word & 0x1fffff) * 4294967296 + nextWord(twister)) / 9007199254740992;
}

/** `torch.rand(count)`, `torch.empty(count).uniform_(low, high)`: u·(high − low) + low, fused. Fills and returns `out`. */
export function fillUniform(
  stream: TorchStream,
  dtype: DType,
  out: Float64Array,
  low: number,
  high: number,
): Float64Array {
  const [fused, round] = arithmetic(dtype);
  const width = round(round(high) - round(low));
  for (let i = 0; i < out.length; i++) out[i] = fused(drawUnit(stream.twister, dtype), width, round(low));
  return out;
}

/** The same of half precision: as many bits of one word as the type has digits (11 of float16, 8 of bfloat16), computed in float32 and rounded. */
export function fillUniformHalf(
  { twister }: TorchStream,
  digits: number,
  round: (x: number) => number,
  out: Float64Array,
  low: number,
  high: number,
): Float64Array {
  const [size, from] = [1 << digits, round(low)];
  const width = round(round(high) - from);
  for (let i = 0; i < out.length; i++)
    out[i] = round(Math.fround(Math.fround(((nextWord(twister) % size) / size) * width) + from));
  return out;
}

type Fused = (a: number, b: number, c: number) => number;
const same = (x: number): number => x;
const arithmetic = (dtype: DType): readonly [Fused, (x: number) => number] =>
  dtype === 'float32' ? [fused32, Math.fround] : [fused64, same];

/**
 * `torch.randn(count)`, `torch.empty(count).normal_(mean, std)`. PyTorch draws in two ways: fewer than 16 values one by
 * one in float64, the second of each pair kept for later; 16 and more in blocks of 16. Fills and returns `out`.
 */
export function fillNormal(
  stream: TorchStream,
  dtype: DType,
  out: Float64Array,
  mean: number,
  std: number,
): Float64Array {
  if (out.length >= 16) return fillBlocks(stream, dtype, out, mean, std);
  const round = arithmetic(dtype)[1];
  for (let i = 0; i < out.length; i++) out[i] = round(fused64(drawNormal(stream), std, mean));
  return out;
}

// Box & Muller 1958.
function drawNormal(stream: TorchStream): number {
  if (stream.spare !== undefined) {
    const kept = stream.spare;
    stream.spare = undefined;
    return kept;
  }
  const turn = drawUnit(stream.twister, 'float64');
  const radius = Math.sqrt(-2 * log(1 - drawUnit(stream.twister, 'float64')));
  const angle = 6.283185307179586 * turn;
  stream.spare = radius * sin(angle);
  return radius * cos(angle);
}

// All uniforms first, then each block of 16 turned into normals; a last, partial block is drawn anew with the values
// before it, so that it has 16.
function fillBlocks(stream: TorchStream, dtype: DType, out: Float64Array, mean: number, std: number): Float64Array {
  for (let i = 0; i < out.length; i++) out[i] = drawUnit(stream.twister, dtype);
  const turnBlock = dtype === 'float32' ? turnBlock32 : turnBlock64;
  for (let start = 0; start + 16 <= out.length; start += 16) turnBlock(out, start, mean, std);
  if (out.length % 16 === 0) return out;
  const start = out.length - 16;
  for (let i = start; i < out.length; i++) out[i] = drawUnit(stream.twister, dtype);
  turnBlock(out, start, mean, std);
  return out;
}

// Uniform j and j + 8 make normals j and j + 8.
function turnBlock64(out: Float64Array, start: number, mean: number, std: number): void {
  for (let j = start; j < start + 8; j++) {
    const radius = Math.sqrt(-2 * log(1 - (out[j] as number)));
    const angle = 6.283185307179586 * (out[j + 8] as number);
    out[j] = fused64(radius * cos(angle), std, mean);
    out[j + 8] = fused64(radius * sin(angle), std, mean);
  }
}

const twoPi32 = Math.fround(6.283185307179586);

function turnBlock32(out: Float64Array, start: number, mean: number, std: number): void {
  const round = Math.fround;
  for (let j = start; j < start + 8; j++) {
    const radius = round(Math.sqrt(round(-2 * vectorLog(round(1 - (out[j] as number))))));
    const { sine, cosine } = vectorSineCosine(round(twoPi32 * (out[j + 8] as number)));
    out[j] = fused32(round(radius * cosine), round(std), round(mean));
    out[j + 8] = fused32(round(radius * sine), round(std), round(mean));
  }
}

/** `torch.randn(count, dtype=torch.bfloat16)` of 16 values and more: in blocks as in float32, each operation rounded to bfloat16 by `round`. */
export function fillNormalBfloat(
  { twister }: TorchStream,
  round: (x: number) => number,
  out: Float64Array,
  mean: number,
  std: number,
): Float64Array {
  const [by, to] = [round(std), round(mean)];
  const rounded = (x: number): number => round(Math.fround(x));
  const turn = (start: number): void => {
    for (let j = start; j < start + 8; j++) {
      const radius = rounded(Math.sqrt(round(-2 * rounded(log(1 - (out[j] as number))))));
      const angle = rounded(6.283185307179586 * (out[j + 8] as number));
      for (const [i, part] of [[j, cos(angle)], [j + 8, sin(angle)]] as const) out[i] = round(round(round(radius * rounded(part)) * by) + to); // prettier-ignore
    }
  };
  const last = out.length - 16;
  for (let i = 0; i < out.length; i++) out[i] = (nextWord(twister) % 256) / 256;
  for (let start = 0; start <= last; start += 16) turn(start);
  if (out.length % 16 === 0) return out;
  for (let i = last; i < out.length; i++) out[i] = (nextWord(twister) % 256) / 256;
  turn(last);
  return out;
}

/** One draw of `torch.randint(low, high)`: a word (two from a range of 2^32 on) modulo the range. */
export function drawBounded(stream: TorchStream, low: number, high: number): number {
  const range = high - low;
  if (range < 4294967296) return low + (nextWord(stream.twister) % range);
  const upper = BigInt(nextWord(stream.twister)) << 32n;
  return Number(BigInt(low) + ((upper | BigInt(nextWord(stream.twister))) % (BigInt(high) - BigInt(low))));
}

/** The same stream from here on, by itself. */
export const copyTorch = ({ twister, spare }: TorchStream): TorchStream => ({ twister: copyTwister(twister), spare });

/** `torch.empty(count).bernoulli_(p)` as PyTorch draws it itself: 1 where a draw of float64 is below p (ATen/native/cpu/DistributionTemplates.h). */
export const drawBernoulli = ({ twister }: TorchStream, count: number, p: number): Uint8Array =>
  Uint8Array.from({ length: count }, () => Number(drawUnit(twister, 'float64') < p));

/**
 * The same as MKL draws it on processors of Intel: from one word as seed the multiplicative congruential generator MCG31m1
 * (L'Ecuyer 1999; oneMKL, Notes on Vector Statistics), 1 where x / (2^31 - 1) is below p. For float64 PyTorch takes a longer seed: not that.
 */
export function drawIntelBernoulli({ twister }: TorchStream, count: number, p: number): Uint8Array {
  const modulus = 2147483647;
  let x = nextWord(twister) % modulus || 1;
  const out = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    out[i] = Number(x / modulus < p);
    x = Number((BigInt(x) * 1132489760n) % 2147483647n);
  }
  return out;
}
