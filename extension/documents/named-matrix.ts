import * as vscode from 'vscode';
import { fail, inStretches, ok, readingName, type ParsedMatrix, type Result, type TextRange } from '../../engine/index';
import { cellsAbove, textOf } from './documents';
import { fromWholeLine } from './text-window';

/** A matrix that an offset of a document refers to. */
export interface MatrixInDocument {
  readonly matrix: ParsedMatrix;
  /** What a hover highlights: the literal with its name. */
  readonly named: TextRange;
  /** What is explained: the literal with its constructor call. */
  readonly range: TextRange;
  /** Whether only the matrix's name is at the offset, not its literal. */
  readonly isNamed?: boolean;
  /** The range of the assignment to the name, if it is in the same document. */
  readonly definedAt?: TextRange;
}

/** UTF-16 units of a program that are read before a name. */
const reach = 12_288;
/** UTF-16 units that are read after it, for the rest of its statement. */
const reachAfter = 1024;

/** Languages in which names are resolved: Python, and formats that quote it. */
const languages = new Set(['python', 'markdown', 'plaintext', 'quarto', 'restructuredtext']);

/**
 * The matrix that the name at an offset refers to, computed from the code above it. Undefined if there is no such name. A constructor call that is
 * assigned to a name (`np.eye` in `I = np.eye(3)`) refers to the same matrix as the name.
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

/** Longest line that is matched, in characters. */
const longestLine = 1000;

/** The library call at an offset, if its result is assigned to a name at the start of the line: the name's offset, and the range of the called function. */
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

/** A cheap test before anything is parsed: whether `name =`, `name, other =` or `name @=` occurs. */
const mayBeAssigned = (text: string, name: string): boolean =>
  new RegExp(`(?:^|[^\\w.])${name}[ \\t]*(?:[-+*/@]?=(?!=)|[,:)\\]])`, 'm').test(text);
