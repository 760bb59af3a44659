import * as vscode from 'vscode';
import { specFromJson, type AttentionSpec, type Problem, type Result } from '../../engine/index';
import { panelSettings, type Guard, type Report } from '../host';
import { language } from '../language';
import { createNonce, standaloneHtml } from '../pages';

/** Shows what an output explains in the large panel. */
export type ShowOutput = (spec: AttentionSpec, label: string, notes: readonly string[]) => void;

/** Hears what outputs of explain(…) ask of the host. `reply` goes to the outputs of the same notebook. */
export type HearOutput = (message: unknown, reply: (message: unknown) => void) => Promise<void>;

export function createOutputs(extensionUri: vscode.Uri, report: Report, guarded: Guard, show: ShowOutput): HearOutput {
  let page: Promise<string> | undefined;
  const pageText = (): Promise<string> => {
    page ??= emptyPage(extensionUri);
    page.catch(() => (page = undefined));
    return page;
  };
  const hear = async (message: unknown, reply: (message: unknown) => void): Promise<void> => {
    const { type, output } = (message ?? {}) as { readonly type?: unknown; readonly output?: unknown };
    if (type === 'page') {
      const [open, title] = [vscode.l10n.t('Open in the large panel'), vscode.l10n.t('Explanation')];
      reply({ type: 'page', html: await pageText(), settings: panelSettings(), open, title });
    } else if (type === 'open') {
      const read = outputOf(output);
      if (read.ok) show(read.value.spec, read.value.label, read.value.notes);
      else report.problems({ name: vscode.l10n.t('an output of the notebook') }, read.problems);
    } else report.log.error(`an output sent a message that is not known: ${JSON.stringify(type)}`);
  };
  return guarded(vscode.l10n.t('An output of the notebook'), hear);
}

/** The page as one file without a state, which each output puts in (webview/output/frame.ts). */
async function emptyPage(extensionUri: vscode.Uri): Promise<string> {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const read = (path: string): Thenable<Uint8Array> => vscode.workspace.fs.readFile(vscode.Uri.joinPath(dist, path));
  const theme = { classes: '', variables: {} };
  return standaloneHtml({ state: null, theme, read, language: language() }, createNonce());
} // prettier-ignore

/** Outputs come from a notebook's file, which may be anybody's: the spec is validated as one from a file. */
function outputOf(value: unknown): Result<{ readonly spec: AttentionSpec; readonly label: string; readonly notes: readonly string[] }> {
  const { spec, label, notes } = (value ?? {}) as { readonly [name: string]: unknown };
  const read = specFromJson(JSON.stringify(spec ?? null));
  if (!read) return { ok: false, problems: [noSpec()] };
  if (!read.ok) return read;
  const texts = Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : [];
  return { ok: true, value: { spec: read.value.spec, label: typeof label === 'string' ? label : 'explain', notes: texts } };
} // prettier-ignore

const noSpec = (): Problem => ({
  code: 'spec',
  message: vscode.l10n.t('the output holds no spec'),
  hint: vscode.l10n.t('Run the cell again.'),
});
