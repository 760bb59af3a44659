/** Positions that begin anew in each call, beside keys that earlier calls left: two tokens then have one position. */
import { t, type Paced } from '../../../text';
import { count, isKnownShape, sameNode, type Node } from '../../tensor';
import { denseOf } from '../../nearest';
import { comesFrom, isLeaf, isOwn, passes, throughMoves } from '../../recognise';
import type { Facts } from '../facts';
import { tokensOf, weightOf } from './cache';
import type { Found } from './found';

export function* findRestart({ attention: { site }, own: { n, m, sides: [left, right] }, source }: Facts, nodes: readonly Node[]): Paced<readonly Found[]> {
  let at: Node | undefined = right;
  while (at && at.operation !== 'concat' && passes(at)) at = at.operands[0];
  const axis = at?.attributes.axis ?? 0;
  const parts = at?.operation === 'concat' ? partsAlong(at, axis) : [];
  const [kept, fresh] = [parts[0], parts.at(-1)];
  if (!kept || !fresh || parts.length < 2 || m <= n) return [];
  const [before, after] = [behind(kept), behind(fresh)];
  // The same layer in two calls, of which the later has the queries.
  const [old, now, query] = [before, after, behind(left)].map((all) => all.find((one) => one.operation === 'matmul' && !isCounted(one)));
  if (!old || !now || !query || old === now || placeOf(old) !== placeOf(now) || weightOf(old) !== weightOf(now) || tokensOf(now) !== tokensOf(query)) return [];
  // An attention in between: else one call joins two sequences, whose positions may well begin alike.
  if (!nodes.some((one) => placeOf(one) === placeOf(site.weights) && one.id > old.id && one.id < now.id)) return [];
  // Kept keys that are turned on, or back, have positions of another count.
  if (madeOf(old, before).length > madeOf(now, after).length) return [];
  const earlier = before.filter((one) => !after.includes(one));
  const [first, second] = [kept.shape?.at(axis), fresh.shape?.at(axis)];
  let found: Node | undefined;
  for (const one of first === second || second !== n ? [] : after) {
    const which = before.includes(one) ? -1 : earlier.findIndex((other) => placeOf(other) === placeOf(one));
    const [other] = which < 0 ? [] : earlier.splice(which, 1);
    const [was, is] = [other && (yield* begin(source, other)), yield* begin(source, one)];
    if (!other || !was || !is) continue;
    if (was.at !== is.at) return [];
    const isTable = was.base === is.base || (isCounted(other) && isCounted(one));
    const isCompared = nodes.some(({ dtype, operands }) => dtype === 'bool' && operands.some((operand) => throughMoves(operand) === one));
    if (was.grows && isTable && !isCompared && differs(other, one, first, second)) found ??= one;
  }
  return found && othersOf(now, before, found) < 2 ? [{ rule: 'positions-cache', node: found, message: t('Positions begin anew beside {0} keys of earlier calls: the first token of this call has the position of key 0.', m - n), mends: [] }] : [];
} // prettier-ignore

/** What was joined along an axis, call after call. */
function partsAlong(node: Node, axis: number): readonly Node[] {
  let at = node;
  while (passes(at) && at.operation !== 'permute' && at.operands[0]?.shape?.join() === at.shape?.join()) at = at.operands[0] as Node;
  return at.operation === 'concat' && at.attributes.axis === axis ? at.operands.flatMap((one) => partsAlong(one, axis)) : [at];
} // prettier-ignore

const mostBehind = 400;

/** What a tensor is made of, from the nearest on, but for what another attention gave, and what was chosen by numbers: a token after another. */
export function behind(node: Node): readonly Node[] {
  const seen = new Set<Node>([node]);
  for (const at of seen)
    if (
      seen.size < mostBehind &&
      !isChosen(at) &&
      !(isProduct(at) && at.operands.every((one) => !isLeaf(throughMoves(one))))
    )
      for (const one of at.operands) seen.add(one);
  return [...seen];
}

/** What was computed with what a layer gave. */
const madeOf = (layer: Node, nodes: readonly Node[]): readonly Node[] => nodes.filter((one) => !passes(one) && one.operation !== 'concat' && comesFrom(one, layer)); // prettier-ignore

/** What else than these positions a call adds up to tokens of its own, as the kind of a segment: one is the tokens themselves, of two either may tell the calls apart. */
function othersOf({ operands: [tokens] }: Node, before: readonly Node[], positions: Node): number {
  const seen = new Set<Node>(tokens ? [tokens] : []);
  const summands: Node[] = [];
  for (const at of seen) {
    const isSum = sums.has(at.operation) || (passes(at) && at.operation !== 'slice');
    const added = isSum && !isCounted(at) ? at.operands : norms.has(at.operation) || isLayer(at) ? at.operands.slice(0, 1) : [];
    if (added.length === 0 || seen.size > mostBehind) summands.push(at);
    else for (const one of added) seen.add(one);
  }
  const isOld = (one: Node): boolean => before.some((other) => sameNode(one, other) || (placeOf(one) === placeOf(other) && isCounted(one) && one.shape?.join() === other.shape?.join()));
  const own = summands.filter((one) => !comesFrom(one, positions) && !isOld(one));
  return own.filter((one) => !own.some((other) => other !== one && comesFrom(one, other))).length;
} // prettier-ignore

const sums: ReadonlySet<string> = new Set(['add', 'subtract', 'multiply', 'divide', 'concat']);
const norms: ReadonlySet<string> = new Set(['layer_norm', 'rms_norm']);
const isLayer = (node: Node): boolean =>
  isProduct(node) && node.operands[1] !== undefined && isLeaf(throughMoves(node.operands[1]));

const isChosen = ({ dtype, operands }: Node): boolean => /int/.test(dtype ?? '') && operands.some((one) => /float/.test(one.dtype ?? '')); // prettier-ignore
const isProduct = ({ operation }: Node): boolean => operation === 'matmul' || operation === 'einsum';
const placeOf = ({ operation, range }: Node): string => `${operation} ${range.start} ${range.end}`;

/** Whether the code says all its numbers, and draws none. */
export function isCounted(node: Node): boolean {
  const seen = new Set<Node>([node]);
  for (const at of seen) {
    if (at.operation === 'draw' || seen.size > mostBehind) return false;
    for (const one of at.operands) seen.add(one);
  }
  return isOwn(node);
}

/** Whether two shapes differ in one axis alone, by these sizes. */
function differs({ shape = [] }: Node, other: Node, first: unknown, second: unknown): boolean {
  const axes = shape.flatMap((size, axis) => (size === other.shape?.[axis] ? [] : [axis]));
  const [axis = 0] = axes;
  return axes.length === 1 && shape.length === other.shape?.length && shape[axis] === first && other.shape[axis] === second;
} // prettier-ignore

interface Begin {
  readonly at: string;
  readonly grows: boolean;
  readonly base?: Node;
}

/** Where what the code itself says begins: its first number, of a table's rows where they are cut; and whether more follow. */
function* begin(source: Facts['source'], node: Node): Paced<Begin | undefined> {
  const { operation, operands: [table], attributes: { starts }, shape } = node; // prettier-ignore
  const base = table && throughMoves(table);
  if (operation === 'slice' && base && starts && (isLeaf(base) || isCounted(base))) return { at: starts.join(), grows: true, base };
  if (!shape || shape.length === 0 || !isKnownShape(shape) || count(shape) > 1e4 || !isCounted(node)) return undefined;
  const data = (yield* denseOf(source, node))?.data;
  return data && { at: String(data[0]), grows: data.length > 1 && data[0] !== data[1] };
} // prettier-ignore
