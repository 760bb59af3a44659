/* The first view of a text that a trained model reads: a question, who attends to whom, and what was measured. */

export { measuredModel } from './question';
export { createAlong, type Along } from './along';
export { createOpening, type Opening, type OpeningActions } from './opening';
export { headButton, nextToken } from './head-button';
