import * as vscode from 'vscode';
import { command, type Guard, type Report } from '../host';
import { gradeFolder } from './grade';
import { setUpClass } from './set-up';

export const setUpClassCommand = 'explainAttention.setUpClass';
export const gradeClassCommand = 'explainAttention.gradeClass';

/** Registers the commands Set Up a Class and Grade Class. */
export function registerClassroom(
  { extension, extensionUri }: Pick<vscode.ExtensionContext, 'extension' | 'extensionUri'>,
  report: Report,
  guarded: Guard,
): vscode.Disposable {
  const version = String((extension.packageJSON as { version?: unknown }).version);
  return vscode.Disposable.from(
    command(
      setUpClassCommand,
      guarded(vscode.l10n.t('Setting up a class'), (uri: unknown) => setUpClass(extensionUri, report, uri)),
    ),
    command(
      gradeClassCommand,
      guarded(vscode.l10n.t('Grading a class'), (uri: unknown) => gradeFolder({ version, extensionUri }, report, uri)),
    ),
  );
}
