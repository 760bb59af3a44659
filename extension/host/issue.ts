import * as vscode from 'vscode';

const reporter = 'workbench.action.openIssueReporter';

/** Opens VS Code's issue reporter on this extension; where there is none, says so and offers the text to copy. */
export async function reportIssue(extension: vscode.Extension<unknown>, details = ''): Promise<void> {
  const issueBody = `${details && `${details}\n\n`}${versions(extension)}`;
  try {
    await vscode.commands.executeCommand(reporter, { extensionId: extension.id, issueBody });
  } catch {
    const copy = vscode.l10n.t('Copy Version Information');
    const message = vscode.l10n.t('This host has no issue reporter.');
    if ((await vscode.window.showWarningMessage(message, copy)) === copy)
      await vscode.env.clipboard.writeText(issueBody);
  }
}

/** No settings and no text of the reader's: only what runs. */
function versions({ packageJSON }: vscode.Extension<unknown>): string {
  const version = (packageJSON as { readonly version?: unknown }).version;
  const { appName, appHost, remoteName, uiKind, language } = vscode.env;
  return [
    `Explain Attention ${String(version)}`,
    `${appName} ${vscode.version} (${appHost}${remoteName ? `, ${remoteName}` : ''})`,
    `${uiKind === vscode.UIKind.Web ? 'web' : 'desktop'}, ${language}`,
  ].join('\n');
}
