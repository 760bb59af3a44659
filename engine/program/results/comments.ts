/** Matrices that stand in a program's comments, as somebody pasted what it had printed. */
import { t, positionAt, type Paced, type TextRange } from '../../text';
import { parseMatricesPaced } from '../../parse';
import { matrixName, stackOf, type PrintedStack } from './stack';

export interface CommentedResult extends PrintedStack {
  readonly range: TextRange;
  /** Whether the line of code above it prints one thing: then it is meant as a result. */
  readonly isPrinted: boolean;
}

const strings = /"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*/g;

/** The text with its comments alone, each character where it stands; signs of comments are blanks too. */
export function commentsOf(text: string): string {
  let [out, at] = ['', 0];
  const blank = (part: string): string => part.replace(/[^\r\n]/g, ' ');
  for (const { 0: found, index } of text.matchAll(strings)) {
    if (!found.startsWith('#')) continue;
    const signs = /^#+:?/.exec(found)?.[0].length ?? 1;
    out += blank(text.slice(at, index)) + ' '.repeat(signs) + found.slice(signs);
    at = index + found.length;
  }
  return out + blank(text.slice(at));
}

export function* resultsInComments(text: string): Paced<readonly CommentedResult[]> {
  const comments = commentsOf(text);
  yield;
  const { matrices } = yield* parseMatricesPaced(comments);
  return matrices.flatMap((matrix) => {
    const { start } = matrix.range;
    const code = codeAbove(text, start);
    const above = matrixName(code);
    const { line } = positionAt(text, start);
    const stack = stackOf(matrix.name ?? above ?? t('the matrix of line {0}', line), comments, matrix);
    const isPrinted = above !== undefined && /^\s*(?:print\s*\(|[\w.[\](), :-]+$)/.test(code);
    return stack ? [{ ...stack, range: matrix.range, isPrinted }] : [];
  });
}

/** The code of the line with a comment, or of the nearest one above it that is no comment alone. */
function codeAbove(text: string, offset: number): string {
  let end = offset;
  for (let lines = 0; lines < mostLines; lines++) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const code = text.slice(start, end).replace(/#.*$/s, '').trim();
    if (code !== '' || start === 0) return code;
    end = start - 1;
  }
  return '';
}

/** Lines of comments between a result and what printed it. */
const mostLines = 40;
