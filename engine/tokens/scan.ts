import { asciiClasses, classAt, LETTER, LOWER, NUMBER, SPACE, unitsAt, UPPER } from './classes';

/**
 * Returns the end of the piece that begins at `start`, in text that ends at `end`. Pieces are the matches of an encoding's pattern;
 * merges happen only inside pieces.
 *
 * The patterns of OpenAI's tiktoken (`openai_public.py`) are written out by hand: a backtracking regular expression overflows its stack on
 * some ten million letters, while these functions read each character at most a few times.
 */
export type Scan = (text: string, start: number, end: number) => number;

const RETURN = 0x0d;
const NEWLINE = 0x0a;
const BLANK = 0x20;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;

/** `'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+` */
export const scanGpt2: Scan = (text, start, end) => {
  const contraction = afterContraction(text, start, end, false);
  if (contraction) return contraction;
  const i = text.charCodeAt(start) === BLANK && start + 1 < end ? start + 1 : start;
  const kind = kindAt(text, i);
  return kind === SPACE ? afterSpace(text, start, end) : afterRun(text, i, end, kind);
};

/** `'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+` */
export const scanCl100k: Scan = (text, start, end) => {
  const contraction = afterContraction(text, start, end, true);
  if (contraction) return contraction;
  const word = afterPrefix(text, start);
  if (word < end && kindAt(text, word) === LETTER) return afterRun(text, word, end, LETTER);
  return afterOther(text, start, end, false);
};

/**
 * `P?U*L+C?|P?U+L*C?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+` where P is `[^\r\n\p{L}\p{N}]`, U is
 * UPPER, L is LOWER (both hold Lm, Lo and M) and C is `(?i:'s|'t|'re|'ve|'m|'ll|'d)`.
 */
export const scanO200k: Scan = (text, start, end) => {
  const prefixed = afterPrefix(text, start);
  const word =
    lowerWord(text, prefixed, end) ||
    (prefixed > start && lowerWord(text, start, end)) ||
    afterMask(text, prefixed, end, UPPER);
  if (word > prefixed || (word > start && prefixed > start && isMark(text, start))) {
    return afterContraction(text, word, end, true) || word;
  }
  return afterOther(text, start, end, true);
};

const isMark = (text: string, i: number): boolean => (classAt(text, i) & UPPER) !== 0;

/** `U*L+` from `start`, greedy: up to the end of the first run of L after U, or back to the last U that is also L. 0 for no match. */
function lowerWord(text: string, start: number, end: number): number {
  let i = start;
  let last = 0;
  while (i < end) {
    const bits = classAt(text, i);
    if (!(bits & UPPER)) break;
    i += unitsAt(text, i);
    if (bits & LOWER) last = i;
  }
  const stop = afterMask(text, i, end, LOWER);
  return stop > i ? stop : last;
}

/** The end of `[^\r\n\p{L}\p{N}]?`; `start` if it matches nothing. */
function afterPrefix(text: string, start: number): number {
  if (isLineEnd(text.charCodeAt(start), false) || classAt(text, start) & (LETTER | NUMBER)) return start;
  return start + unitsAt(text, start);
}

/** The rest of the patterns of cl100k_base and o200k_base, after words: up to three digits, other characters, white space. */
function afterOther(text: string, start: number, end: number, slashes: boolean): number {
  const kind = kindAt(text, start);
  if (kind === NUMBER) return afterDigits(text, start, end);
  const i = text.charCodeAt(start) === BLANK && start + 1 < end ? start + 1 : start;
  if (kindAt(text, i) !== 0) return afterLines(text, start, end) || afterSpace(text, start, end);
  let stop = afterRun(text, i, end, 0);
  while (stop < end && isLineEnd(text.charCodeAt(stop), slashes)) stop++;
  return stop;
}

const isLineEnd = (unit: number, slashes: boolean): boolean =>
  unit === RETURN || unit === NEWLINE || (slashes && unit === SLASH);

function afterDigits(text: string, start: number, end: number): number {
  let i = start;
  for (let digits = 0; digits < 3 && i < end && kindAt(text, i) === NUMBER; digits++) {
    i += unitsAt(text, i);
  }
  return i;
}

/** `\s*[\r\n]+`: the end of the last line break in a run of white space; 0 if there is none. */
function afterLines(text: string, start: number, end: number): number {
  for (let i = afterMask(text, start, end, SPACE) - 1; i >= start; i--) {
    if (isLineEnd(text.charCodeAt(i), false)) return i + 1;
  }
  return 0;
}

/** `\s+(?!\S)|\s+`: a run of white space leaves its last character to the following word, unless that is its only one. */
function afterSpace(text: string, start: number, end: number): number {
  const stop = afterMask(text, start, end, SPACE);
  return stop < end && stop > start + 1 ? stop - 1 : stop;
}

/** LETTER, NUMBER, SPACE or 0 for anything else. */
const kindAt = (text: string, i: number): number => classAt(text, i) & (LETTER | NUMBER | SPACE);

/** The end of the run of characters from `start` whose kind is `kind`. */
function afterRun(text: string, start: number, end: number, kind: number): number {
  let i = start;
  while (i < end) {
    const unit = text.charCodeAt(i);
    if (unit < 128) {
      if (((asciiClasses[unit] as number) & (LETTER | NUMBER | SPACE)) !== kind) break;
      i++;
    } else if (kindAt(text, i) === kind) i += unitsAt(text, i);
    else break;
  }
  return i;
}

/** The end of the run of characters from `start` that are in one of the classes of `mask`. */
function afterMask(text: string, start: number, end: number, mask: number): number {
  let i = start;
  while (i < end) {
    const unit = text.charCodeAt(i);
    if (unit < 128) {
      if (((asciiClasses[unit] as number) & mask) === 0) break;
      i++;
    } else if (classAt(text, i) & mask) i += unitsAt(text, i);
    else break;
  }
  return i;
}

/** The end of `'s`, `'ll` and the like; 0 for none. Ignoring case, `ſ` (U+017F) is an s. */
function afterContraction(text: string, start: number, end: number, anyCase: boolean): number {
  if (start >= end || text.charCodeAt(start) !== APOSTROPHE) return 0;
  const raw = text.slice(start + 1, Math.min(start + 3, end));
  const next = anyCase ? raw.toLowerCase().replace('ſ', 's') : raw;
  if (/^[sdmt]/.test(next)) return start + 2;
  return next === 'll' || next === 've' || next === 're' ? start + 3 : 0;
}
