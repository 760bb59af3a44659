import type { Candidate } from '../matrix';
import { nameBefore, type Before } from '../name-before';
import type { Paced } from '../../text';
import { linspaceOf, rangeOf, rangeProblem } from '../ranges';
import { code, isDigit, isNewline, isSign, isWordPart, peek, type Scanner } from '../scanner';
import type { FormatReader } from './format-reader';
import { matrixCandidate, noName, problemCandidate, reachBack, skipSpaceBack } from './candidates';

/** `Q = 1:3`, `x = 0:0.5:2;` and `linspace(0, 1, 5)` of MATLAB, Octave and Julia: one row. */
export const ranges: FormatReader = { name: 'ranges', chars: '0123456789+-.', words: ['linspace'], read };

const number = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
const colons = new RegExp(String.raw`(${number})[ \t]*:[ \t]*(${number})(?:[ \t]*:[ \t]*(${number}))?`, 'y');
const call = new RegExp(String.raw`linspace\(\s*(${number})\s*,\s*(${number})\s*,\s*(${number})\s*\)`, 'y');
/** After a range: nothing, a semicolon, a comment. */
const rest = /[ \t]*(?:;[ \t]*)?(?:[%#][^\r\n]*)?(?=[\r\n]|$)/y;

const longest = 100;

function* read(s: Scanner): Paced<Candidate | undefined> {
  const c = peek(s);
  return isDigit(c) || isSign(c) || c === code.dot ? readColons(s) : readCall(s);
}

function readColons(s: Scanner): Candidate | undefined {
  const start = s.at;
  if (!followsEquals(s)) return undefined;
  const text = s.text.slice(start, start + longest);
  s.steps += text.length;
  colons.lastIndex = 0;
  const found = colons.exec(text);
  if (!found) return undefined;
  rest.lastIndex = found[0].length;
  const after = rest.exec(text);
  const before = nameBefore(s.text, start);
  s.steps += reachBack;
  // `time = 10:30` is a line of a configuration file.
  if (!after || !isMeant(before, after[0])) return undefined;
  const [first = NaN, second = NaN, third] = found.slice(1).map((part) => (part ? Number(part) : undefined));
  const values = third === undefined ? rangeOf(first, 1, second) : rangeOf(first, second, third);
  return made(s, { start, written: found[0], before }, values);
}

const isMeant = ({ how, startsStatement, role }: Before, after: string): boolean =>
  how === 'assigned' && startsStatement && (role !== undefined || after.includes(';'));

/** `=` stands before the cursor, a few blanks between at most. */
function followsEquals(s: Scanner): boolean {
  const at = skipSpaceBack(s.text, s.at, Math.max(0, s.at - mostBlanks));
  s.steps += s.at - at + 1;
  return s.text.charCodeAt(at - 1) === code.equals && s.text.charCodeAt(at - 2) !== code.equals;
}

const mostBlanks = 8;

function readCall(s: Scanner): Candidate | undefined {
  const start = s.at;
  if (start > 0 && (isWordPart(s.text.charCodeAt(start - 1)) || s.text.charCodeAt(start - 1) === code.dot))
    return undefined;
  const text = s.text.slice(start, start + longest);
  s.steps += text.length;
  call.lastIndex = 0;
  const found = call.exec(text);
  if (!found) return undefined;
  const [first = NaN, last = NaN, count = NaN] = found.slice(1).map(Number);
  return made(s, { start, written: found[0], before: nameBefore(s.text, start) }, linspaceOf(first, last, count));
}

interface Written {
  readonly start: number;
  readonly written: string;
  readonly before: Before;
}

function made(
  s: Scanner,
  { start, written, before }: Written,
  values: readonly number[] | undefined,
): Candidate | undefined {
  s.at = start + written.length;
  const range = { start, end: s.at };
  if (!values) return problemCandidate([rangeProblem(written, range)], range, before, before.how === 'assigned');
  if (values.length < 2) return undefined;
  s.steps += values.length;
  const quote = peek(s) === code.quote && !isNewline(peek(s, -1)) ? { start: s.at, end: s.at + 1 } : undefined;
  return matrixCandidate({
    range,
    before: before.how === 'assigned' ? before : noName,
    format: 'matlab',
    shape: [1, values.length],
    values: new Float64Array(values),
    plain: before.how === 'assigned',
    expression: quote,
  });
}
