/* What a language model is told of a value in the stopped program: shape, type, place of the stop, and some of its numbers with all their digits. */

import * as vscode from 'vscode';
import { fail, formatShape, ok, type LiveReader, type Result } from '../../engine/index';
import type { Selection } from './expression';
import { describeTarget, readNumbers, shapeOfSelection, whyUnread, type LiveProcess } from './read';
import { stoppedFrame } from './stopped';

/** Rows and columns that are read where no slice is asked for. */
const mostAlong = 8;
/** Numbers of one answer. */
const mostNumbers = 256;

export const readForTool: LiveReader = async (asked) => {
  const frame = await stoppedFrame();
  if (!frame) return fail({ code: 'not-stopped', message: vscode.l10n.t('Nothing is stopped in a debugger here.') });
  const place = [frame.uri && vscode.workspace.asRelativePath(frame.uri), vscode.l10n.t('line {0}', frame.line), frame.name];
  return linesOf(frame, asked, place.filter(Boolean).join(', '));
}; // prettier-ignore

/** What is said of a value of a process that is stopped at `place`. */
export async function linesOf(
  process: LiveProcess,
  { name, slice }: { readonly name: string; readonly slice?: string },
  place: string,
): Promise<Result<readonly string[]>> {
  const target = { path: name };
  const info = await describeTarget(process, target);
  if (!info.ok) return info;
  const unread = whyUnread(name, info.value);
  if (unread || info.value.kind !== 'tensor' || !info.value.shape) return fail(...(unread ? [unread] : []));
  const { shape, dtype = '', type, device } = info.value;
  const chosen = slice === undefined ? ok(firstCells(shape)) : selectionOf(slice, shape);
  if (!chosen.ok) return chosen;
  const numbers = await readNumbers(process, target, info.value, chosen.value);
  if (!numbers.ok) return numbers;
  return ok([
    `${name}: ${[formatShape(shape), dtype, type, device].filter(Boolean).join(' ')}`,
    vscode.l10n.t('stopped at {0}', place),
    ...numbers.value.notes,
    ...rowsOf(name, chosen.value, numbers.value),
  ]);
}

/** The first of each leading axis, and the first rows and columns. */
const firstCells = (shape: readonly number[]): Selection =>
  shape.map((size, axis) => (axis < shape.length - 2 ? 0 : ([0, Math.min(size, mostAlong)] as const)));

/** `0, :8, 3:5` as indexes and ranges of the first axes; the rest is taken whole. */
function selectionOf(slice: string, shape: readonly number[]): Result<Selection> {
  const parts = slice.split(',').map((part) => part.trim());
  const wrong = (): Result<never> =>
    fail({ code: 'input', message: vscode.l10n.t('{0} is no slice of {1}', slice.trim(), formatShape(shape)) });
  if (parts.length > shape.length) return wrong();
  const selection: (number | readonly [number, number])[] = [];
  for (const [axis, part] of parts.entries()) {
    const size = shape[axis] ?? 0;
    const at = (text: string, otherwise: number): number => (text === '' ? otherwise : Number(text) < 0 ? Number(text) + size : Number(text));
    const range = /^(-?\d*):(-?\d*)$/.exec(part);
    const one = /^-?\d+$/.test(part) ? at(part, 0) : undefined;
    if (range) selection.push([Math.max(0, at(range[1] ?? '', 0)), Math.min(size, at(range[2] ?? '', size))]);
    else if (one !== undefined && one >= 0 && one < size) selection.push(one);
    else return wrong();
  }
  const count = shapeOfSelection(shape, selection).reduce((n, size) => n * size, 1);
  const most = vscode.l10n.t('{0} numbers are asked for, at most {1} are given', count, mostNumbers);
  return count > mostNumbers ? fail({ code: 'input', message: most, hint: vscode.l10n.t('Ask for a smaller slice.') }) : ok(selection);
} // prettier-ignore

/** A line for each row, by its place in the whole. */
function rowsOf(
  name: string,
  selection: Selection,
  { shape, values }: { readonly shape: readonly number[]; readonly values: Float64Array },
): readonly string[] {
  const width = shape.at(-1) ?? 1;
  const said = selection.map((part) => (typeof part === 'number' ? String(part) : `${part[0]}:${part[1]}`)).join(', ');
  const rows = Array.from({ length: width === 0 ? 0 : values.length / width }, (_, i) =>
    [...values.subarray(i * width, (i + 1) * width)].map((x) => (Object.is(x, -0) ? '-0' : String(x))).join('  '),
  );
  return [`${name}[${said}], ${formatShape(shape)}:`, ...rows];
}
