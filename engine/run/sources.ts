import { hiddenByLists } from './list-mask';
import { seededStream, isSource, type CallOf, type SourceCall, type SourceName, type Plan, type Step } from '../plan';
import { writeSpread, decodeNumber, type AttentionSpec, type SpecNumber, rowsOf } from '../spec';
import {
  alibi,
  bucketOf,
  heldAs,
  positionAt,
  rotations,
  roundedTo,
  sinusoidal,
  allocate,
  tensor,
  type Tensor,
} from '../math';
import { providedModel, withWeights } from '../models';
import type { RandomStream } from '../random';
import { finish, type Paced } from '../text';

/** The values of the plan's source steps (given, drawn, tokens, positions, masks), by step id: the input of a preview backend. */
export function sourceValues(spec: AttentionSpec, plan: Plan): ReadonlyMap<string, Tensor> {
  const produce = createSourceComputer(spec, plan);
  const values = new Map<string, Tensor>();
  for (const step of plan.steps) if (isSource(step.call)) values.set(step.id, finish(produce(step, step.call)));
  return values;
}

/** Computes the values of a source step. Yields between draws. Must be called in the order of the plan's steps. */
export type ComputeSource = (step: Step, call: SourceCall) => Paced<Tensor>;

/** All steps draw from one random stream in the plan's order, as a NumPy or PyTorch program would. */
export function createSourceComputer(spec: AttentionSpec, plan: Plan): ComputeSource {
  let stream: RandomStream | undefined;
  return function* (step, call) {
    // NumPy rounds a float64 to float16 at once, PyTorch by way of float32.
    const out = allocate(spec.dtype === 'float16' ? 'float64' : heldAs(spec.dtype), step.shape);
    if (call.op === 'random') yield* draw((stream ??= seededStream(spec)), call, out.data);
    else computeSource(call, { spec, plan, step, out });
    return isCounted(call) ? tensor(heldAs(spec.dtype), out.shape, out.data) : roundedTo(spec.dtype, out);
  };
}

/** Ids, buckets and masks count something, and are not rounded. */
const isCounted = ({ op }: SourceCall): boolean =>
  op === 'tokens' || op === 'buckets' || op === 'patternMask' || op === 'givenMask';

/** Numbers that are drawn between two yields. */
const drawsPerSlice = 1 << 12;
/**
 * PyTorch draws normals in blocks of 16 uniforms, and draws the last 16 anew where the count is no multiple of 16. So that the result
 * does not depend on the slices, every slice but the last is a multiple of 16, and none is shorter.
 */
const uniformsPerNormalBlock = 16;

function* draw(
  stream: RandomStream,
  { divideBy, times = 1, inFloat32 }: CallOf<'random'>,
  out: Tensor['data'],
): Paced<void> {
  const round = inFloat32 ? Math.fround : (x: number) => x;
  const by = round(times);
  for (let from = 0; from < out.length;) {
    const left = out.length - from;
    const draws = stream.normal(left < drawsPerSlice + uniformsPerNormalBlock ? left : drawsPerSlice);
    for (let i = 0; i < draws.length; i++) out[from + i] = round(((draws[i] as number) * by) / divideBy);
    from += draws.length;
    yield;
  }
}

interface Computing {
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  readonly step: Step;
  /** Where the values go. */
  readonly out: Tensor;
}

type Drawn = 'random';

function computeSource(call: Exclude<SourceCall, { op: Drawn }>, computing: Computing): void {
  const compute = valuesOf[call.op] as (call: SourceCall, computing: Computing) => void;
  compute(call, computing);
}

/** The values of each kind of source but draws, which come from one stream. */
const valuesOf: { readonly [O in Exclude<SourceName, Drawn>]: (call: CallOf<O>, computing: Computing) => void } = {
  given: ({ path }, { spec, step, out }) => writeSpread(valueAt(spec, path), step.shape, numberOf, out.data),
  weight: ({ path }, { spec, plan, step, out }) => {
    const model = spec.model && providedModel(spec.model);
    if (!model) throw new Error(`no model for ${step.id}`);
    const { spec: filled } = withWeights(spec, model, plan.tokens.length);
    writeSpread(valueAt(filled, path), step.shape, numberOf, out.data);
  },
  tokens: (call, { plan, out }) => fill(out, tokenValues(plan, call)),
  sinusoidal: ({ layout, at, dtype }, { out }) => void sinusoidal(layout, out, at, dtype),
  rotations: ({ at, turning }, { out }) => void rotations(out, at, turning),
  alibi: ({ at }, { out }) => void alibi(out, at),
  buckets: (call, { out }) => fillBuckets(out, call),
  patternMask: (call, { out }) => fillPattern(out, call),
  listMask: (call, { out }) => {
    const [n, m] = [out.shape.at(-2) ?? 1, out.shape.at(-1) ?? 1];
    const perInput = out.shape.length > 2 ? out.data.length / (out.shape[0] ?? 1) : Infinity;
    for (let i = 0; i < out.data.length; i++)
      out.data[i] = hiddenByLists(call, Math.floor(i / m) % n, i % m, Math.floor(i / perInput));
  },
  givenMask: ({ path, hiddenIs }, { spec, step, out }) => {
    const hides = (leaf: unknown): number => ((numberOf(leaf) === 0) === (hiddenIs === 0) ? 1 : 0);
    writeSpread(valueAt(spec, path), step.shape, hides, out.data);
  },
};

function tokenValues({ tokens }: Plan, { rows }: CallOf<'tokens'>): number[] {
  if (!rows) return tokens.map(({ id }) => id);
  const numbers = rowsOf(tokens);
  return tokens.flatMap(({ id }, i) => [id, numbers[i] as number]);
}

function fill(out: Tensor, values: ArrayLike<number>): void {
  if (values.length !== out.data.length) throw new Error(`${values.length} values for shape ${out.shape.join('×')}`);
  out.data.set(values);
}

const numberOf = (leaf: unknown): number => decodeNumber(leaf as SpecNumber);

/** The value of a spec at a dotted path, such as `start.q` or `projections.wq`. */
const valueAt = (spec: AttentionSpec, path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], spec);

function fillBuckets(out: Tensor, { bucketing, at }: CallOf<'buckets'>): void {
  const [n, m] = [out.shape.at(-2) ?? 1, out.shape.at(-1) ?? 1];
  for (let i = 0; i < out.data.length; i++) {
    const [row, input] = [Math.floor(i / m) % n, Math.floor(i / (n * m))];
    out.data[i] = bucketOf(bucketing, positionAt(at?.keys, i % m, input) - positionAt(at?.queries, row, input));
  }
}

function fillPattern(out: Tensor, call: CallOf<'patternMask'>): void {
  const columns = out.shape.at(-1) ?? 0;
  for (let i = 0; i < out.data.length; i++) out.data[i] = hiddenBy(call, Math.floor(i / columns), i % columns);
}

/** 1 where a pattern hides the key from the query. */
const hiddenBy = ({ after, before, visible }: CallOf<'patternMask'>, query: number, key: number): 0 | 1 =>
  key - query > after || query - key > before || key >= visible ? 1 : 0;
