import { cos, pow, sin } from '../../math';
import {
  gridOf,
  columnsOf,
  flipped,
  biased,
  grid,
  isSameSize,
  isSquareGrid,
  linear,
  mapped,
  put,
  rowwise,
  sum,
  type Grid,
} from './grid';
import type { Branch, Choice, Embedded, Inputs, Next, Stage } from './stage';
import { normed, tokenNormed } from './norm';

/* From X to Q, K and V: positions that are added, a norm before attention, the projections. */

// --- X ------------------------------------------------------------------------------

/** sin and cos of position / divisor, each by its column. */
const encoding = (like: Grid, of: (position: number, column: number) => number): Grid =>
  grid(like.height, like.width, (i, out) => {
    for (let j = 0; j < out.length; j++) out[j] = of(i, j);
  });

type Layout = NonNullable<Embedded['layout']>;

/** The pair that a column belongs to, and whether it holds the sine of it. */
function placeIn(layout: Layout, column: number, d: number): { readonly pair: number; readonly isSine: boolean } {
  const half = Math.floor(d / 2);
  if (layout === 'concatenated') return { pair: column % half, isSine: column < half };
  return { pair: Math.floor(column / 2), isSine: column % 2 === 0 };
}

/** The exponent of the base is this, over the width. */
const exponents: Readonly<Record<string, (pair: number, column: number) => number>> = {
  positionsColumn: (_, column) => column,
  positionsDouble: (_, column) => 2 * column,
};

const aboutSines = new Set([
  'positionsFromOne', 'positionsLayout', 'positionsReversed', 'positionsSwapped', 'positionsColumn', 'positionsDouble', 'positionsTimes', 'positionsBase',
]); // prettier-ignore

/** Positions as a mistake has them; undefined where it is about sines and there are none. */
function positionsOf({ positions, layout }: Embedded, id: string): Grid | undefined {
  const { width: d, height } = positions;
  if (!layout || d % 2 !== 0 || !aboutSines.has(id)) return undefined;
  const used = id === 'positionsLayout' ? (layout === 'interleaved' ? 'concatenated' : 'interleaved') : layout;
  const base = id === 'positionsBase' ? 1000 : 10000;
  const exponent = exponents[id] ?? ((pair: number): number => 2 * pair);
  return encoding(positions, (row, column) => {
    const { pair, isSine } = placeIn(used, column, d);
    const by = pow(base, exponent(pair, column) / d);
    const at = id === 'positionsFromOne' ? row + 1 : id === 'positionsReversed' ? height - 1 - row : row;
    const angle = id === 'positionsTimes' ? at * by : at / by;
    return isSine === (id !== 'positionsSwapped') ? sin(angle) : cos(angle);
  });
}

export function input({ embedded }: Inputs, choice: Choice, stage: Stage): Next {
  const { input: id } = choice;
  if (id === undefined) return stage;
  const { x } = stage;
  if (id === 'embeddingScaled') {
    const scaled = (g: Grid): Grid => mapped(g, (value) => value * Math.sqrt(g.width));
    if (embedded) return { ...stage, x: sum(scaled(embedded.given), embedded.positions) };
    return x && { ...stage, x: scaled(x) };
  }
  if (!embedded) return undefined;
  const { given, positions } = embedded;
  if (id === 'noPositions') return { ...stage, x: given };
  if (id === 'positionsTwice') return { ...stage, x: sum(sum(given, positions), positions) };
  if (id === 'positionsMultiplied')
    return { ...stage, x: mapped(given, (value, i, j) => value * (positions.row(i)[j] as number)) };
  const others = positionsOf(embedded, id);
  return others && { ...stage, x: sum(given, others) };
}

// --- the norm before attention ------------------------------------------------------

export function norm({ block }: Inputs, { norm: id }: Choice, stage: Stage): Next {
  const { x } = stage;
  if (id === 'normUnasked') return block || !x ? undefined : { ...stage, normed: tokenNormed(x) };
  if (!block) return id === undefined ? stage : undefined;
  if (block.norm === 'none' || !x) return id === undefined ? stage : undefined;
  if (id === 'normOrder') return block.norm === 'before' ? stage : { ...stage, normed: normed(x, block, undefined) };
  if (block.norm === 'after') return stage;
  if (id === 'noNorm') return stage;
  return { ...stage, normed: normed(x, block, id) };
}

// --- projections --------------------------------------------------------------------

const turned: Readonly<Record<Branch, string>> = { q: 'transposedWq', k: 'transposedWk', v: 'transposedWv' };
const unbiased: Readonly<Record<Branch, string>> = { q: 'noBq', k: 'noBk', v: 'noBv' };

/** W of another branch beside the own bias. Without biases that is Q, K or V in another's place. */
const otherWeights: Readonly<Record<string, Readonly<Partial<Record<Branch, Branch>>>>> = {
  weightsSwappedQK: { q: 'k', k: 'q' },
  weightsSwappedKV: { k: 'v', v: 'k' },
  weightsSwappedQV: { q: 'v', v: 'q' },
};

interface Sources {
  readonly q: Grid;
  readonly k: Grid;
  readonly v: Grid;
}

/** What each projection is applied to. */
function sourcesOf({ context }: Inputs, id: string | undefined, { x, normed }: Stage): Sources | undefined {
  const own = normed ?? x;
  if (!own) return undefined;
  const other = context ?? own;
  if (id === 'selfForCross') return context && { q: own, k: own, v: own };
  if (id === 'contextForQueries') return context && { q: other, k: own, v: own };
  if (id === 'valuesOfX') return context?.height === own.height ? { q: own, k: other, v: own } : undefined;
  if (id === 'normQueriesOnly') return normed && x && !context ? { q: own, k: x, v: x } : undefined;
  return { q: own, k: other, v: other };
}

function branchOf(inputs: Inputs, branch: Branch, id: string | undefined, source: Grid): Grid | undefined {
  const projection = inputs.w?.[id === 'sharedWq' ? 'q' : id === 'sharedWk' ? 'k' : branch];
  if (!projection) return undefined;
  const { bias } = projection;
  const other = otherWeights[id ?? '']?.[branch];
  if (otherWeights[id ?? ''] && !bias) return undefined;
  const weight = other === undefined ? projection.weight : inputs.w?.[other].weight;
  if (!weight || (other !== undefined && weight.width !== projection.weight.width)) return undefined;
  const flips = id === turned[branch] || id === 'transposedAll';
  if (flips && !isSquareGrid(weight)) return undefined;
  if (source.width !== weight.height) return undefined;
  if (id === 'biasBefore') {
    if (!bias || bias.length !== source.width) return undefined;
    return linear(biased(source, bias), weight, undefined);
  }
  const used = flips ? flipped(weight) : weight;
  const isBiased = id !== unbiased[branch] && id !== 'noBias';
  return linear(source, used, isBiased ? bias : undefined, id === 'biasTwice' ? 2 : 1);
}

function projected(inputs: Inputs, id: string | undefined, stage: Stage): Sources | undefined {
  if (!inputs.w) {
    if (id !== undefined && !exchanges.has(id) && !id.startsWith('fused')) return undefined;
    return { q: inputs.q, k: inputs.k, v: inputs.v };
  }
  // What was computed before is the engine's own, as long as nothing was changed.
  if (id === undefined && stage.x === inputs.x && !stage.normed && !inputs.block)
    return { q: inputs.q, k: inputs.k, v: inputs.v };
  const sources = sourcesOf(inputs, id, stage);
  if (!sources) return undefined;
  const [q, k, v] = (['q', 'k', 'v'] as const).map((branch) => branchOf(inputs, branch, id, sources[branch]));
  return q && k && v ? { q, k, v } : undefined;
}

const exchanges = new Set([
  'swapQK',
  'swapKV',
  'swapQV',
  'valuesAreKeys',
  'valuesAreQueries',
  'keysAreQueries',
  'keysAreValues',
]);

/** Q, K and V in each other's place. */
function exchanged({ q, k, v }: Sources, id: string | undefined): Sources {
  if (id === 'swapQK') return { q: k, k: q, v };
  if (id === 'swapKV') return { q, k: v, v: k };
  if (id === 'swapQV') return { q: v, k, v: q };
  if (id === 'valuesAreKeys') return { q, k, v: k };
  if (id === 'valuesAreQueries') return { q, k, v: q };
  if (id === 'keysAreQueries') return { q, k: q, v };
  if (id === 'keysAreValues') return { q, k: v, v };
  if (id === 'fusedRolled') return { q: k, k: v, v: q };
  if (id === 'fusedRolledBack') return { q: v, k: q, v: k };
  return { q, k, v };
}

/** [Q | K | V] as one matrix, cut in another order than it was joined in. */
function fused({ q, k, v }: Sources, heads: number, id: string): Sources | undefined {
  const { width } = q;
  if (!isSameSize(q, k) || !isSameSize(k, v) || width % heads !== 0) return undefined;
  const whole = rowwise(q, (_row, out, i) => {
    put(out, q.row(i), 0);
    put(out, k.row(i), width);
    put(out, v.row(i), 2 * width);
  }, 3 * width);
  const all = { ...whole, from: [q, k, v] };
  const d = width / heads;
  const column = id === 'fusedByHead'
    ? (which: number, j: number): number => Math.floor(j / d) * 3 * d + which * d + (j % d)
    : (which: number, j: number): number => 3 * j + which;
  const cut = (which: number): Grid => columnsOf(all, width, (j) => column(which, j));
  return { q: cut(0), k: cut(1), v: cut(2) };
} // prettier-ignore

function inputAs(inputs: Inputs, id: string | undefined, stage: Stage, made: Sources): Sources | undefined {
  const x = stage.normed ?? stage.x;
  const other = inputs.context ?? x;
  if (id === 'valuesAreX') return other && { ...made, v: other };
  if (id === 'keysAreX') return other && { ...made, k: other };
  if (id === 'queriesAreX') return x && { ...made, q: x };
  return made;
}

export function project(inputs: Inputs, { project: id }: Choice, stage: Stage): Next {
  const made = projected(inputs, id, stage);
  if (!made) return undefined;
  const isFused = id === 'fusedByHead' || id === 'fusedColumns';
  const cut = isFused ? fused(made, inputs.heads, id) : exchanged(made, id);
  const all = cut && inputAs(inputs, id, stage, cut);
  if (!all) return undefined;
  const { q, k, v } = all;
  const isWhole = q.width % inputs.heads === 0 && k.width % inputs.kvHeads === 0 && v.width % inputs.kvHeads === 0;
  if (!isWhole || k.height !== v.height || q.width / inputs.heads !== k.width / inputs.kvHeads) return undefined;
  if (inputs.hidden && (inputs.hidden.height !== q.height || inputs.hidden.width !== k.height)) return undefined;
  return { ...stage, q: [q], k: [k], v: [v], now: [] };
}

export { gridOf };
