import * as vscode from 'vscode';
import { notations, printMatrix, titleOfNotation, type Notation, type Problem } from '../../engine/index';
import { placeOf, placeOfCursor, readMatrix } from './inputs';
import { nameOf } from '../documents';
import type { Report } from '../host';

export const copyCommand = 'explainAttention.copyAs';

/** How long the status bar says what was copied, in milliseconds. */
const shownForMs = 4000;

/** Copies the matrix that a link names, or the one at the cursor, in the link's notation or in one that the reader chooses. */
export async function copyMatrix(argument: unknown, report: Report): Promise<void> {
  const place = placeOf(argument) ?? placeOfCursor();
  const found = place && (await readMatrix(place));
  if (!found) return report.problems({ name: 'Explain Attention' }, [nothing()]);
  if ('problems' in found) return report.problems({ name: nameOf(found.document) }, found.problems);
  const notation = notationOf(argument) ?? (await pickNotation());
  if (!notation) return;
  const printed = printMatrix(found.matrix, notation);
  if (!printed.ok) return report.problems({ name: nameOf(found.document) }, printed.problems);
  await vscode.env.clipboard.writeText(printed.value.text);
  confirmCopy(found.matrix.name, notation, printed.value.notes);
}

const nothing = (): Problem => ({ code: 'nothing', message: vscode.l10n.t('no matrix stands there') });

function confirmCopy(name: string | undefined, notation: Notation, notes: readonly string[]): void {
  const { t } = vscode.l10n;
  const words =
    name === undefined
      ? t('Copied as {0}.', titleOfNotation(notation))
      : t('{0} is copied as {1}.', name, titleOfNotation(notation));
  vscode.window.setStatusBarMessage(words, shownForMs);
  if (notes.length > 0) void vscode.window.showInformationMessage(`${words} ${notes.join(' ')}`);
}

function notationOf(argument: unknown): Notation | undefined {
  const notation =
    typeof argument === 'object' && argument !== null && 'notation' in argument ? argument.notation : undefined;
  return notations.find((known) => known === notation);
}

async function pickNotation(): Promise<Notation | undefined> {
  const items = notations.map((notation) => ({ label: titleOfNotation(notation), notation }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Copy the matrix as') }))?.notation;
}
