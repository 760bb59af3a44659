import * as vscode from 'vscode';
import type { FormulaHint } from '../../engine/index';
import { formulaLanguages } from '../activation';
import { formulaHintsEnabled } from '../hover-settings';
import { escapeMarkdown } from '../hover';
import { formularyOf, inDocument, type Formulary } from '../program-client';

/** Asks the process that reads formulas for the shapes in a range of a text. Undefined if it was cancelled, or cannot be started. */
export type FormulaHintReader = (
  asked: Pick<Formulary, 'text' | 'languageId'> & { readonly within: { readonly start: number; readonly end: number } },
  document: vscode.Uri,
  token: vscode.CancellationToken,
) => Promise<readonly FormulaHint[] | undefined>;

/** Registers inlay hints with shapes in formulas, which a setting turns on. */
export function registerFormulaHints(read: FormulaHintReader): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('explainAttention.formulaHints')) changed.fire();
    }),
    vscode.languages.registerInlayHintsProvider(
      formulaLanguages.map((language) => ({ language })),
      {
        onDidChangeInlayHints: changed.event,
        provideInlayHints: (document, range, token) =>
          formulaHintsEnabled(document) && !token.isCancellationRequested
            ? formulaHints(document, range, read, token)
            : [],
      },
    ),
  );
}

async function formulaHints(
  document: vscode.TextDocument,
  range: vscode.Range,
  read: FormulaHintReader,
  token: vscode.CancellationToken,
): Promise<vscode.InlayHint[]> {
  const [{ version }, formulary] = [document, formularyOf(document)];
  if (!formulary) return [];
  const { text, languageId, start } = formulary;
  const within = { start: start + document.offsetAt(range.start), end: start + document.offsetAt(range.end) };
  const found = await read({ text, languageId, within }, document.uri, token);
  if (!found || document.version !== version) return [];
  return found.flatMap((one) => {
    const own = inDocument(formulary, { start: one.at, end: one.at });
    return own ? [hintOf(document.positionAt(own.start), one)] : [];
  });
}

function hintOf(position: vscode.Position, { label, why }: FormulaHint): vscode.InlayHint {
  const hint = new vscode.InlayHint(position, label, vscode.InlayHintKind.Type);
  hint.paddingLeft = true;
  if (why !== '') hint.tooltip = new vscode.MarkdownString(escapeMarkdown(why));
  return hint;
}
