import * as vscode from 'vscode';
import { findDocument, type Input } from '../documents';

/** What a hover's link refers to: a range of a document. */
export interface Target {
  readonly uri: string;
  readonly start: number;
  readonly end: number;
  /** Whether the range is one of code rather than of a literal. */
  readonly code: boolean;
  /** The step of the expression at this offset is meant. */
  readonly of?: number;
}

/** The range in the argument of a hover's link. Undefined for other arguments, such as the URI that a menu passes. */
export function targetOf(argument: unknown): Target | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { uri, start, end, code, of } = argument as { readonly [name: string]: unknown };
  const isTarget = typeof uri === 'string' && isOffset(start) && isOffset(end) && start < end;
  return isTarget ? { uri, start, end, code: code === true, ...(isOffset(of) ? { of } : {}) } : undefined;
}

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export async function openTarget({ uri, start, end }: Target): Promise<Input | undefined> {
  const document = await findDocument(vscode.Uri.parse(uri));
  if (!document) return undefined;
  const within = (offset: number): number => document.offsetAt(document.positionAt(offset));
  return { document, parts: [{ start: within(start), end: within(end) }] };
}
