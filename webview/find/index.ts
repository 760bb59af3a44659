/* Search on the page: steps, tokens, cells and numbers. */

export { createFind, type Find } from './find';
