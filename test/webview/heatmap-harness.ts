// Bundles the heatmap lab and opens it in Chromium under the panel's own content security policy.
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
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
    contents: "import './test/webview/heatmap-lab'; import './webview/theme.css'; import './webview/heatmap.css';",
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
  const policy = `default-src 'none'; script-src ${origin}; style-src ${origin}; font-src ${origin}; img-src data:`;
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
