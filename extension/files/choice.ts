import * as vscode from 'vscode';
import {
  assemblingTensors,
  bytesHeld,
  cutMask,
  inStretches,
  memoryLimit,
  planOf,
  rowRangeOf,
  tensorsTooLarge,
  type FileRole,
  type FromTensors,
  type Problem,
  type Result,
  type RowRange,
  type TensorEntry,
  type TensorPart,
  type Paced,
  type ReadProgress,
} from '../../engine/index';
import type { OpenedFile } from './bytes';

/** A chosen tensor, its role, and the part of it that is read. Plain JSON, so that it can be saved for a reload of the window. */
export interface ChosenTensor {
  /** The URI of the file that contains it. */
  readonly uri: string;
  readonly name: string;
  readonly role: FileRole;
  /** For each leading axis the index that is read, or `null` for all of the axis, which are then heads or inputs of a batch. */
  readonly index: readonly (number | null)[];
}

/** All that the reader chose when the files were opened. The same choice gives the same explanation again. */
export interface Choice {
  readonly tensors: readonly ChosenTensor[];
  readonly rows?: RowRange;
}

/** A tensor of an opened file, from which the reader may choose. */
export interface OfferedTensor {
  readonly opened: OpenedFile;
  readonly entry: TensorEntry;
  /** The name to show. The tensor of a `.npy` file, which has none, is named after the file. */
  readonly name: string;
}

export const offeredBy = (files: readonly OpenedFile[]): OfferedTensor[] =>
  files.flatMap((opened) =>
    opened.file.tensors.map((entry) => ({ opened, entry, name: entry.name || stemOf(opened.name) })),
  );

/** A file name without its extension: `Q` for `Q.npy`. */
const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '') || name;

/** A chosen tensor with the shape that remains after its leading axes are indexed, without its numbers. */
export function shapeOfChosen({ entry, name }: OfferedTensor, { role, index }: ChosenTensor): TensorPart {
  const shape = entry.shape.filter((_, axis) => axis >= entry.shape.length - 2 || typeof index[axis] !== 'number');
  return { name, role, shape, dtype: entry.dtype, ...(entry.labels ? { labels: entry.labels } : {}) };
}

const gone = (name: string): string =>
  name === ''
    ? vscode.l10n.t('the array is no longer in the file')
    : vscode.l10n.t('{0} is no longer in the file', name);

/** The tensors of a saved choice, among those of opened files. Fails with `gone` if one is no longer there. */
export function findChosen(files: readonly OpenedFile[], { tensors }: Choice): Result<OfferedTensor[]> {
  const offered = offeredBy(files);
  const found: OfferedTensor[] = [];
  for (const { uri, name } of tensors) {
    const one = offered.find(({ opened, entry }) => opened.uri.toString() === uri && entry.name === name);
    if (!one) return { ok: false, problems: [{ code: 'gone', message: gone(name) }] };
    found.push(one);
  }
  return { ok: true, value: found };
}

export interface ReadChoice extends FromTensors {
  /** A hash of all numbers, roles and shapes. It tells whether the files still contain what was explained. */
  readonly hash: string;
}

/** Reads the numbers of a choice, and no others, and makes a spec of them. Fails if the spec cannot be planned or exceeds the memory limit. */
export async function readChoice(
  chosen: readonly OfferedTensor[],
  choice: Choice,
  watch: ReadProgress,
): Promise<Result<ReadChoice>> {
  const shapes = chosen.map((offered, i) => shapeOfChosen(offered, itemAt(choice.tensors, i)));
  const parts: TensorPart[] = [];
  const notes: string[] = [];
  for (const [i, { opened, entry }] of chosen.entries()) {
    const { index } = itemAt(choice.tensors, i);
    const shape = itemAt(shapes, i);
    const rows = choice.rows && rowRangeOf(shape, shapes, choice.rows);
    const read = await opened.file.read(
      entry.name,
      { index, ...(rows ? { rows } : {}) },
      partOf(watch, i, chosen.length),
    );
    if (!read.ok) return read;
    notes.push(
      ...sliceNotes(entry, shape.name, index, rows),
      ...read.value.notes.map((note) => `${shape.name}: ${note}`),
    );
    const labels = rows && shape.labels ? { labels: shape.labels.slice(rows.start, rows.end) } : {};
    const part = { ...shape, ...labels, shape: read.value.shape, values: read.value.values };
    parts.push(part.role === 'mask' && choice.rows ? cutMask(part, shapes, choice.rows) : part);
  }
  const work = assembling(parts, notes);
  return (await inStretches(work, () => watch.cancelled?.() === true)) ?? cancelled;
}

function itemAt<T>(list: readonly T[], i: number): T {
  const value = list[i];
  if (value === undefined) throw new Error(`${i} of ${list.length}`);
  return value;
}

const partOf = ({ progress, cancelled }: ReadProgress, i: number, count: number): ReadProgress => ({
  ...(cancelled ? { cancelled } : {}),
  progress: (part) => progress?.((i + part) / count),
});

/** Says which part of a tensor was read: `Q: index 3 of 12 in axis 0.` */
function sliceNotes(
  { shape }: TensorEntry,
  name: string,
  index: readonly (number | null)[],
  rows: RowRange | undefined,
): string[] {
  const taken = index.flatMap((i, axis) =>
    i === null || shape[axis] === 1
      ? []
      : [vscode.l10n.t('{0}: index {1} of {2} in axis {3}.', name, i, shape[axis] ?? 0, axis)],
  );
  const isPart = rows && rows.end - rows.start < (shape.at(-2) ?? 0);
  return isPart
    ? [...taken, vscode.l10n.t('{0}: rows {1} to {2} of {3}.', name, rows.start, rows.end - 1, shape.at(-2) ?? 0)]
    : taken;
}

const cancelled: Result<never> = { ok: false, problems: [{ code: 'cancelled', message: 'cancelled' }] };

function* assembling(parts: readonly TensorPart[], notes: readonly string[]): Paced<Result<ReadChoice>> {
  const made = yield* assemblingTensors(parts);
  if (!made.ok) return made;
  const planned = planOf(made.value.spec);
  if (!planned.ok) return planned;
  const bytes = bytesHeld(planned.value, made.value.spec.dtype);
  const numbers = parts.reduce((sum, part) => sum + (part.values?.length ?? 0), 0);
  if (bytes > memoryLimit) return { ok: false, problems: [tensorsTooLarge({ numbers, bytes })] };
  return { ok: true, value: { ...made.value, notes: [...made.value.notes, ...notes], hash: yield* hashOf(parts) } };
}

/** 32-bit words between two yields. */
const hashedAtOnce = 1 << 16;

/** A 64-bit hash of numbers, roles and shapes, computed like `hashText` in documents/. */
function* hashOf(parts: readonly TensorPart[]): Paced<string> {
  let [a, b] = [0x811c9dc5, 0x9747b28c];
  const take = (word: number): void => {
    a = Math.imul(a ^ word, 0x01000193);
    b = Math.imul(b ^ word, 0x5bd1e995) ^ (b >>> 15);
  };
  for (const { role, shape, values } of parts) {
    for (let i = 0; i < role.length; i++) take(role.charCodeAt(i));
    shape.forEach(take);
    const words = values ? new Uint32Array(values.buffer, values.byteOffset, values.length * 2) : [];
    for (let i = 0; i < words.length; i++) {
      take(words[i] as number);
      if (i % hashedAtOnce === 0) yield;
    }
  }
  const hex = (x: number): string => (x >>> 0).toString(16).padStart(8, '0');
  return hex(a) + hex(b);
}

/** Longest list of names in the panel's header, in characters. */
const longestNames = 60;

/** The label of a choice: `attention.npz: Q, K, V`. */
export function labelOfChoice(chosen: readonly OfferedTensor[]): string {
  const files = [...new Set(chosen.map(({ opened }) => opened.name))];
  const names = chosen.map(({ name }) => name).join(', ');
  const short = names.length > longestNames ? `${names.slice(0, longestNames - 1)}…` : names;
  const [file = '', ...others] = files;
  if (others.length === 0 && chosen.length === 1 && chosen[0]?.entry.name === '') return file;
  return others.length > 0 ? `${file} + ${others.length}: ${short}` : `${file}: ${short}`;
}

/** Validates a choice from the saved state of a window. Undefined if it is none. */
export function parseChoice(value: unknown): Choice | undefined {
  if (!isFields(value) || !Array.isArray(value['tensors']) || value['tensors'].length === 0) return undefined;
  const sound = value['tensors'].every(
    (one: unknown) =>
      isFields(one) &&
      [one['uri'], one['name'], one['role']].every((text) => typeof text === 'string') &&
      Array.isArray(one['index']) &&
      one['index'].every((i) => i === null || Number.isSafeInteger(i)),
  );
  const rows = value['rows'];
  const isRange = isFields(rows) && Number.isSafeInteger(rows['start']) && Number.isSafeInteger(rows['end']);
  return sound && (rows === undefined || isRange) ? (value as unknown as Choice) : undefined;
}

const isFields = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Whether the reader cancelled, so that nothing need be reported. */
export const isCancelled = (problems: readonly Problem[]): boolean => problems[0]?.code === 'cancelled';
