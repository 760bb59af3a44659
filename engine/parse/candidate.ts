import { t, type Problem, type TextRange, type Paced } from '../text';
import { endsLine, readAfter, type After } from './after-literal';
import { dtypeOf, formatOfCall, readArguments, wrapperAt, type Arguments } from './constructor-calls';
import type { ReadContext } from './formats/format-reader';
import { nameAndRole } from './name-and-role';
import type { Candidate, MatrixFormat, ParsedMatrix } from './matrix';
import { keywords, nameBefore, maxLookBehind, wordBefore, type Before } from './name-before';
import { readNestedPaced, type Nested } from './nested';
import {
  code,
  isCloser,
  isNewline,
  isLetter,
  isOpener,
  isQuote,
  isSpace,
  isWordPart,
  peek,
  skipGap,
  startOfLine,
  wordEnd,
  type Scanner,
} from './scanner';
import { insideString, isNotebookLine, longestString } from './strings';

export { insideString };

/** A bracket that was read, before `decide` judges whether it is a matrix. */
interface Reading {
  readonly nested: Nested;
  /** The literal with its call. */
  readonly range: TextRange;
  readonly call?: { readonly word: string; readonly format: MatrixFormat };
  readonly dtype?: string;
  readonly problems: readonly Problem[];
  readonly before: Before;
  readonly after: After;
}

/**
 * Tries to read the bracket at the cursor as a literal. Undefined, with the cursor unmoved, if the bracket is an index, the parentheses of an
 * unknown call, or no numbers at all. Otherwise the cursor is after the literal.
 */
export function* readCandidatePaced(s: Scanner, circumstances: ReadContext): Paced<Candidate | undefined> {
  const open = s.at;
  const reading = yield* read(s, open);
  const candidate = reading && (yield* decide(s, reading, circumstances));
  if (!candidate) s.at = open;
  return candidate;
}

/** Whether a bracket directly follows a value and so is an index: `a[0]`, `f(x)[1]`, `"s"[2]`. Keywords are no values. */
export function isSubscript(text: string, open: number): boolean {
  const before = text.charCodeAt(open - 1);
  if (isCloser(before) || before === code.closeBrace || before === code.backslash || before === 33) return true;
  if (isQuote(before)) return false;
  return isWordPart(before) && !keywords.has(wordText(text, open));
}

function wordText(text: string, end: number): string {
  const word = wordBefore(text, end, Math.max(0, end - 64));
  return word ? text.slice(word.start, word.end) : '';
}

/** Most characters that are read before a bracket: the word of its call, and a name. */
const callLookBehind = 64 + maxLookBehind;

function* read(s: Scanner, open: number): Paced<Reading | undefined> {
  const { text } = s;
  s.steps += callLookBehind;
  const word = wordText(text, open);
  const format = peek(s) === code.open ? formatOfCall(word) : undefined;
  if (format) return yield* readCall(s, open, { word, format });
  if (isSubscript(text, open)) return undefined;
  return complete(s, yield* readNestedPaced(s), open, []);
}

type Call = NonNullable<Reading['call']>;

/** Reads `np.array([[1, 2]], dtype=np.float32)` or `nn.Parameter(torch.tensor([…]))`. A call without brackets inside is no literal. */
function* readCall(s: Scanner, open: number, outer: Call): Paced<Reading | undefined> {
  const start = withNew(s.text, open - outer.word.length);
  const calls = enterCalls(s, open, outer);
  const inner = calls?.at(-1);
  if (!calls || !inner) return undefined;
  const nested = yield* readNestedPaced(s);
  const problems: Problem[] = [];
  let dtype = dtypeOf(inner.word);
  let reshapes: TextRange | undefined;
  for (const call of nested.closed ? calls.reverse() : []) {
    const end = s.at;
    const found = readArguments(s);
    dtype ??= found.dtype;
    if (found.reshapes && !saysShape(s.text.slice(found.reshapes.end, s.at), nested.shape)) reshapes ??= found.reshapes;
    if (found.closed) continue;
    problems.push(badCall(s, found, call, end));
    break;
  }
  const reading = complete(s, nested, start, problems, inner, dtype);
  return reshapes ? { ...reading, after: { ...reading.after, expression: reshapes } } : reading;
}

/** Whether the text behind `shape` has the shape that the array is written in. */
const saysShape = (text: string, shape: readonly number[]): boolean =>
  /^\s*=\s*[([]([\d,\s]*)[)\]]/.exec(text)?.[1]?.match(/\d+/g)?.map(Number).join() === shape.join();

/** Most nested calls around an array. */
const mostCalls = 3;

/** Moves to the bracket inside one or more known calls; undefined if they contain anything else. */
function enterCalls(s: Scanner, open: number, outer: Call): (Call & { readonly open: number })[] | undefined {
  const calls = [{ ...outer, open }];
  for (s.at = open + 1; ; s.at++) {
    skipGap(s);
    if (isOpener(peek(s))) return calls;
    const end = wordEnd(s);
    const at = wrapperAt(s, end);
    if (at === undefined || calls.length === mostCalls) return undefined;
    const word = s.text.slice(s.at, end);
    calls.push({ word, format: formatOfCall(word) ?? outer.format, open: at });
    s.at = at;
  }
}

const withNew = (text: string, start: number): number => (text.startsWith('new ', start - 4) ? start - 4 : start);

/** The problem of a call whose arguments cannot be read; `end` is the end of the array. */
function badCall(s: Scanner, found: Arguments, call: { word: string; open: number }, end: number): Problem {
  const { at, text } = s;
  // A word on the next line begins the next statement.
  const next = isLetter(peek(s)) && /[\r\n]/.test(text.slice(Math.max(end, at - 200), at));
  if (found.expression === undefined || at >= s.end || next) {
    const range = { start: call.open, end: call.open + 1 };
    return {
      code: 'unbalanced',
      message: t('{0}( is never closed', call.word),
      range,
      hint: t('Add ) at the end of the call.'),
    };
  }
  const char = String.fromCodePoint(text.codePointAt(at) ?? 32);
  return {
    code: 'expression',
    message: t('found {0} in {1}(…), expected a comma or )', char, call.word),
    range: { start: at, end: at + char.length },
    hint: t('Arithmetic is not computed: select the result as it is printed.'),
  };
}

function complete(
  s: Scanner,
  nested: Nested,
  start: number,
  problems: readonly Problem[],
  call?: Reading['call'],
  dtype?: string,
): Reading {
  const after: After = nested.closed && problems.length === 0 ? readAfter(s, s.at) : { end: s.at };
  const printed = call?.format === 'numpy' ? tensorFlowRepr(s, start, after.end) : undefined;
  const range = printed ?? { start, end: after.end };
  s.at = range.end;
  const type = after.dtype ?? dtype ?? nested.dtype;
  return {
    nested,
    range,
    problems: [...nested.problems, ...problems],
    before: nameBefore(s.text, range.start),
    after,
    ...(call ? { call: printed ? { ...call, format: 'tensorflow' as const } : call } : {}),
    ...(type === undefined ? {} : { dtype: type }),
  };
}

/** The text that TensorFlow prints before an array. */
const tensorFlowHead =
  /^<tf\.(?:Tensor: (?:id=\d+, )?|Variable '[^'[\](){}\r\n]*' )shape=\([\d, ]*\),? dtype=[\w.]+, numpy=$/;

/** The range of `<tf.Tensor: shape=(2, 2), dtype=float32, numpy=⏎array(…)>` if the array is inside one. */
function tensorFlowRepr(s: Scanner, start: number, end: number): TextRange | undefined {
  const { text } = s;
  let at = start;
  while (isSpace(text.charCodeAt(at - 1)) && start - at < 4) at--;
  if (text.charCodeAt(end) !== code.greater || !text.startsWith('numpy=', at - 6)) return undefined;
  const head = text.slice(Math.max(0, at - 200), at);
  const open = head.lastIndexOf('<tf.');
  if (open < 0 || !tensorFlowHead.test(head.slice(open))) return undefined;
  return { start: at - head.length + open, end: end + 1 };
}

/** Decides whether a reading is a matrix, a failed attempt at one, or neither. */
function* decide(s: Scanner, reading: Reading, circumstances: ReadContext): Paced<Candidate | undefined> {
  if (isGrouping(s, reading)) return undefined;
  if (reading.problems.length > 0) return yield* refuse(s, reading, circumstances);
  if (reading.nested.numbers === 0 || isSizeOfType(s, reading)) return undefined;
  const { candidatePart } = nameAndRole(reading.range, reading.before);
  return { matrix: matrixOf(reading), problems: [], plain: isPlain(s, reading, circumstances), ...candidatePart };
}

/** Whether parentheses without a comma or brackets group an expression, as in `(a + 1)`. */
const isGrouping = (s: Scanner, { nested, range, call }: Reading): boolean =>
  !call && s.text.charCodeAt(range.start) === code.open && !nested.nested && !nested.commas;

/** Whether a bracket is a size in a Go type: `var m [2][3]float64`. */
const isSizeOfType = (s: Scanner, { nested, range, call }: Reading): boolean =>
  !call && nested.numbers === 1 && (peekAt(s, range.end) === code.openBracket || isLetter(peekAt(s, range.end)));

const peekAt = (s: Scanner, at: number): number => (at < s.end ? s.text.charCodeAt(at) : -1);

function matrixOf({ nested, range, call, dtype, before, after }: Reading): ParsedMatrix {
  const expression = before.operator ?? after.expression;
  return {
    shape: nested.shape,
    values: nested.values,
    format: call?.format ?? (nested.commas || nested.numbers === 1 ? 'brackets' : 'printed'),
    range,
    ...nameAndRole(range, before).matrixPart,
    ...(dtype === undefined ? {} : { dtype }),
    ...(expression ? { expression } : {}),
  };
}

/**
 * Whether a matrix is clearly meant: it has a constructor, a role or nested brackets, or is a flat list that is assigned or alone on its line.
 * `[1]` in a sentence and `size=(4, 1)` in a call are not.
 */
function isPlain(s: Scanner, r: Reading, { first }: ReadContext): boolean {
  const { nested, before, range } = r;
  if (r.call || before.role) return true;
  s.steps += longestString;
  const tuple = s.text.charCodeAt(range.start) === code.open;
  // `__nonnull ((1, 2))` is an attribute in C.
  if (nested.nested && !(tuple && nested.shape.length === 1)) return !insideString(s.text, range);
  const alone = endsLine(s, range.end);
  if (first && alone && restIsBlank(s, range.end)) return true;
  if (tuple || nested.numbers < 2 || (before.name !== undefined && sizes.has(before.name))) return false;
  return alone && (before.startsStatement || startsLine(s.text, range.start));
}

/** Names of lists of sizes and positions rather than of values. */
const sizes = new Set('shape size dims dim axes axis padding stride strides kernel_size'.split(' '));

const startsLine = (text: string, at: number): boolean =>
  text.slice(startOfLine(text, at, Math.max(0, at - 100)), at).trim() === '';

function restIsBlank(s: Scanner, from: number): boolean {
  let at = from;
  while (at < s.end && (isSpace(s.text.charCodeAt(at)) || ',;'.includes(s.text.charAt(at)))) at++;
  s.steps += at - from;
  return at >= s.end;
}

/**
 * Reports a failed attempt if a matrix was clearly meant. Irregular (or elided, or complex) rows of numbers are reported as not plain, so that
 * nothing inside them is read as a literal of its own. Moves the cursor past the brackets.
 */
function* refuse(s: Scanner, r: Reading, circumstances: ReadContext): Paced<Candidate | undefined> {
  const { nested, before, range } = r;
  const plain = isMeant(s, r) || (circumstances.first && (yield* isMeantFirst(s, r)));
  if ((!plain && !isIrregular(s, r)) || isOther(s, r)) return undefined;
  s.steps += longestString;
  if (insideString(s.text, range) && !isNotebookLine(s.text, range.start)) return undefined;
  if (!nested.closed) s.at = yield* afterBrackets(s, r);
  return {
    problems: r.problems,
    plain,
    ...nameAndRole({ start: range.start, end: s.at }, before).candidatePart,
  };
}

/** Whether the brackets are code or records, unless the name has a role: `[1 for x in y]`, `[([0, 1], 2), …]`. */
const isOther = (s: Scanner, { problems, range, before, call }: Reading): boolean =>
  !call &&
  before.role === undefined &&
  problems.some((p) => isFor(s, p) || (p.code === 'mixed-depth' && hasTuple(s, range.start, p)));

const isFor = (s: Scanner, { code: what, range }: Problem): boolean =>
  what === 'unknown-name' && range !== undefined && s.text.slice(range.start, range.end) === 'for';

const ofShape = new Set(['ragged', 'mixed-depth', 'empty', 'elided', 'complex']);
/** Whether items are records rather than rows: `[([0, 1], 2), …]`. */
const hasTuple = (s: Scanner, start: number, { range }: Problem): boolean =>
  s.text.slice(start, Math.min(range?.start ?? start, start + longestString)).includes('(');

/** Whether rows are irregular. In `f ([1, 2], 3)` a number beside a row in parentheses is an argument of a call instead. */
const isIrregular = (s: Scanner, { nested, problems, range, call }: Reading): boolean => {
  const tuple = !call && s.text.charCodeAt(range.start) === code.open;
  // `(array([1, 2]), array([3]))` is a function's results, each a matrix of its own.
  if (tuple && isLetter(s.text.charCodeAt(range.start + 1))) return false;
  const shapes = problems.every((p) => ofShape.has(p.code) && !(tuple && p.code === 'mixed-depth'));
  return nested.nested && nested.closed && nested.numbers > 1 && shapes;
};

function isMeant(s: Scanner, r: Reading): boolean {
  const { nested, before, call } = r;
  const digits = hasDigits(r);
  if (nested.prose && nested.numbers === 0 && !call) return false;
  const named =
    (before.how === 'assigned' || before.how === 'labelled' || before.how === 'heading') && before.startsStatement;
  // A flat `(0, f.x)` is code, whatever its name is.
  const tuple = !call && !nested.nested && s.text.charCodeAt(r.range.start) === code.open;
  return (
    (call !== undefined && (digits || !isUnknown(r))) ||
    (before.role !== undefined && !tuple && (digits || isShort(r))) ||
    (named && !tuple && digits) ||
    (isCut(s, s.at) && digits)
  );
}

/** Whether it is the first thing in a selection and alone on its lines. */
function* isMeantFirst(s: Scanner, r: Reading): Paced<boolean> {
  const digits = hasDigits(r);
  if ((r.nested.prose && r.nested.numbers === 0) || !(digits || isShort(r) || isList(s, r))) return false;
  return r.nested.nested || endsLine(s, r.nested.closed ? s.at : yield* afterBrackets(s, r));
}

const hasDigits = (r: Reading): boolean => r.nested.numbers > 0 || r.problems.some((p) => p.code === 'elided');

/** Whether names or expressions are among the items, as in `np.array(rows)`, `np.array([a, b])`: not a written-out matrix. */
const isUnknown = (r: Reading): boolean => r.problems.some((p) => p.code === 'unknown-name' || p.code === 'unexpected');
/** Whether a matrix was meant even without numbers: `Q = []`, `K = ["a"]`. */
const isShort = (r: Reading): boolean => r.problems.every((p) => short.has(p.code));
const short = new Set(['empty', 'string', 'too-deep']);

/** Whether it is a list such as `[a, b]`, but not `[CLS]` or `(so it seems, at least)`. */
const isList = (s: Scanner, r: Reading): boolean =>
  r.nested.commas && s.text.charCodeAt(r.range.start) === code.openBracket;

/** Whether the scanner's window ended inside the literal. */
export const isCut = (s: Scanner, at: number): boolean => at >= s.end && s.follows >= 0;

/** The end of the brackets that the literal opened, found by counting brackets. An unclosed literal ends where reading stopped. */
function* afterBrackets(s: Scanner, r: Reading): Paced<number> {
  if (r.problems.some((p) => p.code === 'unbalanced') || s.at >= s.noCloserFrom) return s.at;
  let depth = 0;
  let rest = r.range.start + bracketsAtOnce;
  for (let i = r.range.start; i < s.end; i++) {
    if (i >= rest) {
      rest += bracketsAtOnce;
      s.steps += bracketsAtOnce;
      yield;
    }
    const c = s.text.charCodeAt(i);
    if (isOpener(c)) depth++;
    else if (isCloser(c) && --depth <= 0 && i >= s.at - 1) return i + 1;
    if (depth <= 0 && isNewline(c) && i >= s.at) return i;
  }
  s.noCloserFrom = s.at;
  return s.at;
}

/** Characters between two yields. */
const bracketsAtOnce = 8192;
