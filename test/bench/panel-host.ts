// Runs in the extension host of a real VS Code: from the command to the first step on the screen, against an empty panel that shows one
// word, turn by turn. Both clocks are the host's, and both stop when the page says that a frame with its content was drawn.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 20);
const text = 'the quick brown fox jumps over the lazy dog while the small cat sleeps on the warm mat at noon';
/** Twelve words, all of which the word model knows. */
const sentence = 'the old keys near the tables are lost because tom was late';
const command = 'explainAttention.explain';

/** Says `shown` after the frame in which the page has what it is to show. */
const watcher = (ready: string): string => `
  const api = acquireVsCodeApi();
  window.acquireVsCodeApi = () => api;
  const loaded = performance.now();
  const say = () => api.postMessage({ type: 'log', level: 'info', message: 'shown ' + (performance.now() - loaded) });
  const drawn = () => requestAnimationFrame(() => requestAnimationFrame(say));
  const look = () => (${ready} ? drawn() : requestAnimationFrame(look));
  look();`;

/** Milliseconds in the page from its first script to the frame, if a message says so. */
const shownIn = (message: unknown): number | undefined => {
  const text = (message as { message?: unknown } | null)?.message;
  return typeof text === 'string' && text.startsWith('shown ') ? Number(text.slice(6)) : undefined;
};

/** Milliseconds from the command, and those of them that passed in the page. */
interface Time {
  readonly whole: number;
  readonly page: number;
}

function once(panel: vscode.WebviewPanel, began: number): Promise<Time> {
  return new Promise((done) => {
    panel.webview.onDidReceiveMessage((message) => {
      const page = shownIn(message);
      if (page !== undefined) done({ whole: performance.now() - began, page });
    });
  });
}

async function empty(): Promise<Time> {
  const began = performance.now();
  const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const panel = vscode.window.createWebviewPanel('bench.empty', 'Empty', column, { enableScripts: true });
  const time = once(panel, began);
  panel.webview.html = `<!DOCTYPE html><html><body>word<script>${watcher('document.body')}</script></body></html>`;
  const result = await time;
  panel.dispose();
  return result;
}

/** The extension gets a panel whose page says when its first step is drawn; its own script and policy stay as they are. */
async function explained(): Promise<Time> {
  const { createWebviewPanel } = vscode.window;
  const began = performance.now();
  let opened: vscode.WebviewPanel | undefined;
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<Time>((done, failed) => {
    vscode.window.createWebviewPanel = (...args: Parameters<typeof createWebviewPanel>) => {
      const panel = (opened = createWebviewPanel(...args));
      once(panel, began).then(done, failed);
      return withWatcher(panel);
    };
    timer = setTimeout(
      () => failed(new Error(`no first step within 30 s${opened ? '' : ': no panel was opened'}`)),
      30_000,
    );
  });
  try {
    await vscode.commands.executeCommand(command);
    const taken = await time;
    // VS Code waits 30 s for the fonts of a page that is gone, and opens no other meanwhile.
    await wait(2000);
    return taken;
  } finally {
    clearTimeout(timer);
    vscode.window.createWebviewPanel = createWebviewPanel;
    opened?.dispose();
  }
}

function withWatcher(panel: vscode.WebviewPanel): vscode.WebviewPanel {
  const { webview } = panel;
  const ready = `document.body?.dataset.ready === 'true' && document.querySelector('[data-current-step], .opening-next li')`;
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(webview), 'html');
  Object.defineProperty(webview, 'html', {
    get: () => own?.get?.call(webview) as unknown,
    set: (html: string) => own?.set?.call(webview, inserted(html, watcher(ready))),
  });
  return panel;
}

function inserted(html: string, script: string): string {
  const nonce = /<script nonce="([0-9a-f]+)"/.exec(html)?.[1] ?? '';
  return html.replace(/<script/, () => `<script nonce="${nonce}">${script}</script>\n<script`);
}

/** Where profiles of the host go, one for each round: rounds that are profiled are no measurement. */
const profiles = process.env['BENCH_PROFILE'];

/** Runs `act` and writes what the host did meanwhile. */
async function profiled<T>(round: number, act: () => Promise<T>): Promise<T> {
  if (!profiles) return act();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  const result = await act();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  writeFileSync(`${profiles}-${round}.cpuprofile`, JSON.stringify(profile));
  return result;
}

const median = (times: readonly number[]): number => {
  const sorted = [...times].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[half] ?? NaN) : ((sorted[half - 1] ?? NaN) + (sorted[half] ?? NaN)) / 2;
};

const ms = (x = NaN): string => `${x.toFixed(x < 10 ? 1 : 0)} ms`;
const wait = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

const activations = 11;

/**
 * Activating ours and an extension that does nothing, as VS Code does it and each for the first time, turn by turn.
 */
async function activation(): Promise<void> {
  const times: Record<'empty' | 'ours', number[]> = { empty: [], ours: [] };
  for (let i = 0; i < activations; i++) {
    for (const name of ['empty', 'ours'] as const) {
      const extension = vscode.extensions.getExtension(`explain-attention.${name}-${i}`);
      if (!extension || extension.isActive) throw new Error(`${name}-${i} is ${extension ? 'active' : 'missing'}`);
      const began = performance.now();
      await extension.activate();
      times[name].push(performance.now() - began);
      await wait(50);
    }
  }
  const line = (name: string, t: readonly number[]): string =>
    `${name} median ${ms(median(t))}, least ${ms(Math.min(...t))}`;
  const ratios = times.ours.map((x, i) => x / (times.empty[i] ?? NaN));
  const medians = median(times.ours) / median(times.empty);
  console.log(`activation: ${line('empty', times.empty)}; ${line('ours', times.ours)}; ${activations} rounds`);
  console.log(
    `activation: ours / empty  ${medians.toFixed(2)} of medians, ${median(ratios).toFixed(2)} median of ratios`,
  );
}

/** The first view of a sentence by a trained model, against that with random weights, turn by turn. */
async function trained(): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content: sentence, language: 'markdown' });
  const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  editor.selection = new vscode.Selection(0, 0, 0, sentence.length);
  const settings = vscode.workspace.getConfiguration('explainAttention');
  const times: Record<'random' | 'trained', number[]> = { random: [], trained: [] };
  for (let i = 0; i <= rounds; i++) {
    for (const weights of ['random', 'trained'] as const) {
      await settings.update('textWeights', weights, vscode.ConfigurationTarget.Global);
      const { whole } = await explained();
      // The first reads the model's file, which then stays: it is reported and does not count.
      if (i === 0) console.log(`sentence: ${weights} first ${ms(whole)}`);
      else times[weights].push(whole);
      await wait(500);
    }
  }
  await settings.update('textWeights', undefined, vscode.ConfigurationTarget.Global);
  const ratios = times.trained.map((x, i) => x / (times.random[i] ?? NaN));
  const line = (['random', 'trained'] as const).map((name) => `${name} median ${ms(median(times[name]))}`).join(', ');
  console.log(
    `sentence: ${line}; trained / random ${(median(times.trained) / median(times.random)).toFixed(2)} of medians, ${median(ratios).toFixed(2)} median of ratios`,
  );
}

export async function run(): Promise<void> {
  // A language of its own: VS Code guesses one for a plain new document, and then it is another document.
  // As in earlier results: what a trained model adds is measured apart, below.
  const settings = vscode.workspace.getConfiguration('explainAttention');
  await settings.update('textWeights', 'random', vscode.ConfigurationTarget.Global);
  const document = await vscode.workspace.openTextDocument({ content: text, language: 'markdown' });
  const editor = await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  editor.selection = new vscode.Selection(0, 0, 0, text.length);
  // The panels' group stays open between rounds: opening and closing it moves the whole window.
  const other = await vscode.workspace.openTextDocument({ content: 'beside', language: 'markdown' });
  await vscode.window.showTextDocument(other, { viewColumn: vscode.ViewColumn.Two, preserveFocus: true });
  await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
  await wait(3000);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const times: { empty: Time[]; ours: Time[] } = { empty: [], ours: [] };
  const longest: number[] = [];
  // The first of each loads what VS Code then keeps: it is reported and does not count.
  for (let i = 0; i <= rounds; i++) {
    times.empty.push(await empty());
    await wait(500);
    delay.reset();
    delay.enable();
    times.ours.push(await profiled(i, explained));
    longest.push(delay.max / 1e6);
    delay.disable();
    await wait(500);
  }
  report(times.empty, times.ours, longest);
  await trained();
  await activation();
}

function report(
  [firstEmpty, ...e]: readonly Time[],
  [firstOurs, ...o]: readonly Time[],
  longest: readonly number[],
): void {
  const whole = (t: readonly Time[]): number[] => t.map((time) => time.whole);
  const page = (t: readonly Time[]): number[] => t.map((time) => time.page);
  const line = (name: string, first: Time | undefined, t: readonly Time[]): void =>
    console.log(
      `panel: ${name} median ${ms(median(whole(t)))}, least ${ms(Math.min(...whole(t)))}, first ${ms(first?.whole)}; in the page ${ms(median(page(t)))}`,
    );
  console.log(`panel: ${text.split(' ').length} tokens, ${rounds} rounds`);
  line('empty', firstEmpty, e);
  line('ours ', firstOurs, o);
  const ratios = whole(o).map((x, i) => x / (whole(e)[i] ?? NaN));
  const medians = median(whole(o)) / median(whole(e));
  console.log(`panel: ours / empty  ${medians.toFixed(2)} of medians, ${median(ratios).toFixed(2)} median of ratios`);
  console.log(
    `panel: longest stop of the host's event loop  median ${ms(median(longest))}, worst ${ms(Math.max(...longest))}`,
  );
}
