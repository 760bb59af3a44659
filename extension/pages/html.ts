import type { Texts } from '../../engine/index';
import { contentSecurityPolicy } from '../../webview/protocol';

/** Where the page's files are, as the webview sees them. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
  /** `webview.cspSource` */
  readonly cspSource: string;
  /** Which page the one bundle starts; the explainer, unless it is given. */
  readonly page?: PageName;
}

/** As `<body data-page>` (webview/main.ts). */
export type PageName = 'explainer' | 'lesson';

/** 128 random bits in hexadecimal: a script without it does not run. */
export function createNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The language of a page, and what its texts are in it. */
export interface Language {
  /** As in `<html lang>`. */
  readonly tag: string;
  readonly texts: Texts;
}

export const english: Language = { tag: 'en', texts: {} };

/** Texts where a page looks for them (webview/language/index.ts); nothing for English. */
export const textsElement = ({ texts }: Language): string =>
  Object.keys(texts).length
    ? `<script type="application/json" id="texts">${JSON.stringify(texts).replace(/</g, '\\u003c')}</script>`
    : '';

/** The state that a page begins with where its own is older (webview/page/keeping.ts); nothing without one. */
const stateElement = (json: string | undefined): string =>
  json ? `<script type="application/json" id="state">${json.replace(/</g, '\\u003c')}</script>\n` : '';

/**
 * The page: one style sheet, one script, nothing inline but its texts and a state in JSON. `panel` is kept with the page's state. The toolkit reads
 * the nonce from the `csp-nonce` property.
 */
export function pageHtml(
  { script, style, cspSource, page = 'explainer' }: PageFiles,
  nonce: string,
  panel = '',
  language: Language = english,
  state?: string,
): string {
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(language.tag)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(contentSecurityPolicy(cspSource, nonce))}">
<meta property="csp-nonce" content="${nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Explain Attention</title>
<link rel="stylesheet" href="${escapeAttribute(style)}">
</head>
<body data-panel="${escapeAttribute(panel)}"${pageAttribute(page)}>
${textsElement(language)}
${stateElement(state)}<script nonce="${nonce}" src="${escapeAttribute(script)}"></script>
</body>
</html>
`;
}

/** Where the bundle reads which page to start; nothing for the explainer. */
export const pageAttribute = (page: PageName): string => (page === 'explainer' ? '' : ` data-page="${page}"`);

const escapeAttribute = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
