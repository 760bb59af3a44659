import * as vscode from 'vscode';
import { ok, parseMatrices, type ParsedMatrix, type Result, type TextRange } from '../engine/index';
import { isCell, textOf } from './documents';
import { nameInDocument } from './hover-names';
import { fromWholeLine, nearReach, type Near } from './hover-near';
import { literalInDocument } from './selection';

/** The matrix at a place of a document. */
export interface MatrixInDocument {
  readonly matrix: ParsedMatrix;
  /** What a hover marks: the literal with its name. */
  readonly named: TextRange;
  /** What is explained: the literal with its call. */
  readonly range: TextRange;
  /** It stands there by its name only. */
  readonly isNamed?: boolean;
}

/** The matrix at an offset, or what is wrong with it, with ranges in the document; undefined where there is none. */
export function matrixAt(document: vscode.TextDocument, offset: number): Result<MatrixInDocument> | undefined {
  const found = literalInDocument(document, offset);
  if (!found?.ok) {
    // A name inside of what is no literal, `np.array([Q, K])`, may still stand for one.
    const named = nameInDocument(document, offset);
    return found && !named?.ok ? found : named;
  }
  const { literal, named, range } = found.value;
  return ok({ matrix: withTruth(literal, document, range), named, range });
}

/** Longest literal of True and False that is told from one of 0 and 1. */
const longestTruth = 10_000;

/** Numbers that were written as True and False are a boolean mask: the dtype says so. */
function withTruth(matrix: ParsedMatrix, document: vscode.TextDocument, range: TextRange): ParsedMatrix {
  if (matrix.dtype !== undefined || range.end - range.start > longestTruth) return matrix;
  if (!matrix.values.every((x) => x === 0 || x === 1)) return matrix;
  const text = textOf(document, range);
  const inBrackets = text.slice(text.indexOf('['), text.lastIndexOf(']'));
  return /\b(?:True|False|true|false)\b/.test(inBrackets) && !/\d/.test(inBrackets)
    ? { ...matrix, dtype: 'bool' }
    : matrix;
}

/**
 * The named matrices before and after a literal, in the same document or in other cells of the same notebook. Reads bounded
 * windows, gives the extension host back between them, and stops when cancelled.
 */
export async function matricesNear(
  document: vscode.TextDocument,
  { start, end }: TextRange,
  token: vscode.CancellationToken,
): Promise<Near[]> {
  const near = namedIn(document, { start: start - nearReach, end: start }, { start, end });
  await breath();
  if (token.isCancellationRequested) return near;
  near.push(...namedIn(document, { start: end, end: end + nearReach }, { start, end }));
  let budget = 2 * nearReach;
  for (const cell of otherCells(document)) {
    budget -= cell.document.offsetAt(new vscode.Position(cell.document.lineCount, 0));
    await breath();
    if (budget < 0 || token.isCancellationRequested) break;
    near.push(...namedInCell(cell));
  }
  return near;
}

/** Lets the extension host do something else. */
export const breath = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

/** In a window of the document; distances are from `own`. */
function namedIn(document: vscode.TextDocument, window: TextRange, own: TextRange): Near[] {
  const from = Math.max(0, window.start);
  const cut = { start: from, end: window.end };
  const { text, start } =
    from < own.start ? fromWholeLine(textOf(document, cut), from) : { text: textOf(document, cut), start: from };
  return parseMatrices(text).matrices.map((found) => {
    const range = { start: found.range.start + start, end: found.range.end + start };
    const line = document.positionAt(range.start).line + 1;
    const distance = Math.max(0, range.start - own.end, own.start - range.end);
    return { matrix: found, place: `line ${line}`, distance };
  });
}

/** Cells before this one first, the nearest at the beginning. */
function otherCells(document: vscode.TextDocument): vscode.NotebookCell[] {
  if (!isCell(document.uri)) return [];
  const cells = vscode.workspace.notebookDocuments
    .map((notebook) => notebook.getCells())
    .find((all) => all.some((cell) => cell.document === document));
  const own = cells?.find((cell) => cell.document === document)?.index ?? 0;
  const far = ({ index }: vscode.NotebookCell): number => (index < own ? own - index : 1000 + index);
  return [...(cells ?? [])].filter(({ index }) => index !== own).sort((a, b) => far(a) - far(b));
}

function namedInCell({ document, index }: vscode.NotebookCell): Near[] {
  const { matrices } = parseMatrices(document.getText());
  return matrices.map((matrix) => ({
    matrix,
    place: `cell ${index + 1}, line ${document.positionAt(matrix.range.start).line + 1}`,
    // Farther than anything in the cell itself.
    distance: nearReach + index,
  }));
}
