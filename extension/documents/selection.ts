import * as vscode from 'vscode';
import {
  fail,
  inStretches,
  ok,
  literalAtPaced,
  textLimit,
  windowSize,
  type Above,
  type LiteralAt,
  type ParsedMatrix,
  type Problem,
  type Result,
  type TextRange,
} from '../../engine/index';
import { cellsAbove, textOf } from './documents';
import { nameInDocument } from './named-matrix';
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
  /** Where it is not just what is selected: why, with a range in the document. */
  readonly remarks?: readonly Problem[];
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
  const remarks = values.flatMap(({ remark }) => remark ?? []);
  return parts.length ? ok({ document, parts, ...(remarks.length ? { remarks } : {}) }) : undefined;
}

/** A part of the document by itself, and beside others. */
interface Meant extends Pick<LiteralInDocument, 'range' | 'named'> {
  readonly remark?: Problem;
}

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
  if (!isName && !isOneOfSeveral) return ok(await wholeLiterals(document, own));
  const found = await (isName ? literalOfName : literalInDocument)(document, own.start);
  if (!found?.ok) return selected;
  return isName || isSame(found.value.range, own) ? found : selected;
}

/** A selection that begins or ends inside a literal takes the whole literal; whole rows of one stay what they are, and it is said. */
async function wholeLiterals(document: vscode.TextDocument, own: TextRange): Promise<Meant> {
  const [first, last] = [await literalAcross(document, own.start), await literalAcross(document, own.end)];
  if (!first && !last) return { range: own, named: own };
  const line = (offset: number): number => document.positionAt(offset).line + 1;
  if (first && last && isSame(first.range, last.range)) {
    const { range, named } = first;
    const lines = [line(range.start), line(range.end)] as const;
    if (isWholeRows(document, own, first.literal))
      return { range: own, named: own, remark: { code: 'cut', message: vscode.l10n.t('Only a part is selected of the literal in lines {0} to {1}.', ...lines), range: own } }; // prettier-ignore
    return { range, named, remark: { code: 'cut', message: vscode.l10n.t('The selection lies inside the literal in lines {0} to {1}: all of it is taken.', ...lines), range } }; // prettier-ignore
  }
  const range = { start: first?.named.start ?? own.start, end: last?.range.end ?? own.end };
  const message = first
    ? vscode.l10n.t('The selection begins inside the literal of line {0}: all of it is taken.', line(range.start))
    : vscode.l10n.t('The selection ends inside a literal: all of it is taken, up to line {0}.', line(range.end));
  return { range, named: range, remark: { code: 'cut', message, range } };
}

/** The literal that goes on to both sides of an offset. */
async function literalAcross(document: vscode.TextDocument, offset: number): Promise<LiteralInDocument | undefined> {
  const found = await literalInDocument(document, offset);
  if (!found?.ok) return undefined;
  const { start, end } = found.value.range;
  return start < offset && offset < end ? found.value : undefined;
}

/** Longest selection that is looked at as one group of brackets. */
const longestGroup = 200_000;

/** A group of brackets by itself (one row, one head of several), or whole lines of a table that has none. */
function isWholeRows(document: vscode.TextDocument, own: TextRange, { format }: ParsedMatrix): boolean {
  if (tables.has(format)) {
    const [from, to] = [document.positionAt(own.start), document.positionAt(own.end)];
    return from.character === 0 && (to.character === 0 || to.character === document.lineAt(to.line).text.length);
  }
  return own.end - own.start < longestGroup && isGroup(textOf(document, own).trim());
}

/** `[[1, 2], [3, 4]]`: the first bracket is closed by the last character, and by none before. */
export function isGroup(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if ('[({'.includes(text.charAt(i))) depth++;
    else if ('])}'.includes(text.charAt(i))) depth--;
    if (depth < 1) return i > 0 && i === text.length - 1;
  }
  return false;
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
    const found = await inStretches(literalAtPaced(window.text, window.at), isCancelled);
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
 * notebook, as far as the parser's window reaches; and a little of what stands below it. For several parts their lines alone: what stands between
 * them is not selected.
 */
export function aboveOf({ document, parts }: Input): Above | undefined {
  const [part, second] = parts;
  if (!part) return undefined;
  if (second) return { before: '', parts: placesOf(document, parts) };
  const start = Math.max(0, part.start - windowSize);
  const own = textOf(document, { start, end: part.start });
  const after = textOf(document, { start: part.end, end: part.end + below });
  if (start > 0)
    return { before: own.slice(own.search(/[\r\n]/) + 1), cut: true, line: lineBelow(document, start, own), after };
  const cells = cellsAbove(document, windowSize - own.length);
  return { ...cells, before: cells.before + own, after };
}

/** Where each part begins in the joined text, and its line in the document. */
function placesOf(document: vscode.TextDocument, parts: readonly TextRange[]): NonNullable<Above['parts']> {
  let start = 0;
  return parts.map((part) => {
    const place = { start, line: document.positionAt(part.start).line + 1 };
    start += part.end - part.start + separator.length;
    return place;
  });
}

/** Characters below a selection that are read for what they say of it. */
const below = 16_384;

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
