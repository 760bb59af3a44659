/**
 * Attention that loops compute one number at a time: the graph has no product of queries and keys then, or there is no graph. Told by the numbers that
 * names came to: a result that is, to all its digits, standard attention of three others with one mistake.
 */
import { t, type Paced, type TextRange } from '../../../text';
import { exp } from '../../../math';
import type { Value } from '../../machine';
import type { Program } from '../../program';
import { isKey, isQuery } from './calls';
import type { RuleId } from '../rules';

export interface FoundInNumbers {
  readonly rule: RuleId;
  readonly range: TextRange;
  readonly message: string;
}

interface Matrix {
  readonly name: string;
  readonly range: TextRange;
  readonly rows: readonly Float64Array[];
}

/** Matrices that are looked at, and their rows and columns, at most. */
const most = { matrices: 10, size: 32 };

export function* findInNumbers(program: Program): Paced<readonly FoundInNumbers[]> {
  const all = yield* matricesOf(program);
  const found: FoundInNumbers[] = [];
  for (const out of all) {
    const said = yield* mistakeOf(out, all.filter((one) => one !== out)); // prettier-ignore
    if (said) found.push({ ...said, range: out.range });
  }
  return found;
}

// --- what names came to -------------------------------------------------------------------

/** The last of each name, where the numbers are known and no other name has the same. */
function* matricesOf(program: Program): Paced<readonly Matrix[]> {
  const last = new Map(program.bindings.filter(({ standIn }) => !standIn).map((one) => [one.name, one]));
  const found = new Map<string, Matrix>();
  for (const { name, range, value } of last.values()) {
    const rows = yield* rowsOf(program, value);
    const width = rows?.[0]?.length ?? 0;
    const fits = rows && rows.length >= 2 && rows.length <= most.size && width >= 2 && width <= most.size && rows.every((row) => row.length === width && row.every(Number.isFinite)); // prettier-ignore
    const key = rows?.map((row) => row.join()).join(';') ?? '';
    if (fits && !found.has(key)) found.set(key, { name, range, rows });
    if (found.size > most.matrices) return [];
  }
  return [...found.values()];
}

function* rowsOf(program: Program, value: Value): Paced<readonly Float64Array[] | undefined> {
  if (value.kind === 'tensor') {
    const dense = yield* numbersOf(program, value);
    const [n = 0, width = 0] = dense?.shape ?? [];
    return dense?.shape.length === 2 ? Array.from({ length: n }, (_, i) => dense.data.slice(i * width, (i + 1) * width)) : undefined; // prettier-ignore
  }
  if (value.kind !== 'list' || value.items.length > most.size) return undefined;
  const rows: Float64Array[] = [];
  for (const item of value.items) {
    const row = item.kind === 'tensor' ? yield* numbersOf(program, item) : undefined;
    const numbers = item.kind === 'list' ? item.items.map((one) => (one.kind === 'float' ? one.value : NaN)) : row?.shape.length === 1 ? row.data : undefined; // prettier-ignore
    if (!numbers) return undefined;
    rows.push(Float64Array.from(numbers));
  }
  return rows;
}

function* numbersOf(program: Program, value: Extract<Value, { kind: 'tensor' }>): Paced<{ readonly shape: readonly number[]; readonly data: Float64Array } | undefined> {
  const node = program.current(value);
  const isSmall = node.shape?.every((size) => typeof size === 'number' && size <= most.size) ?? false;
  if (!isSmall || node.why || !/^float(?:32|64)$/.test(node.dtype)) return undefined;
  const dense = yield* program.look(node);
  return 'data' in dense ? { shape: dense.shape, data: Float64Array.from(dense.data) } : undefined;
} // prettier-ignore

// --- which mistake ------------------------------------------------------------------------

interface Said {
  readonly rule: RuleId;
  readonly message: string;
}

/** One mistake that gives a result, where standard attention of no three gives it. Two that differ are none. */
function* mistakeOf(out: Matrix, all: readonly Matrix[]): Paced<Said | undefined> {
  const found = new Map<string, Said>();
  const widths = [...new Set(all.map(({ rows }) => rows[0]?.length ?? 0))];
  for (const q of all)
    for (const k of all) {
      yield;
      if (q.rows.length !== out.rows.length || q.rows[0]?.length !== k.rows[0]?.length) continue;
      const values = all.filter(({ rows }) => rows.length === k.rows.length && rows[0]?.length === out.rows[0]?.length); // prettier-ignore
      if (values.length === 0) continue;
      for (const causal of [false, true]) {
        const right = weightsOf(q, k, 'keys', 1 / Math.sqrt(widthOf(q)), causal);
        const own = values.find((v) => isSame(out, right, v));
        const unused = own && unusedBeside(q, k, all);
        if (own && !unused) return undefined;
        if (own && unused) found.set('part-unused', { rule: 'part-unused', message: t('{0} is computed and not used: {1} stands in its place.', unused.name, q.name) }); // prettier-ignore
        if (own || q === k) continue;
        for (const { rule, message, weights } of mistakes(q, k, causal, widths)) {
          const v = values.find((one) => isSame(out, weights, one));
          if (v) found.set(rule, { rule, message: [message, beside(out, right, [q, k, v])].join(' ') });
        }
      }
    }
  const [only] = found.values();
  return found.size === 1 ? only : undefined;
}

const widthOf = ({ rows }: Matrix): number => rows[0]?.length ?? 1;

/** Keys that nothing met, where queries met themselves, or the other way round: by their names. */
function unusedBeside(q: Matrix, k: Matrix, all: readonly Matrix[]): Matrix | undefined {
  const other = isQuery(q.name) ? isKey : isKey(q.name) ? isQuery : undefined;
  return q === k && other ? all.find((one) => one !== q && other(one.name) && widthOf(one) === widthOf(q)) : undefined;
}

type Weights = readonly Float64Array[];

/** Softmax of the scores over the keys, the queries or all of them. */
function weightsOf(q: Matrix, k: Matrix, over: 'keys' | 'queries' | 'all', scale: number, causal: boolean): Weights {
  const e = q.rows.map((a, i) => Float64Array.from(k.rows, (b, j) => (causal && j > i ? 0 : exp(a.reduce((sum, x, c) => sum + x * (b[c] as number), 0) * scale)))); // prettier-ignore
  const rows = e.map((row) => row.reduce((a, b) => a + b, 0));
  const columns = k.rows.map((_, j) => e.reduce((sum, row) => sum + (row[j] as number), 0));
  const total = rows.reduce((a, b) => a + b, 0);
  return e.map((row, i) => row.map((x, j) => x / ((over === 'keys' ? rows[i] : over === 'queries' ? columns[j] : total) as number))); // prettier-ignore
}

function* mistakes(q: Matrix, k: Matrix, causal: boolean, widths: readonly number[]): Generator<Said & { readonly weights: Weights }> {
  const d = widthOf(q);
  const root = Number(Math.sqrt(d).toPrecision(4));
  const sumOf = (weights: Weights): number => Number((weights[0] ?? new Float64Array()).reduce((a, b) => a + b, 0).toPrecision(3));
  yield { rule: 'scale-none', message: t('Scores are not scaled; standard attention divides them by √d_k = {0}.', root), weights: weightsOf(q, k, 'keys', 1, causal) };
  yield { rule: 'scale-without-root', message: t('Scores are divided by d_k = {0}, not by √d_k = {1}, as μP means to (Yang et al. 2022).', d, root), weights: weightsOf(q, k, 'keys', 1 / d, causal) };
  yield { rule: 'scale-inverse', message: t('Scores are multiplied by √d_k = {0}, not divided by it.', root), weights: weightsOf(q, k, 'keys', Math.sqrt(d), causal) };
  for (const width of widths)
    if (width !== d && width !== d * d)
      yield { rule: 'scale-width', message: t('Scores are divided by {0}, the root of the width {1}; √d_k of one head is {2}.', Number(Math.sqrt(width).toPrecision(4)), width, root), weights: weightsOf(q, k, 'keys', 1 / Math.sqrt(width), causal) };
  const [columns, matrix] = [weightsOf(q, k, 'queries', 1 / Math.sqrt(d), causal), weightsOf(q, k, 'all', 1 / Math.sqrt(d), causal)];
  yield { rule: 'softmax-axis', message: t('Softmax runs over the queries, not over the keys: the weights of query {0} sum to {1}, not to 1.', 0, sumOf(columns)), weights: columns };
  yield { rule: 'softmax-matrix', message: t('Softmax runs over the whole matrix, not over the keys of each query: the weights of query {0} sum to {1}, not to 1.', 0, sumOf(matrix)), weights: matrix };
} // prettier-ignore

const rowOf = (weights: Float64Array | undefined, { rows }: Matrix): Float64Array =>
  Float64Array.from(rows[0] ?? [], (_, c) =>
    rows.reduce((sum, row, j) => sum + (weights?.[j] ?? 0) * (row[c] as number), 0),
  );

/** To about as many digits as float32 keeps through such sums; numbers that are all alike show nothing. */
function isSame(out: Matrix, weights: Weights, v: Matrix): boolean {
  const largest = Math.max(...out.rows.map((row) => Math.max(...row.map(Math.abs))));
  const varies = new Set(v.rows.map((row) => row.join())).size > 1;
  return varies && out.rows.every((row, i) => rowOf(weights[i], v).every((x, c) => Math.abs(x - (row[c] as number)) <= 1e-5 * largest));
} // prettier-ignore

/** What it was made of, and the number that differs most. */
function beside(out: Matrix, right: Weights, [q, k, v]: readonly [Matrix, Matrix, Matrix]): string {
  let [at, most] = [[0, 0, 0, 0] as readonly [number, number, number, number], -1];
  for (const [i, row] of out.rows.entries())
    for (const [c, x] of rowOf(right[i], v).entries()) {
      const own = row[c] as number;
      if (Math.abs(own - x) > most) [at, most] = [[i, c, own, x], Math.abs(own - x)];
    }
  const [i, c, own, x] = at;
  return t('By its numbers {0} is made of {1}, {2} and {3}: at row {4}, column {5} it has {6}, standard attention {7}.', out.name, q.name, k.name, v.name, i, c, own.toFixed(4), x.toFixed(4));
} // prettier-ignore
