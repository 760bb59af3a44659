import { insideString } from '../candidate';
import type { Candidate } from '../matrix';
import type { Paced } from '../../text';
import { nameBefore, type Before } from '../name-before';
import { code, peek, type Scanner } from '../scanner';
import { readRowsPaced, type Notation, type Rows } from './code-rows';
import type { FormatReader } from './format-reader';
import { expressionAfter, matrixCandidate, problemCandidate, reachBack, skipBrackets } from './candidates';
import { codeGap } from './code-gap';

/**
 * Rust: `vec![vec![1.0, 2.0], vec![3.0, 4.0]]`, ndarray's `array![[1., 2.], [3., 4.]]` and `arr2(&[[1., 2.], [3., 4.]])`, and brackets whose
 * numbers have a suffix (`[[1f32, 2.0], …]`, in Kotlin `[[1f, 2f], …]`), which the reader of plain brackets refuses.
 */
export const rust: FormatReader = { name: 'rust', chars: '[', words: ['vec', 'array', 'arr1', 'arr2', 'arr3'], read };

const notation: Notation = { dialect: 'rust', enter, gap: codeGap, repeats: true };

function* read(s: Scanner): Paced<Candidate | undefined> {
  const start = s.at;
  const bare = peek(s) === code.openBracket;
  const call = bare ? 0 : callLength(s);
  s.at += call;
  const rows = yield* readRowsPaced(s, notation);
  if (!rows || rows.numbers === 0 || (bare && (rows.problems.length > 0 || !isOwn(rows)))) return undefined;
  if (rows.problems.length > 0) return refuse(s, start, rows);
  if (call > 0 && !closeCall(s)) return undefined;
  return accept(s, start, rows, bare);
}

/** Whether the reader of plain brackets refuses it. */
const isOwn = ({ seen }: Rows): boolean => seen.own === true || seen.repeated === true;

function accept(s: Scanner, start: number, rows: Rows, bare: boolean): Candidate | undefined {
  const range = { start, end: s.at };
  s.steps += 2 * reachBack;
  if (rows.values.length < 2 || insideString(s.text, range)) return undefined;
  const before = nameBefore(s.text, start);
  return matrixCandidate({
    range,
    before,
    format: 'rust',
    shape: rows.shape,
    values: rows.values,
    plain: bare ? isPlain(rows, before) : rows.depth > 1 || before.name !== undefined,
    dtype: rows.seen.dtype,
    expression: expressionAfter(s, s.at),
  });
}

/** Whether a vector is clearly meant: `[0; 1024]` only reserves memory. */
const isPlain = ({ seen, depth }: Rows, { role }: Before): boolean =>
  seen.repeated !== true && (depth > 1 || role !== undefined);

const ofNumbers = new Set(['ragged', 'mixed-depth', 'empty', 'malformed', 'complex']);

/** The problem of irregular rows of numbers; names and calls in a `vec!` are code. */
function refuse(s: Scanner, start: number, rows: Rows): Candidate | undefined {
  const before = nameBefore(s.text, start);
  const irregular = rows.numbers > 1 && rows.problems.every((p) => ofNumbers.has(p.code));
  if (!irregular && before.role === undefined) return undefined;
  if (!rows.closed) skipBrackets(s, start);
  return problemCandidate(rows.problems, { start, end: s.at }, before, true);
}

/** `arr2(` and its `&`. */
function callLength(s: Scanner): number {
  const found = /^arr[123]\(\s{0,4}/.exec(s.text.slice(s.at, s.at + 12));
  return found ? found[0].length : 0;
}

function closeCall(s: Scanner): boolean {
  codeGap(s);
  if (peek(s) === code.comma) s.at++;
  codeGap(s);
  if (peek(s) !== code.close) return false;
  s.at++;
  return true;
}

const openers = ['[', '&[', 'vec![', 'array![', '&vec!['];

function enter(s: Scanner): number {
  const { text, at } = s;
  for (const opener of openers) {
    if (!text.startsWith(opener, at)) continue;
    s.at = at + opener.length;
    return code.closeBracket;
  }
  return 0;
}
