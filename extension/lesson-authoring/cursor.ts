import type { TextRange } from '../../engine/index';

type Scalar = string | number | boolean | null;

/** An object or list that contains the cursor. */
export interface Frame {
  readonly list: boolean;
  /** The object's fields with scalar values, before and after the cursor. `undefined` for objects, lists, and values that are not written yet. */
  readonly fields: Map<string, Scalar | undefined>;
  /** The field name or list index within it that leads to the cursor. */
  key: string | number | undefined;
}

/** The position of a cursor in JSON that may be incomplete. */
export interface JsonCursor {
  /** Outermost first. */
  readonly frames: readonly Frame[];
  readonly what: 'key' | 'value';
  /** The range of the string, number or word at the cursor, with its quotes. Empty if there is none. */
  readonly range: TextRange;
  /** The text of that range. */
  readonly word: string;
}

interface OpenFrame extends Frame {
  expected: 'key' | 'value' | 'none';
}

const token = /"(?:[^"\\\n\r]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Scans JSON between two offsets and finds what contains the offset `at`. Accepts any text. Linear in the text's length. */
export function cursorIn(text: string, { start, end }: TextRange, at: number): JsonCursor | undefined {
  const stack: OpenFrame[] = [];
  const body = text.slice(start, end);
  let found: JsonCursor | undefined;
  let last = start;
  token.lastIndex = 0;
  for (let match = token.exec(body); match; match = token.exec(body)) {
    const [word] = match;
    const range = { start: start + match.index, end: start + match.index + word.length };
    const punctuation = /^[{}[\],:]$/.test(word);
    if (!found && at >= last && at < range.start + Number(punctuation)) found = placeAt(stack, { start: at, end: at }, '');
    if (!found && !punctuation && at >= range.start && at <= range.end && !(at === range.end && isClosedString(word))) found = placeAt(stack, range, word);
    advance(stack, word);
    last = range.end;
    // What follows the outermost object around the cursor is not relevant.
    if (found && stack.length === 0) break;
  }
  return found ?? (at >= last ? placeAt(stack, { start: at, end: at }, '') : undefined);
} // prettier-ignore

const isClosedString = (word: string): boolean => word.length > 1 && word.startsWith('"') && word.endsWith('"');

function placeAt(stack: readonly OpenFrame[], range: TextRange, word: string): JsonCursor | undefined {
  const top = stack.at(-1);
  if (!top || top.expected === 'none') return undefined;
  // Copied, because parsing goes on and changes the keys. Fields are shared: those after the cursor are wanted too.
  const frames = stack.map(({ list, fields, key }) => ({ list, fields, key }));
  const inner = frames.at(-1);
  if (inner && top.expected === 'key') inner.key = undefined;
  return { frames, what: top.expected === 'key' ? 'key' : 'value', range, word };
}

function advance(stack: OpenFrame[], word: string): void {
  const top = stack.at(-1);
  switch (word) {
    case '{':
    case '[':
      stack.push({ list: word === '[', fields: new Map(), key: word === '[' ? 0 : undefined, expected: word === '[' ? 'value' : 'key' }); // prettier-ignore
      return;
    case '}':
    case ']': {
      stack.pop();
      const outer = stack.at(-1);
      if (outer) outer.expected = 'none';
      return;
    }
    case ',':
      if (!top) return;
      if (top.list) top.key = Number(top.key) + 1;
      top.expected = top.list ? 'value' : 'key';
      return;
    case ':':
      if (top && !top.list) top.expected = 'value';
      return;
    default:
      if (top) addScalar(top, word);
  }
}

function addScalar(top: OpenFrame, word: string): void {
  const value = scalarOf(word);
  if (top.expected === 'key' && typeof value === 'string') {
    top.key = value;
    top.fields.set(value, undefined);
  } else if (top.expected === 'value' && !top.list) {
    top.fields.set(String(top.key), value);
  }
  top.expected = 'none';
}

function scalarOf(word: string): Scalar | undefined {
  try {
    return JSON.parse(word.startsWith('"') && !isClosedString(word) ? `${word}"` : word) as Scalar;
  } catch {
    return undefined;
  }
}
