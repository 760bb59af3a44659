import * as vscode from 'vscode';
import { hoverMarkdown } from './hover-text';
import { literalInDocument, type LiteralInDocument } from './selection';
import { hoverEnabled, panelSettings } from './settings';

/** Any file, also unsaved ones and cells of notebooks. */
const anywhere: vscode.DocumentSelector = { scheme: '*' };

export const registerHover = (command: string): vscode.Disposable =>
  vscode.languages.registerHoverProvider(anywhere, {
    provideHover(document, position, token) {
      if (token.isCancellationRequested || !hoverEnabled(document)) return undefined;
      const found = literalInDocument(document, document.offsetAt(position));
      return found?.ok && !token.isCancellationRequested ? hoverOf(document, found.value, command) : undefined;
    },
  });

function hoverOf(document: vscode.TextDocument, found: LiteralInDocument, command: string): vscode.Hover {
  const { literal, range, named } = found;
  const target = [{ uri: document.uri.toString(), start: range.start, end: range.end }];
  const link = `command:${command}?${encodeURIComponent(JSON.stringify(target))}`;
  const options = { theme: themeNow(), digits: panelSettings().digits, link };
  const markdown = new vscode.MarkdownString(hoverMarkdown(literal, options));
  markdown.isTrusted = { enabledCommands: [command] };
  return new vscode.Hover(markdown, new vscode.Range(document.positionAt(named.start), document.positionAt(named.end)));
}

function themeNow(): 'dark' | 'light' {
  const { kind } = vscode.window.activeColorTheme;
  return kind === vscode.ColorThemeKind.Light || kind === vscode.ColorThemeKind.HighContrastLight ? 'light' : 'dark';
}
