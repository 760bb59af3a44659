import { t, type Problem, type Paced } from '../../text';
import type { Candidate } from '../matrix';
import { code, isDigit, isDue, isNewline, type Scanner } from '../scanner';
import type { ReadContext, FormatReader } from './format-reader';

type Read = FormatReader['read'];

/**
 * What a line reader remembers about one text, so that the lines of a refused table are not tried again one by one.
 */
interface RefusalMemory {
  /** All lines before this offset belong to tables that were refused. */
  refusedUntil: number;
  /** A table that begins here has more rows above, which are outside of the window. */
  cutAt: number;
}

/** Makes a format reader for notations without brackets: it remembers refusals, and gives a Problem for a table that is too long. */
export function lineReader(
  name: string,
  readLines: (s: Scanner, c: ReadContext, refuse: RefuseUntil) => Paced<Candidate | undefined>,
): FormatReader {
  const memories = new WeakMap<Scanner, RefusalMemory>();
  const memoryOf = (s: Scanner): RefusalMemory => {
    const known = memories.get(s);
    if (known) return known;
    const fresh = { refusedUntil: -1, cutAt: -1 };
    memories.set(s, fresh);
    return fresh;
  };
  const read: Read = function* (s, circumstances) {
    const start = s.at;
    const memory = memoryOf(s);
    if (start < memory.refusedUntil || hasNoDigitNear(s, start) || isWide(s, start)) return undefined;
    const refuse = (until: number): undefined => {
      memory.refusedUntil = Math.max(memory.refusedUntil, until);
      return undefined;
    };
    const candidate = yield* readLines(s, circumstances, refuse);
    if (!candidate) return undefined;
    const cut = memory.cutAt === start || isCutAfter(s, candidate);
    return cut ? tooLong(candidate, circumstances) : candidate;
  };
  function* startBefore(s: Scanner, at: number, circumstances: ReadContext): Paced<number | undefined> {
    const region = yield* regionStart(s, at, circumstances);
    if (!region) return undefined;
    const memory = memoryOf(s);
    memory.refusedUntil = -1;
    memory.cutAt = region.cut ? region.start : -1;
    return yield* startOfEnclosing(s, region.start, at, read, circumstances);
  }
  return { name, lines: true, read, startBefore };
}

/** Whether a table, or a problem in it, reaches the last line of a window that ends before the text does. */
function isCutAfter(s: Scanner, { problems }: Candidate): boolean {
  if (s.follows < 0) return false;
  const last = lineStart(s, s.end, Math.max(0, s.end - longestLine));
  // The line end before it can have two characters.
  return s.at + 2 >= last || problems.some(({ range }) => range !== undefined && range.end >= last);
}

/** Longest line that is read as a row. Otherwise each line reader would split a list of a million numbers into fields. */
const widestRow = 1 << 17;

const widths = new WeakMap<Scanner, { readonly start: number; readonly wide: boolean }>();

function isWide(s: Scanner, start: number): boolean {
  const known = widths.get(s);
  if (known?.start === start) return known.wide;
  let at = start;
  while (at < s.end && at - start <= widestRow && !endsLine(s.text.charCodeAt(at))) at++;
  s.steps += at - start;
  const wide = at - start > widestRow;
  widths.set(s, { start, wide });
  return wide;
}

/** A stretch of text without digits, remembered so that it is searched once. */
interface DigitGap {
  /** There is no digit between this offset and `digit`. */
  from: number;
  digit: number;
  /** Lines that begin before this offset have no digit on them or on the next few lines. */
  until: number;
}

const digitGaps = new WeakMap<Scanner, DigitGap>();

/** Most lines between a header and its first number. */
const headerHeight = 4;

/** Whether there is no digit on a line or on the next few, as in most prose. Such lines are skipped by all readers. */
function hasNoDigitNear(s: Scanner, start: number): boolean {
  let quiet = digitGaps.get(s);
  if (!quiet || start < quiet.from || start > quiet.digit) digitGaps.set(s, (quiet = digitGapFrom(s, start)));
  return start < quiet.until;
}

function digitGapFrom(s: Scanner, from: number): DigitGap {
  let digit = from;
  while (digit < s.end && !beginsValue(s.text, digit)) digit++;
  if (digit >= s.end) digit = s.end;
  let until = digit;
  for (let lines = 0; until > from; until--)
    if (s.text.charCodeAt(until - 1) === code.newline && ++lines > headerHeight) break;
  s.steps += 2 * (digit - from);
  return { from, digit, until: digit === s.end ? s.end : until };
}

/** Called by a reader that refuses a table of several lines: none of the lines before `until` begins one of its tables. */
export type RefuseUntil = (until: number) => undefined;

/** The start of the first line from which something is read that encloses the offset. */
function* startOfEnclosing(
  s: Scanner,
  from: number,
  at: number,
  read: Read,
  c: ReadContext,
): Paced<number | undefined> {
  let line = from;
  while (line <= at && line < s.end) {
    if (isDue(s)) yield;
    s.at = line;
    const candidate = yield* read(s, c);
    if (candidate && s.at >= at) {
      return line;
    }
    line = nextLine(s, candidate ? Math.max(s.at, line) : line);
  }
  return undefined;
}

function nextLine(s: Scanner, from: number): number {
  let at = from;
  while (at < s.end && !isNewline(s.text.charCodeAt(at))) at++;
  s.steps += at - from;
  return at + 1;
}

/** Lines without digits that do not end a region: blank ones, rules of Markdown tables, continued headers. */
const passes = /^[\s|:+-]*$|\\\s*$/;

/** Longest line that is searched above. */
const longestLine = 20_000;

interface Region {
  readonly start: number;
  /** Whether there may be more of it above. */
  readonly cut: boolean;
}

/**
 * Start of the first line above an offset at which an enclosing table may begin: goes back over lines with digits, and a few without
 * (header and name). Undefined if neither the line nor the next few have a digit.
 */
function* regionStart(s: Scanner, at: number, { floor, rows }: ReadContext): Paced<Region | undefined> {
  let start = lineStart(s, at, floor);
  // A single line can fill the window: yield between the two searches.
  yield;
  if (isWide(s, start) || !digitsNear(s, start)) return undefined;
  yield;
  let without = 0;
  for (let passed = 0; start > floor && without < headerLines; passed++) {
    if (isDue(s)) yield;
    if (passed >= rows) return { start, cut: true };
    const above = lineStart(s, start - 1 - (isPair(s.text, start) ? 1 : 0), floor);
    const end = Math.min(start, above + longestLine);
    s.steps += end - above;
    if (start - above > longestLine) return { start, cut: false };
    if (!hasDigit(s.text, above, end) && !passes.test(s.text.slice(above, end))) without++;
    start = above;
  }
  if (start > floor || floor === 0) return { start, cut: false };
  // A line that the window cuts is no row.
  return { start: isNewline(s.text.charCodeAt(floor - 1)) ? start : nextLine(s, start), cut: true };
}

const headerLines = 4;

const isPair = (text: string, start: number): boolean =>
  start > 1 && text.charCodeAt(start - 1) === 10 && text.charCodeAt(start - 2) === 13;

/** Whether a code ends a line. Nearly every character is above 13, so the first comparison decides. */
const endsLine = (c: number): boolean => c <= 13 && isNewline(c);

function lineStart(s: Scanner, at: number, floor: number): number {
  let i = at;
  while (i > floor && !endsLine(s.text.charCodeAt(i - 1))) i--;
  s.steps += at - i;
  return i;
}

/** Whether there is a digit on this line or one of the next three, as the cursor may be on a header. */
function digitsNear(s: Scanner, start: number): boolean {
  let at = start;
  for (let line = 0; line < 4 && at < s.end; line++) {
    const next = nextLine(s, at);
    if (hasDigit(s.text, at, Math.min(next, at + longestLine))) return true;
    at = next;
  }
  return false;
}

function hasDigit(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (beginsValue(text, i)) return true;
  return false;
}

/** Whether a digit, or a boolean in place of a number, begins at `at`. */
function beginsValue(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  if (c !== 84 && c !== 70) return isDigit(c);
  return truths.some((word) => text.startsWith(word, at));
}

const truths = ['True', 'False', 'TRUE', 'FALSE'];

function tooLong({ whole, name, role }: Candidate, { rows }: ReadContext): Candidate {
  const problem: Problem = {
    code: 'too-large',
    message: Number.isFinite(rows)
      ? t('the table is longer than what is read around the cursor')
      : t('the table goes on after what is read'),
    hint: t('Select it and run Explain Attention.'),
    range: { start: whole.start, end: whole.start + 1 },
  };
  return {
    whole,
    plain: true,
    problems: [problem],
    ...(name === undefined ? {} : { name }),
    ...(role ? { role } : {}),
  };
}
