import * as vscode from 'vscode';
import type { Problem, TensorFile } from '../../engine/index';
import type { OpenedFile } from '../files';
import type { Selection, Target } from './expression';
import type { LiveInfo, TensorInfo } from './live-value';
import { readNumbers, whyUnread, type LiveProcess } from './read';

export interface LiveTensor {
  readonly name: string;
  readonly target: Target;
  readonly info: LiveInfo;
}

/** Tensors of a process as those of a file: the same questions for batch, head and rows are asked, and only that part is read. */
export function openedFrom(process: LiveProcess, name: string, tensors: readonly LiveTensor[]): OpenedFile {
  const file: TensorFile = {
    format: 'live',
    metadata: {},
    tensors: tensors.map((one) => entryOf(one)),
    async read(wanted, slice = {}, watch) {
      const one = tensors.find((tensor) => tensor.name === wanted);
      if (one?.info.kind !== 'tensor') return { ok: false, problems: [{ code: 'gone', message: wanted }] };
      const selection = selectionOf(one.info, slice);
      return readNumbers(process, one.target, one.info, selection, watch);
    },
  };
  return { uri: vscode.Uri.from({ scheme: 'live', path: `/${name}` }), name, file };
}

function entryOf({ name, info }: LiveTensor): TensorFile['tensors'][number] {
  const problem: Problem | undefined = whyUnread(name, info);
  const { shape = [], dtype = info.kind, wire } = info.kind === 'tensor' ? info : {};
  return { name, shape, dtype: wire ?? dtype, byteRange: { start: 0, end: 0 }, ...(problem && { problem }) };
}

function selectionOf({ shape = [] }: TensorInfo, { index = [], rows }: Parameters<TensorFile['read']>[1] & object): Selection {
  const selection = shape.map((size, axis): number | readonly [number, number] => {
    const at = axis < shape.length - 2 ? index[axis] : null;
    if (typeof at === 'number') return at;
    return rows && axis === shape.length - 2 ? [rows.start, rows.end] : [0, size];
  });
  const isWhole = selection.every((one, axis) => typeof one !== 'number' && one[0] === 0 && one[1] === shape[axis]);
  return isWhole ? [] : selection;
} // prettier-ignore
