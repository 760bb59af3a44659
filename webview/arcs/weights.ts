import { isUnnamed, namesApart, t, type Plan, type Slice, type Step } from '../../engine/index';
import { formatNumber, formatOf, type NumberFormat } from '../draw';
import { leadingIndex, sliceRequest, type TraceHandle } from '../trace';

/** Most tokens on a side for which arcs are drawn; more would hide one another. */
export const mostTokens = 200;

/** The weights of one head: one row per query, one column per key. */
export interface Weights {
  readonly queries: readonly string[];
  readonly keys: readonly string[];
  /** Row-major, [queries, keys]; NaN where the row's weights are NaN. */
  readonly values: Float64Array;
}

/**
 * The weights, a query a row. Undefined where the plan has none, or where code keeps keys in rows (its softmax over them is turned back, and no note
 * says that it runs over queries): a row says of no token what it attends to.
 */
export function weightsStep({ steps, notes }: Plan): Step | undefined {
  const step = steps.find(({ id }) => id === 'weights');
  const keysAreRows = step?.call.op === 'rearrange' && !notes.some(({ code }) => code === 'softmax');
  return keysAreRows ? undefined : step;
}

/** A part of the weights of the head and batch in `slice`, row-major; ranges of rows and columns as in `trace.read`. */
async function read(
  trace: TraceHandle,
  step: Step,
  slice: Slice,
  part: { readonly rows?: readonly [number, number]; readonly columns?: readonly [number, number] } = {},
): Promise<Float64Array> {
  const tile = await trace.read(step.id, { ...part, ...sliceRequest(leadingIndex(trace, step, slice)) });
  return tile.max.map((value, i) => ((tile.nan[i] ?? 0) > 0 ? NaN : value));
}

/** All weights of a head with at most 200 tokens on a side. Undefined for more, or if the plan has no weights. */
export async function readWeights(trace: TraceHandle, slice: Slice): Promise<Weights | undefined> {
  const step = weightsStep(trace.plan);
  if (!step || Math.max(...step.shape.slice(-2)) > mostTokens) return undefined;
  const values = await read(trace, step, slice);
  return { queries: namesApart(step.rowLabels), keys: namesApart(step.columnLabels), values };
}

/** The weights of one query, one per key. */
export const readRow = (trace: TraceHandle, step: Step, slice: Slice, row: number): Promise<Float64Array> =>
  read(trace, step, slice, { rows: [row, row + 1] });

/** Most queries for which a key's weights are read. */
export const mostColumns = 2000;

/** The weights of one key, one per query. */
export const readColumn = (trace: TraceHandle, step: Step, slice: Slice, column: number): Promise<Float64Array> =>
  read(trace, step, slice, { columns: [column, column + 1] });

export const rowOf = ({ values, keys }: Weights, row: number): Float64Array =>
  values.subarray(row * keys.length, (row + 1) * keys.length);

export const columnOf = ({ values, keys, queries }: Weights, column: number): Float64Array =>
  Float64Array.from(queries, (_, i) => values[i * keys.length + column] ?? NaN);

/** Names as a sentence says them: `row 2` where there is no name but a number, with a colon before a weight. */
function saidNames(names: readonly string[]): readonly string[] {
  return isUnnamed(names) ? names.map((name) => `${t('row {0}', name)}:`) : names;
}

/** A token's name as a sentence says it. */
export const saidName = (names: readonly string[], at: number): string =>
  isUnnamed(names) ? t('row {0}', names[at] ?? '') : (names[at] ?? '');

/** The number format of weights, as in their matrix. */
export const weightFormat = (digits: number): NumberFormat => formatOf({ magnitude: 1, digits, weights: true });

const maxListed = 5;

/** `cat attends to The 0.450, sat 0.300 and 4 others 0.250` */
export function attendsTo(name: string, row: Float64Array, keys: readonly string[], format: NumberFormat): string {
  if (row.some(Number.isNaN)) return t('{0} has no weights: they are NaN', name);
  const { list, rest } = strongest(row, saidNames(keys), format);
  if (!list.length) return t('{0} attends to nothing', name);
  const sum = rest.reduce((total, i) => total + (row[i] ?? 0), 0);
  return t('{0} attends to {1}', name, joined(list, rest.length, formatNumber(sum, format)));
}

/** `sat is attended to by cat 0.327, mat 0.251 and 4 others less` */
export function attendedBy(name: string, column: Float64Array, queries: readonly string[], f: NumberFormat): string {
  const { list, rest } = strongest(column, saidNames(queries), f);
  return list.length
    ? t('{0} is attended to by {1}', name, joined(list, rest.length))
    : t('no token attends to {0}', name);
}

function strongest(
  values: Float64Array,
  names: readonly string[],
  format: NumberFormat,
): { readonly list: readonly string[]; readonly rest: readonly number[] } {
  const order = [...values.keys()]
    .filter((i) => (values[i] ?? 0) > 0)
    .sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0));
  const list = order.slice(0, maxListed).map((i) => `${names[i] ?? i} ${formatNumber(values[i] ?? NaN, format)}`);
  return { list, rest: order.slice(maxListed) };
}

/** Joins named tokens and a count of the others. `sum` is the total weight of the others; without it they are said to have less each. */
function joined(list: readonly string[], others: number, sum?: string): string {
  const names = list.join(', ');
  if (others) return sum === undefined ? andLess(names, others) : andOthers(names, others, sum);
  return list.length > 1 ? t('{0} and {1}', list.slice(0, -1).join(', '), list.at(-1) ?? '') : list.join();
}

const andLess = (names: string, others: number): string =>
  others === 1 ? t('{0} and 1 other less', names) : t('{0} and, with smaller weights, {1} others', names, others);

const andOthers = (names: string, others: number, sum: string): string =>
  others === 1 ? t('{0} and 1 other {1}', names, sum) : t('{0} and {1} others {2}', names, others, sum);
