import * as vscode from 'vscode';
import { inStretches, ok, parseMatricesPaced, type Result, type TextRange } from '../../engine/index';
import { fromWholeLine, isCell, literalInDocument, nameInDocument, textOf, type MatrixInDocument } from '../documents';
import { nearReach, type NearMatrix } from './near';

/** The matrix at an offset, as a literal or by its name, or problems with it, with ranges in the document. Undefined if there is none. */
export async function matrixAt(
  document: vscode.TextDocument,
  offset: number,
  isCancelled?: () => boolean,
): Promise<Result<MatrixInDocument> | undefined> {
  const found = await literalInDocument(document, offset, isCancelled);
  if (!found?.ok) {
    // A name inside something that is no literal, such as `np.array([Q, K])`, may refer to a matrix.
    const named = await nameInDocument(document, offset, isCancelled);
    return found && !named?.ok ? found : named;
  }
  const { literal, named, range } = found.value;
  return ok({ matrix: literal, named, range });
}

/**
 * Named matrices before and after a literal, in its document and in other cells of its notebook. Parses bounded windows, yields to the event loop
 * between them, and stops when cancelled.
 */
export async function matricesNear(
  document: vscode.TextDocument,
  { start, end }: TextRange,
  token: vscode.CancellationToken,
): Promise<NearMatrix[]> {
  const isCancelled = (): boolean => token.isCancellationRequested;
  const near: NearMatrix[] = [];
  for (const window of [
    { start: start - nearReach, end: start },
    { start: end, end: end + nearReach },
  ]) {
    near.push(...(await namedIn(document, window, { start, end }, isCancelled)));
    if (isCancelled()) return near;
  }
  let budget = 2 * nearReach;
  for (const cell of otherCells(document)) {
    budget -= cell.document.offsetAt(new vscode.Position(cell.document.lineCount, 0));
    if (budget < 0 || isCancelled()) break;
    near.push(...(await namedInCell(cell, isCancelled)));
  }
  return near;
}

/** Matrices in a window of the document, with their distance from the range `own`. */
async function namedIn(
  document: vscode.TextDocument,
  window: TextRange,
  own: TextRange,
  isCancelled: () => boolean,
): Promise<NearMatrix[]> {
  const from = Math.max(0, window.start);
  const cut = { start: from, end: window.end };
  const { text, start } =
    from < own.start ? fromWholeLine(textOf(document, cut), from) : { text: textOf(document, cut), start: from };
  const found = await inStretches(parseMatricesPaced(text), isCancelled);
  return (found?.matrices ?? []).map((matrix) => {
    const range = { start: matrix.range.start + start, end: matrix.range.end + start };
    const line = document.positionAt(range.start).line + 1;
    const distance = Math.max(0, range.start - own.end, own.start - range.end);
    return { matrix, place: vscode.l10n.t('line {0}', line), distance };
  });
}

/** The other cells of a cell's notebook: earlier ones first, the nearest of them at the beginning. */
function otherCells(document: vscode.TextDocument): vscode.NotebookCell[] {
  if (!isCell(document.uri)) return [];
  const cells = vscode.workspace.notebookDocuments
    .map((notebook) => notebook.getCells())
    .find((all) => all.some((cell) => cell.document === document));
  const own = cells?.find((cell) => cell.document === document)?.index ?? 0;
  const far = ({ index }: vscode.NotebookCell): number => (index < own ? own - index : 1000 + index);
  return [...(cells ?? [])].filter(({ index }) => index !== own).sort((a, b) => far(a) - far(b));
}

async function namedInCell(
  { document, index }: vscode.NotebookCell,
  isCancelled: () => boolean,
): Promise<NearMatrix[]> {
  const found = await inStretches(parseMatricesPaced(document.getText()), isCancelled);
  return (found?.matrices ?? []).map((matrix) => ({
    matrix,
    place: vscode.l10n.t('cell {0}, line {1}', index + 1, document.positionAt(matrix.range.start).line + 1),
    // Larger than any distance within the cell itself.
    distance: nearReach + index,
  }));
}
