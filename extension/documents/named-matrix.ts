import * as vscode from 'vscode';
import { fail, inStretches, ok, readingName, type ParsedMatrix, type Result, type TextRange } from '../../engine/index';
import { cellsAbove, textOf } from './documents';
import { fromWholeLine } from './text-window';

/** The matrix at a place of a document. */
export interface MatrixInDocument {
  readonly matrix: ParsedMatrix;
  /** What a hover marks: the literal with its name. */
  readonly named: TextRange;
  /** What is explained: the literal with its call. */
  readonly range: TextRange;
  /** It stands there by its name only. */
  readonly isNamed?: boolean;
  /** Where its name was assigned, in the same document. */
  readonly definedAt?: TextRange;
}

/** How much of a program is read above a name, in UTF-16 units. */
const reach = 12_288;
/** How much of its statement after it. */
const reachAfter = 1024;

/** Names are resolved where programs are Python or quote it. */
const languages = new Set(['python', 'markdown', 'plaintext', 'quarto', 'restructuredtext']);

/**
 * The matrix that the name at an offset stands for, from what stands above it; undefined where no such name is. A constructor that a name
 * is assigned, `np.eye` of `I = np.eye(3)`, stands for it as the name does.
 */
export async function nameInDocument(
  document: vscode.TextDocument,
  offset: number,
  isCancelled?: () => boolean,
): Promise<Result<MatrixInDocument> | undefined> {
  if (!languages.has(document.languageId)) return undefined;
  const made = constructorAt(document, offset);
  const found = await readName(document, made?.name ?? offset, isCancelled);
  return found?.ok && made ? ok({ ...found.value, named: made.callee }) : found;
}

async function readName(
  document: vscode.TextDocument,
  offset: number,
  isCancelled: (() => boolean) | undefined,
): Promise<Result<MatrixInDocument> | undefined> {
  const word = wordAt(document, offset);
  if (!word) return undefined;
  const from = Math.max(0, offset - reach);
  const { text, start } = fromWholeLine(textOf(document, { start: from, end: offset + reachAfter }), from);
  const cells = start === 0 ? cellsAbove(document, reach) : { before: '', line: 0 };
  const { before } = cells;
  if (start > word.start || !mayBeAssigned(before + text, textOf(document, word))) return undefined;
  const line = before === '' ? document.positionAt(start).line + 1 : cells.line;
  const reading = readingName(text, offset - start, { ...cells, cut: start > 0, line });
  const found = await inStretches(reading, isCancelled);
  if (!found) return undefined;
  if ('problems' in found) return fail(...found.problems);
  const own = { start: found.range.start + start, end: found.range.end + start };
  const place = found.definedAt
    ? vscode.l10n.t('line {0}', document.positionAt(found.definedAt.start + start).line + 1)
    : vscode.l10n.t('an earlier cell');
  const derivation = found.matrix.derivation ?? place;
  const defined = found.definedAt
    ? { definedAt: { start: found.definedAt.start + start, end: found.definedAt.end + start } }
    : {};
  return ok({ matrix: { ...found.matrix, derivation }, named: own, range: own, isNamed: true, ...defined });
}

const constructor = /^([ \t]*)([A-Za-z_]\w*)[ \t]*=[ \t]*(?=((?:np|numpy|jnp|torch|tf)(?:\.\w+)+)\()/;

/** Longest line that is looked at. */
const longestLine = 1000;

/** The call of a library at an offset that a name at the start of the line is assigned: where the name stands, and what is called. */
function constructorAt(
  document: vscode.TextDocument,
  offset: number,
): { readonly name: number; readonly callee: TextRange } | undefined {
  const { line, character } = document.positionAt(offset);
  const { text } = document.lineAt(line);
  const [before, indent = '', , callee = ''] = (character < longestLine && constructor.exec(text)) || [];
  if (before === undefined || character < before.length || character > before.length + callee.length) return undefined;
  const start = offset - character;
  const own = { start: start + before.length, end: start + before.length + callee.length };
  return { name: start + indent.length, callee: own };
}

function wordAt(document: vscode.TextDocument, offset: number): TextRange | undefined {
  const range = document.getWordRangeAtPosition(document.positionAt(offset), /[A-Za-z_]\w*/);
  return range && { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
}

/** A look before anything is parsed: `name =`, `name, other =`, `name @=`. */
const mayBeAssigned = (text: string, name: string): boolean =>
  new RegExp(`(?:^|[^\\w.])${name}[ \\t]*(?:[-+*/@]?=(?!=)|[,:)\\]])`, 'm').test(text);
