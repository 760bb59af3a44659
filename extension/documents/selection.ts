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
  mayContinue,
  windowAround,
  type LongText,
  type TextWindow,
} from './text-window';

/** Ranges of one document that are explained together, in document order. */
export interface Input {
  readonly document: vscode.TextDocument;
  readonly parts: readonly TextRange[];
  /** Notes for the reader on how these ranges differ from the selections. Ranges of the notes are offsets in the document. */
  readonly remarks?: readonly Problem[];
}

/**
 * What an editor's selections and cursors refer to: the selected text, and the literals at cursors. Undefined if there is neither. Fails (on a ragged
 * literal at a cursor, say) with ranges in the document.
 */
export async function inputOf({ document, selections }: vscode.TextEditor): Promise<Result<Input> | undefined> {
  const found: Result<Referent>[] = [];
  for (const selection of selections) {
    const meant = await referentOf(document, offsetsOf(document, selection), selections.length > 1);
    if (meant) found.push(meant);
  }
  const problems = found.flatMap((result) => (result.ok ? [] : result.problems));
  if (problems.length) return fail(...problems);
  const values = found.flatMap((result) => (result.ok ? [result.value] : []));
  // Of several literals each is taken with its name, so that its role is known. A single one is X, whatever its name.
  const parts = inDocumentOrder(values.map(({ named, range }) => (values.length > 1 ? named : range)));
  const remarks = values.flatMap(({ remark }) => remark ?? []);
  return parts.length ? ok({ document, parts, ...(remarks.length ? { remarks } : {}) }) : undefined;
}

/** What one selection refers to: its range if it is the only one (`range`), and if there are others (`named`). */
interface Referent extends Pick<LiteralInDocument, 'range' | 'named'> {
  readonly remark?: Problem;
}

const namePattern = /^[A-Za-z_][\w.]*$/;
/** Longest selected text that is looked up as a name, in characters. */
const longestName = 100;

/**
 * What one selection refers to: for a cursor the literal at it; for a selected name the literal that is assigned to it; else what is selected, with
 * the name of the literal if there are several selections.
 */
async function referentOf(
  document: vscode.TextDocument,
  own: TextRange,
  isOneOfSeveral: boolean,
): Promise<Result<Referent> | undefined> {
  if (own.start === own.end && !isOneOfSeveral) return literalInDocument(document, own.start);
  if (own.start === own.end) return literalOfName(document, own.start);
  const selected = ok({ range: own, named: own });
  const isName = own.end - own.start <= longestName && namePattern.test(textOf(document, own));
  if (!isName && !isOneOfSeveral) return ok(await wholeLiterals(document, own));
  const found = await (isName ? literalOfName : literalInDocument)(document, own.start);
  if (!found?.ok) return selected;
  return isName || isSame(found.value.range, own) ? found : selected;
}

/** Extends a selection that begins or ends inside a literal to the whole literal, except if it consists of whole rows. Either is reported in `remark`. */
async function wholeLiterals(document: vscode.TextDocument, own: TextRange): Promise<Referent> {
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

/** The literal that contains an offset and extends to both sides of it. */
async function literalAcross(document: vscode.TextDocument, offset: number): Promise<LiteralInDocument | undefined> {
  const found = await literalInDocument(document, offset);
  if (!found?.ok) return undefined;
  const { start, end } = found.value.range;
  return start < offset && offset < end ? found.value : undefined;
}

/** Longest selection that is checked for being one group of brackets, in characters. */
const longestGroup = 200_000;

/** Whether a selection inside a literal is one group of brackets (a row, a head of several), or whole lines of a table without brackets. */
function isWholeRows(document: vscode.TextDocument, own: TextRange, { format }: ParsedMatrix): boolean {
  if (isTable[format]) {
    const [from, to] = [document.positionAt(own.start), document.positionAt(own.end)];
    return from.character === 0 && (to.character === 0 || to.character === document.lineAt(to.line).text.length);
  }
  return own.end - own.start < longestGroup && isGroup(textOf(document, own).trim());
}

/** Whether a text is one group of brackets such as `[[1, 2], [3, 4]]`: its first bracket is closed by its last character. */
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

/** The literal at an offset, or the one that is assigned to the name at the offset. */
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

/** A literal and its ranges in its document. */
export interface LiteralInDocument {
  readonly literal: ParsedMatrix;
  /** The literal with its constructor call and with an expression around it. The expression is included so that it is refused rather than ignored. */
  readonly range: TextRange;
  /** The same range with the literal's name. */
  readonly named: TextRange;
}

/**
 * Characters to both sides of an offset that are parsed: first enough for what is written by hand, then, only among numbers, as many as the parser
 * reads plus one, by which it knows that the literal is cut. So a hover on prose stays cheap.
 */
const searchRadii = [16_384, windowSize + 1];

/**
 * The literal around an offset, or problems with it, with ranges in the document. Parses only a window around the offset, and yields to the event
 * loop now and then. Undefined if there is none, or if cancelled.
 */
export async function literalInDocument(
  document: vscode.TextDocument,
  offset: number,
  isCancelled?: () => boolean,
): Promise<Result<LiteralInDocument> | undefined> {
  for (const reach of searchRadii) {
    const window = windowAround(longText(document), offset, reach);
    const found = await inStretches(literalAtPaced(window.text, window.at), isCancelled);
    if (isCancelled?.()) return undefined;
    if (reach === searchRadii.at(-1) || isAll(window, found)) return resultInDocument(window, found);
  }
  return undefined;
}

/** Whether a larger window would give the same result. */
function isAll(window: TextWindow, found: LiteralAt): boolean {
  if (!window.cutBefore && !window.cutAfter) return true;
  if (!found) return !isAmongNumbers(window);
  return 'matrix' in found && !mayBegin(window, found.matrix) && !mayContinue(window, found.matrix.range);
}

/** Whether a format has no brackets around its rows. */
const isTable: Readonly<Record<ParsedMatrix['format'], boolean>> = {
  brackets: false,
  printed: false,
  numpy: false,
  torch: false,
  tensorflow: false,
  jax: false,
  javascript: false,
  table: true,
  'labelled-table': true,
  matlab: false,
  julia: false,
  r: false,
  braces: false,
  rust: false,
  go: false,
  latex: false,
  markdown: true,
  delimited: true,
  pandas: true,
};

/** Whether a literal may begin before the window. */
const mayBegin = (window: TextWindow, { format, range }: ParsedMatrix): boolean =>
  mayBeRow(window, range) || (isTable[format] && isNearStart(window, range));

function resultInDocument(window: TextWindow, found: LiteralAt): Result<LiteralInDocument> | undefined {
  if (!found) return undefined;
  if ('problems' in found) return fail(...found.problems.map((problem) => shiftedProblem(problem, window.start)));
  return mayBegin(window, found.matrix)
    ? fail(beganBefore(found.matrix, window))
    : ok(inDocument(found.matrix, window));
}

function inDocument(literal: ParsedMatrix, { start }: TextWindow): LiteralInDocument {
  const range = union(literal.range, literal.expression);
  return { literal, range: shifted(range, start), named: shifted(union(range, literal.nameRange), start) };
}

const union = (a: TextRange, b: TextRange = a): TextRange => ({
  start: Math.min(a.start, b.start),
  end: Math.max(a.end, b.end),
});

const shifted = ({ start, end }: TextRange, by: number): TextRange => ({ start: start + by, end: end + by });

const shiftedProblem = (problem: Problem, by: number): Problem =>
  problem.range ? { ...problem, range: shifted(problem.range, by) } : problem;

const beganBefore = ({ range }: ParsedMatrix, window: TextWindow): Problem => ({
  code: 'too-large',
  message: vscode.l10n.t('the matrix may begin more than {0} characters before the cursor', windowSize),
  hint: vscode.l10n.t('Select all of it.'),
  range: shifted(range, window.start),
});

/** A document as a text that is never copied as a whole. */
function longText(document: vscode.TextDocument): LongText {
  const lastLine = document.lineAt(document.lineCount - 1);
  return { length: document.offsetAt(lastLine.range.end), slice: (range) => textOf(document, range) };
}

/**
 * The text around an input in which its names may be defined: the document above it as far as the parser reads, with earlier cells of its notebook,
 * and some text below it. For an input of several parts only their lines, because the text between them is not selected.
 */
export function aboveOf({ document, parts }: Input): Above | undefined {
  const [part, second] = parts;
  if (!part) return undefined;
  if (second) return { before: '', parts: partsOf(document, parts) };
  const start = Math.max(0, part.start - windowSize);
  const own = textOf(document, { start, end: part.start });
  const after = textOf(document, { start: part.end, end: part.end + reachBelow });
  if (start > 0)
    return { before: own.slice(own.search(/[\r\n]/) + 1), cut: true, line: lineBelow(document, start, own), after };
  const cells = cellsAbove(document, windowSize - own.length);
  return { ...cells, before: cells.before + own, after };
}

/** The offset of each part in the joined text, and its line in the document, from 1. */
function partsOf(document: vscode.TextDocument, parts: readonly TextRange[]): NonNullable<Above['parts']> {
  let start = 0;
  return parts.map((part) => {
    const place = { start, line: document.positionAt(part.start).line + 1 };
    start += part.end - part.start + separator.length;
    return place;
  });
}

/** Characters below a selection that are read for how the code uses it. */
const reachBelow = 16_384;

/** The document's line, from 1, that follows the first line end in a text beginning at an offset. */
const lineBelow = (document: vscode.TextDocument, start: number, text: string): number =>
  document.positionAt(start + text.search(/[\r\n]/) + 1).line + 1;

/** The text of an input. Fails with `too-large` before anything is copied, because the length is known from offsets. */
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
