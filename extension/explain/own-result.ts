import * as vscode from 'vscode';
import {
  inStretches,
  parseMatricesPaced,
  printedLiteral,
  textLimit,
  type ParsedMatrix,
  type PrintedResult,
  type TextRange,
} from '../../engine/index';
import { literalInDocument, textOf } from '../documents';

/** A matrix that the reader calls a result, with the digits with which it is written. */
export interface OwnResult {
  readonly name: string;
  readonly printed: PrintedResult;
  /** Its range in the document, with its name. */
  readonly range: TextRange;
}

/** Largest result that is checked, in numbers. */
const mostNumbers = 65_536;

/** The matrix at a cursor, or one of those that are selected: the reader chooses where there are several. Undefined where there is none, or none was chosen. */
export async function ownResult(
  document: vscode.TextDocument,
  at: TextRange,
  token?: vscode.CancellationToken,
): Promise<OwnResult | 'none' | 'cancelled'> {
  const all = at.end > at.start ? await resultsIn(document, at, token) : await resultAt(document, at.start, token);
  const [first] = all;
  if (all.length < 2) return first ?? 'none';
  const items = all.map((result) => ({ label: result.name, description: sizeOf(result), result }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Which of them is your result?'),
    matchOnDescription: true,
  });
  return chosen?.result ?? 'cancelled';
}

export const sizeOfRows = (rows: PrintedResult['rows']): string => `${rows.length}×${rows[0]?.length ?? 0}`;

export const sizeOf = ({ printed }: OwnResult): string => sizeOfRows(printed.rows);

async function resultAt(
  document: vscode.TextDocument,
  offset: number,
  token?: vscode.CancellationToken,
): Promise<readonly OwnResult[]> {
  const found = await literalInDocument(document, offset, () => token?.isCancellationRequested === true);
  if (!found?.ok || found.value.literal.expression) return [];
  const { literal, range, named } = found.value;
  const text = textOf(document, range);
  const printed = printedLiteral(text, { ...literal, range: { start: 0, end: text.length } });
  return printed && isSmall(printed) ? [{ name: nameOf(document, literal, named), printed, range: named }] : [];
}

/** The matrices of a range of a document that are written out. */
export async function resultsIn(
  document: vscode.TextDocument,
  at: TextRange,
  token?: vscode.CancellationToken,
): Promise<readonly OwnResult[]> {
  if (at.end - at.start > textLimit) return [];
  const text = textOf(document, at);
  const found = await inStretches(parseMatricesPaced(text), () => token?.isCancellationRequested === true);
  return (found?.matrices ?? []).flatMap((matrix) => {
    const printed = matrix.expression ? undefined : printedLiteral(text, matrix);
    if (!printed || !isSmall(printed)) return [];
    const { start, end } = matrix.range;
    const range = { start: at.start + Math.min(start, matrix.nameRange?.start ?? start), end: at.start + end };
    return [{ name: nameOf(document, matrix, range), printed, range }];
  });
}

const isSmall = ({ rows }: PrintedResult): boolean => rows.length * (rows[0]?.length ?? 0) <= mostNumbers;

const nameOf = (document: vscode.TextDocument, { name }: ParsedMatrix, { start }: TextRange): string =>
  name ?? vscode.l10n.t('the matrix of line {0}', document.positionAt(start).line + 1);
