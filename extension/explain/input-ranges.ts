import type * as vscode from 'vscode';
import type { TextRange } from '../../engine/index';
import type { Source } from '../../webview/protocol';
import { inDocumentOrder, labelOf, locate, locateInDocument, type Input } from '../documents';
import type { Read } from './reading';

/* The ranges of an input: what is selected, where its explanation's remarks stand, and what the explanation names as its source. */

/** The range from the first part to the last. */
export const spanOf = (parts: readonly TextRange[]): TextRange => ({
  start: parts[0]?.start ?? 0,
  end: parts.at(-1)?.end ?? 0,
});

export const selectionOf = ({ document, selections }: vscode.TextEditor): TextRange => ({
  start: Math.min(...selections.map(({ start }) => document.offsetAt(start))),
  end: Math.max(...selections.map(({ end }) => document.offsetAt(end))),
});

/** Adds a remark that says why the code was not explained by its own steps. */
export const withReason = (input: Input, why: string | undefined): Input =>
  why === undefined
    ? input
    : {
        ...input,
        remarks: [...(input.remarks ?? []), { code: 'no-program', message: why, range: spanOf(input.parts) }],
      };

/** Converts ranges to the document, and puts remarks on the selection first. */
export function withDocumentRanges({ document, parts, remarks = [] }: Input, read: Read): Read {
  const unfollowed = [...locateInDocument(document, remarks), ...locate(document, parts, read.unfollowed ?? [])];
  return unfollowed.length ? { ...read, unfollowed } : read;
}

/** An editor's selections as they are, without looking at their content. */
export function selectionsOf({ document, selections }: vscode.TextEditor): Input | undefined {
  const parts = selections
    .filter(({ isEmpty }) => !isEmpty)
    .map(({ start, end }) => ({ start: document.offsetAt(start), end: document.offsetAt(end) }));
  return parts.length ? { document, parts: inDocumentOrder(parts) } : undefined;
}

export const isOnlyPart = ([part, other]: readonly TextRange[], range: TextRange | undefined): boolean =>
  range !== undefined && part?.start === range.start && part.end === range.end && !other;

export const isSameSource = (a: Source, b: Source | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

export function sourceOf({ document, parts }: Input, textHash: string): Source {
  const range = { start: parts[0]?.start ?? 0, end: parts.at(-1)?.end ?? 0 };
  return { label: labelOf(document, range.start), uri: document.uri.toString(), range, textHash };
}
