import type { BackendCall, OperationName } from '../../operations';
import type { Plan, Step } from '../../plan';
import { fail, ok, type Result } from '../../problems';
import { sizeOf, type Tensor } from '../../tensor';
import { matrixOf } from '../../tile';
import { quick } from '../../large/quick';
import type { Kernels } from './index';
import {
  computeStep,
  computeSteps,
  need,
  outOfMemory,
  refusalOf,
  runWasm,
  valuesOf,
  wasmOperations,
  type WasmValues,
} from './run';

/* The steps from the scores on, some rows of queries at a time: a row follows from no other row, so two workers can share them. */

/** What rows are computed from: plain data, which a worker can be sent. */
export interface RowWork {
  readonly steps: readonly Pick<Step, 'id' | 'call' | 'operands' | 'shape'>[];
  /** float32 values of the steps before them. */
  readonly operands: ReadonlyMap<string, Tensor>;
  /** Rows of each of the steps' matrices. */
  readonly rows: number;
}

/** Half-open. */
export type RowSpan = readonly [from: number, to: number];

/** Some rows of every step: of each of its matrices, one after the other. */
export type RowValues = ReadonlyMap<string, Float32Array>;

/** Operations whose rows follow from the same rows of their first operand, and all of the second. */
const byRows: ReadonlySet<string> = new Set([
  'matmul',
  'divide',
  'softcap',
  'identity',
  'add',
  'mask',
  'softmax',
  'concatHeads',
] satisfies OperationName[]);

/** The steps of a plan that can be computed row by row: the scores and what follows from them. Empty where one of these mixes rows. */
export function rowSteps({ steps }: Plan): readonly Step[] {
  const after = new Set(['scores']);
  const found = steps.filter(({ id, operands }) => {
    if (operands.some((operand) => after.has(operand))) after.add(id);
    return after.has(id);
  });
  const rows = rowsIn(found);
  const even = found.every(
    ({ call, shape, operands }) =>
      byRows.has(call.op) && matrixOf(shape)[0] === rows && !(call.op === 'matmul' && after.has(operands[1] ?? '')),
  );
  return even ? found : [];
}

const rowsIn = (steps: readonly Step[]): number => matrixOf(steps[0]?.shape ?? [0, 0])[0];

/**
 * The same bits as all rows at once: a kernel's sums do not depend on the rows beside them. They are written where `rooms` says, an array of
 * their size for each step.
 */
export function computeRows(work: RowWork, own: Kernels, range: RowSpan, rooms = roomsFor(work, range)): RowValues {
  const { steps, operands, rows } = work;
  let place: Float32Array | undefined;
  const room = (length: number): Float32Array => (place?.length === length ? place : new Float32Array(length));
  const all = quick(wasmOperations(own, room), room);
  const there = new Map<string, Tensor>();
  // The second operand of a product serves every row.
  const operandOf = (id: string, whole: boolean): Tensor => {
    const tensor = there.get(id) ?? operands.get(id);
    if (!tensor) throw new Error(`wasm rows: ${id} has no values`);
    return whole || there.has(id) || matrixOf(tensor.shape)[0] !== rows ? tensor : rowsOf(tensor, range);
  };
  for (const step of steps) {
    const given = step.operands.map((id, i) => operandOf(id, step.call.op === 'matmul' && i === 1));
    place = rooms.get(step.id);
    const { dtype, shape, data } = need(
      computeStep(all, step.call as BackendCall, given, heightened(step.shape, range)),
    );
    if (place && data !== place) place.set(data);
    there.set(step.id, { dtype, shape, data: place ?? data });
  }
  return rooms;
}

/** Rooms for some rows of each step, in those of `spare` where they are large enough. */
export const roomsFor = ({ steps }: RowWork, range: RowSpan, spare?: RowValues): RowValues =>
  new Map(
    steps.map(({ id, shape }) => {
      const [size, old] = [sizeOf(heightened(shape, range)), spare?.get(id)?.buffer];
      return [id, old && old.byteLength >= 4 * size ? new Float32Array(old, 0, size) : new Float32Array(size)];
    }),
  );

const heightened = (shape: readonly number[], [from, to]: RowSpan): readonly number[] => [
  ...shape.slice(0, -2),
  to - from,
  shape.at(-1) ?? 0,
];

/** Rows of each matrix of a tensor; of a single matrix they are not copied. */
function rowsOf({ dtype, shape, data }: Tensor, range: RowSpan): Tensor {
  const [rows, columns] = matrixOf(shape);
  const [from, to] = range;
  const [count, size] = [sizeOf(shape.slice(0, -2)), (to - from) * columns];
  const cut = heightened(shape, range);
  if (count === 1) return { dtype, shape: cut, data: data.subarray(from * columns, to * columns) };
  const out = new Float32Array(count * size);
  for (let i = 0; i < count; i++)
    out.set(data.subarray((i * rows + from) * columns, (i * rows + to) * columns), i * size);
  return { dtype, shape: cut, data: out };
}

/** Whoever computes rows beside this thread. */
export interface Helper {
  /** From now on `rows` speaks of this. */
  begin(work: RowWork): void;
  /** Rejected, or never settled, where the helper is lost. `spare`, an earlier answer, is given away: its memory is used again. */
  rows(range: RowSpan, spare: RowValues | undefined): Promise<RowValues>;
}

/** Cells of the scores that are computed at a time, and at least so many rows, beside which packing the keys costs little. */
const cellsAtOnce = 1 << 16;
const rowsAtOnce = 96;

/** Whole tiles of the kernels in both builds. */
function heightIn({ steps, rows }: RowWork): number {
  const cells = steps[0] ? sizeOf(steps[0].shape) / rows : 1;
  return Math.ceil(Math.max(rowsAtOnce, cellsAtOnce / cells) / 24) * 24;
}

function partsOf({ rows }: RowWork, height: number): readonly RowSpan[] {
  return Array.from({ length: Math.ceil(rows / height) }, (_, i) => [i * height, Math.min(rows, (i + 1) * height)]);
}

/** Questions that a helper has before it at most: one that it works at, one that it goes on with meanwhile. */
const ahead = 2;

/**
 * All rows: this thread from the first on, the helper from the last, until they meet. A part that the helper still owes at the end is computed
 * here as well, so that a lost or a slow one delays nothing. `turn` lets its answers in. Full arrays by step.
 */
export async function shareRows(
  work: RowWork,
  own: Kernels,
  helper: Helper | undefined,
  turn: () => Promise<void>,
  height = heightIn(work),
): Promise<RowValues> {
  const parts = partsOf(work, height);
  const all = new Map(work.steps.map(({ id, shape }) => [id, new Float32Array(sizeOf(shape))]));
  const [missing, asked] = [new Set(parts.keys()), new Set<number>()];
  const spares: RowValues[] = [];
  // Of several matrices a part lies in several places.
  const single = work.steps.every(({ shape }) => sizeOf(shape.slice(0, -2)) === 1);
  let there = helper;
  const put = (i: number, values: RowValues): void => {
    if (missing.delete(i)) paste(work, all, values, parts[i] as RowSpan);
  };
  const ask = (i: number): void => {
    asked.add(i);
    there?.rows(parts[i] as RowSpan, spares.pop()).then(
      (values) => (put(i, values), asked.delete(i), spares.push(values)),
      () => (there = undefined),
    );
  };
  there?.begin(work);
  while (missing.size) {
    const free = [...missing].filter((i) => !asked.has(i));
    while (there && asked.size < ahead && free.length > 1) ask(free.pop() as number);
    // What was asked for last comes last.
    const next = free[0] ?? [...asked].at(-1);
    if (next === undefined) break;
    const part = parts[next] as RowSpan;
    if (single) computeRows(work, own, part, placesIn(work, all, part));
    else put(next, computeRows(work, own, part));
    missing.delete(next);
    asked.delete(next);
    if (there) await turn();
  }
  return all;
}

/** Where rows of single matrices belong. */
const placesIn = ({ steps }: RowWork, all: RowValues, [from, to]: RowSpan): RowValues =>
  new Map(
    steps.map(({ id, shape }) => {
      const columns = matrixOf(shape)[1];
      return [id, all.get(id)?.subarray(from * columns, to * columns) ?? new Float32Array()];
    }),
  );

function paste({ steps, rows }: RowWork, all: RowValues, values: RowValues, [from, to]: RowSpan): void {
  for (const { id, shape } of steps) {
    const [into, part] = [all.get(id), values.get(id)];
    const [columns, size] = [matrixOf(shape)[1], (to - from) * matrixOf(shape)[1]];
    if (!into || part?.length !== size * sizeOf(shape.slice(0, -2))) throw new Error(`wasm rows: ${id} is short`);
    for (let i = 0; i * size < part.length; i++)
      into.set(part.subarray(i * size, (i + 1) * size), (i * rows + from) * columns);
  }
}

/** Rows of queries from which a second worker is asked: sending it its operands costs little beside them. */
export const sharedFrom = 1024;

/** Whether a plan has rows enough for two. */
export const isShared = (plan: Plan): boolean => rowsIn(rowSteps(plan)) >= sharedFrom;

/** As `runWasm`, with the same bits; rows of queries are shared with `helper` where there are many. */
export async function runWasmShared(
  plan: Plan,
  sources: ReadonlyMap<string, Tensor>,
  own: Kernels,
  helper: Helper | undefined,
  turn: () => Promise<void>,
): Promise<Result<WasmValues>> {
  const refused = refusalOf(plan);
  if (refused) return fail(refused);
  if (!helper || !isShared(plan)) return runWasm(plan, sources, own);
  const steps = rowSteps(plan);
  const ids = new Set(steps.map(({ id }) => id));
  const before = plan.steps.filter(({ id }) => !ids.has(id));
  try {
    const values = computeSteps(before, sources, own);
    const work = workOf(steps, values);
    const rows = await shareRows(work, own, helper, turn);
    const found = valuesOf(before, values);
    return ok(new Map([...found, ...rows]));
  } catch (error) {
    if (error instanceof RangeError) return fail(outOfMemory(plan, error.message));
    throw error;
  }
}

/** What is sent: no words, no labels, and of the values those that are operands. */
export function workOf(steps: readonly Step[], values: ReadonlyMap<string, Tensor>): RowWork {
  const wanted = new Set(steps.flatMap(({ operands }) => operands));
  return {
    steps: steps.map(({ id, call, operands, shape }) => ({ id, call, operands, shape })),
    operands: new Map([...values].filter(([id]) => wanted.has(id))),
    rows: rowsIn(steps),
  };
}
