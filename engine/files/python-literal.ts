import { t, fail, ok, type Result } from '../text';
import { problemAt, type FileProblem } from './source';

/** What a `.npy` header may hold: texts, truth values, whole numbers, tuples and lists, dicts. */
export type Literal =
  | { readonly kind: 'text'; readonly value: string; readonly at: number }
  | { readonly kind: 'flag'; readonly value: boolean; readonly at: number }
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'tuple' | 'list'; readonly items: readonly Literal[]; readonly at: number }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [string, Literal])[]; readonly at: number };

interface Reader {
  readonly text: string;
  at: number;
  depth: number;
}

/** Deeper than any header of NumPy's. */
const deepest = 16;

/**
 * Reads a Python literal, which is never evaluated; all of the text but white space around it belongs to it. `at` and the
 * offsets of Problems are characters of the text, moved by `base`.
 */
export function readLiteral(text: string, base: number): Result<Literal> {
  const reader: Reader = { text, at: 0, depth: 0 };
  try {
    const value = readValue(reader);
    skipSpace(reader);
    if (reader.at < text.length) throw new Unreadable(t('the end of the header'), reader.at);
    return ok(shifted(value, base));
  } catch (error) {
    if (error instanceof Unreadable) return fail(problemOf(reader, error, base));
    throw error;
  }
}

/** Leaves the readers below at the first character that does not fit; caught in `readLiteral` and nowhere else. */
class Unreadable extends Error {
  constructor(
    readonly expected: string,
    readonly place: number,
  ) {
    super(expected);
  }
}

function problemOf({ text }: Reader, { expected, place }: Unreadable, base: number): FileProblem {
  const found = place < text.length ? JSON.stringify(text.slice(place, place + 12)) : t('its end');
  return problemAt('header', base + place, t('the header should have {0}, found {1}', expected, found));
}

function shifted(value: Literal, base: number): Literal {
  const at = value.at + base;
  if (value.kind === 'dict')
    return { ...value, at, entries: value.entries.map(([key, entry]) => [key, shifted(entry, base)] as const) };
  if (value.kind === 'tuple' || value.kind === 'list')
    return { ...value, at, items: value.items.map((item) => shifted(item, base)) };
  return { ...value, at };
}

function skipSpace(reader: Reader): void {
  while (/[ \t\r\n]/.test(reader.text.charAt(reader.at))) reader.at++;
}

function readValue(reader: Reader): Literal {
  skipSpace(reader);
  const at = reader.at;
  const c = reader.text.charAt(at);
  if (c === "'" || c === '"') return { kind: 'text', value: readText(reader), at };
  if (c === '{') return { kind: 'dict', entries: within(reader, readEntries), at };
  if (c === '(')
    return tupleOrValue(
      within(reader, (r) => readItems(r, ')')),
      at,
    );
  if (c === '[') return { kind: 'list', items: within(reader, (r) => readItems(r, ']')).items, at };
  return readWord(reader);
}

function within<T>(reader: Reader, read: (reader: Reader) => T): T {
  if (++reader.depth > deepest) throw new Unreadable(t('no more than {0} levels', deepest), reader.at);
  reader.at++;
  const value = read(reader);
  reader.depth--;
  return value;
}

interface Items {
  readonly items: readonly Literal[];
  readonly comma: boolean;
}

/** `(3)` is 3, `(3,)` is a tuple. */
function tupleOrValue({ items, comma }: Items, at: number): Literal {
  const [only] = items;
  return only && !comma ? only : { kind: 'tuple', items, at };
}

function readItems(reader: Reader, close: string): Items {
  const items: Literal[] = [];
  let comma = false;
  for (;;) {
    skipSpace(reader);
    if (take(reader, close)) return { items, comma };
    items.push(readValue(reader));
    skipSpace(reader);
    const more = take(reader, ',');
    // `(3,)` and `(3, 4)` both have one; only `(3)` has none.
    comma = more || (comma && items.length > 1);
    if (!more) {
      skipSpace(reader);
      if (!take(reader, close)) throw new Unreadable(t(', or {0}', close), reader.at);
      return { items, comma };
    }
  }
}

function readEntries(reader: Reader): (readonly [string, Literal])[] {
  const entries: (readonly [string, Literal])[] = [];
  for (;;) {
    skipSpace(reader);
    if (take(reader, '}')) return entries;
    const key = readText(reader);
    skipSpace(reader);
    if (!take(reader, ':')) throw new Unreadable(':', reader.at);
    entries.push([key, readValue(reader)]);
    skipSpace(reader);
    if (take(reader, '}')) return entries;
    if (!take(reader, ',')) throw new Unreadable(t(', or }'), reader.at);
  }
}

function take(reader: Reader, c: string): boolean {
  if (reader.text.charAt(reader.at) !== c) return false;
  reader.at++;
  return true;
}

/** A quoted text. NumPy writes escapes in names of fields only, which are refused: none is read. */
function readText(reader: Reader): string {
  const start = reader.at;
  const quote = reader.text.charAt(start);
  if (quote !== "'" && quote !== '"') throw new Unreadable(t('a quoted text'), start);
  for (let at = start + 1; at < reader.text.length; at++) {
    const c = reader.text.charAt(at);
    if (c === '\\' || c === '\n') throw new Unreadable(t('a text without escapes'), at);
    if (c !== quote) continue;
    reader.at = at + 1;
    return reader.text.slice(start + 1, at);
  }
  throw new Unreadable(quote, reader.text.length);
}

/** `True`, `False`, or a whole number, also with the `L` of Python 2. */
function readWord(reader: Reader): Literal {
  const { at, text } = reader;
  const word = /^-?\w{1,40}/.exec(text.slice(at, at + 42))?.[0] ?? '';
  reader.at += word.length;
  if (word === 'True' || word === 'False') return { kind: 'flag', value: word === 'True', at };
  if (/^-?\d{1,20}L?$/.test(word)) return { kind: 'number', value: parseInt(word, 10), at };
  throw new Unreadable(t('a text, True, False, a whole number, ( or {'), at);
}
