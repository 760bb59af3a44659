import * as vscode from 'vscode';
import {
  inStretches,
  resultsInComments,
  type PrintedMatrix,
  type StoredOutput,
  type TextRange,
} from '../../engine/index';
import { isCell } from '../documents';
import { attentionLensEnabled } from '../hover-settings';
import { codeOf, inDocument, storedOutputs } from '../program-client';

/** Asks the process that reads programs what printed the matrices of these outputs. Undefined if it cannot. */
export type PrintedReader = (
  text: string,
  outputs: readonly StoredOutput[],
  document: vscode.Uri,
) => Promise<readonly PrintedMatrix[] | undefined>;

/** Registers a lens above each line of a notebook's cell whose kept output shows a matrix: how many of its numbers the program has too. */
export function registerPrinted(read: PrintedReader, command: string, checkCommand: string): vscode.Disposable {
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
            ? printedLenses(document, read, command, checkCommand)
            : [],
      },
    ),
    vscode.languages.registerCodeLensProvider(
      { language: 'python' },
      {
        provideCodeLenses: (document, token) =>
          attentionLensEnabled(document) && !isCell(document.uri) && codeOf(document)
            ? commentLenses(document, checkCommand, token)
            : [],
      },
    ),
  );
}

/** Above each line whose comment shows what the code above it has printed. */
async function commentLenses(
  document: vscode.TextDocument,
  command: string,
  token: vscode.CancellationToken,
): Promise<vscode.CodeLens[]> {
  const found = await inStretches(resultsInComments(document.getText()), () => token.isCancellationRequested);
  return (found ?? []).flatMap(({ range: { start, end }, isPrinted }) =>
    isPrinted ? [checkLens(document, { start, end }, command, 0)] : [],
  );
}

/** `checks`: where the matrix begins in the text of the cell's outputs. */
function checkLens(document: vscode.TextDocument, { start, end }: TextRange, command: string, checks: number): vscode.CodeLens {
  const target = { uri: document.uri.toString(), start, end, code: true, checks };
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  return new vscode.CodeLens(range, { title: vscode.l10n.t('Check these numbers'), command, arguments: [target] });
} // prettier-ignore

async function printedLenses(
  document: vscode.TextDocument,
  read: PrintedReader,
  command: string,
  checkCommand: string,
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
    const lens = new vscode.CodeLens(range, { title: titleOf(one), command, arguments: [target] });
    return one.why === undefined ? [lens, checkLens(document, at, checkCommand, one.range.start)] : [lens];
  });
}

function titleOf({ count, equal, why, isRead, isWithin, isDropped }: PrintedMatrix): string {
  if (isRead) return vscode.l10n.t('Printed: drawn without a seed, taken as its values');
  if (isWithin && equal === count)
    return vscode.l10n.t(
      'Printed: all {0} numbers follow from numbers printed before, as far as their rounding allows',
      count,
    );
  if (isDropped) return vscode.l10n.t('Printed: all {0} numbers agree with the dropout that the seed draws', count);
  if (why !== undefined) return vscode.l10n.t('Printed: not known here ({0})', why);
  return equal === count
    ? vscode.l10n.t('Printed: all {0} numbers match the code', count)
    : vscode.l10n.t('Printed: {0} of {1} numbers match the code as it is now', equal, count);
}
