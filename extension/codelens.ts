import * as vscode from 'vscode';
import { formatShape, inStretches, readingMatrices } from '../engine/index';
import { textOf } from './documents';
import { groupsOf } from './hover-groups';
import { codeLensEnabled } from './hover-settings';

/** Only the beginning of a document is looked at, in UTF-16 units. */
const reach = 131_072;

/** "Explain Attention" above each group of Q, K and V; off by default (`explainAttention.codeLens`). */
export function registerCodeLens(command: string): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses: (document, token) =>
      codeLensEnabled(document) && !token.isCancellationRequested ? lensesOf(document, command, token) : [],
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('explainAttention.codeLens')) changed.fire();
    }),
    vscode.languages.registerCodeLensProvider({ scheme: '*' }, provider),
  );
}

async function lensesOf(
  document: vscode.TextDocument,
  command: string,
  token: vscode.CancellationToken,
): Promise<vscode.CodeLens[]> {
  const text = textOf(document, { start: 0, end: reach });
  const found = await inStretches(readingMatrices(text), () => token.isCancellationRequested);
  const matrices = found?.matrices ?? [];
  return groupsOf(matrices, (offset) => document.positionAt(offset).line).map(({ matrices: group, start, end }) => {
    const names = group.map(({ name = '', shape }) => `${name} ${formatShape(shape)}`).join(', ');
    const target = { uri: document.uri.toString(), start, end };
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    return new vscode.CodeLens(range, { title: `Explain Attention (${names})`, command, arguments: [target] });
  });
}
