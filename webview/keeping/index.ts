/* Where a page keeps its state: with VS Code, and as a copy with the host, which is written sooner. */

export { copyInPage, keeping, type KeptMessage, type StateApi } from './keeping';
