import * as vscode from 'vscode';
import type { DoctorCause, DoctorFinding, TextRange } from '../../engine/index';
import { codeLanguages } from '../activation';
import { rangeIn } from '../documents';
import { doctorSettings, type RuleSeverity } from '../hover-settings';
import { codeOf, inDocument, ranAt, type Code } from '../program-client';
import type { ShownPlaces } from './shown';

/** Asks the process that reads programs where their attentions depart from attention, and where Python would raise. Undefined if it was cancelled, or cannot be started. */
export type DoctorReader = (
  text: string,
  document: vscode.Uri,
  token: vscode.CancellationToken,
) => Promise<{ readonly findings: readonly DoctorFinding[]; readonly causes: readonly DoctorCause[] } | undefined>; // prettier-ignore

/** A finding with its ranges in the document. `edits` are missing where the mend is uncertain or changes another cell. */
interface Located {
  readonly finding: DoctorFinding;
  readonly range: vscode.Range;
  readonly edits?: readonly vscode.TextEdit[];
}

interface Diagnosed {
  readonly version: number;
  readonly text: string;
  readonly found: readonly Located[];
  /** Where Python raises. */
  readonly raised: readonly Raised[];
  /** Cancels the question that is being answered. */
  readonly asking?: vscode.CancellationTokenSource;
}

interface Raised {
  readonly range: vscode.Range;
  readonly error: string;
  readonly rule: string;
}

/** How loud Python's errors are unless the settings say otherwise: nothing is run, and a library may be newer than what is known of it. */
const raisedSeverity = 'information';

/** Milliseconds after the last change of the text before it is diagnosed. */
const pause = 400;

/** Registers diagnostics for the attentions of visible programs, and code actions that mend a line, compare it with standard attention or silence the rule. */
export function registerDoctor(read: DoctorReader, shown: ShownPlaces, command: string): vscode.Disposable {
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
    const { found = [], raised = [] } = known.get(document.uri.toString()) ?? {};
    collection.set(document.uri, [
      ...raised.flatMap(({ range, error, rule }) => diagnosticOf(range, vscode.l10n.t('Python raises here: {0}', error), rule, severities[rule] ?? raisedSeverity)),
      ...found.flatMap(({ finding: { message, rule, severity }, range }) => diagnosticOf(range, message, rule, severities[rule] ?? severity)),
    ]); // prettier-ignore
  };
  const diagnose = async (document: vscode.TextDocument): Promise<void> => {
    const key = document.uri.toString();
    const code = codeOf(document);
    if (!code || !doctorSettings(document).enabled) return forget(document);
    const before = known.get(key);
    if (before?.text === code.text && before.version === document.version) return publish(document);
    // Shapes and lenses come first.
    if (!(await shown.of(document))?.isShown || document.isClosed) return forget(document);
    before?.asking?.cancel();
    const { version } = document;
    const asking = new vscode.CancellationTokenSource();
    known.set(key, { version: -1, text: '', found: before?.found ?? [], raised: before?.raised ?? [], asking });
    const answer = await read(code.text, document.uri, asking.token);
    if (!answer || asking.token.isCancellationRequested || document.version !== version) return;
    known.set(key, {
      version,
      text: code.text,
      found: answer.findings.flatMap((one) => locatedIn(document, code, one) ?? []),
      raised: answer.causes.flatMap(({ rule, text: error, range }) => {
        const own = inDocument(code, range);
        return own && rule && !ranAt(code, range) ? [{ error, rule, range: rangeIn(document, own) }] : [];
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
    for (const { document } of vscode.window.visibleTextEditors) soon(document);
  };
  visible();
  return vscode.Disposable.from(
    collection,
    { dispose: () => clocks.forEach((clock) => clearTimeout(clock)) },
    shown.changed(visible),
    vscode.window.onDidChangeVisibleTextEditors(visible),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && known.has(document.uri.toString())) soon(document);
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
          if (of?.version !== document.version) return [];
          const diagnostics = collection.get(document.uri) ?? [];
          const mending = of.found.flatMap((one) => {
            const diagnostic = diagnostics.find(({ code, range: at }) => code === one.finding.rule && at.isEqual(one.range)); // prettier-ignore
            return diagnostic && one.range.intersection(range) ? actionsOf(document, one, diagnostic, command) : [];
          });
          const silencing = of.raised.flatMap(({ rule, range: at }) => {
            const diagnostic = diagnostics.find((one) => one.code === rule && one.range.isEqual(at));
            return diagnostic && at.intersection(range) ? [silenceOf(document, diagnostic, rule)] : [];
          });
          return [...mending, ...silencing];
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}

/** Undefined for a finding in another cell. */
function locatedIn(document: vscode.TextDocument, code: Code, finding: DoctorFinding): Located | undefined {
  const rangeOf = (range: TextRange): vscode.Range | undefined => {
    const own = inDocument(code, range);
    return own && rangeIn(document, own);
  };
  const range = rangeOf(finding.range);
  const edits = finding.mend?.edits.map((edit) => {
    const at = rangeOf(edit.range);
    return at && vscode.TextEdit.replace(at, edit.text);
  });
  const whole = edits?.every((edit) => edit !== undefined) ? edits.flatMap((edit) => edit ?? []) : undefined;
  return range && { finding, range, ...(whole && { edits: whole }) };
}

export const levels: Readonly<Record<Exclude<RuleSeverity, 'off'>, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

function diagnosticOf(range: vscode.Range, message: string, rule: string, severity: RuleSeverity): readonly vscode.Diagnostic[] {
  if (severity === 'off') return [];
  const diagnostic = new vscode.Diagnostic(range, message, levels[severity]);
  diagnostic.source = 'Explain Attention';
  diagnostic.code = rule;
  return [diagnostic];
} // prettier-ignore

function actionsOf(
  document: vscode.TextDocument,
  { finding, range, edits }: Located,
  diagnostic: vscode.Diagnostic,
  command: string,
): readonly vscode.CodeAction[] {
  const action = (title: string): vscode.CodeAction => {
    const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    made.diagnostics = [diagnostic];
    return made;
  };
  const mend = finding.mend && edits ? action(finding.mend.title) : undefined;
  if (mend && edits) {
    mend.edit = new vscode.WorkspaceEdit();
    mend.edit.set(document.uri, [...edits]);
    mend.isPreferred = true;
  }
  const beside = action(vscode.l10n.t('Show this step beside standard attention'));
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  beside.command = {
    title: beside.title,
    command,
    arguments: [{ uri: document.uri.toString(), start, end, code: true, checks: 'step' }],
  };
  return [...(mend ? [mend] : []), beside, silenceOf(document, diagnostic, finding.rule)];
}

function silenceOf(document: vscode.TextDocument, diagnostic: vscode.Diagnostic, rule: string): vscode.CodeAction {
  const silence = new vscode.CodeAction(vscode.l10n.t('Ignore {0} in this line', rule), vscode.CodeActionKind.QuickFix); // prettier-ignore
  silence.diagnostics = [diagnostic];
  silence.edit = new vscode.WorkspaceEdit();
  silence.edit.insert(document.uri, document.lineAt(diagnostic.range.end.line).range.end, `  # explain-attention: ignore[${rule}]`); // prettier-ignore
  return silence;
}
