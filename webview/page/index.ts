/* The explanation's page: builds all views, draws them from the session, and handles keys. */

export { startPage } from './start';
