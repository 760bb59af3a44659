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

/** Milliseconds after the last change of a cell before its neighbours' lenses are asked for again. */
const pause = 400;

/** Registers a lens above each line of a notebook's cell whose kept output shows a matrix: how many of its numbers the program has too. */
export function registerPrinted(read: PrintedReader, command: string, checkCommand: string): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  // A cell that is changed changes what the others' numbers are beside the code.
  let tick = 0;
  // When a cell of a notebook, by the notebook's path, was last changed, and when a cell last ran.
  const [changes, outputs] = [new Map<string, number>(), new Map<string, number>()];
  const isBefore = ({ uri }: vscode.TextDocument): boolean =>
    (changes.get(uri.path) ?? 0) > (outputs.get(uri.toString()) ?? 0);
  let clock: ReturnType<typeof setTimeout> | undefined;
  return vscode.Disposable.from(
    changed,
    { dispose: () => clearTimeout(clock) },
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0 || !isCell(document.uri)) return;
      changes.set(document.uri.path, ++tick);
      clearTimeout(clock);
      clock = setTimeout(() => changed.fire(), pause);
    }),
    vscode.workspace.onDidChangeNotebookDocument(({ cellChanges }) => {
      const ran = cellChanges.filter((one) => one.outputs ?? one.executionSummary);
      for (const { cell } of ran) outputs.set(cell.document.uri.toString(), ++tick);
      if (ran.length > 0) changed.fire();
    }),
    vscode.languages.registerCodeLensProvider(
      { language: 'python', scheme: 'vscode-notebook-cell' },
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses: (document, token) =>
          attentionLensEnabled(document) && !token.isCancellationRequested
            ? printedLenses(document, read, command, checkCommand, isBefore)
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
  isBefore: (document: vscode.TextDocument) => boolean,
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
    const lens = new vscode.CodeLens(range, { title: titleOf(one, isBefore(document)), command, arguments: [target] });
    return one.why === undefined ? [lens, checkLens(document, at, checkCommand, one.range.start)] : [lens];
  });
}

function titleOf({ count, equal, why, isRead, isWithin, isDropped }: PrintedMatrix, isBefore: boolean): string {
  if (isRead) return vscode.l10n.t('Printed: drawn without a seed, taken as its values');
  if (isWithin && equal === count)
    return vscode.l10n.t(
      'Printed: all {0} numbers follow from numbers printed before, as far as their rounding allows',
      count,
    );
  if (isDropped) return vscode.l10n.t('Printed: all {0} numbers agree with the dropout that the seed draws', count);
  if (why !== undefined) return vscode.l10n.t('Printed: not known here ({0})', why);
  if (equal === count) return vscode.l10n.t('Printed: all {0} numbers match the code', count);
  return isBefore
    ? vscode.l10n.t('Printed before the change: {0} of {1} numbers match the code as it is now. Run the cell again', equal, count) // prettier-ignore
    : vscode.l10n.t('Printed: {0} of {1} numbers match the code as it is now', equal, count);
}
