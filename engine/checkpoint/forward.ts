import { nextTurn, ok, type Result } from '../text';
import type { WasmKernels } from '../run';
import { attend, headsOf, hiddenCells, type AttentionInputs, type HeadValues } from './attention';
import {
  tensorsOfLayer,
  type Architecture,
  type AttentionPart,
  type Branch,
  type Embedding,
  type FeedForwardPart,
  type Layer,
  type Linear,
  type Norm,
  type Stack,
} from './architecture';
import { activate, capTo, normalized, type NormWeights } from './functions';
import { rotationsOf, type Rotations } from './rotate';
import { readAhead } from './read-ahead';
import { product, type SecondThread } from './second-thread';
import type { Weights } from './weights';

/** One attention of a forward pass, as soon as it was computed. */
export interface LayerAttention {
  readonly stack: Stack['name'];
  /** From 0. */
  readonly layer: number;
  readonly part: AttentionPart;
  readonly queries: number;
  readonly keys: number;
  readonly heads: readonly HeadValues[];
  /** Of each head, queries × keys. */
  readonly weights: readonly Float32Array[];
  /** T5's bias: buckets × heads. */
  readonly table?: Float32Array;
}

/** The operations that a pass asks of a backend. */
export type ForwardKernels = Pick<WasmKernels, 'matmul' | 'softmax' | 'attention'>;

export interface ForwardOptions {
  readonly kernels: ForwardKernels;
  /** Computes half of each large product, with the same results. */
  readonly second?: SecondThread;
  readonly onAttention: (attention: LayerAttention) => void;
  /** Called with the finished fraction, from 0 to 1. */
  readonly progress?: (done: number) => void;
  readonly cancelled?: () => boolean;
  /** Token ids that the decoder reads; without them a model with a decoder runs its encoder only. */
  readonly decoderIds?: readonly number[];
  /** For each token, which of two texts it belongs to; all to the first by default. Models without token types make nothing of it. */
  readonly types?: readonly (0 | 1)[];
  /** Positions whose scores over the vocabulary are wanted, in the last stack; the last one by default. */
  readonly scored?: readonly number[];
}

export interface ForwardResult {
  /** Scores of the vocabulary at each of `scored`; undefined in a model without a head on it. */
  readonly logits?: readonly Float32Array[];
  readonly notFinite?: NotFinite;
}

/** Where numbers first were NaN or infinite. */
export interface NotFinite {
  readonly at: 'embedding' | 'scores' | { readonly stack: Stack['name']; readonly layer: number };
  /** A tensor of the file that is read there and has such a number itself; absent where there is none, or it was not looked for. */
  readonly tensor?: string;
}

/** Thrown inside a pass, to leave it with problems; `runForward` catches it. */
class Stopped extends Error {
  constructor(readonly result: { readonly ok: false; readonly problems: Extract<Result<never>, { ok: false }>['problems'] }) {
    super();
  }
} // prettier-ignore

const cancelledProblem = { code: 'cancelled', message: 'cancelled' } as const;

/**
 * Computes a model's forward pass layer by layer in float32, with the kernels' order of summation. Reads the weights of one branch at a time. `ids` are at
 * most `architecture.context`. Problems: a tensor that cannot be read, `cancelled`.
 */
export async function runForward(
  architecture: Architecture,
  weights: Weights,
  ids: readonly number[],
  options: ForwardOptions,
): Promise<Result<ForwardResult>> {
  try {
    const order = architecture.stacks
      .flatMap(({ layers }) => layers)
      .flatMap((layer) => tensorsOfLayer(architecture, layer));
    return ok(await passOf({ architecture, weights: readAhead(weights, order), options, state: {} }, ids));
  } catch (error) {
    if (error instanceof Stopped) return error.result;
    throw error;
  }
}

type Positions = NonNullable<Embedding['positions']>;

interface Pass {
  readonly architecture: Architecture;
  readonly weights: Weights;
  readonly options: ForwardOptions;
  readonly state: { notFinite?: NotFinite };
}

async function passOf(pass: Pass, ids: readonly number[]): Promise<ForwardResult> {
  const { architecture, options } = pass;
  const [first, second] = architecture.stacks;
  if (!first) throw new Error('a model without layers');
  const all = first.layers.length + (second?.layers.length ?? 0);
  const encoded = await runStack(pass, first, await embedded(pass, ids, options.types), { done: 0, all });
  const last = second && options.decoderIds
    ? await runStack(pass, second, await embedded(pass, options.decoderIds), { done: first.layers.length, all, memory: encoded })
    : encoded;
  options.progress?.(1);
  const isWhole = !second || options.decoderIds !== undefined;
  const logits = architecture.unembedding && isWhole ? await scoresOf(pass, last) : undefined;
  if (logits && !logits.every(isFinite)) pass.state.notFinite ??= { at: 'scores' };
  return { ...(logits && { logits }), ...(pass.state.notFinite && { notFinite: pass.state.notFinite }) };
} // prettier-ignore

async function read({ weights }: Pass, name: string, rows?: readonly [number, number]): Promise<Float32Array> {
  const found = await weights.read(name, rows);
  if (!found.ok) throw new Stopped(found);
  return found.value;
}

async function normWeights(pass: Pass, { weight, bias }: Norm): Promise<NormWeights> {
  return { gain: await read(pass, weight), ...(bias !== undefined && { bias: await read(pass, bias) }) };
}

const normRows = async (pass: Pass, x: Float32Array, norm: Norm | undefined, width: number): Promise<Float32Array> =>
  norm ? normalized(x, width, norm, await normWeights(pass, norm)) : x;

/** Rows of the table, with positions, types and norm: tokens × width. */
async function embedded(pass: Pass, ids: readonly number[], of: readonly (0 | 1)[] = []): Promise<Float32Array> {
  const { embedding, width } = pass.architecture;
  const x = new Float32Array(ids.length * width);
  for (const [i, id] of ids.entries()) x.set(await read(pass, embedding.table, [id, id + 1]), i * width);
  const { times, positions, types } = embedding;
  const spoiltBy = (tensor: string | undefined, y: Float32Array = x): void => {
    if (!pass.state.notFinite && !isFinite(y)) pass.state.notFinite = { at: 'embedding', ...(tensor !== undefined && { tensor }) };
  };
  spoiltBy(embedding.table);
  if (times !== undefined) for (let i = 0; i < x.length; i++) x[i] = (x[i] as number) * times;
  if (types !== undefined) {
    const rows = await read(pass, types.table);
    for (let i = 0; i < ids.length; i++) {
      // RoBERTa's table has one row, for either text.
      const row = Math.min(of[i] ?? 0, types.count - 1);
      addTo(x.subarray(i * width, (i + 1) * width), rows.subarray(row * width, (row + 1) * width));
    }
    spoiltBy(types.table);
  }
  if (positions) await addPositions(pass, positions, ids, x);
  spoiltBy(positions?.table);
  const normed = await normRows(pass, x, embedding.norm, width);
  spoiltBy(undefined, normed);
  return normed;
} // prettier-ignore

/** Tokens of padding inside a text have a row of their own and are not counted (Hugging Face's RoBERTa, create_position_ids_from_input_ids). */
async function addPositions(pass: Pass, { table, first, padding }: Positions, ids: readonly number[], x: Float32Array): Promise<void> {
  if (padding === undefined || !ids.includes(padding)) return addTo(x, await read(pass, table, [first, first + ids.length]));
  const rows = await read(pass, table, [first - 1, first + ids.length]);
  const { width } = pass.architecture;
  let counted = 0;
  for (const [i, id] of ids.entries()) {
    const row = id === padding ? 0 : ++counted;
    addTo(x.subarray(i * width, (i + 1) * width), rows.subarray(row * width, (row + 1) * width));
  }
} // prettier-ignore

function addTo(x: Float32Array, y: Float32Array): void {
  for (let i = 0; i < x.length; i++) x[i] = (x[i] as number) + (y[i] as number);
}

function addRows(x: Float32Array, row: Float32Array, width: number): void {
  for (let at = 0; at < x.length; at += width)
    for (let j = 0; j < width; j++) x[at + j] = (x[at + j] as number) + (row[j] as number);
}

interface StackRun {
  /** Layers that were computed before this stack, of `all`. */
  readonly done: number;
  readonly all: number;
  /** What the encoder made, for attention that crosses. */
  readonly memory?: Float32Array;
}

async function runStack(pass: Pass, stack: Stack, x: Float32Array, run: StackRun): Promise<Float32Array> {
  const { architecture: { width }, options } = pass;
  const shared: Shared = { rotations: new Map(), masks: new Map() };
  let at = x;
  for (const [index, layer] of stack.layers.entries()) {
    options.progress?.((run.done + index) / run.all);
    await nextTurn();
    if (options.cancelled?.()) throw new Stopped({ ok: false, problems: [cancelledProblem] });
    at = await runLayer(pass, { stack, layer, index, shared, ...(run.memory && { memory: run.memory }) }, at);
    if (!pass.state.notFinite && !isFinite(at)) pass.state.notFinite = await spoiltIn(pass, stack, index);
  }
  return normRows(pass, at, stack.final, width);
} // prettier-ignore

const isFinite = (x: Float32Array): boolean => x.every((value) => Number.isFinite(value));

/** A layer whose result is not finite, though what it read was: by its own tensors, or by sums that are too large. */
async function spoiltIn(pass: Pass, { name: stack, layers }: Stack, layer: number): Promise<NotFinite> {
  for (const name of tensorsOfLayer(pass.architecture, layers[layer] as Layer))
    if (!isFinite(await read(pass, name))) return { at: { stack, layer }, tensor: name };
  return { at: { stack, layer } };
}

/** What layers have in common: rotations by their settings, masks by theirs. */
interface Shared {
  readonly rotations: Map<string, Rotations>;
  readonly masks: Map<string, Uint8Array | undefined>;
}

interface LayerRun {
  readonly stack: Stack;
  readonly layer: Layer;
  readonly index: number;
  readonly shared: Shared;
  readonly memory?: Float32Array;
}

async function runLayer(pass: Pass, run: LayerRun, x: Float32Array): Promise<Float32Array> {
  const { width } = pass.architecture;
  let at = x;
  for (const branch of run.layer.branches) {
    const input = await normRows(pass, run.layer.isParallel ? x : at, branch.before, width);
    const made = branch.kind === 'attention' ? await attention(pass, run, branch, input) : await feedForward(pass, branch, input);
    const sum = at.slice();
    addTo(sum, await normRows(pass, made, branch.after, width));
    at = await normRows(pass, sum, branch.sum, width);
  }
  return at;
} // prettier-ignore

/** x·W + b, as a copy. */
async function project(pass: Pass, { weight, bias, layout, inputs, outputs }: Linear, x: Float32Array): Promise<Float32Array> {
  const b = await read(pass, weight);
  const n = x.length / inputs;
  const { kernels, second } = pass.options;
  const y = await product(kernels, { a: x, b, n, k: inputs, m: outputs, transposed: layout === 'out×in' }, second);
  if (bias !== undefined) addRows(y, await read(pass, bias), outputs);
  return y;
} // prettier-ignore

async function attention(pass: Pass, run: LayerRun, part: Branch & AttentionPart, x: Float32Array): Promise<Float32Array> {
  const { width } = pass.architecture;
  const other = part.crosses ? run.memory : undefined;
  const [queries, keys] = [x.length / width, (other ?? x).length / width];
  const projected: Float32Array[] = [];
  const fromQuery = part.place('q', 0).linear;
  for (const [i, linear] of part.projections.entries()) projected.push(await project(pass, linear, i === fromQuery ? x : (other ?? x)));
  const inputs: AttentionInputs = {
    part, queries, keys, projected,
    ...(part.qkNorm && { norms: { q: await normWeights(pass, part.qkNorm.q), k: await normWeights(pass, part.qkNorm.k) } }),
    ...(part.rope && { rotations: rotationsFor(run.shared, part.rope, keys) }),
    ...(part.buckets && { table: await read(pass, part.buckets.table) }),
    ...maskFor(run.shared, part, queries, keys),
  };
  const heads = headsOf(inputs);
  const joined = new Float32Array(queries * part.heads * part.headWidth);
  const weights: Float32Array[] = [];
  for (const [head, values] of heads.entries()) {
    const result = attend(pass.options.kernels, inputs, values, head);
    weights.push(result.weights);
    for (let i = 0; i < queries; i++)
      joined.set(result.output.subarray(i * part.headWidth, (i + 1) * part.headWidth), (i * part.heads + head) * part.headWidth);
  }
  pass.options.onAttention({ stack: run.stack.name, layer: run.index, part, queries, keys, heads, weights, ...(inputs.table && { table: inputs.table }) });
  return project(pass, part.output, joined);
} // prettier-ignore

function rotationsFor({ rotations }: Shared, rope: NonNullable<AttentionPart['rope']>, count: number): Rotations {
  const key = JSON.stringify(rope);
  const known = rotations.get(key) ?? rotationsOf(rope, count);
  rotations.set(key, known);
  return known;
}

function maskFor({ masks }: Shared, part: AttentionPart, queries: number, keys: number): { mask?: Uint8Array } {
  const key = `${part.causal} ${part.window ?? ''} ${queries} ${keys}`;
  if (!masks.has(key)) masks.set(key, hiddenCells(part, queries, keys));
  const mask = masks.get(key);
  return mask ? { mask } : {};
}

async function feedForward(pass: Pass, part: FeedForwardPart, x: Float32Array): Promise<Float32Array> {
  const { up, gate, down, activation } = part;
  if (gate === 'fused') return project(pass, down, halvesGated(await project(pass, up, x), up.outputs / 2, activation));
  const opened = gate && (await project(pass, gate, x));
  if (opened) activate(opened, activation);
  const raised = await project(pass, up, x);
  if (!opened) {
    activate(raised, activation);
    return project(pass, down, raised);
  }
  for (let i = 0; i < raised.length; i++) raised[i] = (raised[i] as number) * (opened[i] as number);
  return project(pass, down, raised);
}

/** f(first half of each row) · second half. */
function halvesGated(x: Float32Array, half: number, activation: FeedForwardPart['activation']): Float32Array {
  const rows = x.length / (2 * half);
  const [gates, out] = [new Float32Array(rows * half), new Float32Array(rows * half)];
  for (let i = 0; i < rows; i++) gates.set(x.subarray(2 * i * half, (2 * i + 1) * half), i * half);
  activate(gates, activation);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < half; j++) out[i * half + j] = (gates[i * half + j] as number) * (x[(2 * i + 1) * half + j] as number);
  return out;
} // prettier-ignore

/** A token of the vocabulary, and its probability. */
export interface Prediction {
  readonly id: number;
  readonly probability: number;
}

/** The most probable tokens by a row of scores, in order; none where a score is no number, since all shares are none then. */
export function mostProbable(kernels: ForwardKernels, logits: Float32Array, count: number): readonly Prediction[] {
  if (!isFinite(logits)) return [];
  const shares = kernels.softmax({ x: logits.slice(), n: 1, m: logits.length }).slice();
  const best: number[] = [];
  for (let id = 0; id < shares.length; id++) {
    if (best.length === count && !((shares[id] as number) > (shares[best[count - 1] as number] as number))) continue;
    const at = best.findIndex((other) => (shares[id] as number) > (shares[other] as number));
    best.splice(at < 0 ? best.length : at, 0, id);
    if (best.length > count) best.pop();
  }
  return best.map((id) => ({ id, probability: shares[id] as number }));
}

/** Rows of the vocabulary's table that are read at once: 4 to 32 MB. */
const rowsAtOnce = 4096;

async function scoresOf(pass: Pass, x: Float32Array): Promise<readonly Float32Array[]> {
  const { architecture: { unembedding, width, vocabulary }, options } = pass;
  if (!unembedding) return [];
  const last = x.length / width - 1;
  const wanted = options.scored ?? [last];
  const rows = new Float32Array(wanted.length * width);
  wanted.forEach((row, i) => rows.set(x.subarray(row * width, (row + 1) * width), i * width));
  const dense = unembedding.dense ? await project(pass, unembedding.dense, rows) : rows;
  if (unembedding.activation) activate(dense, unembedding.activation);
  const h = await normRows(pass, dense, unembedding.norm, width);
  if (unembedding.times !== undefined) for (let i = 0; i < h.length; i++) h[i] = (h[i] as number) * unembedding.times;
  const logits = wanted.map(() => new Float32Array(vocabulary));
  const endOf = (from: number): number => Math.min(vocabulary, from + rowsAtOnce);
  // The next rows are read while these are multiplied.
  const rowsFrom = (from: number) => pass.weights.read(unembedding.table, [from, endOf(from)]);
  let next = rowsFrom(0);
  for (let from = 0; from < vocabulary; from += rowsAtOnce) {
    const to = endOf(from);
    const found = await next;
    if (!found.ok) throw new Stopped(found);
    const b = found.value;
    if (to < vocabulary) next = rowsFrom(to);
    const part = options.kernels.matmul({ a: h, b, n: wanted.length, k: width, m: to - from, transposed: true });
    logits.forEach((row, i) => row.set(part.subarray(i * (to - from), (i + 1) * (to - from)), from));
  }
  const bias = unembedding.bias === undefined ? undefined : await read(pass, unembedding.bias);
  for (const row of logits) {
    if (bias) addTo(row, bias);
    if (unembedding.softcap !== undefined) capTo(row, unembedding.softcap);
  }
  return logits;
} // prettier-ignore
