import * as vscode from 'vscode';
import { formatShape, inStretches, parseMatricesPaced } from '../../engine/index';
import { textOf } from '../documents';
import { groupsOf } from './groups';

/** Characters of a document, from its beginning, that are searched for matrices. */
const reach = 131_072;

/** A code lens "Explain Attention" above each group of Q, K and perhaps V. */
export async function lensesOf(
  document: vscode.TextDocument,
  command: string,
  token: vscode.CancellationToken,
): Promise<vscode.CodeLens[]> {
  const text = textOf(document, { start: 0, end: reach });
  const found = await inStretches(parseMatricesPaced(text), () => token.isCancellationRequested);
  const matrices = found?.matrices ?? [];
  return groupsOf(matrices, (offset) => document.positionAt(offset).line).map(({ matrices: group, start, end }) => {
    const names = group.map(({ name = '', shape }) => `${name} ${formatShape(shape)}`).join(', ');
    const target = { uri: document.uri.toString(), start, end };
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    return new vscode.CodeLens(range, {
      title: vscode.l10n.t('Explain Attention ({0})', names),
      command,
      arguments: [target],
    });
  });
}
