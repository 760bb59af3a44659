import { english, pageAttribute, script, stylesOf, textsElement, type Language, type PageName } from './html';
import { nextTurn } from '../activation';
import type { AlongStop } from '../../webview/protocol';
import { alongScript } from './along-script';

export interface StandaloneParts {
  /** The page that the bundle starts, by default the explainer. */
  readonly page?: PageName;
  /** The page's saved state; a large one as the UTF-8 bytes of its JSON. */
  readonly state: unknown;
  readonly theme: { readonly classes: string; readonly variables: Readonly<Record<string, string>> };
  /** What the page is about: its title, before the product's name. */
  readonly title?: string;
  /** English by default. */
  readonly language?: Language;
  /** Files that the page asks the host for, by name: those of a model. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** The way through the document that the page is about, where it was read along. */
  readonly along?: readonly AlongStop[];
  /** Reads a file by its path in the package's `dist`: the page's script, style sheets, their fonts. */
  readonly read: (path: string) => PromiseLike<Uint8Array>;
}

/**
 * The page as one HTML file that contains its script, style, fonts and state. Its Content Security Policy forbids every connection. Copying and
 * saving, for which the page asks VS Code, are done by the browser instead; other requests are ignored.
 */
export async function standaloneHtml(
  { page = 'explainer', state, theme, read, files = {}, along = [], language = english, title = '' }: StandaloneParts,
  nonce: string,
): Promise<string> {
  const decode = async (name: string): Promise<string> => new TextDecoder().decode(await read(name));
  const css = await withFonts((await Promise.all(stylesOf(page).map(decode))).join('\n'), read);
  // Each of these texts has megabytes, so other work may run between them.
  await nextTurn();
  const code = inScript(await decode(script));
  await nextTurn();
  const saved = state instanceof Uint8Array ? new TextDecoder().decode(state) : JSON.stringify(state);
  await nextTurn();
  const data = saved.replace(/</g, '\\u003c');
  await nextTurn();
  const sent = JSON.stringify(Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, base64(bytes)])));
  return `<!DOCTYPE html>
<html lang="${language.tag.replace(/[^\w-]/g, '')}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(nonce)}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Explain Attention">
<title>${inText(title && `${title} · `)}Explain Attention</title>
<style nonce="${nonce}">
:root {
${variablesOf(theme.variables)}
}
${css.replace(/<\//g, '<\\/')}
</style>
</head>
<body class="${theme.classes.replace(/[^\w -]/g, '')}"${pageAttribute(page)}>
${textsElement(language)}
<script type="application/json" id="saved-state">${data}</script>
<script type="application/json" id="saved-files">${sent.replace(/</g, '\\u003c')}</script>
<script type="application/json" id="saved-along">${JSON.stringify(along).replace(/</g, '\\u003c')}</script>
<script nonce="${nonce}">${inScript(vscodeApiSubstitute)}</script>
<script nonce="${nonce}">${code}</script>
</body>
</html>
`;
}

const inText = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

const policy = (nonce: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}' 'wasm-unsafe-eval'; style-src 'nonce-${nonce}'; font-src data:; worker-src blob:; base-uri 'none'; form-action 'none'`;

/** Escapes what would end the script element. In JavaScript's strings and expressions the escaped text means the same. */
const inScript = (script: string): string => script.replace(/<\/(?=script)/gi, '<\\/').replace(/<!--/g, '<\\!--');

/** VS Code's theme variables as CSS declarations. Leaves out values that could end the rule. */
const variablesOf = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .filter(([name, value]) => /^--vscode-[\w-]+$/.test(name) && !/[<>{};]/.test(value))
    .map(([name, value]) => `  ${name}: ${value};`)
    .join('\n');

/** The style sheet with each `url("./fonts/…")` replaced by the font itself. */
async function withFonts(style: string, read: StandaloneParts['read']): Promise<string> {
  const names = [...new Set([...style.matchAll(/url\("?\.\/(fonts\/[\w.-]+)"?\)/g)].map(([, name = '']) => name))];
  const fonts = await Promise.all(names.map(async (name) => [name, base64(await read(name))] as const));
  return fonts.reduce(
    (css, [name, data]) =>
      css.replaceAll(
        new RegExp(`url\\("?\\./${name.replace(/\./g, '\\.')}"?\\)`, 'g'),
        `url(data:font/woff2;base64,${data})`,
      ),
    style,
  );
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary);
}

/**
 * A substitute for VS Code's webview API: copies and saves by the browser, which keeps the state too, so that a reload loses nothing. A page that was saved
 * anew has another state and begins with that. Where the browser keeps nothing, the state is in memory.
 */
const vscodeApiSubstitute = `
'use strict';
(() => {
  const given = document.getElementById('saved-state').textContent;
  let sum = 0;
  for (let i = 0; i < given.length; i++) sum = (Math.imul(sum, 31) + given.charCodeAt(i)) | 0;
  const key = 'explain-attention ' + location.pathname.split('/').pop() + ' ' + given.length + ' ' + sum;
  const attempt = (work) => { try { return work(); } catch { return null; } };
  let state = JSON.parse(attempt(() => localStorage.getItem(key)) ?? given);
  const keep = (next) => {
    state = next;
    const text = JSON.stringify(next);
    if (text.length < 2e6) attempt(() => localStorage.setItem(key, text));
  };
  const save = (name, content) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([content]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const files = JSON.parse(document.getElementById('saved-files').textContent);
  const send = (file) => {
    const bytes = files[file] === undefined ? undefined : Uint8Array.from(atob(files[file]), (c) => c.charCodeAt(0));
    const problems = [{ code: 'gone', message: file + ' is not in this page' }];
    setTimeout(() => window.postMessage(bytes ? { type: 'modelFile', file, bytes } : { type: 'noTokenizer', name: file, problems }, '*'));
  };
${alongScript}
  const names = { python: 'attention.py', json: 'attention.json' };
  const postMessage = (message) => {
    if (message.type === 'copy') void navigator.clipboard?.writeText(message.text);
    else if (message.type === 'open') save(names[message.language], message.content);
    else if (message.type === 'save') save(message.name, message.content);
    else if (message.type === 'modelFile') send(message.file);
    else if (message.type === 'along') lead(message.act);
    else if (message.type === 'ready' && !ended) show(false);
  };
  window.acquireVsCodeApi = () => ({ postMessage, getState: () => state, setState: keep });
})();
`;
