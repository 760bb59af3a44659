import { exp } from '../math';
import { parts, type Part } from './catalogue';
import { at, isSquare, map, rowsOf, times, timesTransposed, transposed, widthOf, type Matrix } from './matrices';

/** What attention is computed from; a missing X or W means that Q, K and V were given. */
export interface Inputs {
  readonly q: Matrix;
  readonly k: Matrix;
  readonly v: Matrix;
  readonly heads: number;
  /** Whether query i does not see key j. */
  readonly hidden?: Matrix;
  readonly x?: Matrix;
  readonly w?: Readonly<Record<Branch, { readonly weight: Matrix; readonly bias?: readonly number[] }>>;
  readonly wo?: Matrix;
  readonly bo?: readonly number[];
}
type Branch = 'q' | 'k' | 'v';

/** At most one mistake in each part. */
export type Choice = Readonly<Partial<Record<Part, string>>>;

/** The values after one part, a matrix for each head; undefined where shapes do not let it happen. */
export interface Stage {
  readonly q: readonly Matrix[];
  readonly k: readonly Matrix[];
  readonly v: readonly Matrix[];
  readonly now: readonly Matrix[];
}
type Next = Stage | undefined;

const add = (m: Matrix, bias: readonly number[] | undefined): Matrix =>
  bias ? map(m, (x, _row, column) => x + (bias[column] ?? NaN)) : m;

const flipped: Readonly<Record<Branch, string>> = { q: 'transposedWq', k: 'transposedWk', v: 'transposedWv' };
const unbiased: Readonly<Record<Branch, string>> = { q: 'noBq', k: 'noBk', v: 'noBv' };

function branchOf(inputs: Inputs, branch: Branch, id: string | undefined): Matrix | undefined {
  const { x, w } = inputs;
  if (!x || !w) return inputs[branch];
  const { weight, bias } = w[branch];
  const flips = id === flipped[branch] || id === 'transposedAll';
  if (flips && !isSquare(weight)) return undefined;
  const product = times(x, flips ? transposed(weight) : weight);
  return id === unbiased[branch] || id === 'noBias' ? product : add(product, bias);
}

const project = (inputs: Inputs, id: string | undefined): Next => {
  const [q, k, v] = [branchOf(inputs, 'q', id), branchOf(inputs, 'k', id), branchOf(inputs, 'v', id)];
  if (!q || !k || !v) return undefined;
  const stage = (a: Matrix, b: Matrix, c: Matrix | undefined): Next =>
    c && widthOf(a) === widthOf(b) && b.length === c.length && widthOf(c) % inputs.heads === 0
      ? { q: [a], k: [b], v: [c], now: [] }
      : undefined;
  if (id === 'swapQK') return q.length === k.length ? stage(k, q, v) : undefined;
  if (id === 'swapKV') return stage(q, v, k);
  if (id === 'valuesAreKeys') return stage(q, k, k);
  if (id === 'valuesAreX') return stage(q, k, inputs.x);
  if (id === 'keysAreQueries') return q.length === k.length ? stage(q, q, v) : undefined;
  return stage(q, k, v);
};

function cutOne(m: Matrix, heads: number, id: string | undefined): Matrix[] {
  if (heads === 1 || id === 'oneHead') return [m];
  const width = widthOf(m) / heads;
  const flat = id === 'viewHeads' ? m.flat() : [];
  return Array.from({ length: heads }, (_, head) => {
    if (id === 'viewHeads') return rowsOf(flat.slice(head * m.length * width, (head + 1) * m.length * width), width);
    if (id === 'strideHeads') return m.map((row) => row.filter((_x, column) => column % heads === head));
    return m.map((row) => row.slice(head * width, (head + 1) * width));
  });
}

const cut = (inputs: Inputs, id: string | undefined, { q, k, v }: Stage): Next => {
  const all = [q, k, v].map(([m = []]) => cutOne(m, inputs.heads, id));
  const [a = [], b = [], c = []] = all;
  return { q: a, k: b, v: c, now: a.map((queries, head) => timesTransposed(queries, b[head] ?? [])) };
};

function divisor(inputs: Inputs, id: string | undefined, dK: number): number {
  if (id === 'noScale' || id === 'scaleAfter') return 1;
  if (id === 'scaleD') return dK;
  if (id === 'scaleModel') return Math.sqrt(widthOf(inputs.q));
  if (id === 'scaleKeys') return Math.sqrt(inputs.k.length);
  if (id === 'scaleTimes') return 1 / Math.sqrt(dK);
  if (id === 'scaleFourth') return Math.sqrt(Math.sqrt(dK));
  return id === 'scaleZero' ? Infinity : Math.sqrt(dK);
}

const scale = (inputs: Inputs, id: string | undefined, stage: Stage): Next => {
  const by = divisor(inputs, id, widthOf(stage.q[0] ?? []));
  return { ...stage, now: stage.now.map((m) => map(m, (x) => x / by)) };
};

const fills: Readonly<Record<string, number>> = { maskZero: 0, maskTiny: 1e-9 };

function hiddenAt(hidden: Matrix, id: string | undefined, row: number, column: number): boolean {
  if (id === 'maskInverted') return at(hidden, row, column) === 0;
  if (id === 'maskTransposed') return at(hidden, column, row) === 1;
  if (id === 'maskStrict') return at(hidden, row, column) === 1 || row === column;
  if (id === 'maskLoose') return at(hidden, row, column) === 1 && column !== row + 1;
  return at(hidden, row, column) === 1;
}

const mask = ({ hidden }: Inputs, id: string | undefined, stage: Stage): Next => {
  if (!hidden || id === 'noMask' || id === 'maskAfter') return stage;
  if (id === 'maskTransposed' && !isSquare(hidden)) return undefined;
  const cell = (x: number, row: number, column: number): number => {
    const isHidden = hiddenAt(hidden, id, row, column);
    if (id === 'maskAdded') return x + (isHidden ? 1 : 0);
    if (id === 'maskAddedSeen') return x + (isHidden ? 0 : 1);
    return isHidden ? (fills[id ?? ''] ?? -Infinity) : x;
  };
  return { ...stage, now: stage.now.map((m) => map(m, cell)) };
};

/** Exponentials and their sum; NaN where every key is hidden, as softmax has it in NumPy and PyTorch. */
function softmaxOf(row: readonly number[], isSummed = true): readonly number[] {
  const most = isSummed ? Math.max(...row) : 0;
  const terms = row.map((x) => exp(x - most));
  let sum = 0;
  for (const x of terms) sum += x;
  return isSummed ? terms.map((x) => x / sum) : terms;
}

function sumOnly(row: readonly number[]): readonly number[] {
  const seen = row.map((x) => (Number.isFinite(x) ? x : 0));
  const sum = seen.reduce((a, b) => a + b, 0);
  return seen.map((x) => x / sum);
}

function weightsOf(now: readonly Matrix[], id: string | undefined): readonly Matrix[] {
  const each = (row: (cells: readonly number[]) => readonly number[]): readonly Matrix[] => now.map((m) => m.map(row));
  if (id === 'softmaxQueries') return now.map((m) => transposed(transposed(m).map((row) => softmaxOf(row))));
  if (id === 'softmaxWhole') return now.map((m) => rowsOf(softmaxOf(m.flat()), widthOf(m)));
  if (id === 'softmaxHeads') {
    const cells = (row: number, column: number): readonly number[] => softmaxOf(now.map((m) => at(m, row, column)));
    return now.map((m, head) => map(m, (_x, row, column) => cells(row, column)[head] ?? NaN));
  }
  if (id === 'noSoftmax') return each((row) => row.map((x) => (x === -Infinity ? 0 : x)));
  if (id === 'sigmoid') return each((row) => row.map((x) => 1 / (1 + exp(-x))));
  if (id === 'sumOnly') return each(sumOnly);
  if (id === 'noSum') return each((row) => softmaxOf(row, false));
  if (id === 'softmaxTwice') return each((row) => softmaxOf(softmaxOf(row)));
  return each((row) => softmaxOf(row));
}

const softmax = (inputs: Inputs, choice: Choice, stage: Stage): Next => {
  const { hidden } = inputs;
  const dK = widthOf(stage.q[0] ?? []);
  const cell = (x: number, row: number, column: number): number => {
    const seen = hidden && choice.mask === 'maskAfter' && at(hidden, row, column) === 1 ? 0 : x;
    return choice.scale === 'scaleAfter' ? seen / Math.sqrt(dK) : seen;
  };
  return { ...stage, now: weightsOf(stage.now, choice.softmax).map((m) => map(m, cell)) };
};

const mix = (_inputs: Inputs, id: string | undefined, stage: Stage): Next => {
  const flips = id === 'weightsTransposed';
  if (flips && !isSquare(stage.now[0] ?? [])) return undefined;
  return { ...stage, now: stage.now.map((m, head) => times(flips ? transposed(m) : m, stage.v[head] ?? [])) };
};

const merge = (_inputs: Inputs, id: string | undefined, stage: Stage): Next => {
  const heads = id === 'headsReversed' ? [...stage.now].reverse() : stage.now;
  const [first = []] = heads;
  const total = heads.length * widthOf(first);
  if (id === 'viewMerge') return { ...stage, now: [rowsOf(heads.flat(2), total)] };
  const cell = (row: number, i: number): number =>
    id === 'strideMerge'
      ? at(heads[i % heads.length] ?? [], row, Math.floor(i / heads.length))
      : at(heads[Math.floor(i / widthOf(first))] ?? [], row, i % widthOf(first));
  return { ...stage, now: [first.map((_cells, row) => Array.from({ length: total }, (_, i) => cell(row, i)))] };
};

const out = ({ wo, bo, x }: Inputs, id: string | undefined, stage: Stage): Next => {
  const [joined = []] = stage.now;
  const weight = wo && id === 'transposedWo' ? transposed(wo) : wo;
  if (weight && id !== 'noWo' && weight.length !== widthOf(joined)) return undefined;
  const product = weight && id !== 'noWo' ? times(joined, weight) : joined;
  const result = add(product, id === 'noBo' || id === 'noWo' ? undefined : bo);
  if (id !== 'residual') return { ...stage, now: [result] };
  if (!x || widthOf(x) !== widthOf(result)) return undefined;
  return { ...stage, now: [map(result, (y, row, column) => y + at(x, row, column))] };
};

/** Attention with chosen mistakes, part by part. What two choices have in common is computed once. */
export function walker(inputs: Inputs): (choice: Choice, part: Part) => Next {
  const known = new Map<string, Next>();
  const walk = (choice: Choice, part: Part): Next => {
    const index = parts.indexOf(part);
    const key = parts.slice(0, index + 1).map((p) => choice[p] ?? '').join(); // prettier-ignore
    const id = `${part}:${key}`;
    if (!known.has(id)) known.set(id, next(choice, part, index));
    return known.get(id);
  };
  const next = (choice: Choice, part: Part, index: number): Next => {
    if (part === 'project') return project(inputs, choice.project);
    const before = walk(choice, parts[index - 1] ?? 'project');
    if (!before) return undefined;
    if (part === 'softmax') return softmax(inputs, choice, before);
    return { cut, scale, mask, mix, merge, out }[part](inputs, choice[part], before);
  };
  return walk;
}
