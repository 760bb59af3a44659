/** Finds attention in a program's graph by data flow, never by names. */
export { mendedOf } from './after-softmax';
export { comesFromScores } from './before-softmax';
export { isAdditive } from './additive';
export { type Arranged, arranged, isInOrder } from './arrange';
export type { Attention, PartName } from './attention';
export { hasTooManyNumbers, isTooLarge, mostNumbers } from './effort';
export {
  findAttention,
  findingAttention,
  averagesBy,
  averagesIn,
  isSample,
  lastOf,
  noProduct,
  shownOf,
  unfollowed,
  unfollowedIn,
} from './find';
export type { Meeting } from './find';
export { comesFrom, isMove, isOwn, isLeaf, isScalar, isTurned, passes, throughMoves } from './flow';
export { gridOf } from './grid';
export { productWithLeaf } from './projections';
export { type LoopProduct, listProduct, listSum, loopProduct, loopSum } from './loops';
export { mixedBy } from './mixed-heads';
