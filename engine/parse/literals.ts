import type { Problem } from '../problems';
import { insideString, isCut, isSubscript, readCandidate } from './candidate';
import type { Candidate, ParsedMatrix } from './matrix';
import { keywords, wordBefore } from './names';
import { code, isBlank, isCloser, isNewline, isOpener, isSpace, scannerOf, startOfLine, type Scanner } from './scanner';
import { readTable, tableAround, type TableReach } from './table';

/** Longest text that is read at once, in UTF-16 units. */
export const textLimit = 2_000_000;
/** How far to either side of an offset a literal is looked for. */
export const windowSize = 200_000;

export interface Matrices {
  readonly matrices: readonly ParsedMatrix[];
  readonly problems: readonly Problem[];
}

/**
 * The matrices in a selection, in order, and what is wrong with those that were attempted. Code, prose and comments
 * around them are passed over. Never throws; time is linear in the text.
 */
export function parseMatrices(text: string): Matrices {
  const tooLarge = checkSize(text);
  if (tooLarge) return { matrices: [], problems: [tooLarge] };
  const candidates = scanCandidates(scannerOf(text));
  return {
    matrices: candidates.flatMap((c) => (c.matrix ? [c.matrix] : [])),
    problems: candidates.flatMap((c) => c.problems),
  };
}

/** The Problem of a text that is longer than what is read at once. */
export function checkSize(text: string): Problem | undefined {
  if (text.length <= textLimit) return undefined;
  return {
    code: 'too-large',
    message: `${count(text.length)} characters are selected, the limit is ${count(textLimit)}`,
    hint: 'Select the part that holds the matrix.',
    range: { start: 0, end: text.length },
  };
}

const count = (n: number): string => n.toString().replace(/\B(?=(\d{3})+$)/g, ',');

/** Every plain matrix and every plain attempt in the scanner's text. */
export function scanCandidates(s: Scanner): Candidate[] {
  const table = readTable(s);
  if (table) return [table];
  const found: Candidate[] = [];
  let first = true;
  let subscript = 0;
  let opened = 0;
  while (s.at < s.end) {
    const c = s.text.charCodeAt(s.at);
    s.steps++;
    if (subscript > 0) {
      if (c === code.openBracket) subscript++;
      else if (c === code.closeBracket || isNewline(c)) subscript = isNewline(c) ? 0 : subscript - 1;
      s.at++;
    } else if (isOpener(c)) {
      // Rows above were passed already, so a table begins here.
      const candidate = candidateAt(s, first, { floor: s.at, rows: Infinity });
      if (candidate?.plain) found.push(closeStray(s, candidate, opened));
      else if (!candidate) {
        if (c === code.openBracket && isSubscript(s.text, s.at)) subscript = 1;
        else if (c === code.openBracket) opened++;
        s.at++;
      }
      first = false;
    } else if (startsComment(s)) skipLine(s);
    else {
      if (c === code.closeBracket && opened > 0) opened--;
      first &&= isSpace(c);
      s.at++;
    }
  }
  return found;
}

function candidateAt(s: Scanner, first: boolean, reach: TableReach): Candidate | undefined {
  const open = s.at;
  const table = s.text.charCodeAt(open) === code.openBracket ? tableAround(s, open, reach) : undefined;
  return table ?? readCandidate(s, { first });
}

/** `[[1, 2]]]`: a closing bracket after a literal, with none open around it. */
function closeStray(s: Scanner, candidate: Candidate, opened: number): Candidate {
  let at = s.at;
  while (at < s.end && isSpace(s.text.charCodeAt(at))) at++;
  s.steps += at - s.at;
  if (opened > 0 || s.text.charCodeAt(at) !== code.closeBracket || at >= s.end || !candidate.matrix) return candidate;
  const range = { start: at, end: at + 1 };
  const problem = {
    code: 'unbalanced',
    message: '] closes nothing',
    range,
    hint: 'Remove it, or select from its [ on.',
  };
  s.at = at + 1;
  return withoutMatrix(candidate, problem);
}

function withoutMatrix({ whole, plain, name, role }: Candidate, problem: Problem): Candidate {
  return { whole, plain, problems: [problem], ...(name === undefined ? {} : { name }), ...(role ? { role } : {}) };
}

/** `# …` and `// …` after a blank or at the start of a line; `https://` and `a#b` are none. */
function startsComment(s: Scanner): boolean {
  const c = s.text.charCodeAt(s.at);
  if (c !== code.hash && !(c === code.slash && s.text.charCodeAt(s.at + 1) === code.slash)) return false;
  return s.at === 0 || isSpace(s.text.charCodeAt(s.at - 1)) || s.text.charCodeAt(s.at - 1) === 59;
}

function skipLine(s: Scanner): void {
  const from = s.at;
  while (s.at < s.end && !isNewline(s.text.charCodeAt(s.at))) s.at++;
  s.steps += s.at - from;
}

export type LiteralAt = { readonly matrix: ParsedMatrix } | { readonly problems: readonly Problem[] } | undefined;

/**
 * The outermost literal around an offset, with its name and call: rectangular and with at least two numbers; or what is
 * wrong with it; or undefined where no literal is. Looks at most `windowSize` characters to either side.
 */
export function literalAt(text: string, offset: number): LiteralAt {
  const at = Math.max(0, Math.min(offset, text.length));
  const from = Math.max(0, at - windowSize);
  const s = scannerOf(text, from, Math.min(text.length, at + windowSize));
  return (
    literalAround(s, from, at) ??
    (at > 0 && isCloser(text.charCodeAt(at - 1)) ? literalAround(s, from, at - 1) : undefined)
  );
}

function literalAround(s: Scanner, from: number, at: number): LiteralAt {
  const opens = enclosing(s, at, from);
  for (const [i, open] of opens.entries()) {
    const found = literalFrom(s, open, at, { from, outermost: i === 0 });
    if (found) return found;
    if (s.text.charCodeAt(open) === code.openBracket && isSubscript(s.text, open)) return undefined;
  }
  return literalOfName(s, at, from);
}

/** As many rows of a table without outer brackets are read above and below the cursor. */
const mostRows = 1000;

/** As many open brackets as are tried; a literal has at most four, and calls around it. */
const mostOpen = 24;

/**
 * Walks back over the window and collects the brackets that are open at the offset, outermost first. Comments are left
 * out; an open brace ends the search. The bracket at the offset itself counts as open.
 */
function enclosing({ text, ...s }: Scanner, at: number, from: number): number[] {
  const opens: number[] = [];
  let closed = 0;
  let end = at < s.end && isOpener(text.charCodeAt(at)) ? at + 1 : at;
  while (end > from) {
    const start = startOfLine(text, end, from);
    const stop = end >= at ? end : commentStart(text, start, end);
    for (let i = stop - 1; i >= start; i--) {
      const c = text.charCodeAt(i);
      if (isCloser(c) || c === code.closeBrace) closed++;
      else if ((isOpener(c) || c === code.openBrace) && closed > 0) closed--;
      else if (c === code.openBrace) return opens.reverse();
      else if (isOpener(c) && opens.push(i) >= mostOpen) return opens.reverse();
    }
    end = start - 1;
  }
  return opens.reverse();
}

function commentStart(text: string, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i);
    const comment = c === code.hash || (c === code.slash && text.charCodeAt(i + 1) === code.slash);
    if (comment && (i === start || isBlank(text.charCodeAt(i - 1)) || text.charCodeAt(i - 1) === code.comma)) return i;
  }
  return end;
}

interface Around {
  /** Start of the window. */
  readonly from: number;
  /** No bracket that is open around this one stands in the window. */
  readonly outermost: boolean;
}

/** The literal that begins at a bracket, when it encloses the offset and is more than an ordinary list in prose. */
function literalFrom(s: Scanner, open: number, offset: number, { from, outermost }: Around): LiteralAt {
  s.at = open;
  const candidate = candidateAt(s, false, { floor: from, rows: mostRows });
  if (!candidate || offset > candidate.whole.end) return undefined;
  if (candidate.problems.some((p) => p.code === 'too-large')) return { problems: candidate.problems };
  if (isCut(s, s.at) || (outermost && from > 0 && continues(s.text, candidate.whole.start, from)))
    return { problems: [beyondWindow(open)] };
  if (candidate.problems.length > 0) return { problems: candidate.problems };
  const { matrix } = candidate;
  if (!matrix || matrix.values.length < 2 || !(candidate.plain || isListInCode(s.text, matrix))) return undefined;
  return { matrix };
}

/** In a window that begins inside of the text: whether this is a further row of a literal that begins before the window. */
function continues(text: string, start: number, from: number): boolean {
  let at = start;
  while (at > from && isSpace(text.charCodeAt(at - 1))) at--;
  return at <= from || ',[]'.includes(text.charAt(at - 1));
}

function beyondWindow(open: number): Problem {
  return {
    code: 'too-large',
    message: `the literal is longer than ${count(windowSize)} characters around the cursor`,
    hint: `Select it and run Explain Attention; up to ${count(textLimit)} characters are read.`,
    range: { start: open, end: open + 1 },
  };
}

/** A flat list where code has one: after `=`, `(`, `,`, `:` or a keyword, not after a word of a sentence or in a string. */
function isListInCode(text: string, { range }: ParsedMatrix): boolean {
  if (text.charCodeAt(range.start) !== code.openBracket || insideString(text, range)) return false;
  let at = range.start;
  while (at > 0 && range.start - at < 200 && isSpace(text.charCodeAt(at - 1))) at--;
  if (text.charAt(at - 1) === '(' && sizeCalls.has(wordEndingAt(text, at - 1))) return false;
  if (at === 0 || '=(,[:{?'.includes(text.charAt(at - 1))) return true;
  const word = wordBefore(text, at, Math.max(0, at - 40));
  const name = word ? text.slice(word.start, word.end) : '';
  return (
    keywords.has(name) &&
    (name !== 'in' || text.slice(startOfLine(text, at, Math.max(0, at - 200)), at).includes('for '))
  );
}

function wordEndingAt(text: string, at: number): string {
  const word = wordBefore(text, at, Math.max(0, at - 40));
  return word ? text.slice(word.start, word.end).replace(/^.*\./, '') : '';
}

/** Calls that take a list of sizes. */
const sizeCalls = new Set(
  'Size TensorShape shape reshape view zeros ones empty full rand randn permute transpose expand'.split(' '),
);

/** With the offset on a name or a call's word: the literal that follows it, when the name is its own. */
function literalOfName(s: Scanner, offset: number, from: number): LiteralAt {
  const { text } = s;
  let lines = 0;
  for (let i = offset; i < s.end && i < offset + 200 && lines < 3; i++) {
    const c = text.charCodeAt(i);
    if (c === code.newline) lines++;
    if (!isOpener(c)) continue;
    s.at = i;
    const candidate = candidateAt(s, false, { floor: from, rows: mostRows });
    if (candidate)
      return candidate.whole.start <= offset ? literalFrom(s, i, offset, { from, outermost: false }) : undefined;
    if (!(c === code.openBracket && isSubscript(text, i))) return undefined;
  }
  return undefined;
}
