/* Saving a page's state: with VS Code, and as a copy with the host, whose storage is written sooner. */

export { copyInPage, keeping, type KeptMessage, type StateApi } from './keeping';
