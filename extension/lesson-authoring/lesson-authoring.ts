// What helps to write a lesson: its blocks in the Markdown preview, and diagnostics, completion and hover in its source.
import * as vscode from 'vscode';
import { variantFileName } from '../../engine/index';
import type { Report } from '../host';
import { registerDiagnostics } from './diagnose';
import { hintAt } from './hints';
import { offersAt, type Offer } from './completions';
import { fenceAt } from './block-at';
import { extendMarkdownIt, type MarkdownIt } from './preview';
import { lessonSoon } from './read';

const markdown: vscode.DocumentSelector = { language: 'markdown' };

/** Registers all of it. */
export const registerLessonAuthoring = (report: Report): vscode.Disposable =>
  vscode.Disposable.from(
    registerDiagnostics(report),
    vscode.languages.registerCompletionItemProvider(markdown, { provideCompletionItems: complete }, '"', ' ', '='),
    vscode.languages.registerHoverProvider(markdown, { provideHover: hover }),
  );

/** The plugin that VS Code's Markdown preview asks for (`markdown.markdownItPlugins`). */
export const previewPlugin =
  (report: Report) =>
  (md: MarkdownIt): MarkdownIt =>
    extendMarkdownIt(md, vscode.l10n.t, {
      failed: (error) => report.log.error(`preview: ${String(error)}`),
      ready: () => void vscode.commands.executeCommand('markdown.preview.refresh'),
    });

/** Whether a document lies in a student's folder, where answers and shapes are for the student to find. */
const isHandedOut = (uri: vscode.Uri): Thenable<boolean> =>
  vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, '..', variantFileName)).then(
    () => true,
    () => false,
  );

/** The text of a document once its lesson has been read, if a place in it is in a block of ours. */
async function textAt(
  document: vscode.TextDocument,
  at: number,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const text = document.getText();
  const isCancelled = (): boolean => token.isCancellationRequested;
  if (isCancelled() || !fenceAt(text, at)) return undefined;
  return (await lessonSoon(text, isCancelled)) && !isCancelled() ? text : undefined;
}

async function complete(
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.CompletionItem[] | undefined> {
  const at = document.offsetAt(position);
  const text = await textAt(document, at, token);
  const found = text === undefined ? undefined : offersAt(text, at, vscode.l10n.t);
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

function itemOf(offer: Offer, i: number, range: vscode.Range, quoted: boolean): vscode.CompletionItem {
  const { label, insert, kind, detail, documentation, first } = offer;
  const item = new vscode.CompletionItem(label, kinds[kind]);
  item.insertText = new vscode.SnippetString(kind === 'field' ? insert : insert.replace(/[$}\\]/g, '\\$&'));
  item.range = range;
  // VS Code filters by what stands in the range, quotation marks included.
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
  const text = (await isHandedOut(document.uri)) ? undefined : await textAt(document, at, token);
  const hint = text === undefined ? undefined : hintAt(text, at, vscode.l10n.t);
  if (!hint) return undefined;
  const shown = new vscode.MarkdownString();
  shown.appendMarkdown('**').appendText(hint.title).appendMarkdown('**');
  for (const line of hint.lines) shown.appendMarkdown('\n\n').appendText(line);
  const { start, end } = hint.range;
  return new vscode.Hover(shown, new vscode.Range(document.positionAt(start), document.positionAt(end)));
}
