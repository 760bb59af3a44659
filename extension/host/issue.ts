import * as vscode from 'vscode';

const reporter = 'workbench.action.openIssueReporter';

/** Opens VS Code's issue reporter for this extension. Where the host has none, says so and offers to copy the version information. */
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

/** Versions of the extension and of VS Code, and where it runs. Contains no settings and none of the reader's text. */
function versions({ packageJSON }: vscode.Extension<unknown>): string {
  const version = (packageJSON as { readonly version?: unknown }).version;
  const { appName, appHost, remoteName, uiKind, language } = vscode.env;
  return [
    `Explain Attention ${String(version)}`,
    `${appName} ${vscode.version} (${appHost}${remoteName ? `, ${remoteName}` : ''})`,
    `${uiKind === vscode.UIKind.Web ? 'web' : 'desktop'}, ${language}`,
  ].join('\n');
}
