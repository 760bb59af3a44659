/* The first view: a question, who attends to whom, the road to the answer; of a trained model also what was measured. */

export { measuredModel } from './question';
export { createAlong, type Along } from './along';
export { createOpening, openingKind, type Opening, type OpeningActions } from './opening';
export { headButton, nextToken } from './head-button';
