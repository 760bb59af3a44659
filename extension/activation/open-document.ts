import * as vscode from 'vscode';

/** Whether a tab holds anything but a page of VS Code, such as its walkthroughs. */
export const hasOpenDocument = (): boolean =>
  vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => input !== undefined));
