import * as vscode from 'vscode';
import type { TextRange } from '../../engine/index';
import type { Source } from '../../webview/protocol';
import { textOf } from './documents';
import { hashText, separator } from './parts';
import { findAgain, withLineEnds } from './tracking';

/** A range that was explained, and its text at that time. After a reload of the window the text is not known, only the hash of all parts. */
interface Part extends TextRange {
  readonly text?: string;
}

export interface Tracked {
  readonly uri: vscode.Uri;
  readonly parts: readonly Part[];
  /** Hash of the texts of all parts, joined. */
  readonly hash: string;
}

/** What is saved for a reload of the window: the ranges as edits have moved them, and the hash. */
export interface Saved {
  readonly uri: string;
  readonly parts: readonly TextRange[];
  readonly hash: string;
}

/** What to track for these ranges of a document. `hash` is that of their joined text, if it was computed already. */
export function trackedOf(document: vscode.TextDocument, ranges: readonly TextRange[], hash?: string): Tracked {
  const parts = ranges.map((range) => ({ ...range, text: textOf(document, range) }));
  return { uri: document.uri, parts, hash: hash ?? hashText(parts.map((part) => part.text).join(separator)) };
}

export const savedOf = ({ uri, parts, hash }: Tracked): Saved => ({
  uri: uri.toString(),
  parts: parts.map(({ start, end }) => ({ start, end })),
  hash,
});

/**
 * What to track for a source that a page restored. Saved ranges are preferred if they belong to the same text, because edits may have moved them.
 * Undefined if the source is no text of a document.
 */
export function restore({ uri, range, textHash }: Source, saved: Saved | undefined): Tracked | undefined {
  if (uri === undefined || !range || textHash === undefined) return undefined;
  const isSame = saved?.uri === uri && saved.hash === textHash;
  return { uri: vscode.Uri.parse(uri, true), parts: isSame ? saved.parts : [range], hash: textHash };
}

export interface Comparison {
  /** The parts with their ranges moved to where their text is now. */
  readonly tracked: Tracked;
  readonly same: boolean;
}

/** Compares a document with what was explained. `everywhere` also searches for a part's text outside its range. */
export function compare(document: vscode.TextDocument, tracked: Tracked, everywhere: boolean): Comparison {
  if (tracked.parts.some((part) => part.text === undefined)) return compareHash(document, tracked);
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const found = tracked.parts.map((part) => {
    const text = withLineEnds(part.text ?? '', lineEnd);
    const near = findAgain(part, text, (range) => textOf(document, range));
    return near ?? (everywhere ? search(document, text) : undefined);
  });
  const parts = tracked.parts.map((part, i) => ({ ...part, ...found[i] }));
  return { tracked: { ...tracked, parts }, same: found.every((range) => range !== undefined) };
}

function compareHash(document: vscode.TextDocument, tracked: Tracked): Comparison {
  const now = trackedOf(document, tracked.parts);
  return now.hash === tracked.hash ? { tracked: now, same: true } : { tracked, same: false };
}

/** Finds a text anywhere in a document, which may have been changed while it was closed. */
function search(document: vscode.TextDocument, text: string): TextRange | undefined {
  const start = document.getText().indexOf(text);
  return start < 0 ? undefined : { start, end: start + text.length };
}
