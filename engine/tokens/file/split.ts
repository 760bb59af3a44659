import { charLength, slice, type Aligned, type Match } from './aligned';
import type { Pattern } from './pattern';
import type { Search } from './pattern/matcher';

/** What happens to the ranges that a pattern matches (`SplitDelimiterBehavior`). */
export const behaviors = ['Removed', 'Isolated', 'MergedWithPrevious', 'MergedWithNext', 'Contiguous'] as const;
export type Behavior = (typeof behaviors)[number];

/** Divides a whole text into ranges in order: hits, and what is between them. */
export type Finder = (text: string) => Match[];

/** Cuts a text at what `find` hits. */
export function splitAt(a: Aligned, find: Finder, behavior: Behavior): Aligned[] {
  const parts: Aligned[] = [];
  for (const { start, end } of stretches(find(a.text), behavior)) if (end > start) parts.push(slice(a, start, end));
  return parts;
}

type Stretch = Omit<Match, 'hit'>;

function stretches(matches: readonly Match[], behavior: Behavior): readonly Stretch[] {
  switch (behavior) {
    case 'Removed':
      return matches.filter(({ hit }) => !hit);
    case 'Isolated':
      return matches;
    case 'MergedWithNext':
      return joined([...matches].reverse(), (hit, before) => hit && !before).reverse();
    case 'MergedWithPrevious':
      return joined(matches, (hit, before) => hit && !before);
    case 'Contiguous':
      return joined(matches, (hit, before) => hit === before);
  }
}

/** Merges a range into the one before it when `joins` says so, given whether each of the two is a hit. */
function joined(matches: readonly Match[], joins: (hit: boolean, before: boolean) => boolean): Stretch[] {
  const out: { start: number; end: number }[] = [];
  let before = false;
  for (const { start, end, hit } of matches) {
    const last = out.at(-1);
    if (last && joins(hit, before)) {
      last.start = Math.min(last.start, start);
      last.end = Math.max(last.end, end);
    } else {
      out.push({ start, end });
    }
    before = hit;
  }
  return out;
}

/** Hits each single character for which `test` holds. */
export function characters(test: (character: string) => boolean): Finder {
  const ascii = Array.from({ length: 128 }, (_, c) => test(String.fromCharCode(c)));
  const hits = (text: string, from: number, to: number): boolean =>
    ascii[text.charCodeAt(from)] ?? test(text.slice(from, to));
  return (text) => {
    const found: Match[] = [];
    let between = 0;
    for (let i = 0; i < text.length;) {
      const end = i + charLength(text, i);
      if (hits(text, i, end)) {
        if (i > between) found.push({ start: between, end: i, hit: false });
        found.push({ start: i, end, hit: true });
        between = end;
      }
      i = end;
    }
    if (text.length > between) found.push({ start: between, end: text.length, hit: false });
    return found;
  };
}

/** Hits each match of a pattern as Oniguruma does: an empty match directly after another match does not count. */
export function matchesOf(pattern: Pattern): Finder {
  return (text) => {
    const nativeMatch = 'native' in pattern ? nativeSearch(pattern.native, text) : pattern.searchIn(text);
    const found: Match[] = [];
    let between = 0;
    let last = -1;
    for (let match = nativeMatch(0); match;) {
      const { start, end } = match;
      if (end > start || start !== last) {
        if (start > between) found.push({ start: between, end: start, hit: false });
        found.push({ start, end, hit: true });
        between = last = end;
      }
      match = nativeMatch(end > start ? end : start + charLength(text, start));
    }
    if (text.length > between) found.push({ start: between, end: text.length, hit: false });
    return found;
  };
}

/** Length of the window for native searches: longer than any word, short enough for V8's backtracking stack. */
const WINDOW = 1_000_000;

const nativeSearch =
  (pattern: RegExp, text: string): Search =>
  (at) =>
    next(pattern, text, at);

/** The first match from `at` on. If the pattern overflows V8's stack (on a run of several million characters), only WINDOW units are searched. */
function next(pattern: RegExp, text: string, at: number): Stretch | undefined {
  if (at > text.length) return undefined;
  try {
    return execute(pattern, text, at, 0);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  for (let from = at; from < text.length; from += WINDOW) {
    const match = execute(pattern, text.slice(from, from + WINDOW), 0, from);
    if (match) return match;
  }
  return undefined;
}

function execute(pattern: RegExp, text: string, at: number, shift: number): Stretch | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match ? { start: shift + match.index, end: shift + match.index + match[0].length } : undefined;
}

/** Exchanges hits and non-hits. */
export const inverted =
  (find: Finder): Finder =>
  (text) =>
    find(text).map(({ start, end, hit }) => ({ start, end, hit: !hit }));

/** Hits an exact string. */
export function literal(content: string): Finder {
  return (text) => {
    const found: Match[] = [];
    let between = 0;
    for (let at = text.indexOf(content); content && at >= 0; at = text.indexOf(content, between)) {
      if (at > between) found.push({ start: between, end: at, hit: false });
      between = at + content.length;
      found.push({ start: at, end: between, hit: true });
    }
    if (text.length > between) found.push({ start: between, end: text.length, hit: false });
    return found;
  };
}
