import { t, fail, ok, type Problem, type Result, type TextRange } from '../text';

/** A JSON value with its range in the text. */
export interface LocatedJson {
  readonly value: unknown;
  /** UTF-16 offsets in the whole text. */
  readonly range: TextRange;
  /** An object's fields: range of the name, and the value. */
  readonly fields?: ReadonlyMap<string, { readonly key: TextRange; readonly node: LocatedJson }>;
  readonly items?: readonly LocatedJson[];
}

/** Deepest nesting that is accepted; a spec needs 7. */
const deepest = 32;

interface Cursor {
  readonly text: string;
  readonly end: number;
  at: number;
  problem?: Problem;
}

/**
 * Parses the JSON in a range of a text, with the range of every value; errors are Problems with exact ranges. Linear time, never throws.
 * `JSON.parse` gives no positions, and its messages differ between engines.
 */
export function readJson(text: string, { start, end }: TextRange): Result<LocatedJson> {
  const cursor: Cursor = { text, end, at: start };
  const node = readValue(cursor, 0);
  skipBlanks(cursor);
  if (!cursor.problem && cursor.at < end) stop(cursor, t('the end of the block'));
  return cursor.problem || !node ? fail(cursor.problem ?? broken(cursor, t('a value'))) : ok(node);
}

/** The range of the value at a path such as `start.q[1]`, or of its nearest existing ancestor. `key`: the range of the field's name. */
export function rangeAt(root: LocatedJson, path: string, key = false): TextRange {
  let node = root;
  let range = root.range;
  for (const part of path.split(/[.[\]]+/).filter((p) => p !== '')) {
    const field = node.fields?.get(part);
    const next = field?.node ?? node.items?.[Number(part)];
    if (!next) return range;
    node = next;
    range = key && field ? field.key : next.range;
  }
  return range;
}

const skipBlanks = (c: Cursor): void => {
  while (c.at < c.end && ' \t\r\n'.includes(c.text[c.at] as string)) c.at++;
};

function stop(c: Cursor, what: string): undefined {
  c.problem ??= broken(c, what);
  return undefined;
}

function broken(c: Cursor, what: string): Problem {
  const over = c.at >= c.end;
  const found = over ? t('the end of the block') : `“${String.fromCodePoint(c.text.codePointAt(c.at) ?? 0)}”`;
  const range = over ? { start: Math.max(c.end - 1, 0), end: c.end } : { start: c.at, end: c.at + 1 };
  return { code: 'json', message: t('expected {0}, found {1}', what, found), range };
}

function readValue(c: Cursor, depth: number): LocatedJson | undefined {
  skipBlanks(c);
  if (depth > deepest) return stop(c, t('at most {0} brackets within each other', deepest));
  const first = c.at < c.end ? c.text[c.at] : undefined;
  if (first === '{') return readObject(c, depth);
  if (first === '[') return readArray(c, depth);
  if (first === '"') return readString(c);
  return readWord(c);
}

const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b/y;

function readWord(c: Cursor): LocatedJson | undefined {
  scalar.lastIndex = c.at;
  const [found] = scalar.exec(c.text) ?? [];
  if (found === undefined || c.at + found.length > c.end) return stop(c, t('a value: number, "text", [ or {'));
  const range = { start: c.at, end: c.at + found.length };
  const value = Object.hasOwn(words, found) ? words[found] : Number(found);
  if (typeof value === 'number' && !Number.isFinite(value)) return stop(c, t('a number below 1.8e308'));
  c.at = range.end;
  return { value, range };
}

function readString(c: Cursor): LocatedJson | undefined {
  const start = c.at;
  let at = start + 1;
  while (at < c.end && c.text[at] !== '"' && c.text[at] !== '\n') at += c.text[at] === '\\' ? 2 : 1;
  if (at >= c.end || c.text[at] !== '"') {
    c.at = Math.min(at, c.end);
    return stop(c, t('the closing " of a text'));
  }
  try {
    const value: unknown = JSON.parse(c.text.slice(start, at + 1));
    c.at = at + 1;
    return { value, range: { start, end: c.at } };
  } catch {
    return stop(c, t('a text without tabs and with known escapes'));
  }
}

function readArray(c: Cursor, depth: number): LocatedJson | undefined {
  const start = c.at++;
  const items: LocatedJson[] = [];
  for (skipBlanks(c); c.text[c.at] !== ']' || c.at >= c.end;) {
    if (items.length && !taken(c, ',', t('“,” or “]”'))) return undefined;
    const item = readValue(c, depth + 1);
    if (!item) return undefined;
    items.push(item);
    skipBlanks(c);
  }
  c.at++;
  return { value: items.map((i) => i.value), range: { start, end: c.at }, items };
}

function readObject(c: Cursor, depth: number): LocatedJson | undefined {
  const start = c.at++;
  const fields = new Map<string, { key: TextRange; node: LocatedJson }>();
  const value: Record<string, unknown> = {};
  for (skipBlanks(c); c.text[c.at] !== '}' || c.at >= c.end;) {
    if (fields.size && !taken(c, ',', t('“,” or “}”'))) return undefined;
    const field = readField(c, depth);
    if (!field) return undefined;
    const { name, key, node } = field;
    if (fields.has(name)) {
      c.problem ??= { code: 'json', message: t('“{0}” is given twice', name.slice(0, 40)), range: key };
      return undefined;
    }
    fields.set(name, { key, node });
    // `__proto__` must become an ordinary field.
    Object.defineProperty(value, name, { value: node.value, enumerable: true, configurable: true, writable: true });
    skipBlanks(c);
  }
  c.at++;
  return { value, range: { start, end: c.at }, fields };
}

function readField(c: Cursor, depth: number): { name: string; key: TextRange; node: LocatedJson } | undefined {
  skipBlanks(c);
  if (c.at >= c.end || c.text[c.at] !== '"') return stop(c, t('the name of a field in "…"'));
  const key = readString(c);
  if (!key || !taken(c, ':', '“:”')) return undefined;
  const node = readValue(c, depth + 1);
  return node && { name: key.value as string, key: key.range, node };
}

function taken(c: Cursor, mark: string, what: string): boolean {
  skipBlanks(c);
  if (c.at >= c.end || c.text[c.at] !== mark) {
    stop(c, what);
    return false;
  }
  c.at++;
  return true;
}
