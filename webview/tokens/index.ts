/* Views of the input's tokens: the strip in the header, and the text with its tokens marked. */

export { createTokenStrip } from './strip';
export { createTokensView } from './view';
