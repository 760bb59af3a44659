/* Arcs: a line from each query token to each key token, as thick as its weight. */

export { createArcs, attentionText, sameTokens, type ArcsActions } from './arcs';
export { readRow, weightsStep } from './weights';
