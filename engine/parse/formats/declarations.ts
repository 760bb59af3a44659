import type { TextRange } from '../../text';
import { nameBefore, wordBefore, type Before } from '../name-before';
import { code, isBlank, isNewline, isWordPart } from '../scanner';
import { assignedTo, reachBack, skipSpaceBack } from './candidates';

/** The declaration before the brace of an initialiser. */
export interface Declared {
  /** Start of the literal: its brace, or its own type (`new float[][] {`, `[][]float64{`). */
  readonly start: number;
  readonly before: Before;
  /** dtype of the elements, from `float m[2][2] =`, `new double[,]`, `std::vector<float>`. */
  readonly element?: string;
  /** Sizes in the declaration, `[3][2]`, `std::array<…, 3>`; `undefined` for one that is no number. */
  readonly sizes: Sizes;
  /** Whether it is in Go's syntax. */
  readonly go: boolean;
}

export type Sizes = readonly (number | undefined)[];

const elements = new Map<string, string>();
const learn = (dtype: string, words: string): void => {
  for (const word of words.split(' ')) elements.set(word, dtype);
};
learn('float32', 'float float32 f32 float32_t GLfloat Float Single');
learn('float64', 'double float64 f64 float64_t GLdouble Double');
learn('float16', 'half float16 f16 _Float16 __half');
learn('bfloat16', 'bfloat16 __nv_bfloat16');
learn('decimal', 'decimal');
learn('bool', 'bool boolean');
learn('int8', 'sbyte int8_t int8 char');
learn('uint8', 'byte uint8_t uint8');
learn('int16', 'short int16_t int16');
learn('uint16', 'ushort uint16_t uint16');
learn('int32', 'int int32_t int32');
learn('uint32', 'uint unsigned uint32_t uint32');
learn('int64', 'long int64_t int64');
learn('uint64', 'ulong uint64_t uint64 size_t');

export const isFloat = (dtype: string | undefined): boolean =>
  dtype !== undefined && /^(?:b?float\d+|decimal)$/.test(dtype);

/** The dtype of the first word in a type that names a number type. */
export function elementOf(type: string): string | undefined {
  for (const word of type.split(/[^\w]+/)) {
    const dtype = elements.get(word);
    if (dtype !== undefined) return dtype;
  }
  return undefined;
}

/** Reads type, name and assignment operator before the brace at `open`, at most `reachBack` characters back. */
export function declarationBefore(text: string, open: number): Declared {
  const floor = Math.max(0, open - reachBack);
  const run = typeBefore(text, skipSpaceBack(text, open, floor), floor);
  const type = text.slice(run.start, run.end);
  const own = ownType(type);
  if (own !== undefined) {
    const start = run.start + own;
    const element = elementOf(type.slice(own));
    const { before } = assignment(text, start, floor);
    const sizes = sizesIn(type.slice(own));
    return { start, before, sizes, go: type.startsWith('[', own), ...(element === undefined ? {} : { element }) };
  }
  const named = type === '' ? undefined : declaredName(text, run);
  const found = named ?? assignment(text, open, floor);
  return { start: open, go: false, ...found };
}

/** The sizes of a declaration, outermost first. */
function sizesIn(declaration: string): Sizes {
  const arrays = [...declaration.matchAll(/,\s*(\w+)\s*>/g)].map(([, size]) => size).reverse();
  const brackets = [...declaration.matchAll(/\[([^[\]]*)\]/g)].flatMap(([, inside = '']) => inside.split(','));
  const written = declaration.includes('array<') ? arrays : brackets;
  return written.map((size = '') => (/^\s*\d{1,9}\s*$/.test(size) ? Number(size) : undefined));
}

/** Offset in the text before a brace at which the literal's own type begins: `new …`, `[][]float64`, `std::vector<…>`; undefined for a declaration. */
function ownType(type: string): number | undefined {
  const created = /(?:^|[\s(])new(?=[\s[])/.exec(type);
  if (created) return created.index + (created[0].length - 3);
  if (type.startsWith('[')) return 0;
  if (!type.endsWith('>')) return undefined;
  return lastWordStart(type);
}

/** Start of the last word of a type; blanks between angle brackets do not separate words. */
function lastWordStart(type: string): number {
  let depth = 0;
  for (let i = type.length - 1; i >= 0; i--) {
    const c = type.charAt(i);
    if (c === '>') depth++;
    else if (c === '<') depth--;
    else if (c === ' ' && depth === 0) return i + 1;
  }
  return 0;
}

interface Named {
  readonly before: Before;
  readonly element?: string;
  readonly sizes: Sizes;
}

/** `std::vector<float> m{`, `float m[2][2] {`: the name after a type. */
function declaredName(text: string, run: TextRange): Named | undefined {
  const name = wordBefore(text, beforeSizes(text, run.end, run.start), run.start);
  const element = name && elementOf(text.slice(run.start, name.start));
  const sizes = sizesIn(text.slice(run.start, run.end));
  return name && element !== undefined ? { before: assignedTo(text, name), element, sizes } : undefined;
}

/** `float m[2][2] =`, `var m [2][2]float64 =`, `m =`, `m :=` before `start`. */
function assignment(text: string, start: number, floor: number): Named {
  const end = skipSpaceBack(text, start, floor);
  const known = nameBefore(text, start);
  if (text.charCodeAt(end - 1) !== code.equals || end <= floor) return { before: known, sizes: [] };
  const colon = text.charCodeAt(end - 2) === code.colon ? 1 : 0;
  if ('=!<>+-*/%'.includes(text.charAt(end - 2))) return { before: known, sizes: [] };
  const target = skipSpaceBack(text, end - 1 - colon, floor);
  const name = nameOfTarget(text, target, floor);
  if (!name) return { before: known, sizes: [] };
  const run = typeBefore(text, target, floor);
  const element = elementOf(text.slice(run.start, Math.min(run.end, name.start)) + text.slice(name.end, target));
  const before = known.name !== undefined && known.range?.start === name.start ? known : assignedTo(text, name);
  return { before, sizes: sizesIn(text.slice(run.start, target)), ...(element === undefined ? {} : { element }) };
}

function nameOfTarget(text: string, end: number, floor: number): TextRange | undefined {
  const name = wordBefore(text, beforeSizes(text, end, floor), floor);
  if (!name || elementOf(text.slice(name.start, name.end)) === undefined) return name;
  // In `var m [2][2]float64 =` the word was the element type.
  return wordBefore(text, beforeSizes(text, name.start, floor), floor);
}

/** Skips back over `[2][3]` and blanks. */
function beforeSizes(text: string, end: number, floor: number): number {
  let at = end;
  while (at > floor) {
    if (isBlank(text.charCodeAt(at - 1))) at--;
    else if (text.charCodeAt(at - 1) !== code.closeBracket) return at;
    else {
      let open = at - 1;
      while (open > floor && text.charCodeAt(open) !== code.openBracket) open--;
      if (open <= floor) return at;
      at = open;
    }
  }
  return at;
}

/** Range of words, `::`, `<…>`, `[…]`, `*`, `&` and blanks before `end` on its line, which may be a type and a name. */
function typeBefore(text: string, end: number, floor: number): TextRange {
  let [at, depth] = [end, 0];
  while (at > floor) {
    const c = text.charCodeAt(at - 1);
    if (isNewline(c) || (depth === 0 && c === code.comma)) break;
    if (c === code.greater || c === code.closeBracket) depth++;
    else if ((c === code.less || c === code.openBracket) && --depth < 0) break;
    else if (!isTypePart(c, text, at - 1)) break;
    at--;
  }
  while (at < end && isBlank(text.charCodeAt(at))) at++;
  return { start: at, end };
}

/** Characters of a type; `:` only as part of `::`. */
const isTypePart = (c: number, text: string, at: number): boolean =>
  isWordPart(c) ||
  isBlank(c) ||
  c === code.less ||
  c === code.openBracket ||
  c === code.comma ||
  c === code.star ||
  c === 38 ||
  c === code.dot ||
  (c === code.colon && (text.charCodeAt(at - 1) === code.colon || text.charCodeAt(at + 1) === code.colon));
