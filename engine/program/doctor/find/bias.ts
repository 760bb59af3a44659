/** A bias by distance, which the code itself says (Press et al. 2022, ALiBi): whether it takes from what is farther. */
import { t, type Paced } from '../../../text';
import type { Node } from '../../tensor';
import { denseOf } from '../../nearest';
import { matricesOf, type Facts } from '../facts';
import { textAt, type Found } from './found';
import { spread } from './mask';
import { isCounted } from './restart';

export function* findBias(facts: Facts, text: string): Paced<readonly Found[]> {
  const { way, own: { n, m } } = facts; // prettier-ignore
  if (n !== m || n < 3) return [];
  let found: Found | undefined;
  for (const { node, from, others } of way) {
    const [bias] = others;
    if (!found && (yield* turnsSign(facts, node, from, others))) return [];
    const isAdded = node.operation === 'add' || (node.operation === 'subtract' && from === node.operands[0]);
    const cells =
      bias && isAdded && others.length === 1 && isCounted(bias) && !isLearned(bias, text)
        ? yield* spread(facts, node, bias)
        : undefined;
    if (!cells) continue;
    const own = node.operation === 'add' ? cells : cells.map((x) => -x);
    const slopes = slopesOf(facts, own, /alibi/i.test(textAt(text, node.range)));
    // What takes more from what is farther may outweigh it; a mask adds the same to all keys that are seen.
    if (!slopes.every((one) => one >= 0)) return [];
    if (slopes.length > 0 && slopes.every((one) => one > 0)) found ??= said(facts, node, own);
  }
  return found ? [found] : [];
}

/** Whether what is larger is smaller behind it. */
function* turnsSign({ source }: Facts, { operation, operands: [a] }: Node, from: Node, [other]: readonly Node[]): Paced<boolean> {
  if (operation === 'negative') return true;
  if (operation === 'subtract') return from !== a;
  if (!other || (operation !== 'multiply' && operation !== 'divide')) return false;
  return (yield* denseOf(source, other))?.data.some((x) => x < 0) ?? true;
} // prettier-ignore

/** Whether training moves a number that it is made of. */
export function isLearned(bias: Node, text: string): boolean {
  const seen = new Set<Node>([bias]);
  if (/requires_grad|\bgrad\(/.test(text)) return true;
  for (const at of seen) {
    // Its line and the one before, which opens what is written over several.
    const start = text.lastIndexOf('\n', text.lastIndexOf('\n', at.range.start - 1) - 1) + 1;
    if (seen.size > 256 || /param|Variable\(|\.weight|add_weight|pretrained/i.test(text.slice(start, at.range.end)))
      return true;
    for (const one of at.operands) seen.add(one);
  }
  return false;
}

/**
 * Of each matrix by how much the bias grows with a token of distance, where it is that and the same of each query to its own key; NaN where it is not,
 * as a prior of keys. What is called ALiBi may be a number for each key, beside a mask that leaves one direction.
 */
function slopesOf(facts: Facts, bias: Float64Array, isAlibi: boolean): readonly number[] {
  const { n } = facts.own;
  const hidden = [...matricesOf(facts, facts.hidden)];
  return [...matricesOf(facts, bias)].map((at, which) => {
    const isSeen = (i: number, j: number): boolean => hidden[which]?.(i, j) === 0;
    let [slope, farthest] = [NaN, 0];
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        if (i === j || !isSeen(i, j)) continue;
        const [far, rise] = [Math.abs(i - j), at(i, j) - at(i, i)];
        if (!isSeen(i, i) || (at(i, i) !== at(0, 0) && !isAlibi) || !Number.isFinite(rise)) return NaN;
        if (Number.isNaN(slope)) slope = rise / far;
        if (Math.abs(rise - slope * far) > 1e-3 * Math.abs(slope * far)) return NaN;
        farthest = Math.max(farthest, far);
      }
    return farthest > 1 ? slope : NaN;
  });
}

function said({ own: { n }, hidden }: Facts, node: Node, bias: Float64Array): Found {
  const [i = 0, key = 0] = [n - 1, 0].map((one) => [one, n - 1 - one]).find(([a = 0, b = 0]) => hidden[a * n + b] === 0) ?? []; // prettier-ignore
  const at = (j: number): string => (bias[i * n + j] as number).toFixed(2);
  const message = t('The bias grows with the distance: query {0} adds {1} to its score of key {2}, {3} to that of its own. Of two keys alike the farther one gets the larger weight, in every head; ALiBi has it the other way round.', i, at(key), key, at(i)); // prettier-ignore
  return { rule: 'bias-farther', node, message, mends: [] };
}
