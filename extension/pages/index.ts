/* The HTML of our webview pages, and loading it until the page answers. */

export { createNonce, english, pageHtml, type Language } from './html';
export { standaloneHtml } from './standalone-html';
export { startPage } from './start-page';
