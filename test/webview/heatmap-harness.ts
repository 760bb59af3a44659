// Bundles the heatmap lab and opens it in Chromium under the panel's own content security policy.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import {
  explainAttention,
  explainCell,
  matrixDefaults,
  type AttentionSpec,
  type CellExplanation,
  type SpecMatrix,
} from '../../engine/index';
import { launchChromium } from '../host/chromium';
import { themes, type ThemeName } from './themes';

const root = join(__dirname, '../..');
const origin = 'https://lab.test';

export interface LabPage {
  readonly page: Page;
  /** Errors and violations of the policy; a test expects none. */
  readonly troubles: string[];
}

interface Bundle {
  readonly script: string;
  readonly style: string;
}

let bundle: Promise<Bundle> | undefined;

async function bundled(): Promise<Bundle> {
  const stdin = {
    contents: "import './test/webview/heatmap-lab'; import './webview/theme.css'; import './webview/matrices.css';",
    resolveDir: root,
  };
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    write: false,
    outdir: 'lab',
    format: 'iife',
    target: 'es2022',
  });
  const text = (end: string): string => outputFiles.find((f) => f.path.endsWith(end))?.text ?? '';
  return { script: text('.js'), style: text('.css') };
}

export const startLab = (): Promise<Browser> => launchChromium();

export interface LabOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly deviceScaleFactor?: number;
}

export async function openLab(browser: Browser, options: LabOptions = {}): Promise<LabPage> {
  const { theme = 'dark', width = 900, height = 800, deviceScaleFactor = 1 } = options;
  const { script, style } = await (bundle ??= bundled());
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor });
  const troubles: string[] = [];
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.stack ?? error.message));
  const policy = `default-src 'none'; script-src ${origin} 'wasm-unsafe-eval'; style-src ${origin}; font-src ${origin}; img-src data:`;
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Lab</title>` +
    `<meta http-equiv="Content-Security-Policy" content="${policy}">` +
    `<link rel="stylesheet" href="/lab.css"></head><body class="${themes[theme].classes}">` +
    `<script src="/lab.js"></script></body></html>`;
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/lab.js') return route.fulfill({ contentType: 'text/javascript', body: script });
    if (pathname === '/lab.css') return route.fulfill({ contentType: 'text/css', body: style });
    return pathname === '/' ? route.fulfill({ contentType: 'text/html', body: html }) : route.fulfill({ status: 204 });
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (e) =>
      console.error(`policy: ${e.violatedDirective} ${e.sample}`),
    );
  });
  await page.goto(`${origin}/`);
  await page.waitForFunction(() => window.lab !== undefined);
  await page.evaluate(dress, themes[theme].variables);
  return { page, troubles };
}

/** The theme's variables, and a body as the panel's. */
function dress(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
  const { style } = document.body;
  style.margin = '16px';
  style.background = 'var(--vscode-editor-background)';
  style.color = 'var(--vscode-foreground)';
  style.font = '13px/1.5 var(--vscode-font-family)';
}

/** A lab page for one test; no test may leave an error or a violation of the policy behind. */
export async function inLab(browser: Browser, options: LabOptions, test: (page: Page) => Promise<void>): Promise<void> {
  const { page, troubles } = await openLab(browser, options);
  try {
    await test(page);
    assert.deepEqual(troubles, []);
  } finally {
    await page.close();
  }
}

/** A given X with Q = K = V = X. */
export const given = (x: SpecMatrix, more: Partial<AttentionSpec> = {}): AttentionSpec => ({
  ...matrixDefaults,
  start: { from: 'x', x },
  ...more,
});

/** Row, column and name of the focused cell. */
export const focused = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() =>
    ['data-row', 'data-column', 'aria-label'].map((name) => document.activeElement?.getAttribute(name) ?? null),
  );

/** Two frames later: everything asked for by an event has been drawn. */
export const settle = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** What the engine says, in this process: not the page's own copy. */
export function engineSays<K extends CellExplanation['kind']>(
  spec: AttentionSpec,
  step: string,
  index: readonly number[],
  kind: K,
): Extract<CellExplanation, { kind: K }> {
  const trace = explainAttention(spec);
  assert.ok(trace.ok);
  const made = explainCell(trace.value, step, index);
  assert.equal(made.kind, kind);
  return made as Extract<CellExplanation, { kind: K }>;
}
