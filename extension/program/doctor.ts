import * as vscode from 'vscode';
import type { DoctorCause, DoctorFinding, TextRange } from '../../engine/index';
import { codeLanguages } from '../activation';
import { isCell, isSameUri, rangeIn } from '../documents';
import { doctorSettings, type RuleSeverity } from '../hover-settings';
import { codeOf, inDocument, placeIn, ranAt, type Code } from '../program-client';
import type { ShownPlaces } from './shown';

/** Asks the process that reads programs where their attentions depart from attention, and where Python would raise. Undefined if it was cancelled, or cannot be started. */
export type DoctorReader = (
  text: string,
  document: vscode.Uri,
  token: vscode.CancellationToken,
) => Promise<{ readonly findings: readonly DoctorFinding[]; readonly causes: readonly DoctorCause[] } | undefined>; // prettier-ignore

/** A finding with its ranges in the document. Its mend may change another cell; there are no edits where it is uncertain. */
interface Located {
  readonly finding: DoctorFinding;
  readonly range: vscode.Range;
  readonly edits: readonly (vscode.Location & { readonly text: string })[];
}

interface Diagnosed {
  readonly version: number;
  /** What was asked about; undefined until there is an answer. */
  readonly code?: Code;
  readonly found: readonly Located[];
  /** Where Python raises. */
  readonly raised: readonly Raised[];
  /** Cancels the question that is being answered. */
  readonly asking?: vscode.CancellationTokenSource;
}

interface Raised {
  readonly at: TextRange;
  readonly range: vscode.Range;
  readonly error: string;
  readonly rule: string;
}

/** How loud Python's errors are unless the settings say otherwise: nothing is run, and a library may be newer than what is known of it. */
const raisedSeverity = 'information';

/** What makes weights in place of softmax: such code has no attention to be shown, and something to be said of. */
const hasOtherWeights = /\b(?:log_?softmax|sigmoid)\b/i;

/** Milliseconds after the last change of the text before it is diagnosed. */
const pause = 400;

/** Internal: runs once a mend has changed a document. */
const mendedCommand = 'explainAttention.mended';

/** Registers diagnostics for the attentions of visible programs, and code actions that mend a line, compare it with standard attention or silence the rule. */
export function registerDoctor(
  read: DoctorReader,
  shown: ShownPlaces,
  command: string,
  mended: (uri: vscode.Uri) => unknown,
): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('explainAttention.doctor');
  const known = new Map<string, Diagnosed>();
  const clocks = new Map<string, ReturnType<typeof setTimeout>>();
  const forget = (document: vscode.TextDocument): void => {
    const key = document.uri.toString();
    clearTimeout(clocks.get(key));
    clocks.delete(key);
    known.get(key)?.asking?.cancel();
    known.delete(key);
    collection.delete(document.uri);
  };
  const publish = (document: vscode.TextDocument): void => {
    const { severities } = doctorSettings(document);
    const { found = [], raised = [], code } = known.get(document.uri.toString()) ?? {};
    const isRaised = ({ at }: Raised): boolean => !code || !ranAt(code, at);
    collection.set(document.uri, [
      ...raised.filter(isRaised).flatMap(({ range, error, rule }) => diagnosticOf(range, vscode.l10n.t('Python raises here: {0}', error), rule, severities[rule] ?? raisedSeverity)),
      ...found.flatMap(({ finding: { message, rule, severity }, range, edits: [edit] }) => diagnosticOf(range, message, rule, severities[rule] ?? severity, edit && !(isSameUri(edit.uri, document.uri) && edit.range.intersection(range)) ? edit : undefined)),
    ]); // prettier-ignore
  };
  const diagnose = async (document: vscode.TextDocument): Promise<void> => {
    const key = document.uri.toString();
    const code = codeOf(document);
    if (!code || !doctorSettings(document).enabled) return forget(document);
    const before = known.get(key);
    if (before?.code?.text === code.text && before.version === document.version) return publish(document);
    // Shapes and lenses come first, where they are wanted: cells off the screen have none.
    if (!code.cells && !(await shown.of(document))?.isShown && !hasOtherWeights.test(code.text))
      return forget(document);
    if (document.isClosed) return forget(document);
    before?.asking?.cancel();
    const { version } = document;
    const asking = new vscode.CancellationTokenSource();
    known.set(key, { version: -1, found: before?.found ?? [], raised: before?.raised ?? [], asking });
    const answer = await read(code.text, document.uri, asking.token);
    if (!answer || asking.token.isCancellationRequested || document.version !== version) return;
    known.set(key, {
      version,
      code,
      found: answer.findings.flatMap((one) => locatedIn(document, code, one) ?? []),
      raised: answer.causes.flatMap(({ rule, text: error, range }) => {
        const own = inDocument(code, range);
        return own && rule ? [{ error, rule, at: range, range: rangeIn(document, own) }] : [];
      }),
    });
    publish(document);
  };
  const soon = (document: vscode.TextDocument): void => {
    if (!(codeLanguages as readonly string[]).includes(document.languageId)) return;
    const key = document.uri.toString();
    clearTimeout(clocks.get(key));
    clocks.set(key, setTimeout(() => void diagnose(document), pause)); // prettier-ignore
  };
  const visible = (): void => {
    const cells = vscode.window.visibleNotebookEditors.flatMap(({ notebook }) => notebook.getCells());
    for (const { document } of [...vscode.window.visibleTextEditors, ...cells]) soon(document);
  };
  /** Whether it is what was asked about: the text of the document, and that of the other cells. */
  const isCurrent = (document: vscode.TextDocument, { version, code }: Diagnosed): boolean =>
    code !== undefined && version === document.version && codeOf(document)?.text === code.text;
  visible();
  return vscode.Disposable.from(
    collection,
    vscode.commands.registerCommand(mendedCommand, mended),
    { dispose: () => clocks.forEach((clock) => clearTimeout(clock)) },
    shown.changed(visible),
    vscode.window.onDidChangeVisibleTextEditors(visible),
    vscode.window.onDidChangeVisibleNotebookEditors(visible),
    vscode.workspace.onDidChangeNotebookDocument(visible),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0) return;
      if (isCell(document.uri)) visible();
      else if (known.has(document.uri.toString())) soon(document);
    }),
    vscode.workspace.onDidCloseTextDocument(forget),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('explainAttention.doctor')) return;
      visible();
    }),
    vscode.languages.registerCodeActionsProvider(
      codeLanguages.map((language) => ({ language })),
      {
        provideCodeActions: (document, range) => {
          const of = known.get(document.uri.toString());
          if (!of || !isCurrent(document, of)) return [];
          const diagnostics = collection.get(document.uri) ?? [];
          const mending = of.found.flatMap((one) => {
            const diagnostic = diagnostics.find(({ code, range: at }) => code === one.finding.rule && at.isEqual(one.range)); // prettier-ignore
            return diagnostic && one.range.intersection(range) ? actionsOf(document, one, diagnostic, command) : [];
          });
          // At the line that a mend changes too, which may be in another cell than what it mends.
          const causing = [...known.values()].flatMap(({ found }) => found).flatMap((one) =>
            !mending.some(({ title }) => title === one.finding.mend?.title) && one.edits.some(({ uri, range: at }) => isSameUri(uri, document.uri) && at.intersection(range)) ? mendOf(one) : []
          ); // prettier-ignore
          const silencing = of.raised.flatMap(({ rule, range: at }) => {
            const diagnostic = diagnostics.find((one) => one.code === rule && one.range.isEqual(at));
            return diagnostic && at.intersection(range) ? [silenceOf(document, diagnostic, rule)] : [];
          });
          return [...mending, ...causing, ...silencing];
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}

/** Undefined for a finding in another cell. */
function locatedIn(document: vscode.TextDocument, code: Code, finding: DoctorFinding): Located | undefined {
  const own = inDocument(code, finding.range);
  const range = own && rangeIn(document, own);
  const edits = (finding.mend?.edits ?? []).map((edit) => {
    const at = placeIn(document, code, edit.range);
    return at && { uri: at.document.uri, range: rangeIn(at.document, at.range), text: edit.text };
  });
  return range && { finding, range, edits: edits.includes(undefined) ? [] : edits.flatMap((edit) => edit ?? []) };
}

export const levels: Readonly<Record<Exclude<RuleSeverity, 'off'>, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

function diagnosticOf(range: vscode.Range, message: string, rule: string, severity: RuleSeverity, change?: vscode.Location): readonly vscode.Diagnostic[] {
  if (severity === 'off') return [];
  const diagnostic = new vscode.Diagnostic(range, message, levels[severity]);
  diagnostic.source = 'Explain Attention';
  diagnostic.code = rule;
  if (change) diagnostic.relatedInformation = [new vscode.DiagnosticRelatedInformation(new vscode.Location(change.uri, change.range), vscode.l10n.t('the line to change'))];
  return [diagnostic];
} // prettier-ignore

function actionsOf(
  document: vscode.TextDocument,
  located: Located,
  diagnostic: vscode.Diagnostic,
  command: string,
): readonly vscode.CodeAction[] {
  const { finding, range } = located;
  const mends = mendOf(located, diagnostic);
  const beside = new vscode.CodeAction(vscode.l10n.t('Show this step beside standard attention'), vscode.CodeActionKind.QuickFix); // prettier-ignore
  beside.diagnostics = [diagnostic];
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  beside.command = {
    title: beside.title,
    command,
    arguments: [{ uri: document.uri.toString(), start, end, code: true, checks: 'step' }],
  };
  // Without a softmax there is no attention to show.
  return [...mends, ...(finding.which < 0 ? [] : [beside]), silenceOf(document, diagnostic, finding.rule)];
}

function mendOf({ finding, edits }: Located, diagnostic?: vscode.Diagnostic): readonly vscode.CodeAction[] {
  if (!finding.mend || edits.length === 0) return [];
  const mend = new vscode.CodeAction(finding.mend.title, vscode.CodeActionKind.QuickFix);
  mend.edit = new vscode.WorkspaceEdit();
  for (const { uri, range, text } of edits) mend.edit.replace(uri, range, text);
  mend.command = { title: mend.title, command: mendedCommand, arguments: [edits[0]?.uri] };
  if (diagnostic) [mend.diagnostics, mend.isPreferred] = [[diagnostic], true];
  return [mend];
}

function silenceOf(document: vscode.TextDocument, diagnostic: vscode.Diagnostic, rule: string): vscode.CodeAction {
  const silence = new vscode.CodeAction(vscode.l10n.t('Ignore {0} in this line', rule), vscode.CodeActionKind.QuickFix); // prettier-ignore
  silence.diagnostics = [diagnostic];
  silence.edit = new vscode.WorkspaceEdit();
  silence.edit.insert(document.uri, document.lineAt(diagnostic.range.end.line).range.end, `  # explain-attention: ignore[${rule}]`); // prettier-ignore
  return silence;
}
