// Registers the help for writing lessons, and the plugin of the Markdown preview.
import * as vscode from 'vscode';
import { variantFileName } from '../../engine/index';
import { isExamDocument, liesBeside } from '../documents';
import type { Report } from '../host';
import { readLessonModels } from '../model-files';
import { registerDiagnostics } from './diagnose';
import { hintAt } from './hints';
import { completionsAt, type Completion } from './completions';
import { fenceAt } from './block-at';
import { extendMarkdownIt, type MarkdownIt } from './preview';
import { lessonAsync, setModelReader } from './read';

const markdown: vscode.DocumentSelector = { language: 'markdown' };

/** Registers diagnostics, completions and hovers for Markdown files that are lessons. */
export function registerLessonAuthoring(extensionUri: vscode.Uri, report: Report): vscode.Disposable {
  setModelReader((lesson) => readLessonModels(extensionUri, lesson));
  return vscode.Disposable.from(
    registerDiagnostics(report),
    vscode.languages.registerCompletionItemProvider(markdown, { provideCompletionItems: complete }, '"', ' ', '='),
    vscode.languages.registerHoverProvider(markdown, { provideHover: hover }),
  );
}

/** The plugin that VS Code's Markdown preview asks for (`markdown.markdownItPlugins`). */
export const previewPlugin =
  (report: Report) =>
  (md: MarkdownIt): MarkdownIt =>
    extendMarkdownIt(md, vscode.l10n.t, {
      failed: (error) => report.log.error(`preview: ${String(error)}`),
      ready: () => void vscode.commands.executeCommand('markdown.preview.refresh'),
    });

/** Whether a document is an exam or in a student's folder. There no hover and no completion shows answers and shapes, which the student is to find. */
const isHandedOut = async (document: vscode.TextDocument): Promise<boolean> =>
  (await isExamDocument(document)) || liesBeside(document.uri, variantFileName);

/** A document's text once its lesson has been read. Undefined if the offset is not in a block of a lesson. */
async function textAt(
  document: vscode.TextDocument,
  at: number,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const text = document.getText();
  const isCancelled = (): boolean => token.isCancellationRequested;
  if (isCancelled() || !fenceAt(text, at)) return undefined;
  return (await lessonAsync(text, isCancelled)) && !isCancelled() ? text : undefined;
}

async function complete(
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.CompletionItem[] | undefined> {
  const at = document.offsetAt(position);
  const text = (await isHandedOut(document)) ? undefined : await textAt(document, at, token);
  const found = text === undefined ? undefined : completionsAt(text, at, vscode.l10n.t);
  if (!found) return undefined;
  const { start, end } = found.range;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const quoted = document.getText(range).startsWith('"');
  return found.offers.map((offer, i) => itemOf(offer, i, range, quoted));
}

const kinds = {
  field: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.EnumMember,
  reference: vscode.CompletionItemKind.Reference,
} as const;

function itemOf(offer: Completion, i: number, range: vscode.Range, quoted: boolean): vscode.CompletionItem {
  const { label, insert, kind, detail, documentation, first } = offer;
  const item = new vscode.CompletionItem(label, kinds[kind]);
  item.insertText = new vscode.SnippetString(kind === 'field' ? insert : insert.replace(/[$}\\]/g, '\\$&'));
  item.range = range;
  // VS Code filters completions by the text of the range, which includes quotation marks.
  item.filterText = quoted || insert.startsWith('"') ? `"${label}"` : label;
  item.sortText = `${first ? 0 : 1}${String(i).padStart(3, '0')}`;
  if (detail !== undefined) item.detail = detail;
  if (documentation !== undefined) item.documentation = documentation;
  return item;
}

async function hover(
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  const at = document.offsetAt(position);
  const text = (await isHandedOut(document)) ? undefined : await textAt(document, at, token);
  const hint = text === undefined ? undefined : hintAt(text, at, vscode.l10n.t);
  if (!hint) return undefined;
  const shown = new vscode.MarkdownString();
  shown.appendMarkdown('**').appendText(hint.title).appendMarkdown('**');
  for (const line of hint.lines) shown.appendMarkdown('\n\n').appendText(line);
  const { start, end } = hint.range;
  return new vscode.Hover(shown, new vscode.Range(document.positionAt(start), document.positionAt(end)));
}
