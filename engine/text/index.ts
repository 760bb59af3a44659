/** What all rooms need to talk to a person: problems, translated sentences, counted nouns, and generators that let long work pause. */
export { counted } from './counted';
export { type Texts, inEnglish, packedKey, t, useTexts } from './l10n';
export { nearest } from './nearest';
export { type Paced, finish, inStretches, stride } from './pace';
export { type Position, type Problem, type Result, type TextRange, fail, ok, positionAt } from './problems';
export type { Role } from './role';
export {
  type LinkTarget,
  type Place,
  type ProductMark,
  type Sentence,
  type Within,
  type Span,
  type SymbolMark,
  isUnnamed,
  namesApart,
  type TokenMark,
  count,
  countFixed,
  named,
  number,
  plainText,
  product,
  say,
  shapeMark,
  signs,
  size,
  slot,
  spansOf,
  joined,
} from './sentence';
export type { Token } from './token';
export { nextTurn } from './turn';
export { blockAround, blocksOf, commentedAt, lineStart } from './blocks';
export { ownNames } from './own-names';
