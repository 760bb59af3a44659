import {
  columnsOf,
  grid,
  isSquareGrid,
  mapped,
  meanOf,
  placed,
  productTransposed,
  reshaped,
  rowwise,
  slice,
  type Grid,
} from './grid';
import { roundsTo, type Choice, type Inputs, type Next, type Stage } from './stage';
import { turned } from './turn';

/* From Q, K and V to the scores that softmax sees: cutting heads, positions by rotation, the scale, the mask. */

// --- heads --------------------------------------------------------------------------

function cutOne(m: Grid, heads: number, id: string | undefined): Grid[] {
  if (heads === 1) return [m];
  const width = m.width / heads;
  return Array.from({ length: heads }, (_, head) => {
    if (id === 'viewHeads') return reshaped([m], m.height, width, head * m.height * width);
    if (id === 'strideHeads') return columnsOf(m, width, (j) => j * heads + head);
    return slice(m, head * width, width);
  });
}

/** Key and value heads for each query head. */
function shared(all: readonly Grid[], heads: number, id: string | undefined): readonly Grid[] {
  const group = heads / all.length;
  if (id === 'groupsAveraged') {
    const one = meanOf(all);
    return Array.from({ length: heads }, () => one);
  }
  const which = (head: number): number => {
    if (id === 'groupsTiled') return head % all.length;
    if (id === 'groupsFirst') return 0;
    if (id === 'groupsReversed') return all.length - 1 - Math.floor(head / group);
    return Math.floor(head / group);
  };
  return Array.from({ length: heads }, (_, head) => all[which(head)] ?? all[0]).filter((one) => one !== undefined);
}

const inGroups = new Set(['groupsTiled', 'groupsFirst', 'groupsAveraged', 'groupsReversed']);
const inHeads = new Set(['viewHeads', 'strideHeads', 'oneHead', 'viewQueries', 'headsRolled']);

export function cut({ heads, kvHeads }: Inputs, { cut: id }: Choice, { q, k, v, ...rest }: Stage): Next {
  if (id !== undefined && inGroups.has(id) && kvHeads === heads) return undefined;
  if (id !== undefined && inHeads.has(id) && heads === 1) return undefined;
  const [queries, keys, values] = [q[0], k[0], v[0]];
  if (!queries || !keys || !values) return undefined;
  if (id === 'oneHead') return heads === kvHeads ? { ...rest, q, k, v, now: [] } : undefined;
  const ofKeys = id === 'viewQueries' ? undefined : id;
  const cutQ = cutOne(queries, heads, id === 'viewQueries' ? 'viewHeads' : id);
  const cutK = shared(cutOne(keys, kvHeads, ofKeys), heads, id);
  const cutV = shared(cutOne(values, kvHeads, ofKeys), heads, id);
  const rolled = id === 'headsRolled' ? [...cutV.slice(1), ...cutV.slice(0, 1)] : cutV;
  return { ...rest, q: cutQ, k: cutK, v: rolled, now: [] };
}

// --- products -----------------------------------------------------------------------

const lengthsOf = (g: Grid): Grid =>
  rowwise(g, (row, out) => {
    let squares = 0;
    for (const x of row) squares += x * x;
    const length = Math.sqrt(squares);
    for (let j = 0; j < out.length; j++) out[j] = (row[j] as number) / length;
  });

function productsOf({ q, k }: Stage, id: string | undefined): readonly Grid[] | undefined {
  const keys = k.map((one) => {
    if (id === 'keysViewed') return placed(one.height, one.width, [one], (i, j) => viewedAsTransposed(one, i, j));
    return id === 'cosine' ? lengthsOf(one) : one;
  });
  if (id === 'keysViewed' && k.some((one) => one.width === 1)) return undefined;
  const queries = id === 'cosine' ? q.map(lengthsOf) : q;
  return queries.map((one, head) => productTransposed(one, keys[head] ?? one));
}

/** Row j, column i of K.reshape(d, n). */
function viewedAsTransposed(k: Grid, key: number, column: number): number {
  const at = column * k.height + key;
  return k.row(Math.floor(at / k.width))[at % k.width] as number;
}

/** RoPE, and then the scores. */
export function turn(inputs: Inputs, { turn: id }: Choice, stage: Stage): Next {
  const isOfProducts = id === 'keysViewed' || id === 'cosine';
  if (!inputs.rope && id !== undefined && !isOfProducts) return undefined;
  const rotated = inputs.rope ? turned(inputs, isOfProducts ? undefined : id, stage) : stage;
  const now = rotated && productsOf(rotated, id);
  return rotated && now && { ...rotated, now };
}

// --- scale --------------------------------------------------------------------------

const root = (x: number): number => Math.sqrt(x);

/** By what the scores are divided; d_k, all heads' width, keys, heads, columns of X. */
const divisors: Readonly<Record<string, (dK: number, inputs: Inputs) => number>> = {
  noScale: () => 1,
  scaleRoot: (dK, { divisor }) => (divisor === undefined ? NaN : root(dK)),
  scaleD: (dK) => dK,
  scaleModel: (_, { q }) => root(q.width),
  scaleInput: (_, { x, q }) => (x && x.width !== q.width ? root(x.width) : NaN),
  scaleBoth: (dK, { x, q, heads }) =>
    heads === 1 && (x?.width ?? q.width) === q.width ? NaN : root(dK * (x?.width ?? q.width)),
  scaleWidth: (_, { q, heads }) => (heads === 1 ? NaN : q.width),
  scaleKeys: (_, { k }) => root(k.height),
  scaleHeads: (_, { heads }) => root(heads),
  scaleTimes: (dK) => 1 / root(dK),
  scaleTimesD: (dK) => 1 / dK,
  scaleFourth: (dK) => root(root(dK)),
  scaleZero: () => Infinity,
  scaleEight: () => 8,
  scaleInteger: (dK) => Math.floor(root(dK)),
  scaleHalf: (dK) => dK / 2,
  scaleValues: (_, { v, kvHeads }) => root(v.width / kvHeads),
};

export function scale(inputs: Inputs, { scale: id }: Choice, stage: Stage): Next {
  const dK = stage.q[0]?.width ?? NaN;
  const own = inputs.divisor ?? root(dK);
  if (id === 'scaleAfter') return { ...stage, divideAfter: own };
  const rounding = roundings[id ?? ''];
  const by = id === undefined || rounding ? own : divisors[id]?.(dK, inputs);
  // To divide by 1 is not to divide.
  if (by === undefined || Number.isNaN(by) || (by === 1 && !rounding && id !== undefined && id !== 'noScale'))
    return undefined;
  const of = rounding ? (m: Grid): Grid => mapped(m, (x) => rounding(x / by)) : (m: Grid): Grid => divided(m, by);
  return { ...stage, now: stage.now.map(of) };
}

const divided = (m: Grid, by: number): Grid =>
  rowwise(m, (row, out) => {
    for (let j = 0; j < out.length; j++) out[j] = (row[j] as number) / by;
  });

const roundings: Readonly<Record<string, (x: number) => number>> = {
  scaleFloor: Math.floor,
  scoresWhole: Math.trunc,
  scoresRounded2: (x) => roundsTo(x, 2),
  scoresRounded1: (x) => roundsTo(x, 1),
};

// --- mask ---------------------------------------------------------------------------

const fills: Readonly<Record<string, number>> = {
  maskZero: 0, maskTiny: 1e-9, maskMinusOne: -1, maskMinusTen: -10, maskPositive: 1e9,
}; // prettier-ignore

type Hides = (hidden: Grid, row: number, column: number) => boolean;
const isHidden: Hides = (hidden, row, column) => hidden.row(row)[column] === 1;

/** Other cells than those that are to be hidden. */
const hiding: Readonly<Record<string, Hides>> = {
  maskInverted: (hidden, i, j) => !isHidden(hidden, i, j),
  maskTransposed: (hidden, i, j) => isHidden(hidden, j, i),
  maskFirstRow: (hidden, _i, j) => isHidden(hidden, 0, j),
  maskLastRow: (hidden, _i, j) => isHidden(hidden, hidden.height - 1, j),
  maskReversed: (hidden, i, j) => isHidden(hidden, i, hidden.width - 1 - j),
  causalToo: (hidden, i, j) => isHidden(hidden, i, j) || j > i,
  causalForgotten: (hidden, i, j) => isHidden(hidden, i, j) && j <= i,
};

function hides({ hidden, window, isCausal }: Inputs, id: string): Hides | undefined {
  if (id === 'causalToo') return isCausal ? undefined : hiding[id];
  if (!hidden) return undefined;
  if (id === 'maskTransposed' && !isSquareGrid(hidden)) return undefined;
  if (saysTheSame(id, hidden, isCausal)) return undefined;
  if (id === 'maskStart' || id === 'maskEnd') {
    if (!isCausal || isSquareGrid(hidden) || window) return undefined;
    const by = id === 'maskStart' ? 0 : hidden.width - hidden.height;
    return (_, i, j) => j > i + by;
  }
  // With a cache a query's own key is not that of its row.
  const own = isCausal || window || hidden.height === 1 ? hidden.width - hidden.height : 0;
  if (id === 'maskStrict') return (_, i, j) => isHidden(hidden, i, j) || j === i + own;
  if (id === 'maskLoose') return (_, i, j) => isHidden(hidden, i, j) && j !== i + own + 1;
  if (!id.startsWith('window')) return hiding[id];
  const made = window && ofWindow(window, id);
  return made && ((_, i, j) => made(hidden, i + own, j));
}

/** What is then the same as no mask at all. */
function saysTheSame(id: string, hidden: Grid, isCausal: boolean): boolean {
  if (id === 'causalForgotten') return isCausal;
  return id === 'maskLastRow' && !hidden.row(hidden.height - 1).includes(1);
}

function ofWindow({ reach, causal }: NonNullable<Inputs['window']>, id: string): Hides | undefined {
  const isAfter = (i: number, j: number): boolean => causal && j > i;
  if (id === 'windowShort') return (_, i, j) => isAfter(i, j) || Math.abs(i - j) > reach - 1;
  if (id === 'windowLong') return (_, i, j) => isAfter(i, j) || Math.abs(i - j) > reach + 1;
  if (id === 'windowForgotten') return causal ? (_, i, j) => j > i : undefined;
  if (id === 'windowBoth') return causal ? (_, i, j) => Math.abs(i - j) > reach : undefined;
  if (id === 'windowBlocks') return (_, i, j) => isAfter(i, j) || Math.floor(i / (reach + 1)) !== Math.floor(j / (reach + 1));
  return undefined;
} // prettier-ignore

/** No mask of the spec: one that hides nothing, so that a mistake can hide what should be seen. */
const nothingHidden = ([first]: readonly Grid[]): Grid => grid(first?.height ?? 0, first?.width ?? 0, () => undefined);

/** Numbers that are added to the scores in place of −∞. */
const sums: Readonly<Record<string, (isHidden: boolean) => number>> = {
  maskAdded: (is) => (is ? 1 : 0),
  maskAddedSeen: (is) => (is ? 0 : 1),
  maskNaN: (is) => (is ? -Infinity : NaN),
  maskTaken: (is) => (is ? -1 : 0),
};

export function mask(inputs: Inputs, { mask: id }: Choice, stage: Stage): Next {
  const { hidden, fill } = inputs;
  if (!hidden && id !== 'causalToo') return id === undefined ? stage : undefined;
  const own = hidden ?? nothingHidden(stage.now);
  if (id === 'noMask') return { ...stage };
  if (id === 'maskAfter') return { ...stage, hideAfter: own };
  if (id === 'maskInfiniteAfter') return { ...stage, hideAfter: own, fillAfter: -Infinity };
  const adds = sums[id ?? ''];
  if (adds) return over(stage, own, (x, is) => x + adds(is), isHidden);
  const other = fills[id ?? ''];
  if (other !== undefined) return filled(stage, own, other);
  if (id === 'maskFirstHead') {
    const all = filled(stage, own, fill).now;
    return stage.now.length > 1 ? { ...stage, now: stage.now.map((m, i) => (i === 0 ? (all[0] ?? m) : m)) } : undefined;
  }
  if (id === undefined) return filled(stage, own, fill);
  const where = hides(inputs, id);
  return where && filled(stage, cellsOf(own, where), fill);
} // prettier-ignore

/** 1 in each cell that is hidden, once for all heads. */
const cellsOf = (own: Grid, where: Hides): Grid =>
  grid(own.height, own.width, (i, out) => {
    for (let j = 0; j < out.length; j++) if (where(own, i, j)) out[j] = 1;
  });

const filled = (stage: Stage, hidden: Grid, fill: number): Stage => ({
  ...stage,
  now: stage.now.map((m) =>
    rowwise(m, (row, out, i) => {
      const cells = hidden.row(i);
      for (let j = 0; j < out.length; j++) out[j] = cells[j] === 1 ? fill : (row[j] as number);
    }),
  ),
});

const over = (stage: Stage, own: Grid, of: (x: number, isHidden: boolean) => number, where: Hides): Stage => ({
  ...stage,
  now: stage.now.map((m) => mapped(m, (x, i, j) => of(x, where(own, i, j)))),
});
