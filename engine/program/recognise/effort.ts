/** What computing an attention with the code's own sizes would take: too much, and its definition is shown with sizes that stand in. */
import { programLimit } from '../../spec';
import { type Node, count, isKnownShape, newAllowance, workOf } from '../tensor';
import type { Attention, PartName } from './attention';

/** Whether its numbers would take more than one explanation may compute, keep or hand on. */
export function isTooLarge({ last, starts, parts }: Attention): boolean {
  const { work, numbers } = newAllowance();
  const edge = new Set(starts);
  const seen = new Set<Node>([last]);
  let [effort, sum] = [0, 0];
  for (const node of seen) {
    if (node.value || !node.shape || !isKnownShape(node.shape)) continue;
    const isDrawn = edge.has(node) && node.why !== undefined;
    if (!isDrawn) for (const operand of node.operands) seen.add(operand);
    sum += count(node.shape);
    effort += isDrawn ? count(node.shape) : workOf(node);
    if (effort > work || sum > numbers) return true;
  }
  const given = (...names: readonly PartName[]): number =>
    [...new Set(names.flatMap((name) => parts[name] ?? []))].reduce((total, node) => total + sizeOf(node), 0);
  if (hasTooManyNumbers({ parts })) return true;
  const layers = given('x', 'context', 'wq', 'wk', 'wv', 'bq', 'bk', 'bv', 'wo', 'bo');
  return layers > programLimit.numbers && given('q', 'k', 'v') > programLimit.numbers;
}

/** Numbers that the steps of one explanation may have. */
export const mostNumbers = 4 * programLimit.numbers;

/** Whether its main steps alone have more numbers than an explanation may: it is refused before any is computed. */
export const hasTooManyNumbers = ({ parts }: Pick<Attention, 'parts'>): boolean =>
  numbersOf(parts, ['q', 'k', 'v', 'scores', 'scaled', 'masked', 'weights', 'attended', 'output']) > mostNumbers;

const numbersOf = (parts: Attention['parts'], names: readonly PartName[]): number =>
  [...new Set(names.flatMap((name) => parts[name] ?? []))].reduce((total, node) => total + sizeOf(node), 0);

const sizeOf = ({ shape }: Node): number => (shape && isKnownShape(shape) ? count(shape) : 0);
