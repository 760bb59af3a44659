import * as vscode from 'vscode';
import type { Problem, ReadLesson } from '../../engine/index';
import type { Report } from '../host';
import { hasBlocks, lessonAsync } from './read';
import { scriptsIn } from './scripts';

/** Debounce of edits before a document is checked, in milliseconds. */
const debounceMs = 300;

/** Shows problems of open lessons as diagnostics. */
export function registerDiagnostics(report: Report): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('explainAttention.lesson');
  const schedule = (document: vscode.TextDocument, wait: number): void => {
    if (document.languageId !== 'markdown') return;
    const { version } = document;
    setTimeout(() => {
      if (document.isClosed || document.version !== version) return;
      diagnose(document, collection).catch((error: unknown) => report.bug(vscode.l10n.t('Checking a lesson'), error));
    }, wait);
  };
  for (const document of vscode.workspace.textDocuments) schedule(document, 0);
  return vscode.Disposable.from(
    collection,
    vscode.workspace.onDidOpenTextDocument((document) => schedule(document, 0)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => schedule(document, debounceMs)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)),
  );
}

async function diagnose(document: vscode.TextDocument, collection: vscode.DiagnosticCollection): Promise<void> {
  const { version } = document;
  const text = document.getText();
  if (!hasBlocks(text)) return collection.delete(document.uri);
  const isOld = (): boolean => document.isClosed || document.version !== version;
  const read = await lessonAsync(text, isOld);
  if (read && !isOld()) collection.set(document.uri, diagnosticsOf(document, read, text));
}

function diagnosticsOf(document: vscode.TextDocument, { problems, lesson }: ReadLesson, text: string): vscode.Diagnostic[] {
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const scripts = scriptsIn(lesson.parts.length ? lesson : { parts: [{ kind: 'prose', text, range: { start: 0, end: text.length } }] }, vscode.l10n.t);
  return [...problems.map((p) => diagnostic(document, p, Error)), ...scripts.map((p) => diagnostic(document, p, Warning))];
} // prettier-ignore

function diagnostic(
  document: vscode.TextDocument,
  { code, message, hint, range = { start: 0, end: 0 } }: Problem,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  const place = new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
  const made = new vscode.Diagnostic(place, hint === undefined ? message : `${message}. ${hint}`, severity);
  made.source = 'Explain Attention';
  made.code = code;
  return made;
}
