/** What positions make of queries, keys and values: each cell as a sum of cells that a layer gave, times numbers that no weight decides. */
import { finish, type Paced } from '../../../text';
import {
  count,
  type Dense,
  isKnownShape,
  type Node,
  operations,
  sameNode,
  type Operation,
  type OperationName,
} from '../../tensor';
import { denseOf } from '../../nearest';
import { isLeaf, passes, productWithLeaf } from '../../recognise';
import type { Facts } from '../facts';
import { isCounted } from './restart';
import { spreadOver } from './spread';

/** A factor of one cell of a base: of the row `row` of its last axis. */
export interface Term {
  readonly base: Node;
  readonly row: number;
  readonly feature: number;
  readonly by: number;
}

/** One summand of each cell: the place of its cell among those of all bases, from 1 on, and its factor. */
interface Layer {
  readonly from: Float64Array;
  readonly by: Float64Array;
}

const most = { nodes: 256, cells: 4e4, layers: 16 };

/**
 * Of each cell its terms; undefined where they are too many. What is computed in another way, and `until`, is a base. What no token's numbers made,
 * such as a bias or an empty cache, is left out.
 */
export function* termsOf(node: Node, { source }: Facts, until?: Node): Paced<readonly (readonly Term[])[] | undefined> {
  const known = new Map<Node, readonly Layer[] | undefined>();
  const bases: Node[] = [];
  const sizes: number[] = [];
  const baseOf = (at: Node, cells: number): readonly Layer[] => {
    const first = sizes.reduce((a, b) => a + b, 1);
    bases.push(at);
    sizes.push(cells);
    return [{ from: Float64Array.from({ length: cells }, (_, i) => first + i), by: new Float64Array(cells).fill(1) }];
  };
  const isMade = newIsMade();
  function* layersOf(at: Node): Paced<readonly Layer[] | undefined> {
    if (known.has(at)) return known.get(at);
    const { shape } = at;
    if (!shape || !isKnownShape(shape) || count(shape) > most.cells || known.size > most.nodes) return undefined;
    known.set(at, undefined);
    const layers = !isMade(at) ? [] : at === until || isLeaf(at) || productWithLeaf(at) ? baseOf(at, count(shape)) : yield* computed(at, shape);
    const kept = layers && layers.length <= most.layers ? layers : undefined;
    known.set(at, kept);
    return kept;
  }
  function* computed(at: Node, shape: readonly number[]): Paced<readonly Layer[] | undefined> {
    const { operation, operands: [a, b] } = at;
    if (passes(at) || operation === 'concat' || operation === 'write') return yield* moved(at, shape);
    if (operation === 'negative' && a) return (yield* layersOf(a))?.map((one) => times(one, -1));
    if (!a || !b) return baseOf(at, count(shape));
    if (operation === 'add' || operation === 'subtract') {
      const [left, right] = [spread(yield* layersOf(a), a, shape), spread(yield* layersOf(b), b, shape)];
      return left && right && [...left, ...(operation === 'add' ? right : right.map((one) => times(one, -1)))];
    }
    const [x, factor] = isMade(a) ? [a, b] : [b, a];
    const isProduct = operation === 'multiply' || (operation === 'divide' && x === a);
    const dense = isProduct && !isMade(factor) && isCounted(factor) ? yield* denseOf(source, factor) : undefined;
    const by = dense && spreadOver(dense, shape);
    if (!by) return baseOf(at, count(shape));
    return spread(yield* layersOf(x), x, shape)?.map((one) => ({ ...one, by: one.by.map((f, i) => (operation === 'divide' ? f / (by[i] as number) : f * (by[i] as number))) }));
  }
  function* moved({ operation, operands, attributes }: Node, shape: readonly number[]): Paced<readonly Layer[] | undefined> {
    const from: (readonly Layer[])[] = [];
    for (const one of operands) {
      const layers = yield* layersOf(one);
      if (!layers) return undefined;
      from.push(layers);
    }
    if (operation === 'cast' || operation === 'input') return from[0];
    if (operation === 'write' && !attributes.strides) return undefined;
    const kernel = (operations as Readonly<Record<string, Operation>>)[operation as OperationName]?.kernel;
    const run = (layer: number, part: keyof Layer): Float64Array => {
      const dense = operands.map((one, i): Dense => ({ dtype: 'float64', shape: one.shape as readonly number[], data: from[i]?.[layer]?.[part] ?? new Float64Array(count(one.shape as readonly number[])) }));
      return Float64Array.from(finish((kernel as Operation['kernel'])(dense, { shape, dtype: 'float64', attributes })));
    };
    return kernel && Array.from({ length: Math.max(...from.map(({ length }) => length)) }, (_, layer) => ({ from: run(layer, 'from'), by: run(layer, 'by') }));
  }
  const layers = yield* layersOf(node);
  return layers && Array.from({ length: layers[0]?.from.length ?? 0 }, (_, cell) => summed(layers, cell, bases, sizes));
} // prettier-ignore

/** Whether a tensor is made of tokens' numbers: of what a layer gave, or a draw that has tokens. A sine or cosine is a position. */
export function newIsMade(): (node: Node) => boolean {
  const known = new Map<Node, boolean>();
  const isMade = (node: Node): boolean => {
    const { operation, operands, dtype, shape } = node;
    const was = known.get(node);
    if (was !== undefined) return was;
    const is = isLeaf(node)
      ? (operation === 'draw' || node.why !== undefined) && dtype.includes('float') && shape?.at(-2) !== undefined && shape.at(-2) !== 1
      : operation !== 'cos' && operation !== 'sin' && (productWithLeaf(node) !== undefined || operands.some(isMade));
    known.set(node, is);
    return is;
  };
  return isMade;
} // prettier-ignore

const times = ({ from, by }: Layer, factor: number): Layer => ({ from, by: by.map((one) => one * factor) });

function spread(layers: readonly Layer[] | undefined, node: Node, shape: readonly number[]): readonly Layer[] | undefined {
  if (node.shape?.join() === shape.join()) return layers;
  const over = (data: Float64Array): Float64Array => spreadOver({ dtype: 'float64', shape: node.shape as readonly number[], data }, shape) ?? new Float64Array(count(shape));
  return layers?.map(({ from, by }) => ({ from: over(from), by: over(by) }));
} // prettier-ignore

/** The terms of a cell, those of one place together. */
function summed(layers: readonly Layer[], cell: number, bases: readonly Node[], sizes: readonly number[]): readonly Term[] {
  const sums = new Map<number, number>();
  for (const { from, by } of layers) {
    const place = from[cell] as number;
    if (place > 0) sums.set(place, (sums.get(place) ?? 0) + (by[cell] as number));
  }
  return [...sums].flatMap(([place, by]) => {
    let [which, at] = [0, place - 1];
    while (at >= (sizes[which] as number)) at -= sizes[which++] as number;
    const base = bases[which] as Node;
    const width = base.shape?.at(-1) as number | undefined;
    return width === undefined ? [] : [{ base, row: Math.floor(at / width), feature: at % width, by }];
  });
} // prettier-ignore

/** The tokens that a layer made a base of, as they were cut for it: row 0 of each step is another token. Undefined where positions, or several layers' tokens, stand between. */
export function tokensBehind(base: Node): Node | undefined {
  const seen = new Set<Node>([base]);
  let tokens: Node | undefined;
  for (const at of seen) {
    const layer = productWithLeaf(at);
    if (seen.size > 64 || at.operation === 'cos' || at.operation === 'sin') return undefined;
    if (!layer) for (const one of at.operands) seen.add(one);
    const x = layer ? layer.x : seen.size === 1 && isLeaf(at) ? at : tokens;
    if (tokens && x && !sameNode(x, tokens)) return undefined;
    tokens = x;
  }
  return tokens;
} // prettier-ignore
