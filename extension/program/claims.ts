import * as vscode from 'vscode';
import { commentedAt, type DocumentMark } from '../../engine/index';
import { formulaLanguages } from '../activation';
import { isCell, rangeIn } from '../documents';
import { doctorSettings, documentSeverity } from '../hover-settings';
import { wholeOf, type Formulary } from '../program-client';
import { levels } from './doctor';

/** Asks the process that reads documents what one says of its own numbers and does not hold. Undefined if it was cancelled, or cannot be started. */
export type ClaimsReader = (
  asked: Pick<Formulary, 'text' | 'languageId'>,
  document: vscode.Uri,
  token: vscode.CancellationToken,
) => Promise<readonly DocumentMark[] | undefined>;

interface Checked {
  readonly version: number;
  readonly marks: readonly DocumentMark[];
  readonly asking: vscode.CancellationTokenSource;
}

/** Milliseconds after the last change of the text. */
const pause = 600;

const source = 'Explain Attention: numbers';

/** Registers diagnostics for what visible documents say of their own numbers, and an action that keeps a rule silent. */
export function registerClaims(read: ClaimsReader): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('explainAttention.document');
  const known = new Map<string, Checked>();
  const clocks = new Map<string, ReturnType<typeof setTimeout>>();
  const forget = ({ uri }: vscode.TextDocument): void => {
    const key = uri.toString();
    clearTimeout(clocks.get(key));
    clocks.delete(key);
    known.get(key)?.asking.cancel();
    known.delete(key);
    collection.delete(uri);
  };
  const publish = (document: vscode.TextDocument): void => {
    const severity = documentSeverity(document);
    const marks = known.get(document.uri.toString())?.marks ?? [];
    // What the doctor of code marks in this document is marked once.
    const own = doctorSettings(document).enabled ? marks.filter(({ rule }) => rule !== 'code') : marks;
    collection.set(document.uri, severity === 'off' ? [] : own.map((mark) => diagnosticOf(document, mark, severity)));
  };
  const check = async (document: vscode.TextDocument): Promise<void> => {
    const key = document.uri.toString();
    const whole = isCell(document.uri) || document.isClosed ? undefined : wholeOf(document);
    if (!whole || documentSeverity(document) === 'off') return forget(document);
    const { version } = document;
    const before = known.get(key);
    if (before?.version === version) return publish(document);
    before?.asking.cancel();
    const asking = new vscode.CancellationTokenSource();
    known.set(key, { version: -1, marks: before?.marks ?? [], asking });
    const { text, languageId } = whole;
    const marks = await read({ text, languageId }, document.uri, asking.token);
    if (!marks || asking.token.isCancellationRequested || document.version !== version) return;
    known.set(key, { version, marks, asking });
    publish(document);
  };
  const soon = (document: vscode.TextDocument): void => {
    if (!(formulaLanguages as readonly string[]).includes(document.languageId)) return;
    const key = document.uri.toString();
    clearTimeout(clocks.get(key));
    clocks.set(
      key,
      setTimeout(() => void check(document), pause),
    );
  };
  const visible = (): void => {
    for (const { document } of vscode.window.visibleTextEditors) soon(document);
  };
  visible();
  return vscode.Disposable.from(
    collection,
    { dispose: () => clocks.forEach((clock) => clearTimeout(clock)) },
    vscode.window.onDidChangeVisibleTextEditors(visible),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && vscode.window.visibleTextEditors.some((editor) => editor.document === document)) soon(document); // prettier-ignore
    }),
    vscode.workspace.onDidCloseTextDocument(forget),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('explainAttention.documentCheck') || event.affectsConfiguration('explainAttention.doctor')) visible(); // prettier-ignore
    }),
    vscode.languages.registerCodeActionsProvider(
      formulaLanguages.map((language) => ({ language })),
      {
        provideCodeActions: (document, range, { diagnostics }) =>
          diagnostics.filter((one) => one.source === source && one.range.intersection(range)).map((one) => silencing(document, one)), // prettier-ignore
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}

function diagnosticOf(
  document: vscode.TextDocument,
  { rule, range, message, instead, because }: DocumentMark,
  severity: Exclude<ReturnType<typeof documentSeverity>, 'off'>,
): vscode.Diagnostic {
  const made = new vscode.Diagnostic(rangeIn(document, range), instead === undefined ? message : `${message} ${instead}`, levels[severity]); // prettier-ignore
  made.source = source;
  made.code = rule;
  if (because) made.relatedInformation = [new vscode.DiagnosticRelatedInformation(new vscode.Location(document.uri, rangeIn(document, because)), vscode.l10n.t('the line of code'))]; // prettier-ignore
  return made;
}

/** A comment on a line of its own above; in LaTeX a formula may have one inside, elsewhere it is above the block. */
function silencing(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const isTex = /^(?:la)?tex$/.test(document.languageId);
  const { start } = diagnostic.range;
  const { line } = isTex ? start : document.positionAt(commentedAt(document.getText(), document.offsetAt(start)));
  const rule = `explain-attention: ignore[${String(diagnostic.code)}]`;
  const action = new vscode.CodeAction(vscode.l10n.t('Ignore {0} in this line', String(diagnostic.code)), vscode.CodeActionKind.QuickFix); // prettier-ignore
  action.diagnostics = [diagnostic];
  action.edit = new vscode.WorkspaceEdit();
  action.edit.insert(document.uri, new vscode.Position(line, 0), `${isTex ? `% ${rule}` : `<!-- ${rule} -->`}\n`);
  return action;
}
