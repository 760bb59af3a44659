import { english, pageAttribute, textsElement, type Language, type PageName } from './html';
import { nextTurn } from '../activation';

export interface StandaloneParts {
  /** The page's bundle and style sheet. */
  readonly script: string;
  readonly style: string;
  /** Which page the bundle starts; the explainer, unless it is given. */
  readonly page?: PageName;
  /** What the page saved of itself; as its JSON in UTF-8 where it is large. */
  readonly state: unknown;
  readonly theme: { readonly classes: string; readonly variables: Readonly<Record<string, string>> };
  /** English where there is none. */
  readonly language?: Language;
  /** A file beside the style sheet: its fonts. */
  readonly read: (path: string) => PromiseLike<Uint8Array>;
}

/**
 * The page as one file: script, style, fonts and state inside. Its policy forbids every connection; what the page would ask VS Code for it
 * does itself (copying, saving) or leaves alone.
 */
export async function standaloneHtml(
  { script, style, page = 'explainer', state, theme, read, language = english }: StandaloneParts,
  nonce: string,
): Promise<string> {
  const css = await withFonts(style, read);
  // Megabytes each: the thread is given away between them.
  await nextTurn();
  const code = inScript(script);
  await nextTurn();
  const saved = state instanceof Uint8Array ? new TextDecoder().decode(state) : JSON.stringify(state);
  await nextTurn();
  const data = saved.replace(/</g, '\\u003c');
  await nextTurn();
  return `<!DOCTYPE html>
<html lang="${language.tag.replace(/[^\w-]/g, '')}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(nonce)}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Explain Attention">
<title>Explain Attention</title>
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
<script nonce="${nonce}">${inScript(standIn)}</script>
<script nonce="${nonce}">${code}</script>
</body>
</html>
`;
}

const policy = (nonce: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}' 'wasm-unsafe-eval'; style-src 'nonce-${nonce}'; font-src data:; worker-src blob:; base-uri 'none'; form-action 'none'`;

/** A script ends at the first closing tag, wherever it stands; in JavaScript's strings and expressions the escape means the same. */
const inScript = (script: string): string => script.replace(/<\/(?=script)/gi, '<\\/').replace(/<!--/g, '<\\!--');

/** Values as VS Code wrote them; one that could end the rule is left out. */
const variablesOf = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .filter(([name, value]) => /^--vscode-[\w-]+$/.test(name) && !/[<>{};]/.test(value))
    .map(([name, value]) => `  ${name}: ${value};`)
    .join('\n');

/** `url("./fonts/…")` with the font itself in its place. */
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

/** What stands in for VS Code: state in memory, copying and saving by the browser. */
const standIn = `
'use strict';
(() => {
  let state = JSON.parse(document.getElementById('saved-state').textContent);
  const save = (name, content) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([content]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const names = { python: 'attention.py', json: 'attention.json' };
  const postMessage = (message) => {
    if (message.type === 'copy') void navigator.clipboard?.writeText(message.text);
    else if (message.type === 'open') save(names[message.language], message.content);
    else if (message.type === 'save') save(message.name, message.content);
  };
  window.acquireVsCodeApi = () => ({ postMessage, getState: () => state, setState: (next) => void (state = next) });
})();
`;
