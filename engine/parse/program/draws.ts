import { t } from '../../text/l10n';
import { createStream, type RandomStream, type Seed } from '../../random/index';
import * as torch from '../../random/torch';
import type { DType } from '../../math/tensor';
import {
  checkedSizes,
  done,
  dtypeOption,
  isNone,
  option,
  realNumber,
  required,
  restAsSizes,
  sizesOf,
  taken,
  wholeNumber,
  type Arguments,
} from './arguments';
import { filling, room } from './arithmetic';
import { arrayOf, refuse, scalar, type ArrayValue, type NumberType, type Value } from './values';

/** A seeded generator as a program holds it. */
export type Stream =
  | { readonly of: 'numpy.RandomState' | 'numpy.default_rng'; readonly stream: RandomStream }
  | { readonly of: 'torch'; readonly stream: torch.TorchStream };

/** `np.random.seed(3)`: the generator, or a refusal of the seed. */
export function seeded(of: Stream['of'], args: Arguments): Stream {
  const value =
    taken(args, 'seed') ?? refuse(args.at, t('without a seed each run draws other numbers'), t('Give a seed.'));
  if (isNone(value)) refuse(args.at, t('without a seed each run draws other numbers'), t('Give a seed.'));
  done(args);
  const seed: Seed = wholeNumber(value, t('the seed'), args.at);
  const made = of === 'torch' ? torch.seedTorch(seed) : createStream({ generator: of, seed });
  if (!made.ok) return refuse(args.at, made.problems[0]?.message ?? t('the seed is not taken'));
  return { of, stream: made.value } as Stream;
}

const numpyGlobal = 'rand randn normal standard_normal uniform randint random random_sample ranf sample';
const known: Readonly<Record<Stream['of'], ReadonlySet<string>>> = {
  'numpy.RandomState': new Set(numpyGlobal.split(' ')),
  'numpy.default_rng': new Set('normal standard_normal uniform integers random'.split(' ')),
  torch: new Set('rand randn randint normal rand_like randn_like'.split(' ')),
};

/** Whether a method of a generator (or a function on the global one) draws in a way that is followed here. */
export const isKnownDraw = (of: Stream['of'], method: string): boolean => known[of].has(method);

/** The numbers of one draw. Leaves the generator as the program's own call leaves it. */
export function draw(stream: Stream, method: string, args: Arguments): Value {
  return stream.of === 'torch' ? drawTorch(stream.stream, method, args) : drawNumpy(stream, method, args);
}

type NumpyStream = Extract<Stream, { stream: RandomStream }>;

function drawNumpy({ of, stream }: NumpyStream, method: string, args: Arguments): Value {
  if (dtypeOption(args, 'numpy') === 'float32' && of === 'numpy.default_rng')
    refuse(args.at, t('float32 draws of default_rng are not computed'));
  switch (method) {
    case 'rand':
    case 'randn': {
      const sizes = restAsSizes(args);
      return result(args, sizes, 'float64', (n) => (method === 'rand' ? stream.uniform(n) : stream.normal(n)));
    }
    case 'normal':
      return twoNumbers(args, ['loc', 'scale'], (n, a, b) => stream.normal(n, a, b));
    case 'uniform':
      return twoNumbers(args, ['low', 'high'], (n, a, b) => stream.uniform(n, a, b));
    case 'standard_normal':
      return result(args, sizeOption(args), 'float64', (n) => stream.normal(n));
    case 'randint':
    case 'integers':
      return integers(args, (n, low, high) => stream.integers(n, low, high));
    default:
      return result(args, sizeOption(args), 'float64', (n) => stream.uniform(n));
  }
}

function sizeOption(args: Arguments): readonly number[] {
  const value = taken(args, 'size');
  return value === undefined || isNone(value) ? [] : sizesOf(value, args.at);
}

/** A draw takes as long as some operations on an element. */
const drawSize = 4;

type Fill = (count: number) => Float64Array;

/** Draws as many numbers as the sizes say; a number of its own without sizes. */
function result(args: Arguments, sizes: readonly number[], dtype: NumberType, fill: Fill): Value {
  done(args);
  const values = room(args.at, checkedSizes(sizes, args.at));
  if (sizes.length === 0) return scalar(fill(1)[0] ?? NaN, dtype === 'float64' ? 'float' : 'int');
  // NumPy draws one by one: in parts they are the same.
  filling(args.at, values.length, (from, to) => values.set(fill(to - from), from), drawSize);
  return arrayOf('numpy', dtype, sizes, values);
}

function twoNumbers(
  args: Arguments,
  [first, second]: readonly [string, string],
  fill: (count: number, a: number, b: number) => Float64Array,
): Value {
  const of = (name: string, fallback: number): number => {
    const value = taken(args, name);
    return value === undefined ? fallback : realNumber(value, name, args.at);
  };
  const [a, b] = [of(first, 0), of(second, 1)];
  if (second === 'scale' && !(b >= 0)) refuse(args.at, t('scale is {0}, expected 0 or more', b));
  if (second === 'high' && !Number.isFinite(b - a)) refuse(args.at, t('from {0} to {1} is no range', a, b));
  return result(args, sizeOption(args), 'float64', (n) => fill(n, a, b));
}

function integers(args: Arguments, fill: (count: number, low: number, high: number) => Float64Array): Value {
  const first = wholeNumber(required(args, 'low'), 'low', args.at);
  const second = taken(args, 'high');
  const [low, high] =
    second === undefined || isNone(second) ? [0, first] : [first, wholeNumber(second, 'high', args.at)];
  if (low >= high) refuse(args.at, t('from {0} to {1} is no range', low, high));
  return result(args, sizeOption(args), 'int64', (n) => fill(n, low, high));
}

function drawTorch(stream: torch.TorchStream, method: string, args: Arguments): ArrayValue {
  if (option(args, 'generator', 'out') !== undefined) refuse(args.at, t('generator= and out= are not followed'));
  const like = method.endsWith('_like') ? taken(args, 'input') : undefined;
  if (like && like.kind !== 'array') refuse(args.at, t('{0}(…) of something that is no tensor', args.name));
  const asked = dtypeOption(args, 'torch');
  if (method === 'randint') return torchIntegers(stream, args, asked);
  const [mean, std] = method === 'normal' ? [number(args, 'mean'), number(args, 'std')] : [0, 1];
  if (!(std >= 0)) refuse(args.at, t('std is {0}, expected 0 or more', std));
  const dtype = asked ?? (like?.kind === 'array' ? like.dtype : 'float32');
  if (dtype !== 'float32' && dtype !== 'float64')
    return refuse(args.at, t('{0}(…) of {1} is not drawn', args.name, dtype));
  const sizes = checkedSizes(like?.kind === 'array' ? like.shape : restAsSizes(args, 'size'), args.at);
  done(args);
  const out = room(args.at, sizes);
  const fill = (from: number, to: number): void => {
    if (method.startsWith('rand') && !method.startsWith('randn'))
      torch.fillUniform(stream, dtype, out.subarray(from, to), 0, 1);
    else fillNormals(stream, dtype, out, [from, to], [mean, std]);
  };
  filling(args.at, out.length, fill, drawSize);
  return arrayOf('torch', dtype, sizes, out);
}

/** PyTorch draws blocks of 16, the last of which may reach into the one before it: it is never a part of its own. */
function fillNormals(
  stream: torch.TorchStream,
  dtype: DType,
  out: Float64Array,
  [from, to]: readonly [number, number],
  [mean, std]: readonly [number, number],
): void {
  const isEnd = (at: number): boolean => out.length - at < 16;
  if (from > 0 && isEnd(from)) return;
  torch.fillNormal(stream, dtype, out.subarray(from, isEnd(to) ? out.length : to), mean, std);
}

const number = (args: Arguments, name: string): number => realNumber(required(args, name), name, args.at);

function torchIntegers(stream: torch.TorchStream, args: Arguments, dtype: NumberType = 'int64'): ArrayValue {
  const numbers: number[] = [];
  while (args.taken < args.positional.length && args.positional[args.taken]?.kind === 'scalar')
    numbers.push(wholeNumber(args.positional[args.taken++] as Value, t('a bound'), args.at));
  for (const name of ['low', 'high']) {
    const value = option(args, name);
    if (value) numbers.push(wholeNumber(value, name, args.at));
  }
  const [low, high] = numbers.length === 1 ? [0, numbers[0] ?? 0] : [numbers[0] ?? 0, numbers[1] ?? 0];
  if (numbers.length < 1 || numbers.length > 2 || low >= high)
    refuse(args.at, t('from {0} to {1} is no range', low, high));
  const sizes = checkedSizes(restAsSizes(args, 'size'), args.at);
  done(args);
  const out = room(args.at, sizes);
  const fill = (from: number, to: number): void => {
    for (let i = from; i < to; i++) out[i] = torch.drawBounded(stream, low, high);
  };
  filling(args.at, out.length, fill, drawSize);
  return arrayOf('torch', dtype, sizes, out);
}
