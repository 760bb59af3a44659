import * as vscode from 'vscode';
import { looksLikeSpec, ok, textLimit, type Result } from '../../engine/index';
import type { Input } from '../documents';

export const openExplanationCommand = 'explainAttention.openExplanation';

/** A whole document as an input. */
export function wholeOf(document: vscode.TextDocument): Input {
  const { end } = document.lineAt(document.lineCount - 1).range;
  return { document, parts: [{ start: 0, end: document.offsetAt(end) }] };
}

/** The whole document of an editor if it is a spec and nothing is selected, wherever the cursor is. Else undefined. */
export function specInput({ document, selections }: vscode.TextEditor): Result<Input> | undefined {
  if (selections.some((selection) => !selection.isEmpty)) return undefined;
  const input = wholeOf(document);
  const begin = document.getText(new vscode.Range(0, 0, 1, 1)).trimStart();
  if (!begin.startsWith('{') || (input.parts[0]?.end ?? 0) > textLimit) return undefined;
  return looksLikeSpec(document.getText()) ? ok(input) : undefined;
}

/** Opens the file that the Explorer passes to the command, or asks for one. */
export async function openExplanation(uri: unknown, open: (uri: vscode.Uri) => Promise<void>): Promise<void> {
  const chosen = uri instanceof vscode.Uri ? uri : await askForFile();
  if (chosen) await open(chosen);
}

async function askForFile(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Open Explanation'),
    filters: { [vscode.l10n.t('Explanations and specs')]: ['json'] },
    canSelectMany: false,
  });
  return chosen?.[0];
}
