// Runs in the extension host of a real VS Code: from the command to the first step on the screen, against an empty panel that shows one
// word, turn by turn. Both clocks are the host's, and both stop when the page says that a frame with its content was drawn.
import * as vscode from 'vscode';

const rounds = 20;
const text = 'the quick brown fox jumps over the lazy dog while the small cat sleeps on the warm mat at noon';
const command = 'explainAttention.explain';

/** Says `shown` after the frame in which the page has what it is to show. */
const watcher = (ready: string): string => `
  const api = acquireVsCodeApi();
  window.acquireVsCodeApi = () => api;
  const drawn = () => requestAnimationFrame(() => requestAnimationFrame(() => api.postMessage({ type: 'log', level: 'info', message: 'shown' })));
  const look = () => (${ready} ? drawn() : requestAnimationFrame(look));
  look();`;

const isShown = (message: unknown): boolean => (message as { message?: unknown } | null)?.message === 'shown';

function once(panel: vscode.WebviewPanel, began: number): Promise<number> {
  return new Promise((done) => {
    panel.webview.onDidReceiveMessage((message) => isShown(message) && done(performance.now() - began));
  });
}

async function empty(): Promise<number> {
  const began = performance.now();
  const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const panel = vscode.window.createWebviewPanel('bench.empty', 'Empty', column, { enableScripts: true });
  const time = once(panel, began);
  panel.webview.html = `<!DOCTYPE html><html><body>word<script>${watcher('true')}</script></body></html>`;
  const result = await time;
  panel.dispose();
  return result;
}

/** The extension gets a panel whose page says when its first step is drawn; its own script and policy stay as they are. */
async function explained(): Promise<number> {
  const { createWebviewPanel } = vscode.window;
  const began = performance.now();
  let opened: vscode.WebviewPanel | undefined;
  const time = new Promise<number>((done, failed) => {
    vscode.window.createWebviewPanel = (...args: Parameters<typeof createWebviewPanel>) => {
      const panel = (opened = createWebviewPanel(...args));
      once(panel, began).then(done, failed);
      return withWatcher(panel);
    };
    setTimeout(() => failed(new Error('no first step within 30 s')), 30_000);
  });
  try {
    await vscode.commands.executeCommand(command);
    return await time;
  } finally {
    vscode.window.createWebviewPanel = createWebviewPanel;
    opened?.dispose();
  }
}

function withWatcher(panel: vscode.WebviewPanel): vscode.WebviewPanel {
  const { webview } = panel;
  const ready = `document.body.dataset['ready'] === 'true' && document.querySelector('[data-current-step]')`;
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(webview), 'html');
  Object.defineProperty(webview, 'html', {
    get: () => own?.get?.call(webview) as unknown,
    set: (html: string) => own?.set?.call(webview, inserted(html, watcher(ready))),
  });
  return panel;
}

function inserted(html: string, script: string): string {
  const nonce = /nonce="([0-9a-f]+)" src=/.exec(html)?.[1] ?? '';
  return html.replace(/<script/, `<script nonce="${nonce}">${script}</script>\n<script`);
}

const median = (times: readonly number[]): number => {
  const sorted = [...times].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[half] ?? NaN) : ((sorted[half - 1] ?? NaN) + (sorted[half] ?? NaN)) / 2;
};

export async function run(): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content: text });
  const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  editor.selection = new vscode.Selection(0, 0, 0, text.length);
  await new Promise((done) => setTimeout(done, 3000));
  const times: { empty: number[]; ours: number[] } = { empty: [], ours: [] };
  // The first of each loads what VS Code then keeps: it is reported and does not count.
  for (let i = 0; i <= rounds; i++) {
    times.empty.push(await empty());
    times.ours.push(await explained());
    await new Promise((done) => setTimeout(done, 200));
  }
  const [firstEmpty, ...e] = times.empty;
  const [firstOurs, ...o] = times.ours;
  const ms = (x = NaN): string => `${x.toFixed(0)} ms`;
  const least = (x: readonly number[]): string => ms(Math.min(...x));
  console.log(`panel: ${text.split(' ').length} tokens, ${rounds} rounds`);
  console.log(`panel: empty  median ${ms(median(e))}, least ${least(e)}, first ${ms(firstEmpty)}`);
  console.log(`panel: ours   median ${ms(median(o))}, least ${least(o)}, first ${ms(firstOurs)}`);
  const ratios = o.map((x, i) => x / (e[i] ?? NaN));
  console.log(
    `panel: ours / empty  ${(median(o) / median(e)).toFixed(2)} of medians, ${median(ratios).toFixed(2)} median of ratios`,
  );
}
