/* The notebook's renderer for outputs of explain(…): a bundle of its own (main.ts), which shows the extension's page in a frame under the cell. */

export { activate } from './main';
