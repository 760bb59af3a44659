import * as vscode from 'vscode';
import { counted, specOfHead, type AttentionSpec, type ModelQuestion, type ModelRun, type ModelSummary, type PlacedHead, type Problem } from '../../engine/index'; // prettier-ignore
import type { ModelFolder, ModelHostMessage, ModelPageMessage, View } from '../../webview/protocol';
import { exists } from '../documents';
import { command, type Guard, type Report } from '../host';
import { createModelClient, type ModelClient } from './client';
import { headItems, type HeadItem } from './head-items';
import { openModelPanel, type ModelPanel } from './model-panel';

/** Opens the page of a model from a folder. */
const openModelCommand = 'explainAttention.openModel';
/** Lists the heads of the model that is open, or goes back to its page for another text. */
const chooseHeadCommand = 'explainAttention.chooseHead';
/** Set while the page of a model is open. */
const openKey = 'explainAttention.modelOpen';

/** Shows a head's spec in a panel. */
export type ShowHead = (spec: AttentionSpec, view: View, label: string) => void;

/** The page that is open, what it is about, and what this process has read for it. */
interface Open {
  readonly panel: ModelPanel;
  start: Extract<ModelHostMessage, { type: 'start' }>;
  readonly running: Map<number, vscode.CancellationTokenSource>;
  summary?: ModelSummary;
  run?: ModelRun;
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
  const hasFolders = canReadFolders();

  const openPage = (start: Open['start']): void => {
    void vscode.commands.executeCommand('setContext', openKey, true);
    if (open) {
      open.start = start;
      delete open.summary;
      delete open.run;
      open.panel.reveal();
      open.panel.send(start);
    } else {
      const hear = (message: ModelPageMessage): void => {
        if (open) void guarded(vscode.l10n.t('The page of a model'), heard)(message, open);
      };
      const panel = openModelPanel(extensionUri, report, hear, () => {
        // Ends the process, and with it what it holds of files and of runs; the next question starts another.
        client.dispose();
        open = undefined;
        void vscode.commands.executeCommand('setContext', openKey, false);
      });
      open = { panel, start, running: new Map() };
    }
    if (start.folder) open.panel.title(start.folder.name);
  };

  const heard = async (message: ModelPageMessage, page: Open): Promise<void> => {
    const { panel } = page;
    switch (message.type) {
      case 'ready':
        return panel.send(page.start);
      case 'ask':
        return answer(client, page, message);
      case 'cancel':
        return page.running.get(message.id)?.cancel();
      case 'pick': {
        const folder = await askForFolder();
        if (!folder) return;
        if (message.side === 'first')
          return openPage({ type: 'start', folder: folderOf(folder), text: page.start.text });
        return panel.send({ type: 'folder', side: message.side, folder: folderOf(folder) });
      }
      case 'engine': {
        const code = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'dist', 'model.js'));
        return panel.send({ type: 'engine', code: new TextDecoder().decode(code) });
      }
      case 'head':
        return show(specOfHead(message.head), message.view, message.label);
      case 'log':
        return report.log[message.level](message.message);
    }
  };

  const choose = async (): Promise<void> => {
    if (!open?.run || !open.summary) return open?.panel.reveal();
    const { panel, summary, run, start } = open;
    const name = start.folder?.name ?? '';
    const chosen = await pickHead(name, summary, run);
    if (chosen === 'text') {
      panel.reveal();
      return panel.send({ type: 'focusText' });
    }
    const reply = chosen && (await client.ask({ kind: 'head', place: placeOf(chosen.one) }));
    if (reply && 'problems' in reply) return report.problems({ name }, reply.problems);
    if (reply && 'head' in reply && chosen) show(specOfHead(reply.head), viewOf(run, chosen.one), `${name}, ${chosen.where}`); // prettier-ignore
  };

  return vscode.Disposable.from(
    client,
    command(
      openModelCommand,
      guarded(vscode.l10n.t('Opening a model'), async (argument) => {
        const text = selectedText();
        const named = argument instanceof vscode.Uri ? argument : undefined;
        if (!named && !hasFolders) return openPage({ type: 'start', folder: null, text });
        const folder = named ?? (await askForFolder());
        if (!folder) return;
        if (hasFolders && folder.scheme === 'file') {
          // What is open and read stays: this folder would show nothing in its place.
          if (!open?.summary || (await exists(vscode.Uri.joinPath(folder, 'config.json'))))
            return openPage({ type: 'start', folder: folderOf(folder), text });
          const missing: Problem = { code: 'model', message: vscode.l10n.t('{0} is not in the folder', 'config.json'), hint: vscode.l10n.t('Choose the folder that has config.json and model.safetensors.') }; // prettier-ignore
          return report.problems({ name: folderOf(folder).name }, [missing]);
        }
        const elsewhere: Problem = { code: 'model', message: vscode.l10n.t('a model is read from a folder of this machine: {0} is elsewhere', folder.toString(true)), hint: vscode.l10n.t('Run explain-attention model FOLDER there, or choose the files in the page.') }; // prettier-ignore
        report.problems({ name: folderOf(folder).name }, [elsewhere]);
        if (!open?.summary) openPage({ type: 'start', folder: null, text });
      }),
    ),
    command(chooseHeadCommand, guarded(vscode.l10n.t('Choosing a head'), choose)),
  );
}

/** Whether this host has Node's files; a browser's has none. */
function canReadFolders(): boolean {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.('node:fs/promises') !== undefined;
}

/** Asks the worker for the page, and remembers what the first side has read. */
async function answer(client: ModelClient, page: Open, { id, question }: Extract<ModelPageMessage, { type: 'ask' }>): Promise<void> {
  const source = new vscode.CancellationTokenSource();
  page.running.set(id, source);
  const reply = await client.ask(question, (progress) => page.panel.send({ type: 'told', message: { ...progress, id } }), source.token);
  page.running.delete(id);
  source.dispose();
  if (isOfFirst(question)) {
    if ('opened' in reply) page.summary = reply.opened;
    if ('ran' in reply) page.run = reply.ran;
  }
  page.panel.send({ type: 'told', message: { ...reply, id } });
} // prettier-ignore

const isOfFirst = (question: ModelQuestion): boolean => !('side' in question) || question.side !== 'second';

/** What is selected in the active editor. */
function selectedText(): string {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.getText(editor.selection) ?? '';
}

const folderOf = (folder: vscode.Uri): ModelFolder => ({
  path: folder.fsPath,
  name: folder.path.split('/').filter(Boolean).at(-1) ?? folder.fsPath,
});

async function askForFolder(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Open Model: the folder with config.json and model.safetensors'),
    openLabel: vscode.l10n.t('Open Model'),
    canSelectFolders: true,
    canSelectFiles: false,
  });
  return chosen?.[0];
}

const placeOf = ({ stack, layer, head, crosses }: PlacedHead) => ({ stack, layer, head, ...(crosses && { crosses }) });

/** The weights, where the last token looks most. */
function viewOf({ first, second }: ModelRun, { stack, last }: PlacedHead): View {
  const rows = (stack === 'decoder' && second ? second : first).tokens.length;
  return { step: 'weights', cell: [rows - 1, last.key] };
}

async function pickHead(name: string, { predicts }: ModelSummary, run: ModelRun): Promise<HeadItem | 'text' | undefined> {
  const { first, predictions, notFinite } = run;
  const next = predictions.map(({ token, probability }) => `“${token}” ${percent(probability)}`).join(', ');
  const another = { label: `$(edit) ${vscode.l10n.t('Another text…')}`, alwaysShow: true };
  const what = predicts === 'next' ? vscode.l10n.t('next: {0}', next) : vscode.l10n.t('in the last place: {0}', next);
  const nan = notFinite === undefined ? [] : [notFinite];
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
