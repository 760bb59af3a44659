import type { TextRange } from '../../engine/index';

type Scalar = string | number | boolean | null;

/** An object or a list around the cursor. */
export interface Frame {
  readonly list: boolean;
  /** Fields with scalar values, before and after the cursor; `undefined` stands for objects, lists and what is not written yet. */
  readonly fields: Map<string, Scalar | undefined>;
  /** Name or index within it that leads to the cursor. */
  key: string | number | undefined;
}

/** Where a cursor stands in JSON that may be half written. */
export interface JsonCursor {
  /** From the outermost in. */
  readonly frames: readonly Frame[];
  readonly what: 'key' | 'value';
  /** The text, number or word that the cursor touches; empty at the cursor otherwise. With its quotes. */
  readonly range: TextRange;
  /** What is written there. */
  readonly word: string;
}

interface Open extends Frame {
  due: 'key' | 'value' | 'none';
}

const token = /"(?:[^"\\\n\r]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Looks at a text of JSON from one offset to another and says what is around `at`. Never fails; linear. */
export function cursorIn(text: string, { start, end }: TextRange, at: number): JsonCursor | undefined {
  const stack: Open[] = [];
  const body = text.slice(start, end);
  let found: JsonCursor | undefined;
  let last = start;
  token.lastIndex = 0;
  for (let match = token.exec(body); match; match = token.exec(body)) {
    const [word] = match;
    const range = { start: start + match.index, end: start + match.index + word.length };
    const punctuation = /^[{}[\],:]$/.test(word);
    if (!found && at >= last && at < range.start + Number(punctuation)) found = placeAt(stack, { start: at, end: at }, '');
    if (!found && !punctuation && at >= range.start && at <= range.end && !(at === range.end && closed(word))) found = placeAt(stack, range, word);
    step(stack, word);
    last = range.end;
    // What stands on after the object in which the cursor is says nothing of it.
    if (found && stack.length === 0) break;
  }
  return found ?? (at >= last ? placeAt(stack, { start: at, end: at }, '') : undefined);
} // prettier-ignore

const closed = (word: string): boolean => word.length > 1 && word.startsWith('"') && word.endsWith('"');

function placeAt(stack: readonly Open[], range: TextRange, word: string): JsonCursor | undefined {
  const top = stack.at(-1);
  if (!top || top.due === 'none') return undefined;
  // The frames go on being filled; the way to the cursor is that of now.
  const frames = stack.map(({ list, fields, key }) => ({ list, fields, key }));
  const inner = frames.at(-1);
  if (inner && top.due === 'key') inner.key = undefined;
  return { frames, what: top.due === 'key' ? 'key' : 'value', range, word };
}

function step(stack: Open[], word: string): void {
  const top = stack.at(-1);
  switch (word) {
    case '{':
    case '[':
      stack.push({ list: word === '[', fields: new Map(), key: word === '[' ? 0 : undefined, due: word === '[' ? 'value' : 'key' }); // prettier-ignore
      return;
    case '}':
    case ']': {
      stack.pop();
      const outer = stack.at(-1);
      if (outer) outer.due = 'none';
      return;
    }
    case ',':
      if (!top) return;
      if (top.list) top.key = Number(top.key) + 1;
      top.due = top.list ? 'value' : 'key';
      return;
    case ':':
      if (top && !top.list) top.due = 'value';
      return;
    default:
      if (top) take(top, word);
  }
}

function take(top: Open, word: string): void {
  const value = scalarOf(word);
  if (top.due === 'key' && typeof value === 'string') {
    top.key = value;
    top.fields.set(value, undefined);
  } else if (top.due === 'value' && !top.list) {
    top.fields.set(String(top.key), value);
  }
  top.due = 'none';
}

function scalarOf(word: string): Scalar | undefined {
  try {
    return JSON.parse(word.startsWith('"') && !closed(word) ? `${word}"` : word) as Scalar;
  } catch {
    return undefined;
  }
}
