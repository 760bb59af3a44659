/** What is done to one side alone or before the softmax, where it is usually done to both or after: norms of queries and keys, dropout. */
import { t } from '../../../text';
import type { Node } from '../../tensor';
import { isScalar, passes } from '../../recognise';
import type { Facts } from '../facts';
import type { Found } from './found';

/**
 * Queries that are normed and keys that are not, or the other way round, behind a projection of each: QK-norm is of both. Keys that are the queries but
 * for their length, as Reformer has them, are normed on purpose.
 */
export function findNormOfOne({ own }: Facts): readonly Found[] {
  const [left, right] = own.sides.map(normBehind);
  const node = left?.norm ?? right?.norm;
  if (!left || !right || !node || (left.norm && right.norm) || isParallel(own)) return [];
  const message = left.norm
    ? t('The queries are normed and the keys are not. QK-norm is of both.')
    : t('The keys are normed and the queries are not. QK-norm is of both.');
  return [{ rule: 'norm-one-side', node, message, mends: [] }];
}

/** Whether each key points where the query of its place does. */
function isParallel({ q, k, n, m, d }: Facts['own']): boolean {
  const dot = (a: Float64Array, b: Float64Array, at: number): number => a.subarray(at, at + d).reduce((sum, x, i) => sum + x * (b[at + i] as number), 0); // prettier-ignore
  return n === m && Array.from({ length: n }, (_, i) => i * d).every((at) => dot(q, k, at) >= 0.999 * Math.sqrt(dot(q, q, at) * dot(k, k, at)));
} // prettier-ignore

/** The last norm between a product and the scores; undefined where no product made them. */
function normBehind(node: Node): { readonly norm?: Node } | undefined {
  let norm: Node | undefined;
  let at: Node | undefined = node;
  for (let turn = 0; at && turn < 64; turn++) {
    if (at.operation === 'matmul') return norm ? { norm } : {};
    const [a, b]: readonly (Node | undefined)[] = at.operands;
    if (norms.has(at.operation)) norm ??= at;
    else if ((at.operation === 'multiply' || at.operation === 'divide') && b && !isScalar(b) && isLength(b)) norm ??= at;
    else if (!passes(at) && !besides.has(at.operation)) return undefined;
    at = a;
  }
  return undefined;
} // prettier-ignore

const norms: ReadonlySet<string> = new Set(['layer_norm', 'rms_norm']);
const besides: ReadonlySet<string> = new Set(['add', 'subtract', 'multiply', 'divide', 'concat', 'negative']);

/** Whether a factor is the length of rows, or one by it. */
function isLength(factor: Node): boolean {
  let at: Node | undefined = factor;
  for (let turn = 0; at && turn < 8; turn++) {
    if (at.operation === 'norm' || at.operation === 'rsqrt' || at.operation === 'sqrt') return true;
    at = at.operands[0];
  }
  return false;
}

/** `nn.Dropout` of the scores: in training a score that is dropped is 0, which hides no key. */
export function findDropoutOfScores({ way }: Facts, found: readonly Found[]): readonly Found[] {
  const at = way.find(({ node }) => node.attributes.origin === 'dropout')?.node;
  if (!at || found.some(({ rule }) => rule === 'dropout-always')) return [];
  const message = t('Dropout of the scores, before the softmax: in training a score that is dropped is 0, which hides no key. Usually the weights are dropped.'); // prettier-ignore
  return [{ rule: 'dropout-scores', node: at, message, mends: [] }];
}
