import {
  decodeNumber,
  offsetOf,
  planOf,
  sourceValues,
  t,
  type AttentionSpec,
  type Plan,
  type Problem,
  type SpecMatrix,
  type SpecNumber,
  type Step,
  type Tensor,
} from '../../engine/index';
import { asGiven, maskSpread, pathOf, refusalOf, shownToSpec } from './given';
import { stepOf } from '../trace';

/**
 * An edit of a source (an input, a weight, a mask): one cell, or a matrix pasted over it. Values are as the step shows them (1 hides in a
 * mask). Edits are plain JSON that is saved with the control values and applied after them.
 */
export type Edit =
  | { readonly step: string; readonly index: readonly number[]; readonly value: SpecNumber }
  | { readonly step: string; readonly lead: readonly number[]; readonly rows: SpecMatrix };

/** A spec with edits. */
export interface Edited {
  readonly spec: AttentionSpec;
  /** Edits that do not apply now (W_q is smaller, there is no mask). They apply again when their cells exist again. */
  readonly idle: readonly Problem[];
  /** For each edited step its values without edits, row-major, if an edit differs from them. */
  readonly was: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/** The spec with edits applied. Drawn or derived values that edits need are turned into given ones first. */
export function withEdits(spec: AttentionSpec, edits: readonly Edit[]): Edited {
  const none = { spec, idle: [], was: new Map<string, Map<number, number>>() };
  const planned = edits.length ? planOf(spec) : undefined;
  if (!planned?.ok) return none;
  const plan = planned.value;
  const misfits = edits.map((edit) => misfitOf(spec, plan, edit));
  const fitting = edits.filter((_, i) => misfits[i] === undefined);
  const idle = misfits.filter((problem) => problem !== undefined);
  if (!fitting.length) return { ...none, idle };
  const values = sourceValues(spec, plan);
  const steps = [...new Set(fitting.map(({ step }) => step))].flatMap((id) => plan.steps.filter((s) => s.id === id));
  const given = steps.reduce((made, step) => maskSpread(asGiven(made, plan, step, values), step), spec);
  return {
    spec: fitting.reduce((made, edit) => written(made, plan, edit), given),
    idle,
    was: changesOf(fitting, values),
  };
}

const lengths = ({ shape }: Step): readonly number[] => [shape.at(-2) ?? 1, shape.at(-1) ?? 1];

/** `W_q[0, 3] = 0.5` */
const nameOf = (symbol: string, edit: Edit): string =>
  'index' in edit
    ? `${symbol}[${edit.index.join(', ')}] = ${edit.value}`
    : t('the matrix pasted over {0}', [symbol, ...edit.lead].join(' '));

/** Why an edit does not apply to a plan. */
function misfitOf(spec: AttentionSpec, plan: Plan, edit: Edit): Problem | undefined {
  const step = stepOf(plan, edit.step);
  const idle = (why: string): Problem => ({
    code: 'idle-edit',
    path: edit.step,
    message: t('{0} waits: {1}', nameOf(step?.symbol ?? edit.step, edit), why),
  });
  if (!step) return idle(t('there is no {0} now', edit.step));
  const refusal = refusalOf(spec, step);
  if (refusal) return idle(refusal.message);
  const index = 'index' in edit ? edit.index : [...edit.lead, edit.rows.length - 1, (edit.rows[0]?.length ?? 0) - 1];
  const inside = index.length === step.shape.length && index.every((at, d) => at >= 0 && at < (step.shape[d] ?? 0));
  const whole = 'index' in edit || lengths(step).every((n, d) => index[edit.lead.length + d] === n - 1);
  return inside && whole ? undefined : idle(t('{0} is {1}', step.symbol, step.shape.join('×')));
}

/** The cells of an edit, as indices into its step. */
export function cellsOf(edit: Edit): { readonly index: readonly number[]; readonly value: SpecNumber }[] {
  if ('index' in edit) return [{ index: edit.index, value: edit.value }];
  return edit.rows.flatMap((row, i) => row.map((value, j) => ({ index: [...edit.lead, i, j], value })));
}

function changesOf(edits: readonly Edit[], values: ReadonlyMap<string, Tensor>): Map<string, Map<number, number>> {
  const was = new Map<string, Map<number, number>>();
  for (const edit of edits) {
    const tensor = values.get(edit.step);
    if (!tensor) continue;
    const cells = was.get(edit.step) ?? new Map<number, number>();
    was.set(edit.step, cells);
    for (const { index, value } of cellsOf(edit)) {
      const at = offsetOf(tensor.shape, index);
      const before = tensor.data[at] as number;
      if (Object.is(before, decodeNumber(value))) cells.delete(at);
      else cells.set(at, before);
    }
  }
  return was;
}

/** The spec with an edit's cells changed at its step's path. */
function written(spec: AttentionSpec, plan: Plan, edit: Edit): AttentionSpec {
  const step = stepOf(plan, edit.step);
  if (!step) return spec;
  const keys = pathOf(step).split('.');
  const values = copied(keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], spec)) as Nested[];
  // A bias is one row in the step and a flat list in the spec; ids are a column in the step.
  const flat = !Array.isArray(values[0]);
  for (const { index, value } of cellsOf(edit)) {
    set(values, flat ? [index.at(step.call.op === 'tokens' ? -2 : -1) ?? 0] : index, shownToSpec(spec, step, value));
  }
  return replaced(spec, keys, values) as AttentionSpec;
}

type Nested = SpecNumber | Nested[];

const copied = (at: unknown): unknown => (Array.isArray(at) ? at.map(copied) : at);

function set(values: Nested[], [at = 0, ...rest]: readonly number[], value: SpecNumber): void {
  const inner = values[at];
  if (rest.length && Array.isArray(inner)) set(inner, rest, value);
  else values[at] = value;
}

/** A copy of nested objects and lists with one field changed. */
function replaced(at: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(at)) return at.map((one: unknown, i) => (String(i) === key ? replaced(one, rest, value) : one));
  const fields = at as Readonly<Record<string, unknown>>;
  return { ...fields, [key]: replaced(fields[key], rest, value) };
}

/** Adds an edit. Earlier edits of the same cells are dropped, and so are cells that it sets back to their original values. */
export function withEdit(edits: readonly Edit[], edit: Edit, was?: number): readonly Edit[] {
  const rest = edits.filter((other) => !covers(edit, other));
  const restores = 'index' in edit && was !== undefined && Object.is(decodeNumber(edit.value), was);
  const pasted = rest.some((other) => other.step === edit.step && 'rows' in other);
  return restores && !pasted ? rest : [...rest, edit];
}

function covers(edit: Edit, other: Edit): boolean {
  if (edit.step !== other.step) return false;
  if ('index' in edit) return 'index' in other && String(edit.index) === String(other.index);
  const lead = 'index' in other ? other.index.slice(0, -2) : other.lead;
  return String(edit.lead) === String(lead);
}

/** The edits that differ from a spec's own values: none of those that have been written back. */
export function remaining(edits: readonly Edit[], spec: AttentionSpec): readonly Edit[] {
  const { was, idle } = withEdits(spec, edits);
  if (idle.length) return edits;
  return edits.filter(({ step }) => (was.get(step)?.size ?? 0) > 0);
}

/** Number of cells in edits, which determines the size of what is saved. */
export const sizeOfEdits = (edits: readonly Edit[]): number =>
  edits.reduce((sum, edit) => sum + ('index' in edit ? 1 : edit.rows.length * (edit.rows[0]?.length ?? 0)), 0);

/** A saved edit, as far as it can be told without its plan. */
export function isEdit(saved: unknown): saved is Edit {
  const edit = (saved ?? {}) as { readonly [name: string]: unknown };
  const places = (at: unknown): boolean =>
    Array.isArray(at) && at.length <= 4 && at.every((i) => Number.isInteger(i) && (i as number) >= 0);
  if (typeof edit['step'] !== 'string') return false;
  if ('rows' in edit) return places(edit['lead']) && isMatrix(edit['rows']);
  return places(edit['index']) && (edit['index'] as unknown[]).length >= 2 && isSpecNumber(edit['value']);
}

const isSpecNumber = (x: unknown): x is SpecNumber =>
  typeof x === 'number' ? Number.isFinite(x) : typeof x === 'string' && ['inf', '-inf', 'nan', '-0'].includes(x);

const isMatrix = (rows: unknown): boolean =>
  Array.isArray(rows) &&
  rows.length > 0 &&
  rows.every((row) => Array.isArray(row) && row.length === (rows[0] as unknown[]).length && row.every(isSpecNumber));
