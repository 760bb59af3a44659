import { formatShape } from '../../math';
import { t, type Problem, type Paced, type TextRange } from '../../text';
import { insideString } from '../candidate';
import type { Candidate } from '../matrix';
import { code, isBlank, isLetter, isWordPart, peek, type Scanner } from '../scanner';
import type { FormatReader } from './format-reader';
import { codeGap } from './code-gap';
import { expressionAfter, matrixCandidate, problemCandidate, reachBack, skipBrackets } from './candidates';
import { readRowsPaced, type Notation, type Rows } from './code-rows';
import { declarationBefore, elementOf, isFloat, type Declared } from './declarations';

/**
 * `{{1, 2}, {3, 4}}`: initialisers in C, C++, Java, C# and Go, and lists in Mathematica. Flat braces can also be blocks, sets or sizes; they
 * count only after a float type.
 */
export const braces: FormatReader = { name: 'braces', chars: '{[', read };

function* read(s: Scanner): Paced<Candidate | undefined> {
  const open = peek(s) === code.openBrace ? s.at : afterType(s);
  if (open < 0) return undefined;
  const grid = yield* readRowsPaced(s, notation);
  if (!grid || grid.numbers === 0) return undefined;
  s.steps += 2 * reachBack;
  const declared = declarationBefore(s.text, open);
  return grid.problems.length > 0 ? refuse(s, open, grid, declared) : accept(s, open, grid, declared);
}

function accept(s: Scanner, open: number, grid: Rows, declared: Declared): Candidate | undefined {
  const { start, before, element, go } = declared;
  const range = { start, end: s.at };
  if (!isMeant(grid, declared) || insideString(s.text, { start: open, end: s.at })) return undefined;
  const shape = shapeAs(declared, grid);
  if (!shape) return problemCandidate([otherSizes(declared, grid, range)], range, before, true);
  const { quotient } = grid.seen;
  if (quotient && element !== undefined)
    return problemCandidate([wholeDivision(s.text, quotient)], range, before, true);
  return matrixCandidate({
    range,
    before,
    format: go ? 'go' : 'braces',
    shape,
    values: grid.values,
    plain: true,
    dtype: element ?? grid.seen.dtype,
    expression: expressionAfter(s, s.at),
  });
}

/**
 * The shape of the numbers in a declaration: C fills `float m[2][2] = {1, 2, 3, 4}` row by row, and `std::array` takes a second pair of braces around
 * all. Undefined if there are fewer or more than it says: the rest is 0 in C, C++ and Go.
 */
function shapeAs({ sizes, go }: Declared, { shape, depth }: Rows): readonly number[] | undefined {
  const given = shape.length === sizes.length + 1 && shape[0] === 1 ? shape.slice(1) : shape;
  if (depth > 1 || sizes.length < 2 || go) {
    const isSame = given.length !== sizes.length || sizes.every((size, i) => size === undefined || size === given[i]);
    return isSame ? given : undefined;
  }
  const row = sizes.slice(1).reduce((product: number, size) => product * (size ?? NaN), 1);
  const rows = (shape[0] ?? 0) / row;
  const [first = rows] = sizes;
  if (Number.isNaN(row)) return shape;
  return Number.isInteger(rows) && first === rows ? [rows, ...sizes.slice(1).map((size) => size ?? 1)] : undefined;
}

const otherSizes = ({ sizes }: Declared, { shape }: Rows, range: TextRange): Problem => ({
  code: 'shape-mismatch',
  message: t('{0} is declared, {1} is given', sizes.map((size) => size ?? '?').join('×'), formatShape(shape)),
  hint: t('C and Go fill the rest with 0: write these zeros, or the sizes that are given.'),
  range,
});

/** Whether a matrix is meant: at least two numbers, in rows or in a list that its type or name makes a vector. */
function isMeant({ values, depth, shape }: Rows, { before, element }: Declared): boolean {
  if (values.length < 2) return false;
  if (depth === 1) return isFloat(element);
  return element !== undefined || before.name !== undefined || (shape[0] ?? 0) > 1;
}

function wholeDivision(text: string, range: { readonly start: number; readonly end: number }): Problem {
  const written = text.slice(range.start, range.end);
  return {
    code: 'expression',
    message: t('{0} divides whole numbers, which cuts the result to a whole number here', written),
    hint: t('Write {0} or the number.', written.replace('/', '.0/')),
    range,
  };
}

const ofShape = new Set(['ragged', 'mixed-depth', 'empty']);

/** A Problem if the type is float, the name has a role, or only row lengths are wrong. */
function refuse(s: Scanner, open: number, grid: Rows, { start, before, element }: Declared): Candidate | undefined {
  const irregular =
    grid.depth > 1 && grid.closed && grid.numbers > 1 && grid.problems.every((p) => ofShape.has(p.code));
  const meant = isFloat(element) || (before.role !== undefined && grid.depth > 1);
  if (!meant && !irregular) return undefined;
  if (insideString(s.text, { start: open, end: s.at })) return undefined;
  if (!grid.closed) skipBrackets(s, open);
  return problemCandidate(grid.problems, { start, end: s.at }, before, meant);
}

const notation: Notation = { dialect: 'braces', enter, gap: codeGap };

/** `{`, or a type before it: `new float[] {`, `[]float64{`. */
function enter(s: Scanner): number {
  const c = peek(s);
  const at = c === code.openBrace ? s.at : isLetter(c) || c === code.openBracket ? afterType(s) : -1;
  if (at < 0) return 0;
  s.at = at + 1;
  return code.closeBrace;
}

/** Longest type before an inner brace. */
const longestType = 60;

function afterType(s: Scanner): number {
  const limit = Math.min(s.end, s.at + longestType);
  let at = s.at;
  while (at < limit && isTypePart(s.text.charCodeAt(at))) at++;
  s.steps += at - s.at;
  if (s.text.charCodeAt(at) !== code.openBrace || at >= limit) return -1;
  const type = s.text.slice(s.at, at);
  return elementOf(type) === undefined && !/^new\s*\[/.test(type) ? -1 : at;
}

const isTypePart = (c: number): boolean =>
  isWordPart(c) ||
  isBlank(c) ||
  c === code.colon ||
  c === code.less ||
  c === code.greater ||
  c === code.openBracket ||
  c === code.closeBracket;
