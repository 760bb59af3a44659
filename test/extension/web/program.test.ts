// Python programs in the browser's extension host: they are read by a worker of the browser, from a blob.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const code = `import torch
x = torch.tensor([[1., 0.], [0., 1.], [1., 1.]])
weights = torch.softmax(x @ x.T / 2 ** 0.5, dim=-1)
out = weights @ x
`;

describe('code that computes attention, in the web extension host', () => {
  it('has a lens, from what the worker reads', async function () {
    this.timeout(60_000);
    const document = await vscode.workspace.openTextDocument({ language: 'python', content: code });
    await vscode.window.showTextDocument(document);
    let titles: readonly string[] = [];
    for (const end = Date.now() + 40_000; titles.length === 0 && Date.now() < end;) {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri); // prettier-ignore
      titles = lenses.map(({ command }) => command?.title ?? '');
      await new Promise((go) => setTimeout(go, 100));
    }
    assert.deepEqual(titles, ['Explain Attention · 3×3, one head, no mask']);
  });
});
