import { t } from '../../text';
import { TooMuchWork } from './work';

/**
 * Text on its way through normalizers and pre-tokenizers: each UTF-16 unit `i` knows the range of the original text that it
 * comes from, `starts[at + i]` to `ends[at + i]`. The rules for ranges are those of Hugging Face's tokenizers (`normalizer.rs`), so that offsets are too: what is
 * inserted has the range of the character before it, what is removed is in no range.
 */
export interface Aligned {
  readonly text: string;
  /** A part shares these with its whole: a view for each word took longer than finding the word. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly at: number;
}

/**
 * A character of the new text: 0 replaces one character, 1 is inserted, −k replaces one and removes the k characters that
 * follow it.
 */
export type Change = readonly [character: string, change: number];

/** The original text, each unit standing for its character. */
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

/** UTF-16 units of the character at `i`. */
export function charLength(text: string, i: number): number {
  const unit = text.charCodeAt(i);
  return unit >= 0xd800 && unit < 0xdc00 && (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
}

export function slice(a: Aligned, from: number, to: number): Aligned {
  if (from === 0 && to === a.text.length) return a;
  return { text: a.text.slice(from, to), starts: a.starts, ends: a.ends, at: a.at + from };
}

/** Where the original range of unit `i` begins, and where it ends; 0 where no unit is. */
const firstOf = (a: Aligned, i: number): number => a.starts[a.at + i] ?? 0;
const lastOf = (a: Aligned, i: number): number => a.ends[a.at + i] ?? 0;

/** Where the original range of units `from` to `to` begins. */
export const startOf = (a: Aligned, from: number): number =>
  from < a.text.length ? firstOf(a, from) : a.text ? lastOf(a, a.text.length - 1) : 0;

/** Where it ends; where it begins when it is empty. */
export const endOf = (a: Aligned, from: number, to: number): number =>
  to > from ? lastOf(a, to - 1) : startOf(a, from);

/** Longest text that normalizers may make of one: `Replace` after `Replace` doubles it each time. */
const longest = 10_000_000;

/** Text put together piece by piece, with its ranges. */
class Builder {
  private text = '';
  private length = 0;
  private starts: Int32Array;
  private ends: Int32Array;

  /** `room`: units that are expected. */
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

  /** Units `from` to `to` as they are. */
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

/** Writes the text anew. */
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
 * Each character becomes others (or none): the first replaces it, the rest are inserted. What a character becomes depends on
 * it alone, so it is asked once for each; text that stays as it is, is not written anew.
 */
export function mapCharacters(a: Aligned, map: (character: string) => string): Aligned {
  const becomes = remembering(map);
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

function remembering(map: (character: string) => string): (character: string) => string {
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

/** Puts text in front, unless there is nothing it could stand before. */
export function prepend(a: Aligned, text: string): Aligned {
  if (!a.text) return a;
  const builder = new Builder(text.length + a.text.length);
  builder.add(text, firstOf(a, 0), lastOf(a, 0));
  builder.copy(a, 0, a.text.length);
  return builder.done();
}

/** A stretch of text, and whether it is what was looked for. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly hit: boolean;
}

/** Replaces what was found; the new text has the range of the last character that it replaces. */
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
