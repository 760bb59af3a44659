/* The HTML of our webview pages, as a panel and as a single file, and loading a page until it answers. */

export { createNonce, english, pageHtml, type Language } from './html';
export { standaloneHtml } from './standalone-html';
export { startPage } from './start-page';
