import { t } from '../../text/l10n';
import type { Problem } from '../../text/problems';
import type { Candidate } from '../matrix';
import type { Paced } from '../../text/pace';
import { code, isDigit, isDue, isNewline, type Scanner } from '../scanner';
import type { Circumstances, Family } from './family';

type Read = Family['read'];

/**
 * What a reader of lines remembers of one text, so that lines which were refused together are not read again from each
 * of them.
 */
interface Memory {
  /** Lines before this offset were read as part of a refused table. */
  refusedUntil: number;
  /** A table that is read from here has more rows above, which are not read. */
  cutAt: number;
}

/** A family of lines without brackets from its reader: refusals are remembered, long tables are Problems. */
export function lineFamily(
  name: string,
  readLines: (s: Scanner, c: Circumstances, refuse: Refuse) => Paced<Candidate | undefined>,
): Family {
  const memories = new WeakMap<Scanner, Memory>();
  const memoryOf = (s: Scanner): Memory => {
    const known = memories.get(s);
    if (known) return known;
    const fresh = { refusedUntil: -1, cutAt: -1 };
    memories.set(s, fresh);
    return fresh;
  };
  const read: Read = function* (s, circumstances) {
    const start = s.at;
    const memory = memoryOf(s);
    if (start < memory.refusedUntil || isQuiet(s, start) || isWide(s, start)) return undefined;
    const refuse = (until: number): undefined => {
      memory.refusedUntil = Math.max(memory.refusedUntil, until);
      return undefined;
    };
    const candidate = yield* readLines(s, circumstances, refuse);
    if (!candidate) return undefined;
    const cut = memory.cutAt === start || isCutAfter(s, candidate);
    return cut ? tooLong(candidate, circumstances) : candidate;
  };
  function* startBefore(s: Scanner, at: number, circumstances: Circumstances): Paced<number | undefined> {
    const region = yield* regionStart(s, at, circumstances);
    if (!region) return undefined;
    const memory = memoryOf(s);
    memory.refusedUntil = -1;
    memory.cutAt = region.cut ? region.start : -1;
    return yield* startOfEnclosing(s, region.start, at, read, circumstances);
  }
  return { name, lines: true, read, startBefore };
}

/** In a window that ends inside of the text: whether the table, or what is wrong with it, reaches the window's last line. */
function isCutAfter(s: Scanner, { problems }: Candidate): boolean {
  if (s.end >= s.text.length) return false;
  const last = lineStart(s, s.end, Math.max(0, s.end - longestLine));
  // Up to two characters end the line before.
  return s.at + 2 >= last || problems.some(({ range }) => range !== undefined && range.end >= last);
}

/** A longer line is no row: a list of a million numbers would be cut into fields by every one of these readers. */
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

/** What is known of the digits after an offset. */
interface Quiet {
  /** Between this offset and `digit` is none. */
  from: number;
  digit: number;
  /** Lines that begin before this offset have no digit on them and none near below. */
  until: number;
}

const quiets = new WeakMap<Scanner, Quiet>();

/** How many lines below a header its first number stands at most. */
const headerHeight = 4;

/** Whether no digit stands on a line or near below it, as in most prose: none of the readers need look at it. */
function isQuiet(s: Scanner, start: number): boolean {
  let quiet = quiets.get(s);
  if (!quiet || start < quiet.from || start > quiet.digit) quiets.set(s, (quiet = quietFrom(s, start)));
  return start < quiet.until;
}

function quietFrom(s: Scanner, from: number): Quiet {
  let digit = from;
  while (digit < s.end && !beginsValue(s.text, digit)) digit++;
  if (digit >= s.end) digit = s.end;
  let until = digit;
  for (let lines = 0; until > from; until--)
    if (s.text.charCodeAt(until - 1) === code.newline && ++lines > headerHeight) break;
  s.steps += 2 * (digit - from);
  return { from, digit, until: digit === s.end ? s.end : until };
}

/** Said by a reader that gives up a table of several lines: none of them begins one of its tables. */
export type Refuse = (until: number) => undefined;

/** The start of the first line from which something is read that encloses the offset. */
function* startOfEnclosing(
  s: Scanner,
  from: number,
  at: number,
  read: Read,
  c: Circumstances,
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

/** A line without digits ends a region, but for these: blank ones, rules of a Markdown table, headers that go on. */
const passes = /^[\s|:+-]*$|\\\s*$/;

/** Longest line that is looked at above. */
const longestLine = 20_000;

interface Region {
  readonly start: number;
  /** There may be more of it above. */
  readonly cut: boolean;
}

/**
 * The first of the lines above an offset that a table around it may begin on: back over lines with digits, and over a few
 * without them (its header and its name). Undefined where neither the line itself nor the next has a digit.
 */
function* regionStart(s: Scanner, at: number, { floor, rows }: Circumstances): Paced<Region | undefined> {
  let start = lineStart(s, at, floor);
  // One line may be all of the window: half of the look before this, half after.
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
  // A part of a line is no row.
  return { start: isNewline(s.text.charCodeAt(floor - 1)) ? start : nextLine(s, start), cut: true };
}

const headerLines = 4;

const isPair = (text: string, start: number): boolean =>
  start > 1 && text.charCodeAt(start - 1) === 10 && text.charCodeAt(start - 2) === 13;

/** Nearly every character is above the two that end a line, so this one comparison is nearly all that a long line costs. */
const endsLine = (c: number): boolean => c <= 13 && isNewline(c);

function lineStart(s: Scanner, at: number, floor: number): number {
  let i = at;
  while (i > floor && !endsLine(s.text.charCodeAt(i - 1))) i--;
  s.steps += at - i;
  return i;
}

/** A digit on this line or one of the next three, where the cursor is on a header. */
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

/** A digit, or a truth value in place of a number. */
function beginsValue(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  if (c !== 84 && c !== 70) return isDigit(c);
  return truths.some((word) => text.startsWith(word, at));
}

const truths = ['True', 'False', 'TRUE', 'FALSE'];

function tooLong({ whole, name, role }: Candidate, { rows }: Circumstances): Candidate {
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
