/* The input's tokens: the strip in the header and the text of the tokens step. */

export { createTokenStrip } from './strip';
export { createTokensView } from './view';
