import { t, type Problem, type TextRange, type Paced } from '../../text';
import { formatShape } from '../../math';
import { insideString } from '../candidate';
import type { Candidate } from '../matrix';
import { nameBefore, type Before } from '../name-before';
import { code, peek, wordEnd, type Scanner } from '../scanner';
import { readRowsPaced, type Notation, type Rows } from './code-rows';
import type { FormatReader } from './format-reader';
import { assignedTo, expressionAfter, matrixCandidate, problemCandidate, reachBack, skipBrackets } from './candidates';
import { codeGap } from './code-gap';
import { elementOf } from './declarations';

/**
 * Library calls that give a flat list its rows and columns. Row-major: gonum's `mat.NewDense(2, 3, []float64{…})`
 * (https://pkg.go.dev/gonum.org/v1/gonum/mat), nalgebra's `Matrix2x3::new(…)` and `from_row_slice`; column-major: nalgebra's `from_vec` and
 * `from_column_slice` (https://docs.rs/nalgebra). Sizes precede the list where the type has none (`DMatrix`); `Vector3::new(…)` is a vector.
 * Sizes that are no numbers, and lists of another length, are refused.
 */
export const linearAlgebra: FormatReader = {
  name: 'linear-algebra',
  words: ['mat.NewDense', 'mat.NewVecDense', 'new', 'from_row_slice', 'from_column_slice', 'from_vec'],
  read,
};

/** A call of one of these libraries. */
interface Call {
  /** Start of the call, including its type. */
  readonly start: number;
  readonly isGonum: boolean;
  /** Rows and columns, or a vector's length; `undefined` for sizes that are arguments of the call. */
  readonly sizes: readonly (number | undefined)[];
  readonly byColumns: boolean;
  readonly dtype?: string | undefined;
  readonly list: Notation;
}

function* read(s: Scanner): Paced<Candidate | undefined> {
  const call = callAt(s);
  if (!call) return undefined;
  s.steps += reachBack;
  const open = s.at;
  const sizes = sizesAt(s, call);
  const from = s.at;
  const rows = yield* readRowsPaced(s, call.list);
  if (!rows || rows.numbers === 0 || rows.depth > 1 || insideString(s.text, { start: call.start, end: s.at }))
    return undefined;
  const before = nameOf(s.text, call.start);
  if (rows.problems.length > 0) return refuse(s, open, call, rows, before);
  const closed = call.list === bare || closeCall(s);
  if (!closed) return undefined;
  const range = { start: call.start, end: s.at };
  if (!sizes) return problemCandidate([unknownSizes(s, { start: open + 1, end: from })], range, before, true);
  const misfit = misfitOf(rows, sizes, { start: from, end: s.at });
  if (misfit) return problemCandidate([misfit], range, before, true);
  return matrixCandidate({
    range,
    before,
    format: call.isGonum ? 'go' : 'rust',
    shape: sizes.map((n) => (n === anyLength ? rows.values.length : n)),
    values: call.byColumns ? byRows(rows.values, sizes) : rows.values,
    plain: true,
    dtype: call.dtype ?? rows.seen.dtype,
    expression: expressionAfter(s, s.at),
  });
}

const sized: Notation = { dialect: 'rust', enter: enterList, gap: codeGap };
const sizedGo: Notation = { dialect: 'braces', enter: enterGo, gap: codeGap };
const bare: Notation = { dialect: 'rust', enter: enterCall, gap: codeGap };

/** The call at the cursor, which is moved to its `(`; undefined if the word is another one. */
function callAt(s: Scanner): Call | undefined {
  const start = s.at;
  const word = s.text.slice(start, wordEnd(s));
  s.at += word.length;
  if (peek(s) !== code.open) return undefined;
  if (word === 'mat.NewDense') return gonumCall(start, [undefined, undefined]);
  if (word === 'mat.NewVecDense') return gonumCall(start, [undefined]);
  const type = typeBefore(s.text, start);
  if (!type) return undefined;
  const isNew = word === 'new';
  // `DMatrix::new` does not exist, and dynamic types give no sizes.
  if (isNew && type.sizes.includes(undefined)) return undefined;
  return {
    ...type,
    isGonum: false,
    byColumns: /^from_[cv]/.test(word) && type.sizes.length > 1,
    list: isNew ? bare : sized,
  };
}

const gonumCall = (start: number, sizes: Call['sizes']): Call => ({
  start,
  isGonum: true,
  sizes,
  byColumns: false,
  dtype: 'float64',
  list: sizedGo,
});

/** Longest type before a call. */
const longestType = 60;

/** `na::Matrix2x3::<f32>::` before a function's name. */
function typeBefore(text: string, end: number): Pick<Call, 'start' | 'sizes' | 'dtype'> | undefined {
  if (!text.startsWith('::', end - 2)) return undefined;
  const near = text.slice(Math.max(0, end - longestType), end);
  const found =
    /(?<![\w.])(?:[a-z_]\w{0,20}::){0,2}(?:(D)?(Matrix|RowVector|Vector)(\d?)(?:x(\d))?)(?:::<([\w, ]{1,20})>)?::$/.exec(
      near,
    );
  const sizes = found && sizesOf(found[1] === 'D', found[2] ?? '', found[3] ?? '', found[4] ?? '');
  return sizes ? { start: end - found[0].length, sizes, dtype: elementOf(found[5] ?? '') } : undefined;
}

/** The name before the literal, also in a declaration with a type: `let q: Matrix2<f32> = `. */
function nameOf(text: string, start: number): Before {
  const before = nameBefore(text, start);
  if (before.name !== undefined) return before;
  const floor = Math.max(0, start - reachBack);
  const found = /\blet +(?:mut +)?(\w+) *: *[\w:<>, ]{1,80}= *$/.exec(text.slice(floor, start));
  if (!found) return before;
  const at = floor + found.index + found[0].indexOf(found[1] ?? '', 4);
  return assignedTo(text, { start: at, end: at + (found[1] ?? '').length });
}

/** Sizes of nalgebra's types: 1 to 6 rows and columns, or `D` for dynamic ones. */
function sizesOf(dynamic: boolean, kind: string, rows: string, columns: string): Call['sizes'] | undefined {
  const small = (n: string): boolean => n >= '1' && n <= '6';
  if (dynamic) return rows + columns !== '' ? undefined : kind === 'Matrix' ? [undefined, undefined] : [undefined];
  if (!small(rows) || (columns !== '' && (!small(columns) || kind !== 'Matrix'))) return undefined;
  return kind === 'Matrix' ? [Number(rows), Number(columns === '' ? rows : columns)] : [Number(rows)];
}

/** Reads the sizes `(2, 3, ` and moves to the list. Undefined if they are no numbers; the cursor is at the list all the same. */
function sizesAt(s: Scanner, { sizes, list, isGonum }: Call): readonly number[] | undefined {
  if (list === bare) return sizes.map((n) => n ?? 0);
  s.at++;
  codeGap(s);
  const inList = !isGonum && sizes.length === 1;
  const found = sizes.map((n) => (n !== undefined || inList ? (n ?? anyLength) : argument(s)));
  return found.every((n) => n !== undefined) ? found : undefined;
}

/** The length in `DVector::from_vec(vec![…])`, which the list determines. */
const anyLength = 0;

/** Reads a positive integer and its comma, or skips another argument. */
function argument(s: Scanner): number | undefined {
  const found = /^([\w.]{1,40})\s{0,20},\s{0,20}/.exec(s.text.slice(s.at, s.at + 81));
  if (!found) return undefined;
  s.at += found[0].length;
  return /^[1-9]\d{0,6}$/.test(found[1] ?? '') ? Number(found[1]) : undefined;
}

function enterCall(s: Scanner): number {
  return opened(s, ['('], code.close);
}

function enterList(s: Scanner): number {
  return opened(s, ['&[', 'vec![', '&vec![', '['], code.closeBracket);
}

function enterGo(s: Scanner): number {
  return opened(s, ['[]float64{'], code.closeBrace);
}

function opened(s: Scanner, openers: readonly string[], closer: number): number {
  for (const opener of openers) {
    if (!s.text.startsWith(opener, s.at)) continue;
    s.at += opener.length;
    return closer;
  }
  return 0;
}

function closeCall(s: Scanner): boolean {
  codeGap(s);
  if (peek(s) === code.comma) s.at++;
  codeGap(s);
  if (peek(s) !== code.close) return false;
  s.at++;
  return true;
}

const ofNumbers = new Set(['ragged', 'mixed-depth', 'empty', 'malformed', 'complex']);

/** The problem of a malformed list. Names and calls in it mean code, unless its own name has a role. */
function refuse(s: Scanner, open: number, { start }: Call, rows: Rows, before: Before): Candidate | undefined {
  const irregular = rows.numbers > 1 && rows.problems.every((p) => ofNumbers.has(p.code));
  if (!irregular && before.role === undefined) return undefined;
  skipBrackets(s, open);
  return problemCandidate(rows.problems, { start, end: s.at }, before, true);
}

const unknownSizes = ({ text }: Scanner, range: TextRange): Problem => ({
  code: 'shape-mismatch',
  message: t('the rows and columns are no numbers: {0}', text.slice(range.start, range.end).trim().replace(/,$/, '')),
  hint: t('Write the sizes as numbers.'),
  range,
});

function misfitOf({ values }: Rows, sizes: readonly number[], range: TextRange): Problem | undefined {
  const size = sizes.reduce((a, b) => a * b, 1);
  if (size === values.length || size === anyLength) return undefined;
  return {
    code: 'shape-mismatch',
    message: t('{0} numbers do not fill {1}', values.length, formatShape(sizes)),
    hint: t('Give {0} numbers, or change the sizes.', size),
    range,
  };
}

/** Column-major numbers in row-major order. */
function byRows(values: Float64Array, [rows = 1, columns = 1]: readonly number[]): Float64Array {
  return Float64Array.from(values, (_, i) => values[(i % columns) * rows + Math.floor(i / columns)] ?? NaN);
}
