import type * as vscode from 'vscode';

/** Whether a tab holds anything but a page of VS Code, such as its walkthroughs. The window is handed in: what has no VS Code imports this folder too. */
export const hasOpenDocument = ({ tabGroups }: Pick<typeof vscode.window, 'tabGroups'>): boolean =>
  tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => input !== undefined));
