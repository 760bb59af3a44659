import type { TextRange } from '../text';
import { roleOf, type NamedRole } from './roles';
import {
  code,
  isBlank,
  isLetter,
  isNewline,
  isQuote,
  isSpace,
  isWordPart,
  isWrittenNewline,
  startOfLine,
} from './scanner';

/** The text before a literal: its name and how that is written. */
export interface Before extends Partial<NamedRole> {
  /**
   * `Q = [[…`: assigned; `"Q": [[…`, `Q:` or `cat → [`: labelled; `Q` on the line above: heading; `Q [[…`: inline.
   */
  readonly how: 'assigned' | 'labelled' | 'heading' | 'inline' | 'none';
  readonly name?: string;
  readonly range?: TextRange;
  /** Whether the name begins its statement: so in `Q = …`, not for the argument in `f(size=(2, 3))`. */
  readonly startsStatement: boolean;
  /** An operator before the literal: `2 * [[…`. */
  readonly operator?: TextRange;
}

const nothing: Before = { how: 'none', startsStatement: false };
/** How far back a name is searched for; the limit keeps the time linear for texts with many brackets. */
export const maxLookBehind = 200;

/** Words of code and prose that are never names. */
export const keywords = new Set(
  (
    'if elif else for while lambda with return yield case default try except finally assert print def class import from in and or ' +
    'not is del raise await async function new throw typeof of switch do then end global pass break continue'
  ).split(' '),
);
const declarations = new Set('const let var export public private static final auto readonly val'.split(' '));
const fillers = new Set(
  'the our a matrix matrices vector vectors tensor values is input inputs weight weights'.split(' '),
);

/** Finds the name of the literal at `start`: on its line, or on the line above, with one blank line or code fence between them. */
export function nameBefore(text: string, start: number): Before {
  const floor = Math.max(0, start - maxLookBehind);
  const { at, lines } = skipBack(text, start, floor);
  const c = text.charCodeAt(at - 1);
  if (lines > 2) return nothing;
  if (c === code.equals) return assignment(text, at - 1, floor);
  if (c === code.colon) return label(text, at - 1, floor);
  if (c === code.arrow) return label(text, at - 1, floor);
  if (c === code.greater && '-='.includes(text.charAt(at - 2))) return label(text, at - 2, floor);
  if (c === code.comma) return paired(text, at - 1, floor);
  if (lines > 0) return heading(text, at, floor);
  if (isOperator(c)) return operator(text, at - 1, floor);
  return inline(text, start, at, floor);
}

/** Skips back over white space, Markdown emphasis at the end of the line above, and a code fence. */
function skipBack(text: string, start: number, floor: number): { at: number; lines: number } {
  let at = start;
  let lines = 0;
  while (at > floor) {
    const c = text.charCodeAt(at - 1);
    const written = beforeWrittenNewline(text, at, floor);
    if (written < at) {
      lines++;
      at = written;
    } else if (isNewline(c)) {
      const fence = beforeFence(text, at - 1, floor);
      if (fence === at - 1 && !(c === code.carriageReturn && text.charCodeAt(at) === code.newline)) lines++;
      at = fence;
    } else if (isBlank(c) || (lines > 0 && (c === code.star || c === code.backtick))) at--;
    else break;
  }
  return { at, lines };
}

/** Skips back over `\\n` in a JSON string, or over `\\n",⏎  "` between two lines of a notebook's file; else returns `at`. */
function beforeWrittenNewline(text: string, at: number, floor: number): number {
  let i = at;
  if (text.charCodeAt(i - 1) === code.doubleQuote) {
    i--;
    while (i > floor && (isSpace(text.charCodeAt(i - 1)) || text.charCodeAt(i - 1) === code.comma)) i--;
    if (i === at - 1 || text.charCodeAt(i - 1) !== code.doubleQuote) return at;
    i--;
  }
  return isWrittenNewline(text, i - 2) ? i - 2 : at;
}

/** Skips back over a line such as ```` ```python ````, which counts as blank. `at` is the end of that line. */
function beforeFence(text: string, at: number, floor: number): number {
  const lineStart = startOfLine(text, at, floor);
  return text.startsWith('```', lineStart) && at - lineStart < 20 ? lineStart : at;
}

const isOperator = (c: number): boolean => '*/+-@%×·^−'.includes(String.fromCharCode(c));

/** An operator before the literal, as in `2 * [[1, 2]]`; a bullet at the start of a line does not count. */
function operator(text: string, at: number, floor: number): Before {
  if (text.slice(startOfLine(text, at, floor), at).trim() === '') return nothing;
  return { ...nothing, operator: { start: at, end: at + 1 } };
}

function assignment(text: string, equals: number, floor: number): Before {
  const c = text.charCodeAt(equals - 1);
  if (isOperator(c)) return { ...nothing, operator: { start: equals - 1, end: equals + 1 } };
  const end = c === code.colon ? equals - 1 : equals;
  const target = targetBefore(text, end, floor);
  if (!target) return nothing;
  const name = annotated(text, target, floor) ?? target;
  // `Q, K, V = [[1]], [[2]], [[3]]` has several targets: the first literal does not belong to the last name.
  return isOneOfSeveral(text, name, floor) ? nothing : named('assigned', text, name, floor);
}

function isOneOfSeveral(text: string, target: TextRange, floor: number): boolean {
  const before = text.slice(startOfLine(text, target.start, floor), target.start).trim();
  return before.endsWith(',') && /^[\w\s.,$]+$/.test(before);
}

function label(text: string, end: number, floor: number): Before {
  if (text.charCodeAt(end - 1) === code.colon) return nothing;
  const lineStart = startOfLine(text, end, floor);
  // PyTorch prints this line before each parameter.
  if (text.slice(lineStart, end) === 'Parameter containing') return nameBefore(text, lineStart);
  const phrase = headingText(text, lineStart, end);
  const target = targetBefore(text, end, floor);
  if (target && leadsStatement(text, target, floor)) return named('labelled', text, target, floor);
  if (phrase && phrase.words > 1) return phrased('labelled', text, phrase.range);
  // `{a: 1, "Q": [[…`, `Q: [[1]] K: [[2]]`: within a line, a label only counts after a comma or a bracket.
  const before = target && skipBlanksBack(text, openQuote(text, target), floor);
  return before && ',;{(])'.includes(text.charAt(before - 1)) ? named('labelled', text, target, floor) : nothing;
}

/** The name in `('q_proj.weight', tensor(…))`, a pair of a state dict as PyTorch prints it. Only names with a role count, as it could be a call. */
function paired(text: string, comma: number, floor: number): Before {
  const range = isQuote(text.charCodeAt(comma - 1)) ? quotedBefore(text, comma, floor) : undefined;
  const role = range && roleOf(text.slice(range.start, range.end));
  if (!role || text.charCodeAt(range.start - 2) !== code.open) return nothing;
  return isWordPart(text.charCodeAt(range.start - 3))
    ? nothing
    : { how: 'labelled', name: text.slice(range.start, range.end), range, startsStatement: false, ...role };
}

const openQuote = (text: string, range: TextRange): number =>
  isQuote(text.charCodeAt(range.start - 1)) ? range.start - 1 : range.start;

function skipBlanksBack(text: string, from: number, floor: number): number {
  let at = from;
  while (at > floor && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

/** The same within the line. */
function skipLineBack(text: string, from: number, floor: number): number {
  let at = from;
  while (at > floor && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

/** The dotted word, quoted text or quoted subscript (`params['W_q']`) that ends at `end`. */
function targetBefore(text: string, end: number, floor: number): TextRange | undefined {
  let at = end;
  while (at > floor && (isBlank(text.charCodeAt(at - 1)) || '*`'.includes(text.charAt(at - 1)))) at--;
  let c = text.charCodeAt(at - 1);
  if (c === code.closeBracket && isQuote(text.charCodeAt(at - 2))) c = text.charCodeAt(--at - 1);
  if (isQuote(c)) return quotedBefore(text, at, floor);
  if (c === code.closeBracket || c === code.greater) return annotationTarget(text, at, floor);
  return wordBefore(text, at, floor);
}

function quotedBefore(text: string, end: number, floor: number): TextRange | undefined {
  const quote = text.charCodeAt(end - 1);
  for (let i = end - 2; i >= floor && end - i < 80; i--) {
    const c = text.charCodeAt(i);
    if (isNewline(c)) return undefined;
    if (c === quote) return i + 1 < end - 1 ? { start: i + 1, end: end - 1 } : undefined;
  }
  return undefined;
}

/** The dotted word that ends at `end`. */
export function wordBefore(text: string, end: number, floor: number): TextRange | undefined {
  let start = end;
  while (start > floor && (isWordPart(text.charCodeAt(start - 1)) || text.charCodeAt(start - 1) === code.dot)) start--;
  while (start < end && !isLetter(text.charCodeAt(start))) start++;
  return start < end ? { start, end } : undefined;
}

/** The name in `Q: np.ndarray =`: the word before the equals sign is a type, and the name precedes the colon. */
function annotated(text: string, type: TextRange, floor: number): TextRange | undefined {
  const at = skipLineBack(text, type.start, floor);
  if (text.charCodeAt(at - 1) !== code.colon) return undefined;
  return wordBefore(text, skipLineBack(text, at - 1, floor), floor);
}

/** `const K: number[][] =`, `x: List[List[float]] =`: back over a type with brackets to the colon of its line. */
function annotationTarget(text: string, end: number, floor: number): TextRange | undefined {
  let depth = 0;
  for (let i = end - 1; i >= floor; i--) {
    const c = text.charAt(i);
    if (']>'.includes(c)) depth++;
    else if ('[<'.includes(c)) depth--;
    if (isNewline(text.charCodeAt(i))) return undefined;
    if (c === ':' && depth === 0) return wordBefore(text, skipLineBack(text, i, floor), floor);
  }
  return undefined;
}

/** Whether only blanks, `const`, `>>>`, `{`, a quote or a bullet precede the name on its line. */
function leadsStatement(text: string, target: TextRange, floor: number): boolean {
  const lineStart = startOfLine(text, target.start, floor);
  if (lineStart === floor && floor > 0) return false;
  const lead = text.slice(lineStart, target.start).trim();
  if (lead === '' || /^[\s{>#*`"'$-]+$/.test(lead)) return true;
  return lead.split(' ').every((word) => declarations.has(word));
}

function named(how: Before['how'], text: string, range: TextRange, floor: number): Before {
  const name = text.slice(range.start, range.end);
  if (keywords.has(name)) return nothing;
  return { how, name, range, startsStatement: leadsStatement(text, range, floor), ...roleOf(name) };
}

interface Phrase {
  readonly range: TextRange;
  readonly words: number;
}

/** A line of up to 40 characters of words, which may name the literal below. */
function headingText(text: string, lineStart: number, lineEnd: number): Phrase | undefined {
  let [start, end] = [lineStart, lineEnd];
  const isMark = (at: number): boolean => isBlank(text.charCodeAt(at)) || '#>*`-"\':'.includes(text.charAt(at));
  while (start < end && isMark(start)) start++;
  while (end > start && isMark(end - 1)) end--;
  if (start === end || end - start > 40 || !isLetter(text.charCodeAt(start))) return undefined;
  let words = 1;
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i);
    if (isBlank(c)) words++;
    else if (!isWordPart(c) && c !== code.dot && c !== code.minus) return undefined;
  }
  return { range: { start, end }, words };
}

function heading(text: string, at: number, floor: number): Before {
  const lineStart = startOfLine(text, at, floor);
  if (lineStart === floor && floor > 0) return nothing;
  const phrase = headingText(text, lineStart, at);
  return phrase && phrase.words <= 3 ? phrased('heading', text, phrase.range) : nothing;
}

/** A name of several words has a role only if all words with a role agree: `Query matrix Q`, not `shape of Q`. */
function phrased(how: Before['how'], text: string, range: TextRange): Before {
  const name = text.slice(range.start, range.end);
  const words = name.split(/\s+/);
  if (keywords.has(words[0] ?? '')) return nothing;
  return { how, name, range, startsStatement: true, ...roleOfWords(words) };
}

function roleOfWords(words: readonly string[]): NamedRole | undefined {
  if (words.length === 1) return roleOf(words[0] ?? '');
  const roles = words.filter((word) => !fillers.has(word.toLowerCase())).map(roleOf);
  const [first] = roles;
  return roles.every((r) => r?.role === first?.role) ? first : undefined;
}

/** The name in `Q [[1 2]`, printed on one line. It must begin the line and have a role, as prose contains no names. */
function inline(text: string, start: number, at: number, floor: number): Before {
  if (at === start) return nothing;
  const word = wordBefore(text, at, floor);
  if (!word || !leadsStatement(text, word, floor)) return nothing;
  const name = text.slice(word.start, word.end);
  const role = roleOf(name);
  return role && !keywords.has(name) ? { how: 'inline', name, range: word, startsStatement: true, ...role } : nothing;
}
