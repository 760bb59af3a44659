import * as vscode from 'vscode';
import { captureIn, exactHead, inStretches, judgedWords, judgeHead, overBudget, pictureOf, planOf, readHead, specOfCaptured, type AttentionSpec, type Capture, type CapturedHead, type HeadAt, type TensorFile } from '../../engine/index'; // prettier-ignore
import { parseCapturePageMessage, type CapturedPicture, type CaptureHostMessage } from '../../webview/protocol';
import { viewTypes } from '../activation';
import type { Guard, Report } from '../host';
import { language } from '../language';
import { createNonce, pageHtml, startPage } from '../pages';

/** Shows a head in a panel. */
export type ShowCaptured = (spec: AttentionSpec, label: string, notes: readonly string[]) => void;

/** Opens the page of a file if a model was recorded in it; false if it is any other file of tensors. */
export type OpenCapture = (file: TensorFile, name: string, uri: vscode.Uri) => boolean;

interface Opened {
  readonly file: TensorFile;
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly capture: Capture;
}

/** Heads that are sent to the page at once. */
const together = 8;

export function createCaptures(extensionUri: vscode.Uri, report: Report, guarded: Guard, show: ShowCaptured): OpenCapture {
  return (file, name, uri) => {
    const capture = captureIn(file);
    if (!capture) return false;
    if (!capture.ok) report.problems({ name }, capture.problems);
    else openPage(extensionUri, report, guarded, show, { file, name, uri, capture: capture.value });
    return true;
  };
} // prettier-ignore

function openPage(extensionUri: vscode.Uri, report: Report, guarded: Guard, show: ShowCaptured, opened: Opened): void {
  const dist = vscode.Uri.joinPath(extensionUri, 'dist');
  const panel = vscode.window.createWebviewPanel(viewTypes.capture, opened.name, vscode.ViewColumn.Active, { enableScripts: true, localResourceRoots: [dist], retainContextWhenHidden: true });
  panel.iconPath = vscode.Uri.joinPath(extensionUri, 'extension', 'media', 'icon.png');
  let isClosed = false;
  panel.onDidDispose(() => (isClosed = true));
  const send = (message: CaptureHostMessage): void => void (isClosed || panel.webview.postMessage(message));
  const hear = guarded(vscode.l10n.t('The page of a recorded model'), async (value: unknown) => {
    const message = parseCapturePageMessage(value);
    if (!message.ok) return report.log.error(`a message of the page of a recorded model was refused: ${message.problems.map((p) => p.message).join('; ')}`);
    switch (message.value.type) {
      case 'ready':
        send({ type: 'capture', name: opened.name, capture: opened.capture });
        return sendHeads(opened, send, () => isClosed);
      case 'open':
        return openHead(opened, message.value.at, report, show);
      case 'line':
        return openLine(opened, message.value.attention);
      case 'log':
        return report.log[message.value.level](message.value.message);
    }
  });
  panel.webview.onDidReceiveMessage((value) => void hear(value));
  const at = (name: string): string => panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const files = { at, cspSource: panel.webview.cspSource, page: 'capture' } as const;
  // Last, so that handlers are registered before the page can send a message.
  startPage(panel, {
    html: () => pageHtml(files, createNonce(), '', language()),
    onReload: (waited) => report.log.warn(`the page of a recorded model said nothing for ${waited} ms: it is loaded again`),
  });
} // prettier-ignore

/** Computes every head exactly, in short stretches, and sends what it comes to. */
async function sendHeads({ file, capture }: Opened, send: (message: CaptureHostMessage) => void, isClosed: () => boolean): Promise<void> {
  let heads: CapturedPicture[] = [];
  const problems: string[] = [];
  const flush = (): void => {
    if (heads.length > 0) send({ type: 'heads', heads });
    heads = [];
  };
  for (const [attention, about] of capture.attentions.entries())
    for (const input of about.batch.keys())
      for (const head of about.heads.keys()) {
        const read = await readHead(file, capture, { attention, input, head });
        if (!read.ok) {
          problems.push(...read.problems.map(({ message }) => message));
          continue;
        }
        const found = await inStretches(judged(read.value), isClosed);
        if (!found) return;
        heads.push(found);
        if (heads.length >= together) flush();
      }
  flush();
  if (problems.length > 0) send({ type: 'problems', messages: problems.slice(0, 20) });
} // prettier-ignore

function* judged(head: CapturedHead) {
  const exact = yield* exactHead(head);
  const found = yield* judgeHead(head, exact);
  return { at: head.at, picture: pictureOf(exact.weights, head.n, head.m), is: found.is, says: judgedWords(found, head) };
} // prettier-ignore

async function openHead({ file, capture, name }: Opened, at: HeadAt, report: Report, show: ShowCaptured): Promise<void> {
  const read = await readHead(file, capture, at);
  if (!read.ok) return report.problems({ name }, read.problems);
  const { about } = read.value;
  const spec = specOfCaptured(read.value);
  const plan = planOf(spec);
  const problem = plan.ok && overBudget(plan.value, spec.dtype);
  if (!plan.ok || problem) return report.problems({ name }, plan.ok ? (problem ? [problem] : []) : plan.problems);
  const found = await inStretches(judged(read.value));
  const place = `${about.module || about.kind}, ${vscode.l10n.t('head {0}', about.heads[at.head] ?? 0)}`;
  const kind = about.kind === 'softmax' ? vscode.l10n.t('softmax by hand') : about.function || about.kind;
  const from = vscode.l10n.t('Recorded at {0}, line {1}: {2}.', about.where[0], about.where[1], kind);
  const part = about.rows[1] - about.rows[0] < about.shape[2] ? [vscode.l10n.t('Queries {0} to {1} of {2}; rows have the numbers that they have in the process.', about.rows[0], about.rows[1] - 1, about.shape[2])] : [];
  show(spec, `${name}: ${place}`, [...(found ? [found.says] : []), from, ...part, ...about.notes]);
} // prettier-ignore

/** The line of the code: an absolute path, or one below the folder of the file or of the workspace. */
async function openLine({ capture, uri }: Opened, attention: number): Promise<void> {
  const [path, line] = capture.attentions[attention]?.where ?? ['', 0];
  const isAbsolute = /^([/\\]|[a-z]:)/i.test(path);
  const folders = [vscode.Uri.joinPath(uri, '..'), ...(vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri)];
  const places = isAbsolute ? [uri.with({ path: vscode.Uri.file(path).path })] : folders.map((folder) => vscode.Uri.joinPath(folder, path));
  for (const place of places) {
    const document = await vscode.workspace.openTextDocument(place).then((one) => one, () => undefined);
    if (!document) continue;
    const at = new vscode.Position(Math.max(0, Math.min(line, document.lineCount) - 1), 0);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at), viewColumn: vscode.ViewColumn.Beside });
    return;
  }
  void vscode.window.showInformationMessage(vscode.l10n.t('{0} is not here: the model ran elsewhere.', path));
} // prettier-ignore
