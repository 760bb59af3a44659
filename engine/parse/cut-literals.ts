/** Finds parts of literals that the selection cuts off, and numbers beside a matrix that belong to none, so that they can be reported. */
import { t, positionAt, type Problem, type TextRange } from '../text';
import { opensFormula } from './formats/latex-name';
import type { Candidate, ParsedMatrix } from './matrix';

/** Characters of rows of numbers in any notation. */
const isData = /[\d\s.,;&|\\+\-−eE_[\](){}]/;
/** Characters that are examined on either side of a literal. */
const lookAround = 2000;
/** `12.5`, `−3e-4`; not the 1 of `x1`. */
const number = /(?<![\p{L}\d_.])[-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\p{L}\d_])/gu;
const countNumbers = (text: string): number => text.match(number)?.length ?? 0;

/** Offset of the first character that is not data, from `start` on. */
function dataEnd(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isData.test(text.charAt(at))) at++;
  return at;
}

function dataStart(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isData.test(text.charAt(at - 1))) at--;
  return at;
}

/** Offset of a closing bracket without an opening one among the numbers at the start of the text; −1 if there is none. */
function strayCloser(text: string, end: number): number {
  let depth = 0;
  for (let i = 0; i < end; i++) {
    const c = text.charAt(i);
    if ('[({'.includes(c)) depth++;
    else if ('])}'.includes(c) && --depth < 0) return i;
  }
  return -1;
}

/** What may follow a bracket that ends a row or a literal: another, a separator, a keyword of its call, the end of the line. */
const afterCloser = /^\s*(?:$|[\])};]|,\s*(?:$|[\d\[({+\-−.\])}]|\w+\s*=)|\r?\n)/;

/**
 * The remainder of a literal at the start of a text: its numbers up to a closing bracket (or an \end) that the text does not open.
 * Citations (`12] …`) and enumerations (`3) …`) do not count: a literal has several numbers there.
 */
function leadingRemainder(text: string): TextRange | undefined {
  const end = dataEnd(text, 0, Math.min(text.length, lookAround * 10));
  if (countNumbers(text.slice(0, end)) < 2 && !text.slice(0, end).includes('[')) return undefined;
  // The e of \end is data too: an exponent's.
  const tex = text.startsWith('\\end{', end - 2) && matrixEnd.test(text.slice(end - 1, end + 20));
  if (tex && countNumbers(text.slice(0, end)) > 1) return { start: end - 2, end: end + 3 };
  const at = strayCloser(text, end);
  if (at < 0 || !afterCloser.test(text.slice(at + 1, at + 100))) return undefined;
  const [before, all] = [countNumbers(text.slice(0, at)), countNumbers(text.slice(0, end))];
  const enough = text.charAt(at) === ')' ? before > 2 : before > 1 || all > 2;
  return enough ? { start: at, end: at + 1 } : undefined;
}

const matrixEnd = /^end\{(?:[bpvBV]?(?:small)?matrix\*?|array|tabular)\}/;
const matrixBegin = /\\begin\{([bpvBV]?(?:small)?matrix\*?|array|tabular)\}/g;

/** The remainder of a literal at the end of a text: a bracket (or a \begin) that is never closed, and numbers up to the end. */
function trailingRemainder(text: string): TextRange | undefined {
  const from = Math.max(0, text.length - lookAround * 10);
  const start = dataStart(text, from, text.length);
  const open: number[] = [];
  for (let i = start; i < text.length; i++) {
    if ('[({'.includes(text.charAt(i))) open.push(i);
    else if ('])}'.includes(text.charAt(i))) open.pop();
  }
  const at = open[0];
  const several =
    /\d(?:\s*[,;&]\s*|\s+)[-+.\d[({]/.test(text.slice(at ?? start)) || /[[{(]\s*[[{(]/.test(text.slice(at));
  if (at !== undefined && text.charAt(at) !== '(' && several && !opensFormula(text, at))
    return { start: at, end: at + 1 };
  const begin = [...text.slice(from).matchAll(matrixBegin)].at(-1);
  const opened = begin && from + begin.index;
  if (opened === undefined || text.includes(`\\end{${begin?.[1] ?? ''}}`, opened)) return undefined;
  return { start: opened, end: opened + (begin?.[0].length ?? 0) };
}

/** A selection that begins inside a literal. */
export interface Cut {
  /** The text, of the same length, with blanks in place of incomplete rows. */
  readonly text: string;
  readonly left: Problem;
}

/**
 * The complete rows `[…]` or `{…}` of a literal that began before the text; incomplete ones are replaced by blanks. Undefined if rows have
 * no brackets, or if there is other text between them.
 */
export function wholeRows(text: string): Cut | undefined {
  const first = leadingRemainder(text);
  if (!first || !']}'.includes(text.charAt(first.start))) return undefined;
  const end = dataEnd(text, 0, Math.min(text.length, lookAround * 10));
  const data = text.slice(0, end);
  const rows = [...data.matchAll(/[[{](?:[^[\](){}]*)[\]}]/g)].map(({ index, 0: row }) => ({ index, row }));
  if (rows.length === 0 || rows.some(({ row }) => countNumbers(row) === 0)) return undefined;
  const from = rows[0]?.index ?? 0;
  const last = rows.at(-1);
  const to = last ? last.index + last.row.length : 0;
  const between = data.slice(from, to).replace(/[[{](?:[^[\](){}]*)[\]}]/g, '');
  // Deeper brackets between rows separate matrices; then none is known to be complete.
  if (/[^\s,]/.test(between)) return undefined;
  const tail = /^[\s\])},;]*(?:[\w.]+\s*=\s*[\w.'"]+[\s\])},;]*)*/.exec(text.slice(to))?.[0] ?? '';
  const blank = (part: string): string => part.replace(/[^\r\n]/g, ' ');
  return {
    text: blank(text.slice(0, from)) + text.slice(from, to) + blank(tail) + text.slice(to + tail.length),
    left: leftOutNote(
      text,
      from > 0 && text.slice(0, from).trim() !== ''
        ? { start: 0, end: from }
        : { start: to, end: to + tail.trimEnd().length },
    ),
  };
}

function leftOutNote(text: string, range: TextRange): Problem {
  const quoted = quote(text.slice(range.start, range.end));
  return {
    code: 'cut',
    message: t('The selection begins inside a literal: its whole rows are read, {0} is left out.', quoted),
    range,
  };
}

/** Longest piece that is quoted. */
const longestQuote = 40;
function quote(text: string): string {
  const plain = text.trim().replace(/\s+/g, ' ');
  return plain.length > longestQuote ? `${plain.slice(0, longestQuote)}…` : plain;
}

/** The problem of a selection that is only part of a literal; undefined otherwise. `line`: that of an offset, in the document. */
export function cutLiteralProblem(
  text: string,
  line = (at: number): number => positionAt(text, at).line,
): Problem | undefined {
  const hint = t('Select the whole literal.');
  const first = leadingRemainder(text);
  if (first) {
    const message = t(
      'the selection begins inside a literal: line {0} closes what it does not open',
      line(first.start),
    );
    return { code: 'cut', message, hint, range: first };
  }
  const last = trailingRemainder(text);
  if (last) {
    const message = t('the selection ends inside a literal: what line {0} opens is never closed', line(last.start));
    return { code: 'cut', message, hint, range: last };
  }
  const numbers = numbersWithoutMatrix(text);
  if (numbers === undefined) return undefined;
  const message = t('{0} numbers are selected, but no whole matrix', numbers);
  return { code: 'cut', message, hint, range: { start: 0, end: text.length } };
}

/** The number of numbers in a text that consists almost only of numbers with separators or brackets; undefined for other texts. */
function numbersWithoutMatrix(text: string): number | undefined {
  const start = text.slice(0, lookAround);
  const plain = start.replace(/(?:\\|(?<!\w))\w*\{\w*(?:matrix|array)\}|(?<![\w.])[\w.]+\s*=(?!=)\s*[\w.]+/g, ' ');
  const [numbers, words] = [countNumbers(plain), plain.match(/\p{L}{2,}/gu)?.length ?? 0];
  const isStructured = /[[\]{}|&=]|[\d.]\)|\d\s*[,;\t]\s*-?\d|\d[ \t]*\r?\n[ \t]*\d/.test(start);
  return numbers > 1 && isStructured && words * 2 < numbers ? numbers : undefined;
}

/** Problems for numbers right beside a literal that belong to no matrix: a row that was cut off, a line of a table. */
export function numbersBeside(text: string, candidates: readonly Candidate[]): Problem[] {
  const found: Problem[] = [];
  let floor = 0;
  for (const [i, { whole, matrix }] of candidates.entries()) {
    const ceiling = candidates[i + 1]?.whole.start ?? text.length;
    if (matrix && !matrix.expression) {
      const before = linesFrom(
        text,
        dataStart(text, Math.max(floor, whole.start - lookAround), whole.start),
        whole.start,
      );
      const after = linesTo(text, whole.end, dataEnd(text, whole.end, Math.min(ceiling, whole.end + lookAround)));
      for (const range of [before, after]) found.push(...besideNote(text, range));
    }
    floor = whole.end;
  }
  return found;
}

/** A range that begins with a whole line: a line with other content is no row. */
function linesFrom(text: string, start: number, end: number): TextRange {
  if (start === 0 || /[\r\n]/.test(text.charAt(start - 1))) return { start, end };
  const newline = text.slice(start, end).search(/[\r\n]/);
  return { start: newline < 0 ? end : start + newline, end };
}

function linesTo(text: string, start: number, end: number): TextRange {
  if (end >= text.length || /[\r\n]/.test(text.charAt(end))) return { start, end };
  return { start, end: Math.max(start, Math.max(text.lastIndexOf('\n', end - 1), text.lastIndexOf('\r', end - 1))) };
}

/** The problem for numbers beside a matrix, except `2. ` and `3) ` before a line, a printed shape below it, and arguments of a call. */
function besideNote(text: string, { start, end }: TextRange): Problem[] {
  const part = text.slice(start, end);
  const isCall = /^\s*\(/.test(part) && /[\p{L}\d_]\s*$/u.test(text.slice(Math.max(0, start - 20), start));
  const cutWord = /[\p{L}_]/u.test(text.charAt(start - 1) + text.charAt(end)) && !/[\s,;]/.test(part);
  const plain = part
    .replace(/(?:^|\n)[ \t]*\d+[.)](?=\s|$)/g, '')
    .replace(/(?:^|\n)[ \t]*\(\d+(?:,\s*\d+)*,?\)\s*(?=\n|$)/g, '');
  if (isCall || cutWord || countNumbers(plain) === 0) return [];
  const trimmed = { start: end - part.trimStart().length, end: start + part.trimEnd().length };
  return [
    {
      code: 'not-read',
      message: t('{0} is in no matrix: select all of the literal that it belongs to.', quote(part)),
      range: trimmed,
    },
  ];
}

/**
 * Notes on numbers used as labels. pandas and R count from 0 or 1; other numbers may be a row or column of a cut selection, and numbers among words
 * a column with a slip in it.
 */
export function numbersAsLabels(matrices: readonly ParsedMatrix[]): Problem[] {
  return matrices.flatMap(({ rowLabels = [], columnLabels = [], range }) => {
    const [columns, rows] = [numbersIn(columnLabels), numbersIn(rowLabels)];
    const [areColumns, areRows] = [columns.length === columnLabels.length, 2 * rows.length >= rowLabels.length];
    const first = (labels: readonly string[]): string => labels.slice(0, 6).join(', ');
    return [
      ...(columns.length > 0 && areColumns
        ? [{ code: 'labels', message: t('{0} are taken as names of columns, not as a row.', first(columns)), range }]
        : []),
      ...(rows.length > 0 && areRows
        ? [{ code: 'labels', message: t('{0} are taken as names of rows, not as a column.', first(rows)), range }]
        : []),
    ];
  });
}

/** The labels that are numbers; none if all are and count from 0 or 1. */
function numbersIn(labels: readonly string[]): readonly string[] {
  const numbers = labels.filter((label) => label.trim() !== '' && Number.isFinite(Number(label)));
  const [first = ''] = labels;
  const areCounted = ['0', '1'].includes(first) && labels.every((label, i) => Number(label) === i + Number(first));
  return areCounted ? [] : numbers;
}
