/** Reads lines of code without a parser of its language: which language it is, its calls, the attention it computes. */
export { attentionCodeIn, isFused, unfollowedCodeNotes } from './attention-code';
export { type Language, linesOf, programIn, wordPairs } from './lines';
export { followedSdpa } from './sdpa';
