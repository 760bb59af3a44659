import { t } from '../../text';
import { TooMuchWork } from './work';

/**
 * Text between normalizers and pre-tokenizers, with offsets into the original text: unit `i` comes from `starts[at + i]` to
 * `ends[at + i]`. Offsets follow Hugging Face's tokenizers (`normalizer.rs`): inserted text has the range of the character before it,
 * removed text is in no range.
 */
export interface Aligned {
  readonly text: string;
  /** Shared by all slices of a text; a typed-array view for each word took longer than finding the word. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly at: number;
}

/** A character of the new text: change 0 replaces one character, 1 inserts, −k replaces one and removes the k characters after it. */
export type Change = readonly [character: string, change: number];

/** The original text, with each unit in the range of its character. */
export function original(text: string): Aligned {
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  for (let i = 0; i < text.length; i++) {
    starts[i] = i;
    ends[i] = i + 1;
    if (charLength(text, i) === 1) continue;
    starts[i + 1] = i;
    ends[i] = ends[i + 1] = i + 2;
    i++;
  }
  return { text, starts, ends, at: 0 };
}

/** Number of UTF-16 units of the character at `i`. */
export function charLength(text: string, i: number): number {
  const unit = text.charCodeAt(i);
  return unit >= 0xd800 && unit < 0xdc00 && (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
}

export function slice(a: Aligned, from: number, to: number): Aligned {
  if (from === 0 && to === a.text.length) return a;
  return { text: a.text.slice(from, to), starts: a.starts, ends: a.ends, at: a.at + from };
}

/** Start of the original range of unit `i`; `lastOf` is its end. 0 if there is no such unit. */
const firstOf = (a: Aligned, i: number): number => a.starts[a.at + i] ?? 0;
const lastOf = (a: Aligned, i: number): number => a.ends[a.at + i] ?? 0;

/** Start of the original range of units `from` to `to`. */
export const startOf = (a: Aligned, from: number): number =>
  from < a.text.length ? firstOf(a, from) : a.text ? lastOf(a, a.text.length - 1) : 0;

/** End of that range; for an empty range its start. */
export const endOf = (a: Aligned, from: number, to: number): number =>
  to > from ? lastOf(a, to - 1) : startOf(a, from);

/** Longest text that normalizers may produce; a chain of `Replace` can double it at each step. */
const longest = 10_000_000;

/** Builds a text piece by piece, with its ranges. */
class Builder {
  private text = '';
  private length = 0;
  private starts: Int32Array;
  private ends: Int32Array;

  /** `room` is the expected number of units. */
  constructor(room: number) {
    this.starts = new Int32Array(room);
    this.ends = new Int32Array(room);
  }

  add(text: string, start: number, end: number): void {
    this.reserve(text.length);
    this.text += text;
    for (let i = 0; i < text.length; i++) {
      this.starts[this.length] = start;
      this.ends[this.length++] = end;
    }
  }

  /** Appends units `from` to `to` unchanged. */
  copy(a: Aligned, from: number, to: number): void {
    this.reserve(to - from);
    this.text += a.text.slice(from, to);
    for (let i = from; i < to; i++) {
      this.starts[this.length] = firstOf(a, i);
      this.ends[this.length++] = lastOf(a, i);
    }
  }

  done(): Aligned {
    return { text: this.text, starts: this.starts, ends: this.ends, at: 0 };
  }

  private reserve(units: number): void {
    const room = this.length + units;
    if (room > longest) throw new TooMuchWork(t('the normalizer'), longest);
    if (room <= this.starts.length) return;
    const [starts, ends] = [this.starts, this.ends];
    this.starts = new Int32Array(2 * room);
    this.ends = new Int32Array(2 * room);
    this.starts.set(starts);
    this.ends.set(ends);
  }
}

/** Applies changes to a text. */
export function transform(a: Aligned, changes: Iterable<Change>): Aligned {
  const builder = new Builder(a.text.length);
  const last = a.text.length - 1;
  let at = 0;
  for (const [character, change] of changes) {
    const from = Math.max(0, Math.min(change > 0 ? at - 1 : at, last));
    builder.add(character, firstOf(a, from), lastOf(a, from));
    for (let n = change; n <= 0 && at <= last; n++) at += charLength(a.text, at);
  }
  return builder.done();
}

/**
 * Replaces each character by others (or none): the first replaces it, further ones are inserted. `map` must be a pure function; it is
 * called once for each distinct character. Unchanged text is not copied.
 */
export function mapCharacters(a: Aligned, map: (character: string) => string): Aligned {
  const becomes = memoized(map);
  let builder: Builder | undefined;
  for (let i = 0; i < a.text.length;) {
    const end = i + charLength(a.text, i);
    const character = end === i + 1 ? a.text.charAt(i) : a.text.slice(i, end);
    const mapped = becomes(character);
    if (!builder && mapped !== character) {
      builder = new Builder(a.text.length);
      builder.copy(a, 0, i);
    }
    builder?.add(mapped, firstOf(a, i), lastOf(a, i));
    i = end;
  }
  return builder?.done() ?? a;
}

function memoized(map: (character: string) => string): (character: string) => string {
  const known = new Map<string, string>();
  const ascii: (string | undefined)[] = new Array<undefined>(128).fill(undefined);
  return (character) => {
    const unit = character.charCodeAt(0);
    if (unit < 128) return (ascii[unit] ??= map(character));
    const before = known.get(character);
    if (before !== undefined) return before;
    const mapped = map(character);
    known.set(character, mapped);
    return mapped;
  };
}

/** Inserts text at the beginning, unless the text is empty. */
export function prepend(a: Aligned, text: string): Aligned {
  if (!a.text) return a;
  const builder = new Builder(text.length + a.text.length);
  builder.add(text, firstOf(a, 0), lastOf(a, 0));
  builder.copy(a, 0, a.text.length);
  return builder.done();
}

/** A range of the text, and whether it matches what is searched for. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly hit: boolean;
}

/** Replaces each match; the new text has the range of the last character replaced. */
export function replace(a: Aligned, matches: readonly Match[], content: string): Aligned {
  if (!matches.some(({ hit }) => hit)) return a;
  const builder = new Builder(a.text.length);
  for (const { start, end, hit } of matches) {
    const last = Math.max(0, end - 1);
    if (hit) builder.add(content, firstOf(a, last), lastOf(a, last));
    else builder.copy(a, start, end);
  }
  return builder.done();
}
