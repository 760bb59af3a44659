import { t, fail, ok, type Result } from '../text';
import { problemAt, type FileProblem } from './source';

/** The Python literals of a `.npy` header: strings, booleans, integers, tuples and lists, dicts. */
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

/** Deepest nesting; NumPy's headers have less. */
const deepest = 16;

/**
 * Parses a Python literal without evaluating it. Only white space may surround it. `at` and the offsets of Problems count characters and
 * start from `base`.
 */
export function readLiteral(text: string, base: number): Result<Literal> {
  const reader: Reader = { text, at: 0, depth: 0 };
  try {
    const value = readValue(reader);
    skipSpace(reader);
    if (reader.at < text.length) throw new Unreadable(t('the end of the header'), reader.at);
    return ok(withBase(value, base));
  } catch (error) {
    if (error instanceof Unreadable) return fail(problemOf(reader, error, base));
    throw error;
  }
}

/** Thrown at the first unexpected character; only `readLiteral` catches it. */
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

function withBase(value: Literal, base: number): Literal {
  const at = value.at + base;
  if (value.kind === 'dict')
    return { ...value, at, entries: value.entries.map(([key, entry]) => [key, withBase(entry, base)] as const) };
  if (value.kind === 'tuple' || value.kind === 'list')
    return { ...value, at, items: value.items.map((item) => withBase(item, base)) };
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
  if (c === '{') return { kind: 'dict', entries: nestedValue(reader, readEntries), at };
  if (c === '(')
    return tupleOrValue(
      nestedValue(reader, (r) => readItems(r, ')')),
      at,
    );
  if (c === '[') return { kind: 'list', items: nestedValue(reader, (r) => readItems(r, ']')).items, at };
  return readWord(reader);
}

function nestedValue<T>(reader: Reader, read: (reader: Reader) => T): T {
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
    if (takeCharacter(reader, close)) return { items, comma };
    items.push(readValue(reader));
    skipSpace(reader);
    const more = takeCharacter(reader, ',');
    // `(3,)` and `(3, 4)` have a comma; `(3)` has none.
    comma = more || (comma && items.length > 1);
    if (!more) {
      skipSpace(reader);
      if (!takeCharacter(reader, close)) throw new Unreadable(t(', or {0}', close), reader.at);
      return { items, comma };
    }
  }
}

function readEntries(reader: Reader): (readonly [string, Literal])[] {
  const entries: (readonly [string, Literal])[] = [];
  for (;;) {
    skipSpace(reader);
    if (takeCharacter(reader, '}')) return entries;
    const key = readText(reader);
    skipSpace(reader);
    if (!takeCharacter(reader, ':')) throw new Unreadable(':', reader.at);
    entries.push([key, readValue(reader)]);
    skipSpace(reader);
    if (takeCharacter(reader, '}')) return entries;
    if (!takeCharacter(reader, ',')) throw new Unreadable(t(', or }'), reader.at);
  }
}

function takeCharacter(reader: Reader, c: string): boolean {
  if (reader.text.charAt(reader.at) !== c) return false;
  reader.at++;
  return true;
}

/** A quoted string. Escapes are refused: NumPy writes them only in field names, which are not supported. */
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

/** `True`, `False`, or an integer, which Python 2 may end with `L`. */
function readWord(reader: Reader): Literal {
  const { at, text } = reader;
  const word = /^-?\w{1,40}/.exec(text.slice(at, at + 42))?.[0] ?? '';
  reader.at += word.length;
  if (word === 'True' || word === 'False') return { kind: 'flag', value: word === 'True', at };
  if (/^-?\d{1,20}L?$/.test(word)) return { kind: 'number', value: parseInt(word, 10), at };
  throw new Unreadable(t('a text, True, False, a whole number, ( or {'), at);
}
