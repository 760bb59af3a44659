import * as vscode from 'vscode';
import type { PrintedMatrix, StoredOutput } from '../../engine/index';
import { attentionLensEnabled } from '../hover-settings';
import { codeOf, inDocument, storedOutputs } from '../program-client';

/** Asks the process that reads programs what printed the matrices of these outputs. Undefined if it cannot. */
export type PrintedReader = (
  text: string,
  outputs: readonly StoredOutput[],
  document: vscode.Uri,
) => Promise<readonly PrintedMatrix[] | undefined>;

/** Registers a lens above each line of a notebook's cell whose kept output shows a matrix: how many of its numbers the program has too. */
export function registerPrinted(read: PrintedReader, command: string): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeNotebookDocument(({ cellChanges }) => {
      if (cellChanges.some(({ outputs, executionSummary }) => outputs ?? executionSummary)) changed.fire();
    }),
    vscode.languages.registerCodeLensProvider(
      { language: 'python', scheme: 'vscode-notebook-cell' },
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: (document, token) =>
          attentionLensEnabled(document) && !token.isCancellationRequested
            ? printedLenses(document, read, command)
            : [],
      },
    ),
  );
}

async function printedLenses(
  document: vscode.TextDocument,
  read: PrintedReader,
  command: string,
): Promise<vscode.CodeLens[]> {
  // prettier-ignore
  const { version } = document;
  const code = codeOf(document);
  const outputs = storedOutputs((code?.cells ?? []).filter(({ cell }) => cell.document === document));
  if (!code || outputs.length === 0) return [];
  const found = await read(code.text, outputs.map(({ cell, text }) => ({ cell, text })), document.uri); // prettier-ignore
  if (!found || document.version !== version) return [];
  return found.flatMap((one) => {
    const at = inDocument(code, one.at);
    if (!at) return [];
    const target = { uri: document.uri.toString(), ...at, code: true, of: at.start };
    const range = new vscode.Range(document.positionAt(at.start), document.positionAt(at.end));
    return [new vscode.CodeLens(range, { title: titleOf(one), command, arguments: [target] })];
  });
}

function titleOf({ count, equal, why, isRead, isWithin }: PrintedMatrix): string {
  if (isRead) return vscode.l10n.t('Printed: drawn without a seed, taken as its values');
  if (isWithin && equal === count)
    return vscode.l10n.t(
      'Printed: all {0} numbers follow from numbers printed before, as far as their rounding allows',
      count,
    );
  if (why !== undefined) return vscode.l10n.t('Printed: not known here ({0})', why);
  return equal === count
    ? vscode.l10n.t('Printed: all {0} numbers agree', count)
    : vscode.l10n.t('Printed: {0} of {1} numbers agree', equal, count);
}
