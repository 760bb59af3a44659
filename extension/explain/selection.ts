import * as vscode from 'vscode';
import {
  fail,
  inStretches,
  ok,
  readingLiteral,
  textLimit,
  windowSize,
  type Above,
  type LiteralAt,
  type ParsedMatrix,
  type Problem,
  type Result,
  type TextRange,
} from '../../engine/index';
import { earlierCells, textOf } from './documents';
import { nameInDocument } from '../hover/names';
import { inDocumentOrder, joinedLength, separator } from './parts';
import {
  isAmongNumbers,
  isNearStart,
  mayBeRow,
  mayGoOn,
  windowAround,
  type LongText,
  type TextWindow,
} from './text-window';

/** Ranges of one document that are explained together, in document order. */
export interface Input {
  readonly document: vscode.TextDocument;
  readonly parts: readonly TextRange[];
}

/**
 * What an editor offers: its selections and the literals at its other cursors; undefined when there is neither. Problems
 * (a ragged literal at the cursor) have ranges in the document.
 */
export async function inputOf({ document, selections }: vscode.TextEditor): Promise<Result<Input> | undefined> {
  const found: Result<Meant>[] = [];
  for (const selection of selections) {
    const meant = await meantBy(document, offsetsOf(document, selection), selections.length > 1);
    if (meant) found.push(meant);
  }
  const problems = found.flatMap((result) => (result.ok ? [] : result.problems));
  if (problems.length) return fail(...problems);
  const values = found.flatMap((result) => (result.ok ? [result.value] : []));
  // Names tell several literals apart; one alone is X, whatever its name.
  const parts = inDocumentOrder(values.map(({ named, range }) => (values.length > 1 ? named : range)));
  return parts.length ? ok({ document, parts }) : undefined;
}

/** A part of the document by itself, and beside others. */
type Meant = Pick<LiteralInDocument, 'range' | 'named'>;

const name = /^[A-Za-z_][\w.]*$/;
/** Longest name that is looked up. */
const longestName = 100;

/** The literal at a cursor; that of a selected name; a selected literal with its name where there are several; else what is selected. */
async function meantBy(
  document: vscode.TextDocument,
  own: TextRange,
  isOneOfSeveral: boolean,
): Promise<Result<Meant> | undefined> {
  if (own.start === own.end && !isOneOfSeveral) return literalInDocument(document, own.start);
  if (own.start === own.end) return literalOfName(document, own.start);
  const selected = ok({ range: own, named: own });
  const isName = own.end - own.start <= longestName && name.test(textOf(document, own));
  if (!isName && !isOneOfSeveral) return selected;
  const found = await (isName ? literalOfName : literalInDocument)(document, own.start);
  if (!found?.ok) return selected;
  return isName || isSame(found.value.range, own) ? found : selected;
}

const isSame = (a: TextRange, b: TextRange): boolean => a.start === b.start && a.end === b.end;

/** The literal at an offset, or the one that the name there was assigned. */
async function literalOfName(
  document: vscode.TextDocument,
  offset: number,
): Promise<Result<LiteralInDocument> | undefined> {
  const found = await literalInDocument(document, offset);
  if (found?.ok) return found;
  const named = await nameInDocument(document, offset);
  const defined = named?.ok ? named.value.definedAt : undefined;
  const literal = defined && (await literalInDocument(document, defined.end));
  return literal?.ok ? literal : found;
}

const offsetsOf = (document: vscode.TextDocument, { start, end }: vscode.Range): TextRange => ({
  start: document.offsetAt(start),
  end: document.offsetAt(end),
});

/** A literal and where it stands in its document. */
export interface LiteralInDocument {
  readonly literal: ParsedMatrix;
  /** With its call and with an expression around it, which is then refused rather than left out. */
  readonly range: TextRange;
  /** The same with its name. */
  readonly named: TextRange;
}

/**
 * Enough for what one writes by hand; farther only where numbers stand, so that a hover on prose stays cheap. One unit more
 * than the parser looks at, so that it knows a literal to be cut.
 */
const reaches = [16_384, windowSize + 1];

/**
 * The literal around an offset, or what is wrong with it, with ranges in the document; reads no more than a window around it, and
 * gives the extension host back now and then. Undefined also when cancelled.
 */
export async function literalInDocument(
  document: vscode.TextDocument,
  offset: number,
  isCancelled?: () => boolean,
): Promise<Result<LiteralInDocument> | undefined> {
  for (const reach of reaches) {
    const window = windowAround(longText(document), offset, reach);
    const found = await inStretches(readingLiteral(window.text, window.at), isCancelled);
    if (isCancelled?.()) return undefined;
    if (reach === reaches.at(-1) || isAll(window, found)) return placed(window, found);
  }
  return undefined;
}

/** Would a larger window change nothing? */
function isAll(window: TextWindow, found: LiteralAt): boolean {
  if (!window.cutBefore && !window.cutAfter) return true;
  if (!found) return !isAmongNumbers(window);
  return 'matrix' in found && !mayBegin(window, found.matrix) && !mayGoOn(window, found.matrix.range);
}

/** Rows without brackets around them. */
const tables = new Set<ParsedMatrix['format']>(['table', 'labelled-table', 'delimited', 'markdown', 'pandas']);

/** Whether a literal may have begun before the window. */
const mayBegin = (window: TextWindow, { format, range }: ParsedMatrix): boolean =>
  mayBeRow(window, range) || (tables.has(format) && isNearStart(window, range));

function placed(window: TextWindow, found: LiteralAt): Result<LiteralInDocument> | undefined {
  if (!found) return undefined;
  if ('problems' in found) return fail(...found.problems.map((problem) => moved(problem, window.start)));
  return mayBegin(window, found.matrix) ? fail(beganBefore(found.matrix, window)) : ok(place(found.matrix, window));
}

function place(literal: ParsedMatrix, { start }: TextWindow): LiteralInDocument {
  const range = around(literal.range, literal.expression);
  return { literal, range: shifted(range, start), named: shifted(around(range, literal.nameRange), start) };
}

const around = (a: TextRange, b: TextRange = a): TextRange => ({
  start: Math.min(a.start, b.start),
  end: Math.max(a.end, b.end),
});

const shifted = ({ start, end }: TextRange, by: number): TextRange => ({ start: start + by, end: end + by });

const moved = (problem: Problem, by: number): Problem =>
  problem.range ? { ...problem, range: shifted(problem.range, by) } : problem;

const beganBefore = ({ range }: ParsedMatrix, window: TextWindow): Problem => ({
  code: 'too-large',
  message: vscode.l10n.t('the matrix may begin more than {0} characters before the cursor', windowSize),
  hint: vscode.l10n.t('Select all of it.'),
  range: shifted(range, window.start),
});

/** A document as text that is never copied as a whole. */
function longText(document: vscode.TextDocument): LongText {
  const lastLine = document.lineAt(document.lineCount - 1);
  return { length: document.offsetAt(lastLine.range.end), slice: (range) => textOf(document, range) };
}

/**
 * What stands above an input, for the names that it uses: its document up to it, and before that the earlier cells of its
 * notebook, as far as the parser's window reaches; and a little of what stands below it. None for several parts: what stands between them is not selected.
 */
export function aboveOf({ document, parts }: Input): Above | undefined {
  const [part, second] = parts;
  if (!part || second) return undefined;
  const start = Math.max(0, part.start - windowSize);
  const own = textOf(document, { start, end: part.start });
  const after = textOf(document, { start: part.end, end: part.end + below });
  if (start > 0)
    return { before: own.slice(own.search(/[\r\n]/) + 1), cut: true, line: lineBelow(document, start, own), after };
  const cells = earlierCells(document, windowSize - own.length);
  const before = cells.map((cell) => `${cell.getText()}\n`).join('') + own;
  // Lines are counted in the input's own cell.
  const lines = cells.reduce((sum, cell) => sum + cell.lineCount, 0);
  return { before, line: 1 - lines, after };
}

/** Characters below a selection that are read for what they say of it. */
const below = 2000;

/** Line, from 1, of what follows the first line end of a text that stands at an offset. */
const lineBelow = (document: vscode.TextDocument, start: number, text: string): number =>
  document.positionAt(start + text.search(/[\r\n]/) + 1).line + 1;

/** The text of an input; its size is known from offsets before anything is copied. */
export function readInput({ document, parts }: Input): Result<string> {
  const length = joinedLength(parts);
  if (length > textLimit) return fail(tooLarge(length));
  return ok(parts.map((part) => textOf(document, part)).join(separator));
}

function tooLarge(length: number): Problem {
  const megabytes = (n: number): string => `${(n / 1e6).toFixed(1)} MB`;
  return {
    code: 'too-large',
    message: vscode.l10n.t('the selection has {0}, the limit is {1}', megabytes(length), megabytes(textLimit)),
    hint: vscode.l10n.t('Select the part that holds the matrix.'),
  };
}
