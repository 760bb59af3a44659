/** Models a document in reading order: what its formulas, code and printed numbers stand for in its attentions, and what of it was not understood. */
export { modelling } from './model';
export type {
  DocumentModel,
  DocumentPlace,
  DocumentStop,
  LoopAttention,
  ModelledAttention,
  PlacePart,
  UnreadPlace,
  WholeLoop,
} from './types';
export { matchingMatrix, writtenNumbersOf, type MatchedMatrix, type WrittenMatrix } from './match';
