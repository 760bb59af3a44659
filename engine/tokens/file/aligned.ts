/**
 * Text on its way through normalizers and pre-tokenizers: each UTF-16 unit knows the range of the original text that it
 * comes from. The rules for ranges are those of Hugging Face's tokenizers (`normalizer.rs`), so that offsets are too: what is
 * inserted has the range of the character before it, what is removed is in no range.
 */
export interface Aligned {
  readonly text: string;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
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
  for (let i = 0; i < text.length;) {
    const end = i + charLength(text, i);
    starts.fill(i, i, end);
    ends.fill(end, i, end);
    i = end;
  }
  return { text, starts, ends };
}

/** UTF-16 units of the character at `i`. */
export const charLength = (text: string, i: number): number => ((text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1);

export function slice(a: Aligned, from: number, to: number): Aligned {
  if (from === 0 && to === a.text.length) return a;
  return { text: a.text.slice(from, to), starts: a.starts.subarray(from, to), ends: a.ends.subarray(from, to) };
}

/** Where the original range of units `from` to `to` begins. */
export const startOf = (a: Aligned, from: number): number => a.starts[from] ?? a.ends.at(-1) ?? 0;

/** Where it ends; where it begins when it is empty. */
export const endOf = (a: Aligned, from: number, to: number): number =>
  to > from ? (a.ends[to - 1] as number) : startOf(a, from);

/** Text put together piece by piece, with its ranges. */
export class Builder {
  private text = '';
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  add(text: string, start: number, end: number): void {
    this.text += text;
    for (let i = 0; i < text.length; i++) {
      this.starts.push(start);
      this.ends.push(end);
    }
  }

  /** Units `from` to `to` as they are. */
  copy(a: Aligned, from: number, to: number): void {
    this.text += a.text.slice(from, to);
    for (let i = from; i < to; i++) {
      this.starts.push(a.starts[i] as number);
      this.ends.push(a.ends[i] as number);
    }
  }

  done(): Aligned {
    return { text: this.text, starts: Int32Array.from(this.starts), ends: Int32Array.from(this.ends) };
  }
}

/** Writes the text anew. */
export function transform(a: Aligned, changes: Iterable<Change>): Aligned {
  const builder = new Builder();
  const last = a.text.length - 1;
  let at = 0;
  for (const [character, change] of changes) {
    const from = Math.max(0, Math.min(change > 0 ? at - 1 : at, last));
    builder.add(character, a.starts[from] ?? 0, a.ends[from] ?? 0);
    for (let n = change; n <= 0 && at <= last; n++) at += charLength(a.text, at);
  }
  return builder.done();
}

/** Each character becomes others (or none): the first replaces it, the rest are inserted. */
export function mapCharacters(a: Aligned, map: (character: string) => string): Aligned {
  const builder = new Builder();
  for (let i = 0; i < a.text.length;) {
    const end = i + charLength(a.text, i);
    builder.add(map(a.text.slice(i, end)), a.starts[i] as number, a.ends[i] as number);
    i = end;
  }
  return builder.done();
}

/** Puts text in front, unless there is nothing it could stand before. */
export function prepend(a: Aligned, text: string): Aligned {
  if (!a.text) return a;
  const builder = new Builder();
  builder.add(text, a.starts[0] as number, a.ends[0] as number);
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
  const builder = new Builder();
  for (const { start, end, hit } of matches) {
    if (hit) builder.add(content, a.starts[Math.max(0, end - 1)] ?? 0, a.ends[Math.max(0, end - 1)] ?? 0);
    else builder.copy(a, start, end);
  }
  return builder.done();
}
