/** Environments of LaTeX: matrices and cases cell by cell, others line by line. */
import type { Expression } from '../tree';
import { deeper, isNext, peek, take, unread, type Parser } from './parser';
import type { Token } from './tokens';

export const isMatrixName = (name: string): boolean =>
  /^(?:[pbvBV]?matrix\*?|smallmatrix|array|bsmallmatrix|psmallmatrix)$/.test(name);

export function environment(parser: Parser, token: Token): Expression {
  parser.at++;
  if (isMatrixName(token.text)) return matrix(parser, token, 'matrix');
  if (/^(?:d|r)?cases$/.test(token.text)) return matrix(parser, token, 'cases');
  const of = deeper(parser, () => parser.rules.lines(parser));
  const end = take(parser, 'end');
  const range = { start: token.start, end: end?.end ?? of?.range.end ?? token.end };
  return of ?? { kind: 'list', items: [], range };
}

function matrix(parser: Parser, token: Token, kind: 'matrix' | 'cases'): Expression {
  const rows: Expression[][] = [];
  let row: Expression[] = [];
  const finish = (): void => {
    if (row.length > 0) rows.push(row);
    row = [];
  };
  for (;;) {
    const next = peek(parser);
    if (!next || next.kind === 'end') break;
    if (next.kind === 'row') finish();
    if (next.kind === 'row' || next.kind === 'cell') {
      parser.at++;
      continue;
    }
    const before = parser.at;
    const cell = deeper(parser, () => cellOf(parser));
    if (cell) row.push(cell);
    if (parser.at === before) {
      row.push(unread(next));
      parser.at++;
    }
  }
  finish();
  const end = take(parser, 'end');
  return { kind, rows, range: { start: token.start, end: end?.end ?? rows.at(-1)?.at(-1)?.range.end ?? token.end } };
}

/** A bar or a dash alone in a cell is a line that goes on: part of the picture of a row or a column. */
function cellOf(parser: Parser): Expression | undefined {
  const [token, next] = [peek(parser), parser.tokens[parser.at + 1]];
  const alone = !next || next.kind === 'cell' || next.kind === 'row' || next.kind === 'end';
  if (token && alone && ((token.kind === 'sign' && /^[-|‖]$/.test(token.text)) || token.kind === 'rule')) {
    parser.at++;
    return { kind: 'rule', range: { start: token.start, end: token.end } };
  }
  const cell = parser.rules.relation(parser);
  // Commas in a cell of conditions: `0, & i \geq j`.
  while (isNext(parser, 'sign', ',')) parser.at++;
  return cell;
}
