import { t, type Texts } from '../../engine/index';
import { contentSecurityPolicy } from '../../webview/protocol';

/** Where the webview can load a file of the package's `dist`, and which page to start. */
export interface PageFiles {
  readonly at: (name: string) => string;
  /** `webview.cspSource`. */
  readonly cspSource: string;
  /** The page that the bundle starts, by default the explainer. */
  readonly page?: PageName;
}

/** The bundle contains all pages. `<body data-page>` says which of them webview/main.ts starts. */
export type PageName = 'explainer' | 'lesson' | 'model' | 'capture';

/** The script of all pages, and the style sheets of one, as files of the package's `dist`. */
export const script = 'webview.js';
export const stylesOf = (page: PageName): readonly string[] => [
  'common.css',
  page === 'lesson' ? 'lesson.css' : 'webview.css',
];

/** A nonce for the page's Content Security Policy: 128 random bits in hexadecimal. */
export function createNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The language of a page, with the translations of its texts. */
export interface Language {
  /** The language tag, as in `<html lang>`. */
  readonly tag: string;
  readonly texts: Texts;
}

export const english: Language = { tag: 'en', texts: {} };

/** The element from which webview/language/index.ts reads the translations; empty for English. */
export const textsElement = ({ texts }: Language): string =>
  Object.keys(texts).length
    ? `<script type="application/json" id="texts">${JSON.stringify(texts).replace(/</g, '\\u003c')}</script>`
    : '';

/** The element with the host's copy of the page's state, which the page uses if its own is older (webview/keeping/); empty without a copy. */
const stateElement = (json: string | undefined): string =>
  json ? `<script type="application/json" id="state">${json.replace(/</g, '\\u003c')}</script>\n` : '';

/**
 * The HTML of a webview page: two style sheets, one script, and nothing inline but JSON (translations, state); until the script has built the page, a
 * sign that it comes. `panel` is the id of the panel, which the page saves with its state. The toolkit reads the nonce from the `csp-nonce` property.
 */
export function pageHtml(
  { at, cspSource, page = 'explainer' }: PageFiles,
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
${stylesOf(page)
  .map((name) => `<link rel="stylesheet" href="${escapeAttribute(at(name))}">`)
  .join('\n')}
</head>
<body data-panel="${escapeAttribute(panel)}"${pageAttribute(page)}>
<p class="page-loading" role="status">${escapeAttribute(language.texts['Loading…'] ?? t('Loading…'))}</p>
${textsElement(language)}
${stateElement(state)}<script nonce="${nonce}" src="${escapeAttribute(at(script))}"></script>
</body>
</html>
`;
}

/** The attribute of `<body>` that says which page to start; empty for the explainer. */
export const pageAttribute = (page: PageName): string => (page === 'explainer' ? '' : ` data-page="${page}"`);

const escapeAttribute = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
