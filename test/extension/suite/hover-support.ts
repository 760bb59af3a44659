import * as vscode from 'vscode';

/** Sets one of our settings for as long as `act` runs. */
export async function withSetting(name: string, value: unknown, act: () => Promise<void>): Promise<void> {
  const settings = vscode.workspace.getConfiguration('explainAttention');
  await settings.update(name, value, vscode.ConfigurationTarget.Global);
  try {
    await act();
  } finally {
    await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
  }
}

/** The links of a hover by their words: command and argument. */
export function linksOf(markdown: string): Map<string, { readonly command: string; readonly argument: unknown }> {
  const found = [...markdown.matchAll(/\[([^\]]+)\]\(command:([\w.]+)\?([^)]*)\)/g)];
  return new Map(
    found.map(([, title = '', command = '', query = '']) => {
      const [argument] = JSON.parse(decodeURIComponent(query)) as unknown[];
      return [title, { command, argument }];
    }),
  );
}
