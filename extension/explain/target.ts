import * as vscode from 'vscode';
import { findDocument, type Input } from '../documents';
import type { View } from '../../webview/protocol';

/** What a hover's link refers to: a range of a document. */
export interface Target {
  readonly uri: string;
  readonly start: number;
  readonly end: number;
  /** Whether the range is one of code rather than of a literal. */
  readonly code: boolean;
  /** The step of the expression at this offset is meant. */
  readonly of?: number;
  /** Of a check: the step that is all of this expression, or a matrix that the cell has printed, by where it begins in the text of its outputs; 0 for one in a comment. */
  readonly checks?: 'step' | number;
  /** A step of an attention of the whole document, by its number among all. */
  readonly shows?: ShownStep;
}

export interface ShownStep {
  readonly attention: number;
  readonly step: string;
  readonly cell?: readonly number[];
  readonly head?: number;
}

/** The range in the argument of a hover's link. Undefined for other arguments, such as the URI that a menu passes. */
export function targetOf(argument: unknown): Target | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { uri, start, end, code, of, shows, checks } = argument as { readonly [name: string]: unknown };
  const isTarget = typeof uri === 'string' && isOffset(start) && isOffset(end) && start < end;
  return isTarget ? { uri, start, end, code: code === true, ...(isOffset(of) ? { of } : {}), ...(checks === 'step' || isOffset(checks) ? { checks } : {}), ...(isShown(shows) ? { shows } : {}) } : undefined; // prettier-ignore
}

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function isShown(value: unknown): value is ShownStep {
  if (typeof value !== 'object' || value === null) return false;
  const { attention, step, cell, head } = value as { readonly [name: string]: unknown };
  const isCell = cell === undefined || (Array.isArray(cell) && cell.length === 2 && cell.every(isOffset));
  return isOffset(attention) && typeof step === 'string' && isCell && (head === undefined || isOffset(head));
}

export async function openTarget({ uri, start, end }: Target): Promise<Input | undefined> {
  const document = await findDocument(vscode.Uri.parse(uri));
  if (!document) return undefined;
  const within = (offset: number): number => document.offsetAt(document.positionAt(offset));
  return { document, parts: [{ start: within(start), end: within(end) }] };
}

export const viewOfStep = ({ step, cell, head }: ShownStep): View => ({
  step,
  ...(cell ? { cell } : {}),
  ...(head === undefined ? {} : { slice: { batch: 0, head } }),
});
