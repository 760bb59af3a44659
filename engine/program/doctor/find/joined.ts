/** Heads that a loop computes, one attention each, joined in a list or written into one tensor: whether a row of the result is of one query. */
import { t, type Paced } from '../../../text';
import { count, type Dense, isKnownShape, type Node } from '../../tensor';
import type { Facts } from '../facts';
import { rewritten, textAt, type Found, type Mend } from './found';
import { movedCells, movesOrJoins } from './moved';

const mostCells = 1e5;

export function* findJoined({ attention: { heads = 1 }, own: { v, n } }: Facts, text: string, nodes: readonly Node[]): Paced<readonly Found[]> {
  yield;
  const sum = v?.sum;
  const shape = sum?.shape;
  if (!sum || !shape || !isKnownShape(shape) || heads > 1 || n < 2 || shape.at(-2) !== n || shape.at(-1) !== v.width) return [];
  const kin = nodes.filter((one) => one.operation === sum.operation && isSame(one, sum) && one.shape?.join() === shape.join());
  const each = count(shape);
  if (kin.length < 2 || kin.length === n || kin.length * each > mostCells) return [];
  const known = new Map<Node, Dense | undefined>(kin.map((one, head) => [one, cellsFrom(shape, head * each)]));
  // What is written over has no cells of a head.
  for (const one of nodes) if (one.operation === 'constant' && one.shape && isKnownShape(one.shape) && count(one.shape) <= mostCells) known.set(one, { dtype: 'float64', shape: one.shape, data: new Float64Array(count(one.shape)).fill(-1) }); // prettier-ignore
  const width = kin.length * v.width;
  for (const node of nodes.slice(nodes.indexOf(sum))) {
    if (node.operation !== 'reshape' || node.shape?.at(-1) !== width || !isKnownShape(node.shape) || count(node.shape) !== kin.length * each) continue;
    const cells = movedCells(node, known, movesOrJoins)?.data;
    if (!cells || new Set(cells).size < cells.length || cells.includes(-1)) continue;
    const queries = (row: number): readonly number[] => [...new Set(cells.slice(row * width, row * width + width).map((cell) => Math.floor(cell / v.width) % (each / v.width)))];
    const mixed = Array.from({ length: cells.length / width }, (_, row) => row).find((row) => queries(row).length > 1);
    return mixed === undefined ? [] : [foundAt(text, node, mixed % n, [...new Set(queries(mixed).map((one) => one % n))])];
  }
  return [];
} // prettier-ignore

const isSame = (one: Node, other: Node): boolean =>
  one.range.start === other.range.start && one.range.end === other.range.end && one.stack.length === other.stack.length;

const cellsFrom = (shape: readonly number[], first: number): Dense => ({
  dtype: 'float64',
  shape,
  data: Float64Array.from({ length: count(shape) }, (_, i) => first + i),
});

function foundAt(text: string, node: Node, row: number, queries: readonly number[]): Found {
  const message =
    queries.length > 1
      ? t('Heads are joined without a transpose: row {0} of the result has numbers of queries {1}, not of query {0} alone.', row, [...queries].sort((a, b) => a - b).slice(0, 8).join(', ')) // prettier-ignore
      : t('Heads are joined without a transpose: row {0} of the result has numbers of several inputs.', row);
  return { rule: 'heads-merged', node, message, mends: mendsOf(text, node) };
}

/** Heads, which come first, put behind the tokens. */
function mendsOf(text: string, node: Node): readonly Mend[] {
  const [, before, args] = /^(.*)\.(?:view|reshape)(\(.*\))$/s.exec(textAt(text, node.range)) ?? [];
  if (before === undefined) return [];
  const turns = [
    '.transpose(1, 2)',
    '.permute(1, 2, 0, 3)',
    '.transpose(1, 2, 0, 3)',
    '.transpose(0, 1)',
    '.transpose(1, 0, 2)',
  ];
  return rewritten(t('Put tokens before heads, then join'), text, node, ...turns.map((turn) => `${before.replace(/\.contiguous\(\)$/, '')}${turn}.reshape${args}`)); // prettier-ignore
}
