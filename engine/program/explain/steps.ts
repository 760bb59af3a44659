/** Steps of a plan that stand for nodes of a program: how one is named and placed, given as it is, or made of cells that move. */
import type { Paced, Role } from '../../text';
import { encodeNumber, type ProgramStep, type SpecHeads } from '../../spec';
import { indexAt } from '../../operations';
import { type Node, count, isKnownShape } from '../tensor';
import { isScalar, isTurned, throughMoves, type PartName } from '../recognise';
import { asMatrix, movesCells, viewOf } from './moves';
import type { Namer } from './names';
import { numbersOf, type Numbers, type Source } from './values';

export type Shape = readonly number[];

export interface Lowering {
  readonly source: Source;
  readonly namer: Namer;
  /** Which part a node plays; the first of several. */
  readonly parts: ReadonlyMap<Node, PartName>;
  /** Nodes that play several parts: one weight for queries and keys. */
  readonly shared: ReadonlySet<Node>;
  /** What starts the walk: X, or Q, K and V; their numbers are given. */
  readonly starts: ReadonlySet<Node>;
  /** What is on the way from there. */
  readonly core: ReadonlySet<Node>;
  /** Nodes whose steps are given because a plan computes other numbers. */
  readonly given: ReadonlySet<Node>;
  readonly steps: ProgramStep[];
  readonly shapes: Map<string, Shape>;
  /** The step that has a node's numbers. */
  readonly ids: Map<Node, string>;
  /** Steps of masks, by their conditions. */
  readonly masks: Map<Node, string>;
  /** The product that a weight is for. */
  readonly layers: ReadonlyMap<PartName, Node>;
  /** The node that a step stands for, where it is one. */
  readonly nodes: Map<string, Node>;
  /** The number type of the output, in which steps are computed. */
  readonly dtype: Node['dtype'];
}

/** What cannot be had at all: not even stand-ins. */
export class NoNumbers extends Error {
  constructor(readonly node: Node) {
    super(node.operation);
  }
}

const roles: Readonly<Record<PartName, Role>> = {
  x: 'x', context: 'x', wq: 'parameter', wk: 'parameter', wv: 'parameter', bq: 'parameter', bk: 'parameter', bv: 'parameter',
  q: 'query', k: 'key', v: 'value', scores: 'scores', scaled: 'scores', mask: 'mask', masked: 'scores', weights: 'weights',
  attended: 'output', wo: 'parameter', bo: 'parameter', output: 'output',
}; // prettier-ignore

const symbols: Readonly<Record<PartName, string>> = {
  x: 'X', context: 'C', wq: 'W_q', wk: 'W_k', wv: 'W_v', bq: 'b_q', bk: 'b_k', bv: 'b_v', q: 'Q', k: 'K', v: 'V', scores: 'S', scaled: 'Z',
  mask: 'M', masked: 'Z', weights: 'A', attended: 'O', wo: 'W_O', bo: 'b_O', output: 'O',
}; // prettier-ignore

export const shapeOf = ({ shape }: Node): Shape | undefined => (shape && isKnownShape(shape) ? shape : undefined);

/** As a step has it; undefined where it has more axes than a step can. */
export function matrixShape(node: Node): Shape | undefined {
  const shape = shapeOf(node);
  return shape && shape.length <= 4 && count(shape) > 0 ? asMatrix(shape) : undefined;
}

/** `Sᵀ`, and `(Q @ K.T)ᵀ` of what is no name. */
export const transposedName = (name: string): string => (/^[\p{L}\p{N}_.]*$/u.test(name) ? `${name}ᵀ` : `(${name})ᵀ`);

/** A step of cells at other places; none where all stay. */
export function place(l: Lowering, node: Node, from: string, shape: Shape, places: readonly number[]): string {
  if (stays(l, from, shape, places) && !l.parts.has(node)) return from;
  const moved = l.steps.find(({ id }) => id === from);
  const own = said(l, node, 'view', moved?.role);
  // What has the name of what it was before it was turned.
  const isAlike = own.name === moved?.name && isTurned(node) && !own.name.endsWith('ᵀ');
  const base = { ...own, ...(isAlike && { name: transposedName(own.name) }), operands: [from] };
  return push(l, { ...base, ...moveOf(l.shapes.get(from) ?? [], shape, places) }, shape, node);
}

export const stays = (l: Lowering, from: string, shape: Shape, places: readonly number[]): boolean =>
  (l.shapes.get(from) ?? []).join() === shape.join() && places.every((at, i) => at === i);

/** The same on the way to a node, of which it is not the value: what einsum does before it multiplies. */
export function arranged(l: Lowering, node: Node, from: string, shape: Shape, places: readonly number[]): string {
  if (stays(l, from, shape, places)) return from;
  const step = l.steps.find(({ id }) => id === from);
  const { range } = node;
  const base = { id: freshId(l, 'view'), name: step?.name ?? '', role: step?.role ?? 'x', operands: [from], line: l.namer.line(range), range: [range.start, range.end] } as const; // prettier-ignore
  return push(l, { ...base, ...moveOf(l.shapes.get(from) ?? [], shape, places) }, shape);
}

type Move =
  | { readonly op: 'concatHeads' }
  | { readonly op: 'splitHeads'; readonly heads: number }
  | { readonly op: 'repeatHeads'; readonly times: number }
  | { readonly op: 'rearrange'; readonly shape: Shape; readonly strides: readonly number[]; readonly offset: number }
  | { readonly op: 'pick'; readonly shape: Shape; readonly places: readonly number[] };

/** Heads cut, joined or shared where it is that; else a view by strides, else place by place. */
function moveOf(from: Shape, shape: Shape, places: readonly number[]): Move {
  const fits = (of: (index: readonly number[]) => readonly number[]): boolean =>
    places.every((at, i) => at === placeAt(from, of(indexAt(shape, i))));
  const rank = shape.length;
  if (rank === from.length + 1 && rank > 2) {
    const d = shape.at(-1) as number;
    if (
      fits((index) => [
        ...index.slice(0, -3),
        index.at(-2) as number,
        (index.at(-3) as number) * d + (index.at(-1) as number),
      ]) &&
      from.join() === [...shape.slice(0, -3), shape.at(-2), d * (shape.at(-3) as number)].join()
    )
      return { op: 'splitHeads', heads: shape.at(-3) as number };
  }
  if (rank + 1 === from.length) {
    const d = from.at(-1) as number;
    const joins = fits((index) => [
      ...index.slice(0, -2),
      Math.floor((index.at(-1) as number) / d),
      index.at(-2) as number,
      (index.at(-1) as number) % d,
    ]);
    const joined = [...from.slice(0, -3), from.at(-2), d * (from.at(-3) as number)];
    if (joins && shape.join() === joined.join()) return { op: 'concatHeads' };
  }
  const times = rank > 2 && rank === from.length ? (shape.at(-3) as number) / (from.at(-3) as number) : 1;
  if (
    times > 1 &&
    Number.isInteger(times) &&
    fits((index) => [...index.slice(0, -3), Math.floor((index.at(-3) as number) / times), ...index.slice(-2)])
  )
    return { op: 'repeatHeads', times };
  const view = viewOf(shape, places);
  return view ? { op: 'rearrange', shape, ...view } : { op: 'pick', shape, places };
}

const placeAt = (shape: Shape, index: readonly number[]): number =>
  index.length === shape.length ? index.reduce((sum, i, d) => sum * (shape[d] as number) + i, 0) : -1;

/** What a node without a name is called: by what computes it. `value` alone would be taken for a V. */
const unnamed = ({ operation, operands }: Node): string => (operands.length > 0 ? operation : 'numbers');

/** Whole numbers that a product takes as floats are given where they are written; what a layer rounds at its end is what it gives. */
const uncast = (node: Node): Node => {
  const [from] = node.operands;
  return node.operation === 'cast' && from && (from.operands.length === 0 || from.via === node.via) ? from : node;
};

/** The node's numbers as they are. */
export function* give(
  l: Lowering,
  node: Node,
  hides?: boolean,
  part = l.parts.get(node) ?? l.parts.get(uncast(node)),
): Paced<string> {
  const found = yield* numbersOf(l.source, node);
  const shape = matrixShape(node);
  if (!found || !shape) throw new NoNumbers(node);
  const values = nested(shape, found.dense.data, hides === false ? (x) => (x === 0 ? 1 : 0) : (x) => x);
  const step = { op: 'given', ...said(l, uncast(node), 'value', 'x', part, unnamed(node)), values, ...originOf(uncast(node), found), ...(hides !== undefined && { hides: true }) } as const; // prettier-ignore
  return push(l, step, shape, hides === undefined ? node : undefined);
}

export function originOf(
  node: Node,
  { standIn }: Numbers,
): { origin: 'literal' | 'computed' | 'drawn' | 'stand-in' | 'live'; standsIn?: true } {
  if (node.operands.length === 0 && node.attributes.origin === 'live') return { origin: 'live' };
  // What the code itself says, though its size stands in: `torch.ones(n, n)`.
  if (standIn && node.operation === 'constant' && !node.attributes.standsIn)
    return { origin: 'computed', standsIn: true };
  if (node.operands.length === 0)
    return { origin: standIn ? 'stand-in' : node.operation === 'draw' ? 'drawn' : 'literal' };
  const moves = movesCells(node) && throughMoves(node).operands.length === 0;
  if (moves) return originOf(throughMoves(node), { standIn } as Numbers);
  return { origin: 'computed', ...(standIn && { standsIn: true as const }) };
}

export function nested(shape: Shape, data: ArrayLike<number>, change: (x: number) => number): SpecHeads {
  const build = (axis: number, from: number): unknown => {
    const size = shape[axis] as number;
    const inner = count(shape.slice(axis + 1));
    return Array.from({ length: size }, (_, i) =>
      axis === shape.length - 1 ? encodeNumber(change(data[from + i] as number)) : build(axis + 1, from + i * inner),
    );
  };
  return build(0, 0) as SpecHeads;
}

export interface Said {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly line: number;
  readonly range: readonly number[];
}

/** Id, name, part and place of a node's step. */
export function said(
  l: Lowering,
  node: Node,
  kind: string,
  inherited: Role = 'x',
  part = l.parts.get(node),
  called = kind,
): Said {
  const id = part !== undefined && !l.shapes.has(part) ? part : freshId(l, kind);
  const role = part ? roles[part] : inherited;
  const { range } = node;
  const name = l.namer.name(node, part ? symbols[part] : called);
  return { id, name: layerName(l, node, part, name), role, line: l.namer.line(range), range: [range.start, range.end] };
}

/**
 * A layer's weight or bias is called by the layer that is called, whatever a loop over all parameters called it last; not where one call has several
 * layers, nor where the call names the weight (`F.linear(x, W_q)`).
 */
function layerName(l: Lowering, node: Node, part: PartName | undefined, name: string): string {
  if (!part || !/^[wb][qkvo]$/.test(part)) return name;
  const layers = [...l.layers].filter(([of]) => of.startsWith('w'));
  const own = l.layers.get(`w${part.slice(1)}` as PartName);
  const layer = own && l.namer.layer(own);
  const alone = layer !== undefined && layers.every(([, node]) => node === own || l.namer.layer(node) !== layer);
  const isBias = part.startsWith('b');
  if (alone && (name === symbols[part] || !(own && l.namer.mentions(own, name))))
    return `${layer}.${isBias ? 'bias' : 'weight'}`;
  if (name !== symbols[part] || !l.shared.has(node)) return name;
  return isBias ? 'b' : 'W';
}

export function freshId(l: Lowering, kind: string): string {
  for (let n = 1; ; n++) if (!l.shapes.has(`${kind}${n}`)) return `${kind}${n}`;
}

export function push(l: Lowering, step: ProgramStep, shape: Shape, node?: Node): string {
  l.steps.push(step);
  l.shapes.set(step.id, shape);
  if (node) l.nodes.set(step.id, node);
  return step.id;
}

export const roleOf = (l: Lowering, id: string): Role => l.steps.find((step) => step.id === id)?.role ?? 'x';

/** The operand of a transposition of the last two axes alone. */
export function turnedOnly({ operation, operands, attributes: { axes } }: Node): Node | undefined {
  if (operation !== 'permute' || !axes || axes.length < 2) return undefined;
  const n = axes.length;
  const swaps = axes.every((axis, i) => axis === (i === n - 1 ? n - 2 : i === n - 2 ? n - 1 : i));
  return swaps ? operands[0] : undefined;
}

/** Repeated over axes before rows and columns. */
export function spread(l: Lowering, node: Node, id: string, lead: Shape): string {
  const own = l.shapes.get(id) ?? [];
  return widened(l, node, id, [...lead, ...own.slice(-2)]);
}

/** Repeated to a shape, as broadcasting does. */
export function widened(l: Lowering, node: Node, id: string, shape: Shape): string {
  const own = l.shapes.get(id) ?? [];
  if (own.join() === shape.join()) return id;
  const strides = new Array<number>(shape.length).fill(0);
  let stride = 1;
  for (let d = 1; d <= own.length; d++) {
    if (own.at(-d) !== 1) strides[shape.length - d] = stride;
    stride *= own.at(-d) as number;
  }
  const { name, role, line, range } = { ...said(l, node, 'repeated'), ...l.steps.find((step) => step.id === id) };
  return push(l, { op: 'rearrange', id: freshId(l, 'repeated'), name, role, operands: [id], shape, strides, offset: 0, ...(line !== undefined && { line }), ...(range && { range }) }, shape); // prettier-ignore
}

/** The one number of a constant that is no stand-in. */
export function* scalar(l: Lowering, node: Node | undefined): Paced<number | undefined> {
  if (!node || !isScalar(node) || l.core.has(node)) return undefined;
  const found = yield* numbersOf(l.source, node);
  // What a sample computes from its sizes, such as √d_k, is a number of the code all the same.
  return found && (!found.standIn || (node.sample && !node.why)) ? found.dense.data[0] : undefined;
}

/** The last two axes exchanged. */
export function turn(
  l: Lowering,
  of: Omit<Said, 'line' | 'range'> & Partial<Said>,
  from: string,
  shape: Shape,
  node?: Node,
): string {
  const [n = 1, m = 1] = shape.slice(-2);
  const strides = shape.map((_, d) =>
    d === shape.length - 2 ? 1 : d === shape.length - 1 ? n : n * m * count(shape.slice(d + 1, -2)),
  );
  return push(l, { op: 'rearrange', ...of, operands: [from], shape, strides, offset: 0 }, shape, node);
}
