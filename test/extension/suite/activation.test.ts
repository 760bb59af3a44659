import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { validDigits } from '../../../extension/host/settings';
import { explain, extensionId } from './host';

describe('the extension', () => {
  const extension = vscode.extensions.getExtension(extensionId);

  it('activates and offers what the Markdown preview asks for, and nothing else', async () => {
    assert.ok(extension, `${extensionId} is installed`);
    assert.deepEqual(Object.keys((await extension.activate()) as object), ['extendMarkdownIt']);
    assert.ok(extension.isActive);
  });

  it('registers each command that package.json names, and no other', async () => {
    const { contributes } = extension?.packageJSON as { contributes: { commands: { command: string }[] } };
    const named = contributes.commands.map(({ command }) => command);
    const registered = (await vscode.commands.getCommands(true)).filter((name) => name.startsWith('explainAttention.'));
    // VS Code adds its own for views and panels; ours are all in the list.
    assert.deepEqual(
      named.filter((name) => !registered.includes(name)),
      [],
    );
    assert.deepEqual(registered.sort(), named.sort());
    assert.ok(named.includes(explain));
  });

  it('has the documented defaults', () => {
    const settings = vscode.workspace.getConfiguration('explainAttention');
    assert.equal(settings.get('backend'), 'auto');
    assert.equal(settings.get('digits'), 4);
    assert.equal(settings.get('hover.enabled'), true);
  });

  it('takes digits as far as package.json lets one set them, and the default for anything else', () => {
    const { contributes } = extension?.packageJSON as {
      contributes: { configuration: { properties: Record<string, { minimum: number; maximum: number }> } };
    };
    const { minimum = NaN, maximum = NaN } = contributes.configuration.properties['explainAttention.digits'] ?? {};
    assert.deepEqual([minimum, maximum].map(validDigits), [minimum, maximum]);
    for (const wrong of [minimum - 1, maximum + 1, 2.5, '3', null, undefined, NaN]) assert.equal(validDigits(wrong), 4);
  });

  it('works in workspaces that are not trusted or not on disk', () => {
    const { capabilities } = extension?.packageJSON as { capabilities: Record<string, unknown> };
    assert.deepEqual(capabilities, { untrustedWorkspaces: { supported: true }, virtualWorkspaces: true });
  });

  it('shows its documentation', async () => {
    await vscode.commands.executeCommand('explainAttention.openDocumentation');
    const shown = (): boolean =>
      vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => /README\.md$/.test(label)));
    for (let tries = 0; !shown() && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(shown());
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('shows its log', async () => {
    await vscode.commands.executeCommand('explainAttention.showLog');
  });
});
