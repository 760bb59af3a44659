/** Each rule's computation: the rooms of mistakes, one after the other. */
import type { Paced } from '../../../text';
import type { Node } from '../../tensor';
import type { Facts } from '../facts';
import { findBias } from './bias';
import { findDropout, findSwapped, turnOf } from './calls';
import { findCausal } from './causal';
import { findCombined } from './combined';
import { findCache, findCacheOrder, findKeptKeys, findOwnLate, findUnwritten } from './cache';
import type { Found } from './found';
import { findHeads } from './heads';
import { findInterleaved } from './interleaved';
import { findJoined } from './joined';
import { findMask } from './mask';
import { findCutOrder, findFromMemory, findNamedOtherwise, findPartUnused, findTokensFirst } from './names';
import { findAddedAxis, findPositionAxis } from './position-axis';
import { findPositions } from './positions';
import { findRestart } from './restart';
import { findScale } from './scale';
import { findDropoutOfScores, findNormOfOne } from './sides';
import { findSoftmax } from './softmax';
import { findValuesElsewhere } from './sources';
import { findTurned } from './turned';
import { findUnused } from './unused';
import { findWindow } from './window';

export function* findAll(facts: Facts, text: string, nodes: readonly Node[], name: (node: Node) => string): Paced<readonly Found[]> {
  const found: Found[] = [];
  for (const find of [findSoftmax, findMask, findCache, findScale, findHeads, findInterleaved, findPositions, findPositionAxis, findAddedAxis, findBias, findWindow]) found.push(...(yield* find(facts, text)));
  // What is turned by two angles within a pair is not turned apart as well.
  if (!found.some(({ rule }) => rule === 'positions-pairs' || rule === 'positions-axis')) found.push(...(yield* findTurned(facts, nodes, text)));
  found.push(...(yield* findRestart(facts, nodes)), ...(yield* findJoined(facts, text, nodes)), ...findKeptKeys(facts), ...findUnwritten(facts, text), ...findOwnLate(facts, nodes), ...findCacheOrder(facts, text), ...(yield* findCombined(facts, text, name)));
  const values = yield* findValuesElsewhere(facts, text, name);
  const swapped = values.length > 0 ? [] : yield* findSwapped(facts, text, name);
  // Weights that are turned have their softmax over the other axis by that alone.
  const isSeen = ({ rule }: Found): boolean => !(swapped.length > 0 && facts.isTurned && rule === 'softmax-axis');
  // What is made by keys' layers and stands for queries is said once.
  found.push(...values, ...(swapped.length > 0 || turnOf(facts) ? swapped : [...findNamedOtherwise(facts, text, name), ...findFromMemory(facts, name)]), ...findCutOrder(facts, text, name), ...findTokensFirst(facts, text, name), ...findPartUnused(facts, text, nodes, name), ...findDropout(facts, text), ...findNormOfOne(facts), ...(yield* findUnused(facts, text, nodes)));
  // A mask that no one takes is no mask of ones as well.
  if (!found.some(({ rule }) => rule.startsWith('mask-'))) found.push(...(yield* findCausal(facts, text)));
  return [...found, ...findDropoutOfScores(facts, found)].filter(isSeen);
} // prettier-ignore

export type { Compared, Edit, Found, Mend } from './found';
export { findInNumbers } from './numbers';
export { findUnnormalised } from './unnormalised';
