import type { CallOf, SourceCall, SourceName } from '../../plan';
import { dimsOf, type Dims, type AttentionSpec, rowsOf } from '../../spec';
import { heldAs, inputsOf, type Apart } from '../../math';
import { numberOrRoot, tuple } from '../../operations';
import { column, range, rounded, type Dialect, type Line } from './dialect';
import { listMaskCode } from './list-mask';
import { rotationLines } from './rotations';
import { pythonList, valueAt } from './literal';

/** Lines that assign a step whose values come from the spec or a generator. */
export function sourceLines(call: SourceCall, line: Line, dialect: Dialect): string[] {
  const write = sources[call.op] as (call: SourceCall, line: Line, dialect: Dialect) => string | string[];
  const written = write(call, line, dialect);
  return typeof written === 'string' ? [`${line.name} = ${written}`] : written;
}

const axis = ({ module }: Dialect): string => (module === 'np' ? 'axis' : 'dim');
const join = ({ module }: Dialect): string => (module === 'np' ? 'np.concatenate' : 'torch.cat');
const sources: {
  readonly [O in SourceName]: (call: CallOf<O>, line: Line, dialect: Dialect) => string | string[];
} = {
  given: ({ path }, { spec, step }, dialect) =>
    broadcast(dialect.array(listOf(spec, path, step.shape.length)), spec, path, step.shape, dialect),
  weight: ({ weight: { tensor, rows, columns } }, { step }, { module }) => {
    const part = ([from, to]: readonly [number, number]): string => `${from}:${to}`;
    const flat = step.shape.at(-2) === 1;
    const index = [...(rows ? [part(rows)] : columns && !flat ? [':'] : []), ...(columns ? [part(columns)] : [])];
    const cut = `model['${tensor}']${index.length ? `[${index.join(', ')}]` : ''}`;

    return module === 'np' ? cut : `torch.from_numpy(${cut}.copy())`;
  },
  tokens: ({ rows }, { tokens }, dialect) => {
    const numbers = rowsOf(tokens);
    return dialect.integers(`[${tokens.map(({ id }, i) => (rows ? `[${id}, ${numbers[i]}]` : id)).join(', ')}]`);
  },
  random: ({ divideBy, times, inFloat32 }, { spec, step }, dialect) => {
    const { generator } = spec.random;
    const by = times !== undefined ? ` * ${times}` : divideBy === 1 ? '' : ` / ${numberOrRoot(divideBy)}`;
    if (generator === 'numpy.RandomState') return dialect.from(`np.random.randn(${tuple(step.shape)})${by}`, 'numpy');
    if (generator === 'numpy.default_rng')
      return dialect.from(`rng.standard_normal((${tuple(step.shape)}))${by}`, 'numpy');
    const drawn = `torch.randn(${tuple(step.shape)}, dtype=torch.${heldAs(spec.dtype)})`;
    // As it is written in notebooks: a float32 tensor by, or times, a Python number is float32.
    if (inFloat32 && times !== undefined) return dialect.from(`${drawn}${by}`, 'torch');
    if (inFloat32)
      return dialect.from(`${drawn} / ${numberOrRoot(Math.sqrt(Math.round(divideBy * divideBy)))}`, 'torch');
    return dialect.from(by === '' ? drawn : `${drawn}.double()${by}`, 'torch');
  },
  sinusoidal: ({ layout, at, dtype = 'float64' }, { name, step }, dialect) => {
    const [n = 1, d = 1] = step.shape.slice(-2);
    const m = dialect.module;
    const base = dtype === 'float32' ? `${m}.${m === 'np' ? 'float32(10000)' : 'tensor(10000.0)'}` : '10000.0';
    if (layout === 'interleaved') {
      return [
        `angle = ${column(dialect, at, n, dtype)} / ${base} ** (2 * (${range(dialect, d, dtype)} // 2) / ${d})`,
        `${name} = ${rounded(dialect, `${m}.where(${m}.arange(${d}) % 2 == 0, ${m}.sin(angle), ${m}.cos(angle))`)}`,
      ];
    }
    return [
      `angle = ${column(dialect, at, n, dtype)} / ${base} ** (${range(dialect, d / 2, dtype)} / ${d / 2})`,
      `${name} = ${rounded(dialect, `${join(dialect)}([${m}.sin(angle), ${m}.cos(angle)], ${axis(dialect)}=-1)`)}`,
    ];
  },
  rotations: (call, line, dialect) => rotationLines(call, line, dialect),
  alibi: ({ at }, { name, step }, dialect) => {
    const [n = 1, k = 1] = step.shape.slice(-2);
    const heads = at?.heads ?? (step.shape.length > 2 ? (step.shape[0] ?? 1) : 1);
    const m = dialect.module;
    const slopes = `${m}${m === 'np' ? '.array' : '.tensor'}(slopes, dtype=${m}.float64)`;
    const biases = `(-${slopes}[:, None, None] * ${m}.abs(${apart(dialect, at, n, k)}))`;
    const shaped = at ? `.reshape(${tuple(step.shape)})` : step.shape.length > 2 ? '' : '[0]';
    return [
      `lower = ${lowerPower(heads)}`,
      `slopes = [2 ** (-8 * (i + 1) / lower) for i in range(lower)]`,
      `slopes += [2 ** (-4 * (i + 1) / lower) for i in range(0, 2 * (${heads} - lower), 2)]`,
      `${name} = ${rounded(dialect, biases)}${shaped}`,
    ];
  },
  buckets: (call, line, dialect) => bucketLines(call, line, dialect),
  patternMask: (call, { name, step }, dialect) => {
    const [n = 1, k = 1] = step.shape.slice(-2);
    const m = dialect.module;
    const terms = [
      ...(call.after < k ? [`(j - i > ${call.after})`] : []),
      ...(call.before < n ? [`(i - j > ${call.before})`] : []),
      ...(call.visible < k ? [`(j >= ${call.visible})`] : []),
    ];
    return [
      `i, j = ${m}.arange(${n})[:, None], ${m}.arange(${k})`,
      `${name} = ${(terms.length ? terms : ['(j < 0)']).join(' | ')}${terms.some((t) => t.includes('i')) ? '' : ` & (i >= 0)`}`,
    ];
  },
  listMask: (call, line, dialect) => listMaskCode(call, line, dialect),
  givenMask: ({ path, hiddenIs }, { spec, step }, dialect) => {
    const truth = `${dialect.integers(listOf(spec, path, step.shape.length))} ${hiddenIs === 0 ? '==' : '!='} 0`;
    return broadcast(truth, spec, path, step.shape, dialect);
  },
};

/** T5's _relative_position_bucket; its logarithm is rounded to float32. */
function bucketLines({ bucketing, at }: CallOf<'buckets'>, { name, step }: Line, dialect: Dialect): string[] {
  const { buckets, maxDistance, bidirectional } = bucketing;
  const [n = 1, k = 1] = step.shape.slice(-2);
  const [m, np] = [dialect.module, dialect.module === 'np'];
  const own = bidirectional ? Math.floor(buckets / 2) : buckets;
  const exact = Math.floor(own / 2);
  const as = (values: string, dtype: string): string => (np ? `${values}.astype(np.${dtype})` : `${values}.to(torch.${dtype})`);
  const difference = apart(dialect, at, n, k);
  const whole = at && Math.max(inputsOf(at.queries), inputsOf(at.keys)) > 1 ? `(${difference})[:, 0]` : `(${difference})`;
  const ratio = as(`(${as(`${m}.${np ? 'maximum(distance, 1)' : 'clamp(distance, min=1)'}`, 'float32')} / ${exact})`, 'float64');
  const far = `${as(`${m}.log(${ratio})`, 'float32')} / ${np ? `np.float32(math.log(${maxDistance} / ${exact}))` : `math.log(${maxDistance} / ${exact})`} * ${own - exact}`;
  return [
    `relative = -${as(whole, 'int64')}  # key less query`,
    `distance = ${bidirectional ? `${m}.abs(relative)` : np ? 'np.maximum(-relative, 0)' : 'torch.clamp(-relative, min=0)'}`,
    `far = ${exact} + ${as(`(${far})`, 'int64')}`,
    `${name} = ${bidirectional ? `(relative > 0) * ${own} + ` : ''}${m}.where(distance < ${exact}, distance, ${np ? `np.minimum(far, ${own - 1})` : `torch.clamp(far, max=${own - 1})`})`,
  ];
} // prettier-ignore

/** Position of a query less that of a key, n×k; inputs×1×n×k where inputs have positions of their own, so that heads fit between. */
function apart(dialect: Dialect, at: Apart | undefined, n: number, k: number): string {
  const { module } = dialect;
  if (!at) return `${module}.arange(${n})[:, None] - ${module}.arange(${k})`;
  const inputs = Math.max(inputsOf(at.queries), inputsOf(at.keys));
  const keys = `${column(dialect, at.keys, k)}[..., 0][..., None, :]`;
  const difference = `${column(dialect, at.queries, n)} - ${keys}`;
  return inputs === 1 ? difference : `(${difference})[:, None]`;
}

/** The largest power of two up to `heads`. */
const lowerPower = (heads: number): number => 1 << (31 - Math.clz32(heads));

/** Values of the spec broadcast to the step's shape: axes of size 1 of a mask are repeated. */
function broadcast(values: string, spec: AttentionSpec, path: string, shape: Dims, { module }: Dialect): string {
  if (path !== 'mask.values' || dimsOf(valueAt(spec, path) as readonly unknown[]).join() === shape.join())
    return values;
  return `${module}.broadcast_to(${values}, (${tuple(shape)}))`;
}

/** Values of the spec as a list; a flat list (a bias) becomes one row. */
function listOf(spec: AttentionSpec, path: string, dimensions: number): string {
  const list = pythonList(spec, path);
  return dimensions === 2 && !list.slice(1).trimStart().startsWith('[') ? `[${list}]` : list;
}
