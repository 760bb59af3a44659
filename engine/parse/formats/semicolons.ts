import { t, type Problem, type TextRange, type Paced } from '../../text';
import { insideString } from '../candidate';
import type { Candidate } from '../matrix';
import { nameBefore, type Before } from '../name-before';
import { code, peek, startOfLine, wordEnd, type Scanner } from '../scanner';
import type { FormatReader } from './format-reader';
import { expressionAfter, matrixCandidate, problemCandidate, reachBack, skipBrackets } from './candidates';
import { readNumeral } from './numerals';
import { readSemicolonRowsPaced, unevenPlane, type SemicolonRows } from './semicolon-rows';

const juliaTypes = new Map<string, string>([
  ['Float16', 'float16'],
  ['Float32', 'float32'],
  ['Float64', 'float64'],
  ['Bool', 'bool'],
  ['Int', 'int64'],
]);
for (const size of [8, 16, 32, 64]) juliaTypes.set(`Int${size}`, `int${size}`).set(`UInt${size}`, `uint${size}`);
const conversions = new Map([
  ['single', 'float32'],
  ['double', 'float64'],
]);

/**
 * MATLAB, Octave and Julia: `[1 2; 3 4]`, `[1, 2; 3, 4]`, one row on each line, `...` at the end of a line, `Float32[1 2; 3 4]`,
 * `single([…])`, `cat(3, […], […])`, and Julia's `;;;` between planes. Flat lists are left to plain brackets, unless they have a type or `'`.
 */
export const semicolons: FormatReader = {
  name: 'semicolons',
  chars: '[',
  words: [...juliaTypes.keys(), ...conversions.keys(), 'cat'],
  read,
};

function* read(s: Scanner): Paced<Candidate | undefined> {
  const start = s.at;
  if (peek(s) === code.openBracket) return yield* readBare(s);
  const end = wordEnd(s);
  const word = s.text.slice(start, end);
  s.at = end;
  if (juliaTypes.has(word)) return yield* readTyped(s, start, juliaTypes.get(word));
  if (peek(s) !== code.open) return undefined;
  s.at++;
  return yield* word === 'cat' ? readPlanes(s, start) : readConverted(s, start, conversions.get(word));
}

function* readBare(s: Scanner): Paced<Candidate | undefined> {
  const start = s.at;
  const rows = yield* readSemicolonRowsPaced(s);
  const joins = rows.problem?.code === 'unknown-name' && opensRows(s, start);
  if ((rows.numbers === 0 || (rows.problem && rows.numbers < 2)) && !joins && !rows.ranges) return undefined;
  s.steps += reachBack;
  const before = nameBefore(s.text, start);
  const meant =
    before.role !== undefined || (before.how === 'assigned' && before.startsStatement && standsAlone(s.text, start));
  if (rows.problem && joins && meant) return refuse(s, start, { ...rows.problem, hint: notJoined() }, before, true);
  if (rows.numbers < 2 && !rows.ranges) return undefined;
  if (rows.problem) return refuse(s, start, rows.problem, before, rows.semicolons > 0 || rows.ranges);
  const range = { start, end: s.at };
  const transposed = transposeAfter(s, start);
  if (!isMeant(s, start, rows, before) && !transposed) return undefined;
  if (insideString(s.text, range)) return undefined;
  const call = computedCall(s, start);
  if (call) return problemCandidate([call], { start: call.range?.start ?? start, end: s.at }, before, true);
  const expression = transposed ?? expressionAfter(s, s.at);
  return matrixCandidate({
    range,
    before,
    format: 'matlab',
    shape: rows.shape,
    values: rows.values,
    plain: true,
    expression,
  });
}

/** Functions that give the matrix itself, of MATLAB, Octave and Julia. */
const givesItself = new Set(
  'single double sparse full gpuArray dlarray half cast logical matrix Matrix SMatrix MMatrix Array CuArray collect array2table disp display'.split(
    ' ',
  ),
);
/** Functions that join matrices or move their numbers: what one of their arguments is, is not their result. */
const moves = new Set(
  'cat vertcat horzcat vcat hcat hvcat repmat repeat reshape permute permutedims kron blkdiag circshift rot90 flip fliplr flipud tile stack accumarray'.split(
    ' ',
  ),
);

/**
 * A call whose argument this matrix is and whose result is another one: `cat(3, [1 2; 3 4], [5 6])`, `A = repmat([1 2; 3 4], 2, 2)`. Only its own line is
 * looked at.
 */
function computedCall(s: Scanner, start: number): Problem | undefined {
  const from = startOfLine(s.text, start, Math.max(0, start - reachBack));
  s.steps += start - from;
  const lead = s.text.slice(from, start);
  const name = openCall(lead);
  if (!name || givesItself.has(name.word)) return undefined;
  const isAssigned = /^\s*[A-Za-z_]\w*\s*=\s*$/.test(lead.slice(0, name.at));
  if (!moves.has(name.word) && !(isAssigned && s.text.charCodeAt(s.at) === code.comma)) return undefined;
  return {
    code: 'expression',
    message: t('{0} is not computed', `${name.word}(…)`),
    hint: t('Write its result, or select the result as it is printed.'),
    range: { start: from + name.at, end: from + name.at + name.word.length },
  };
}

/** The word before the innermost parenthesis that is open at the end of a text. */
function openCall(lead: string): { word: string; at: number } | undefined {
  let depth = 0;
  for (let at = lead.length - 1; at >= 0; at--) {
    const c = lead.charAt(at);
    if (')]}'.includes(c)) depth++;
    else if ('([{'.includes(c) && depth-- === 0) {
      const word = c === '(' ? /[A-Za-z_]\w*$/.exec(lead.slice(0, at))?.[0] : undefined;
      return word === undefined ? undefined : { word, at: at - word.length };
    }
  }
  return undefined;
}

const notJoined = (): string =>
  t('Matrices in brackets are not joined: write the numbers, or select the result as it is printed.');

/** Whether the bracket contains a semicolon on its line: `[A 1; 2 3]`, `[Q; K]`. */
function opensRows(s: Scanner, start: number): boolean {
  s.steps += reachBack;
  return /^\[[^\][\r\n]*;[^\][\r\n]*\]/.test(s.text.slice(start, start + reachBack));
}

/** Whether these are rows, rather than an array of Rust (`[0; 1024]`) or one wrapped vector. */
function isMeant(s: Scanner, start: number, rows: SemicolonRows, before: Before): boolean {
  if (rows.values.length < 2) return false;
  if (rows.ranges) return before.how === 'assigned' && before.startsStatement;
  if (rows.semicolons > 0) return rows.values.length > 2 || rows.semicolons > 1 || standsAlone(s.text, start);
  return rows.shape.length > 1 && (rows.shape[0] ?? 0) > 1 && before.how === 'assigned' && !rows.wrapped;
}

/** Whether it is `x = [1; 2]` or `[1; 2]` alone on its line; `let x = [1; 2]` and `f(&[1; 2])` are Rust. */
function standsAlone(text: string, start: number): boolean {
  const lead = text.slice(startOfLine(text, start, Math.max(0, start - reachBack)), start).trim();
  return /^(?:[A-Za-z_][\w.]* *=)?$/.test(lead);
}

/** The range of `'` or `.'` directly after the bracket, unless it ends a string. */
function transposeAfter(s: Scanner, start: number): TextRange | undefined {
  const quote = peek(s) === code.dot ? 1 : 0;
  if (peek(s, quote) !== code.quote || s.text.charCodeAt(start - 1) === code.quote) return undefined;
  return { start: s.at, end: s.at + quote + 1 };
}

function refuse(s: Scanner, start: number, problem: Problem, before: Before, rows: boolean): Candidate | undefined {
  const named = before.how === 'assigned' && before.startsStatement;
  const shape = problem.code === 'ragged' || problem.code === 'complex' || problem.code === 'elided';
  if (!rows || !(shape || named || before.role !== undefined)) return undefined;
  if (insideString(s.text, { start, end: s.at })) return undefined;
  if (problem.code !== 'ragged') skipBrackets(s, start);
  return problemCandidate([problem], { start, end: s.at }, before, true);
}

/** Reads `Float32[1 2; 3 4]`: with a type before the bracket, even a flat row is a matrix. */
function* readTyped(s: Scanner, start: number, dtype: string | undefined): Paced<Candidate | undefined> {
  if (peek(s) !== code.openBracket) return undefined;
  const rows = yield* readSemicolonRowsPaced(s);
  return typed(s, start, rows, dtype, 'julia');
}

function* readConverted(s: Scanner, start: number, dtype: string | undefined): Paced<Candidate | undefined> {
  if (peek(s) !== code.openBracket) return undefined;
  const rows = yield* readSemicolonRowsPaced(s);
  if (rows.semicolons === 0 && !rows.problem && rows.commas) return undefined;
  if (!rows.problem && peek(s) !== code.close) return undefined;
  if (!rows.problem) s.at++;
  return typed(s, start, rows, dtype, 'matlab');
}

function typed(
  s: Scanner,
  start: number,
  rows: SemicolonRows,
  dtype: string | undefined,
  format: 'julia' | 'matlab',
): Candidate | undefined {
  if (rows.numbers < 2) return undefined;
  s.steps += reachBack;
  const before = nameBefore(s.text, start);
  if (rows.problem) return refuse(s, start, rows.problem, before, rows.semicolons > 0 || before.role !== undefined);
  const range = { start, end: s.at };
  if (insideString(s.text, range)) return undefined;
  const expression = transposeAfter(s, start) ?? expressionAfter(s, s.at);
  return matrixCandidate({
    range,
    before,
    format,
    shape: rows.shape,
    values: rows.values,
    plain: true,
    dtype,
    expression,
  });
}

/** Most matrices in one `cat`. */
const mostPlanes = 1000;

/** Reads `cat(3, [1 2; 3 4], [5 6; 7 8])`: rows × columns × planes, in the order of MATLAB's indices. */
function* readPlanes(s: Scanner, start: number): Paced<Candidate | undefined> {
  if (!/^\s{0,4}3\s{0,4},/.test(s.text.slice(s.at, s.at + 12))) return undefined;
  s.at = s.text.indexOf(',', s.at);
  const planes: SemicolonRows[] = [];
  while (peek(s) === code.comma && planes.length < mostPlanes) {
    s.at++;
    skipBlanks(s);
    const rows = peek(s) === code.openBracket ? yield* readSemicolonRowsPaced(s) : readOne(s);
    if (!rows) return undefined;
    if (rows.problem) return refuse(s, start, rows.problem, nameBefore(s.text, start), true);
    const [expected = rows] = planes;
    if (String(rows.shape) !== String(expected.shape)) return unevenPlanes(s, start, rows, planes.length, expected);
    planes.push(rows);
    skipBlanks(s);
  }
  const [first] = planes;
  const [m = 0, n = 0] = first?.shape ?? [];
  if (
    !first ||
    peek(s) !== code.close ||
    !planes.every((p) => p.shape.length === 2 && p.shape[0] === m && p.shape[1] === n)
  )
    return undefined;
  s.at++;
  const values = Float64Array.from({ length: m * n * planes.length }, (_, i) => {
    const cell = Math.floor(i / planes.length);
    return planes[i % planes.length]?.values[cell] ?? NaN;
  });
  const before = nameBefore(s.text, start);
  return matrixCandidate({
    range: { start, end: s.at },
    before,
    format: 'matlab',
    shape: [m, n, planes.length],
    values,
    plain: true,
  });
}

/** Planes of other sizes, which MATLAB refuses to join. */
function unevenPlanes(s: Scanner, start: number, found: SemicolonRows, at: number, expected: SemicolonRows): Candidate {
  const problem = unevenPlane({ start, end: s.at }, at, found.shape, expected.shape);
  skipBrackets(s, start);
  return problemCandidate([problem], { start, end: s.at }, nameBefore(s.text, start), true);
}

/** A number alone: a plane of 1×1. */
function readOne(s: Scanner): SemicolonRows | undefined {
  if (readNumeral(s, 'matlab', {}, true) !== 'number') return undefined;
  return {
    shape: [1, 1],
    values: Float64Array.of(s.value),
    numbers: 1,
    semicolons: 0,
    commas: false,
    wrapped: false,
    ranges: false,
  };
}

function skipBlanks(s: Scanner): void {
  const start = s.at;
  while (peek(s) === code.space || peek(s) === code.tab || peek(s) === code.newline || peek(s) === code.carriageReturn)
    s.at++;
  s.steps += s.at - start + 1;
}
