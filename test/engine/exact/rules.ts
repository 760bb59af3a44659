import { decodeNumber, type AttentionSpec } from '../../../engine/index';
import { round, type Cells, type DType, type Made } from './cells';
import { pair, squareRoot, type Pair } from './double-double';
import { capped, filled, moved, product, quotient, rotated, same, softmax, sum } from './kernels';
import { alibi, rotations, sinusoids } from './sources';

/** What a rule can see: the spec, and the steps that the trace has. */
export interface Seen {
  readonly spec: AttentionSpec;
  has(id: string): boolean;
  get(id: string): Cells;
}

/** `given`: numbers of the spec, ids and masks, which must be equal; `drawn`: random numbers, within 2 ulp of NumPy's. */
export type Origin = 'given' | 'drawn';

type Rule = (seen: Seen) => Made | Origin;

/** The last of these steps that the trace has. */
function last(seen: Seen, ...ids: readonly string[]): Cells {
  const id = ids.find((x) => seen.has(x));
  if (id === undefined) throw new Error(`the trace has none of ${ids.join(', ')}`);
  return seen.get(id);
}

const dtypeOf = (seen: Seen): DType => seen.spec.dtype;
const isTurned = (seen: Seen): boolean => seen.spec.convention === 'XWT';
const kvHeads = (seen: Seen): number => seen.spec.kvHeads ?? seen.spec.heads;

/** Width of the embedding: X's own where there is one. */
const dModel = (seen: Seen): number => (seen.has('x') ? (seen.get('x').shape.at(-1) ?? 0) : seen.spec.dModel);

function dK(seen: Seen): number {
  if (seen.spec.start.from === 'scores') return seen.spec.start.dK;
  return last(seen, 'qRotated', 'qHeads', 'q').shape.at(-1) ?? 0;
}

const sources: Readonly<Record<string, readonly string[]>> = {
  q: ['x'],
  k: ['context', 'x'],
  v: ['valueSource', 'context', 'x'],
};
const source = (seen: Seen, letter: string): Cells => last(seen, ...(sources[letter] ?? []));

const weighted = (seen: Seen, rows: Cells, weight: string): Made =>
  product(rows, seen.get(weight), isTurned(seen), dtypeOf(seen));

/** n×(h·d) to h×n×d. */
function split(a: Cells, heads: number): Made {
  const [n, width] = a.shape.slice(-2) as [number, number];
  const d = width / heads;
  return moved(a, [heads, n, d], (f) => (Math.floor(f / d) % n) * width + Math.floor(f / (n * d)) * d + (f % d));
}

/** [batch×]h×n×d to [batch×]n×(h·d). */
function joined(a: Cells): Made {
  const [h, n, d] = a.shape.slice(-3) as [number, number, number];
  const sheet = h * n * d;
  return moved(a, [...a.shape.slice(0, -3), n, h * d], (f) => {
    const column = f % (h * d);
    const row = Math.floor(f / (h * d)) % n;
    return Math.floor(f / sheet) * sheet + Math.floor(column / d) * n * d + row * d + (column % d);
  });
}

/** Head k of h reads key and value head ⌊k·kv/h⌋. */
function shared(seen: Seen, a: Cells): Made {
  const [kv, m, d] = a.shape.slice(-3) as [number, number, number];
  const group = seen.spec.heads / kv;
  const lead = a.shape.slice(0, -3);
  return moved(a, [...lead, seen.spec.heads, m, d], (f) => {
    const sheet = Math.floor(f / (m * d));
    return Math.floor(sheet / group) * m * d + (f % (m * d));
  });
}

const projection =
  (letter: string): Rule =>
  (seen) => {
    const product = `${letter}Product`;
    if (seen.has(product)) return sum(seen.get(product), seen.get(`b${letter}`));
    if (seen.has(`w${letter}`)) return weighted(seen, source(seen, letter), `w${letter}`);
    return seen.has('x') ? same(source(seen, letter)) : 'given';
  };

const productOf =
  (letter: string): Rule =>
  (seen) =>
    weighted(seen, source(seen, letter), `w${letter}`);

const headsOf =
  (letter: string): Rule =>
  (seen) =>
    split(seen.get(letter), letter === 'q' ? seen.spec.heads : kvHeads(seen));

const rotationsOf =
  (letter: string): Rule =>
  (seen) => {
    const [n, d] = last(seen, `${letter}Heads`, letter).shape.slice(-2) as [number, number];
    return rotations(n, d, dtypeOf(seen));
  };

const rotatedOf =
  (letter: string): Rule =>
  (seen) => {
    const half = seen.spec.positions === 'rope-half';
    return rotated(last(seen, `${letter}Heads`, letter), seen.get(`${letter}Rotations`), half, dtypeOf(seen));
  };

const origin =
  (part: (spec: AttentionSpec) => { readonly from: string } | undefined): Rule =>
  (seen) =>
    part(seen.spec)?.from === 'random' ? 'drawn' : 'given';

function positions(seen: Seen): Made | Origin {
  const { positions: kind, dtype } = seen.spec;
  if (typeof kind !== 'string') return 'given';
  if (kind === 'learned-random') return 'drawn';
  const [n, d] = last(seen, 'given', 'embedding').shape as [number, number];
  return sinusoids(n, d, kind === 'sinusoidal-concatenated', dtype);
}

function x(seen: Seen): Made | Origin {
  if (seen.has('positions')) return sum(last(seen, 'given', 'embedding'), seen.get('positions'));
  return seen.has('embedding') ? same(seen.get('embedding')) : 'given';
}

function embedding(seen: Seen): Made {
  const table = seen.get('table');
  const width = table.shape[1] ?? 0;
  const { values, shape } = seen.get('tokens');
  const [n, columns] = shape as [number, number];
  // The last column: the row beside the id, where a vocabulary's ids have a table of distinct tokens.
  const row = (i: number): number => values[i * columns + columns - 1] ?? -1;
  return moved(table, [n, width], (f) => row(Math.floor(f / width)) * width + (f % width));
}

function scores(seen: Seen): Made | Origin {
  if (seen.spec.start.from === 'scores') return 'given';
  const q = last(seen, 'qRotated', 'qHeads', 'q');
  return product(q, last(seen, 'kShared', 'kRotated', 'kHeads', 'k'), true, dtypeOf(seen));
}

function divisor(seen: Seen): Pair | undefined {
  const { scale, dtype } = seen.spec;
  if (scale === 'none') return undefined;
  if (typeof scale === 'object') return pair(round(scale.divideBy, dtype));
  return squareRoot(scale === 'sqrt_d_k' ? dK(seen) : dModel(seen));
}

function scaled(seen: Seen): Made {
  const by = divisor(seen);
  const before = seen.get('scores');
  return by === undefined ? same(before) : quotient(before, by);
}

function masked(seen: Seen): Made {
  const { mask, maskFill, dtype } = seen.spec;
  const before = last(seen, 'tempered', 'capped', 'biased', 'scaled');
  if (mask === 'none') return same(before);
  if (typeof mask === 'object' && mask.kind === 'additive') return sum(before, seen.get('mask'));
  return filled(before, seen.get('mask'), fillOf(maskFill, dtype));
}

function fillOf(fill: AttentionSpec['maskFill'], dtype: DType): number {
  if (fill === 'min') return dtype === 'float32' ? -(2 - 2 ** -23) * 2 ** 127 : -Number.MAX_VALUE;
  return round(decodeNumber(fill), dtype);
}

function weights(seen: Seen): Made | Origin {
  if (seen.spec.start.from === 'weights') return 'given';
  return softmax(seen.get('masked'), seen.spec.fullyMasked === 'zero', dtypeOf(seen));
}

function attended(seen: Seen): Made {
  return product(seen.get('weights'), last(seen, 'vShared', 'vHeads', 'v'), false, dtypeOf(seen));
}

function output(seen: Seen): Made {
  if (seen.has('outputProduct')) return sum(seen.get('outputProduct'), seen.get('bo'));
  if (seen.has('wo')) return weighted(seen, last(seen, 'concat', 'attended'), 'wo');
  return seen.has('headOutputs') ? joined(seen.get('headOutputs')) : attended(seen);
}

function alibiOf(seen: Seen): Made {
  const [n, m] = seen.get('scores').shape.slice(-2) as [number, number];
  return alibi(seen.spec.heads, n, m, dtypeOf(seen));
}

/** By step id, how it follows from the steps before it: written from the same papers as the Python program, not from the plan. */
export const rules: Readonly<Record<string, Rule>> = {
  tokens: () => 'given',
  table: origin((s) => s.embedding ?? { from: 'random' }),
  embedding,
  given: () => 'given',
  positions,
  x,
  context: () => 'given',
  valueSource: () => 'given',
  wq: origin((s) => s.projections),
  wk: origin((s) => s.projections),
  wv: origin((s) => s.projections),
  bq: origin((s) => s.projections),
  bk: origin((s) => s.projections),
  bv: origin((s) => s.projections),
  qProduct: productOf('q'),
  kProduct: productOf('k'),
  vProduct: productOf('v'),
  q: projection('q'),
  k: projection('k'),
  v: projection('v'),
  qHeads: headsOf('q'),
  kHeads: headsOf('k'),
  vHeads: headsOf('v'),
  qRotations: rotationsOf('q'),
  kRotations: rotationsOf('k'),
  qRotated: rotatedOf('q'),
  kRotated: rotatedOf('k'),
  kShared: (seen) => shared(seen, last(seen, 'kRotated', 'kHeads', 'k')),
  vShared: (seen) => shared(seen, last(seen, 'vHeads', 'v')),
  scores,
  scaled,
  alibi: alibiOf,
  biased: (seen) => sum(seen.get('scaled'), seen.get('alibi')),
  capped: (seen) =>
    capped(last(seen, 'biased', 'scaled'), round(seen.spec.softcap ?? NaN, dtypeOf(seen)), dtypeOf(seen)),
  tempered: (seen) =>
    quotient(last(seen, 'capped', 'biased', 'scaled'), pair(round(seen.spec.temperature ?? NaN, dtypeOf(seen)))),
  mask: () => 'given',
  masked,
  weights,
  headOutputs: attended,
  attended,
  concat: (seen) => joined(seen.get('headOutputs')),
  wo: origin((s) => s.outputProjection),
  bo: origin((s) => s.outputProjection),
  outputProduct: (seen) => weighted(seen, last(seen, 'concat', 'attended'), 'wo'),
  output,
};
