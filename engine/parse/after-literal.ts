import type { TextRange } from '../text';
import { dtypeWord } from './constructor-calls';
import { code, isBlank, isLetter, isNewline, isOpener, isWordPart, type Scanner } from './scanner';

/** What follows a literal in its statement. */
export interface After {
  /** End of the literal with the methods after it: after `.astype(np.float32)`. */
  readonly end: number;
  readonly dtype?: string;
  /** An operation that would change the numbers and is not evaluated: `.T`, `* 0.5`, `[0]`. */
  readonly expression?: TextRange;
}

/** Methods that change no number except by rounding to a dtype, which is recorded. */
const harmless = new Set(
  'astype float double half numpy cpu cuda to copy clone detach contiguous tolist requires_grad_ type block_until_ready'.split(
    ' ',
  ),
);

/** Reads what follows a literal that ends at `end`, on the same line. */
export function readAfter(s: Scanner, end: number): After {
  let at = end;
  let dtype: string | undefined;
  // Chains are short; the bound keeps this linear.
  for (let links = 0; links < 6; links++) {
    const method = methodAt(s, at);
    if (!method) break;
    const name = s.text.slice(at + 1, method.nameEnd);
    if (!harmless.has(name) || method.end === method.nameEnd)
      return { end: at, expression: { start: at, end: method.end } };
    dtype = name === 'float' ? 'float32' : (dtypeIn(s.text.slice(method.nameEnd + 1, method.end - 1)) ?? dtype);
    at = method.end;
  }
  const further = methodAt(s, at);
  const expression = further ? { start: at, end: further.end } : operationAt(s, at);
  return { end: at, ...(dtype === undefined ? {} : { dtype }), ...(expression ? { expression } : {}) };
}

const dtypeIn = (argument: string): string | undefined => dtypeWord(argument.replace(/['"]/g, '').trim());

interface Method {
  readonly nameEnd: number;
  readonly end: number;
}

/** `.name` or `.name(…)` at `at`, with at most 100 characters of arguments. */
function methodAt(s: Scanner, at: number): Method | undefined {
  const { text } = s;
  if (text.charCodeAt(at) !== code.dot || !isLetter(text.charCodeAt(at + 1))) return undefined;
  let nameEnd = at + 1;
  while (isWordPart(text.charCodeAt(nameEnd))) nameEnd++;
  if (text.charCodeAt(nameEnd) !== code.open) return { nameEnd, end: nameEnd };
  let depth = 0;
  for (let i = nameEnd; i < s.end && i < nameEnd + 100; i++) {
    s.steps++;
    if (text.charCodeAt(i) === code.open) depth++;
    else if (text.charCodeAt(i) === code.close && --depth === 0) return { nameEnd, end: i + 1 };
  }
  return { nameEnd, end: nameEnd };
}

/** `* 0.5`, `@ K.T`, `[0]` after the literal, up to the end of the operand. */
function operationAt(s: Scanner, from: number): TextRange | undefined {
  const { text } = s;
  if (text.charCodeAt(from) === code.openBracket) return { start: from, end: from + 1 };
  let at = from;
  while (isBlank(text.charCodeAt(at))) at++;
  const start = at;
  while (at < s.end && at < start + 2 && '*/+-@%×·^−'.includes(text.charAt(at))) at++;
  if (at === start || text.startsWith('//', start)) return undefined;
  while (isBlank(text.charCodeAt(at))) at++;
  const c = text.charCodeAt(at);
  if (!isWordPart(c) && !isOpener(c) && c !== code.dot) return undefined;
  while (at < start + 60 && (isWordPart(text.charCodeAt(at)) || text.charCodeAt(at) === code.dot)) at++;
  return { start, end: Math.max(at, start + 1) };
}

/** Whether only blanks, a comma, a semicolon or a comment follow `from` on its line. */
export function endsLine(s: Scanner, from: number): boolean {
  let at = from;
  while (at < s.end && (isBlank(s.text.charCodeAt(at)) || ',;.'.includes(s.text.charAt(at)))) at++;
  s.steps += at - from;
  const c = at < s.end ? s.text.charCodeAt(at) : -1;
  return c < 0 || isNewline(c) || c === code.hash || s.text.startsWith('//', at) || s.text.startsWith('```', at);
}
