import type { Problem, TextRange } from '../../text';
import { nameAndRole } from '../name-and-role';
import type { Candidate, MatrixFormat, ParsedMatrix } from '../matrix';
import { wordBefore, type Before } from '../name-before';
import { roleOf } from '../roles';
import { code, isBlank, isLetter, isOpener, isSpace, isWordPart, type Scanner } from '../scanner';

/** A literal that a format reader has read. */
export interface FoundLiteral {
  /** Including its call or type. */
  readonly range: TextRange;
  readonly before: Before;
  readonly format: MatrixFormat;
  readonly shape: readonly number[];
  readonly values: Float64Array;
  readonly plain: boolean;
  readonly dtype?: string | undefined;
  readonly expression?: TextRange | undefined;
  readonly rowLabels?: readonly string[] | undefined;
  readonly columnLabels?: readonly string[] | undefined;
}

export function matrixCandidate(found: FoundLiteral): Candidate {
  const { range, before, format, shape, values, plain, dtype, rowLabels, columnLabels } = found;
  const expression = before.operator ?? found.expression;
  const { matrixPart, candidatePart } = nameAndRole(range, before);
  const matrix: ParsedMatrix = {
    shape,
    values,
    format,
    range,
    ...matrixPart,
    ...(dtype === undefined ? {} : { dtype }),
    ...(expression ? { expression } : {}),
    ...(rowLabels?.length ? { rowLabels } : {}),
    ...(columnLabels?.length ? { columnLabels } : {}),
  };
  return { matrix, problems: [], plain, ...candidatePart };
}

export const problemCandidate = (
  problems: readonly Problem[],
  range: TextRange,
  before: Before,
  plain: boolean,
): Candidate => ({ problems, plain, ...nameAndRole(range, before).candidatePart });

export const noName: Before = { how: 'none', startsStatement: false };

/** The name in `range`, as that of an assignment that begins its statement. */
export function assignedTo(text: string, range: TextRange): Before {
  const name = text.slice(range.start, range.end);
  return { how: 'assigned', name, range, startsStatement: true, ...roleOf(name) };
}

/** How far back a name or a type is searched for. */
export const reachBack = 200;

export function skipSpaceBack(text: string, from: number, floor: number): number {
  let at = from;
  while (at > floor && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

/** R's `Q <- …`, else undefined. `start` is the literal's. */
export function arrowAssignment(text: string, start: number): Before | undefined {
  const floor = Math.max(0, start - reachBack);
  const arrow = skipSpaceBack(text, start, floor);
  if (text.charCodeAt(arrow - 1) !== code.minus || text.charCodeAt(arrow - 2) !== code.less) return undefined;
  let end = arrow - 2;
  if (text.charCodeAt(end - 1) === code.less) end--;
  end = skipSpaceBack(text, end, floor);
  const name = wordBefore(text, end, floor);
  return name && assignedTo(text, name);
}

/** Operators of two characters and more, of which one alone may be something else: `.*` of MATLAB and Julia, `%in%` of R, comparisons. */
const longOperator = /^(?:\.(?:[*/^\\+\-&|]|[=<>!]=|[<>])|%[^%\s]{0,10}%|[=!~<>]=|&&|\|\||\|>|[<>](?=\s)|÷)/;

/** Arithmetic after a literal on its line, which is not evaluated: `* 2`, `.* 2`, `== 2`, `%*% K`, `.T`, `'`, `[1, ]`, `(1, :)`. */
export function expressionAfter(s: Scanner, end: number): TextRange | undefined {
  const { text } = s;
  const c = text.charCodeAt(end);
  const isMember = c === code.dot && (isLetter(text.charCodeAt(end + 1)) || text.charAt(end + 1) === '{');
  if (c === code.openBracket || c === code.open || isMember) return operand(s, end, end + 1);
  let at = end;
  while (isBlank(text.charCodeAt(at))) at++;
  s.steps += at - end + 1;
  if (at >= s.end || text.startsWith('//', at) || text.startsWith('/*', at)) return undefined;
  const long = longOperator.exec(text.slice(at, at + 14))?.[0].length;
  if (long === undefined && !'*/+-@^&\\'.includes(text.charAt(at))) return undefined;
  const from = at + (long ?? (text.charAt(at + 1) === text.charAt(at) ? 2 : 1));
  const next = operand(s, at, from);
  return next.end > from || isOpener(text.charCodeAt(skipBlanks(text, from))) ? next : undefined;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < from + 8 && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** From an operator to the end of the word or number after it. */
function operand(s: Scanner, start: number, from: number): TextRange {
  const { text } = s;
  let at = from;
  while (at < from + 8 && isBlank(text.charCodeAt(at))) at++;
  const word = at;
  while (at < word + 40 && (isWordPart(text.charCodeAt(at)) || text.charCodeAt(at) === code.dot)) at++;
  return { start, end: Math.max(from, at > word ? at : from) };
}

/**
 * Moves past a literal that could not be read, to the end of the brackets opened at `start`, so that nothing inside it is read as another
 * literal. The cursor stays if they are never closed.
 */
export function skipBrackets(s: Scanner, start: number): void {
  if (s.at >= s.noCloserFrom) return;
  const { text } = s;
  let depth = 0;
  for (let i = start; i < s.end; i++) {
    const c = text.charCodeAt(i);
    if (isOpener(c) || c === code.openBrace) depth++;
    else if ((c === code.close || c === code.closeBracket || c === code.closeBrace) && --depth <= 0 && i >= s.at - 1) {
      s.steps += i - start;
      s.at = i + 1;
      return;
    }
  }
  s.steps += s.end - start;
  s.noCloserFrom = s.at;
}
