// Texts that the walkthrough's buttons open. They are part of the code so that they can be opened without a folder.
import * as vscode from 'vscode';
import { command, type Guard } from '../host';
import { openExample, type Explain } from './example';

const lesson = `# My first lesson

Two queries, two keys.

\`\`\`attention id=small step=scores cell=0,1
Q = [[1, 2], [0, 1]]
K = [[1, 0], [3, 1]]
V = [[1, 0], [0, 1]]
\`\`\`

\`\`\`attention-question
{
  "kind": "number",
  "prompt": "What is the weight of key 1 for query 0?",
  "of": { "step": "weights", "cell": [0, 1] },
  "hints": ["The scores of query 0 are {{scores[0]}}."],
  "explanation": "The scores are divided by √2 first."
}
\`\`\`
`;

/** Registers the commands of the walkthrough's buttons: Open an Example, New Lesson, Open Documentation. */
export const registerWalkthrough = (extensionUri: vscode.Uri, guarded: Guard, explain: Explain): vscode.Disposable =>
  vscode.Disposable.from(
    command('explainAttention.openExample', guarded(vscode.l10n.t('Opening an example'), (by?: unknown) => openExample(extensionUri, explain, by === 'unasked'))),
    command('explainAttention.newLesson', guarded(vscode.l10n.t('Writing a lesson'), newLesson)),
    command(
      'explainAttention.openDocumentation',
      guarded(vscode.l10n.t('Opening the documentation'), () => openDocumentation(extensionUri)),
    ),
  ); // prettier-ignore

async function newLesson(): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: lesson });
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Opens the documentation that is shipped with the extension in VS Code's Markdown preview. */
const openDocumentation = async (extensionUri: vscode.Uri): Promise<void> =>
  void (await vscode.commands.executeCommand(
    'markdown.showPreview',
    vscode.Uri.joinPath(extensionUri, 'extension/docs/README.md'),
  ));
