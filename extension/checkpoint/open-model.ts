import * as vscode from 'vscode';
import { counted, specOfHead, type AttentionSpec, type HeadPlace, type ModelRun, type ModelSummary, type PlacedHead, type Problem } from '../../engine/index'; // prettier-ignore
import type { View } from '../../webview/protocol';
import { command, type Guard, type Report } from '../host';
import { createModelClient, type ModelClient } from './client';
import { headItems, type HeadItem } from './head-items';

/** Opens a model from a folder and runs a text through it. */
const openModelCommand = 'explainAttention.openModel';
/** Lists the heads of the model that is open again, or runs another text. */
const chooseHeadCommand = 'explainAttention.chooseHead';
/** Set while a model is open. */
const openKey = 'explainAttention.modelOpen';

/** A model that is open, and the text that it read last. */
interface Open {
  readonly name: string;
  readonly summary: ModelSummary;
  readonly text?: string;
  readonly run?: ModelRun;
}

/** Shows a head's spec in a panel. */
export type ShowHead = (spec: AttentionSpec, view: View, label: string) => void;

const placeOf = ({ stack, layer, head, crosses }: PlacedHead): HeadPlace => ({
  stack,
  layer,
  head,
  ...(crosses && { crosses }),
});

/** The weights, where the last token looks most. */
function viewOf({ first, second }: ModelRun, { stack, last }: PlacedHead): View {
  const rows = (stack === 'decoder' && second ? second : first).tokens.length;
  return { step: 'weights', cell: [rows - 1, last.key] };
}

/** Registers the commands for models from folders. */
export function registerModels(
  extensionUri: vscode.Uri,
  report: Report,
  guarded: Guard,
  show: ShowHead,
): vscode.Disposable {
  const client = createModelClient(extensionUri, report);
  let open: Open | undefined;
  const keep = (now: Open): void => {
    open = now;
    void vscode.commands.executeCommand('setContext', openKey, true);
  };
  const refuse = (name: string, problems: readonly Problem[]): void => {
    if (!problems.some(({ code }) => code === 'cancelled')) report.problems({ name }, problems);
  };

  const readText = async (now: Open): Promise<void> => {
    const asked = await askForText(now);
    const run = asked && (await runWithProgress(client, now, asked));
    if (!run) return;
    if (!run.ok) return refuse(now.name, run.problems);
    keep({ ...now, text: asked.text, run: run.value });
    await choose();
  };

  const choose = async (): Promise<void> => {
    if (!open?.run) return open && readText(open);
    const { name, summary, run, text = '' } = open;
    const chosen = await pickHead(name, summary, run);
    if (chosen === 'text') return readText({ name, summary, text });
    const head = chosen && (await client.head(placeOf(chosen.one)));
    if (head && !head.ok) return refuse(name, head.problems);
    if (head && chosen) show(specOfHead(head.value), viewOf(run, chosen.one), `${name}, ${chosen.where}`);
  };

  return vscode.Disposable.from(
    client,
    command(
      openModelCommand,
      guarded(vscode.l10n.t('Opening a model'), async (argument) => {
        const folder = argument instanceof vscode.Uri ? argument : await askForFolder();
        if (!folder) return;
        const name = folder.path.split('/').filter(Boolean).at(-1) ?? folder.fsPath;
        if (folder.scheme !== 'file')
          return refuse(name, [{ code: 'model', message: vscode.l10n.t('a model is read from a folder of this machine: {0} is elsewhere', folder.toString(true)), hint: vscode.l10n.t('Run explain-attention model FOLDER there.') }]); // prettier-ignore
        const opened = await client.open(folder);
        if (!opened.ok) return refuse(name, opened.problems);
        keep({ name, summary: opened.value });
        await readText({ name, summary: opened.value });
      }),
    ),
    command(chooseHeadCommand, guarded(vscode.l10n.t('Choosing a head'), choose)),
  );
}

async function askForFolder(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Open Model: the folder with config.json and model.safetensors'),
    openLabel: vscode.l10n.t('Open Model'),
    canSelectFolders: true,
    canSelectFiles: false,
  });
  return chosen?.[0];
}

/** `gpt2: 12 layers of 12 heads, 124.4 million parameters` */
function described({ family, layers, heads, parameters }: ModelSummary): string {
  const millions = (parameters / 1e6).toFixed(1);
  return vscode.l10n.t('{0}: {1} layers of {2} heads, {3} million parameters', family, layers.join(' + '), heads, millions); // prettier-ignore
}

interface AskedText {
  readonly text: string;
  readonly target?: string;
  readonly ids?: string;
}

/** The text, which begins as what is selected; without a tokenizer, token ids; for a model with a decoder, what that reads too. */
async function askForText({ name, summary, text }: Open): Promise<AskedText | undefined> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor?.document.getText(editor.selection) ?? '';
  const title = `${name} · ${described(summary)}`;
  const given = await vscode.window.showInputBox({
    title,
    value: text ?? selected,
    ignoreFocusOut: true,
    prompt: summary.hasTokenizer
      ? vscode.l10n.t('The text that the model reads. Nothing leaves this machine.')
      : vscode.l10n.t('The folder has no tokenizer.json: token ids, with commas between.'),
    validateInput: (value) => (value === '' ? vscode.l10n.t('A text, please.') : undefined),
  });
  if (given === undefined) return undefined;
  const asked = summary.hasTokenizer ? { text: given } : { text: '', ids: given };
  if (summary.layers.length < 2) return asked;
  const target = await vscode.window.showInputBox({
    title,
    ignoreFocusOut: true,
    prompt: vscode.l10n.t('What the decoder has written so far; empty: it begins.'),
  });
  return target === undefined ? undefined : { ...asked, ...(target !== '' && { target }) };
}

const runWithProgress = (client: ModelClient, { name }: Open, asked: AskedText) =>
  vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('{0} reads the text', name), cancellable: true }, // prettier-ignore
    (progress, token) => {
      let before = 0;
      return client.run(
        asked,
        (done) => {
          progress.report({ increment: 100 * (done - before) });
          before = done;
        },
        token,
      );
    },
  );

async function pickHead(name: string, { predicts }: ModelSummary, run: ModelRun): Promise<HeadItem | 'text' | undefined> {
  const { first, predictions, notFinite } = run;
  const next = predictions.map(({ token, probability }) => `“${token}” ${percent(probability)}`).join(', ');
  const another = { label: `$(edit) ${vscode.l10n.t('Another text…')}`, alwaysShow: true };
  const what = predicts === 'next' ? vscode.l10n.t('next: {0}', next) : vscode.l10n.t('in the last place: {0}', next);
  const nan = notFinite === undefined ? [] : [vscode.l10n.t('numbers are NaN or infinite from {0} on', notFinite)];
  const chosen = await vscode.window.showQuickPick<vscode.QuickPickItem>([...headItems(run), another], {
    title: [name, counted(first.tokens.length, 'token'), ...(next === '' ? [] : [what]), ...nan].join(' · '),
    placeHolder: vscode.l10n.t('A head to explain, from its real Q, K and V'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen === another) return 'text';
  return chosen as HeadItem | undefined;
} // prettier-ignore

/** `19.2 %`; a share that would round to 0.0 says so. */
const percent = (share: number): string => (share < 0.0005 ? '< 0.1 %' : `${(100 * share).toFixed(1)} %`);
