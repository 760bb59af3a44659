/**
 * Nodes of a program as steps of a plan. Each step has the numbers of the node that it stands for; what no operation of a plan computes is given
 * as the program computed it, and says so.
 */
import type { Paced } from '../../text/pace';
import type { Role } from '../../text/role';
import { encodeNumber, type ProgramStep, type SpecHeads, type SpecNumber } from '../../spec/spec';
import { indexAt } from '../../operations/rearrange';
import type { Node } from '../graph';
import { count } from '../tensor/dense';
import { isKnownShape } from '../tensor/dims';
import { isScalar, throughMoves } from '../recognise/flow';
import type { PartName } from '../recognise/index';
import { asMatrix, movesCells, placesIn, viewOf } from './moves';
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

/** The id of the step with this node's numbers, which is made if there is none. */
export function* lower(l: Lowering, node: Node): Paced<string> {
  const known = l.ids.get(node);
  if (known !== undefined) return known;
  const id = yield* made(l, node);
  l.ids.set(node, id);
  return id;
}

function* made(l: Lowering, node: Node): Paced<string> {
  if (l.starts.has(node) || l.given.has(node)) return yield* give(l, node);
  const base = baseOf(l, node);
  if (base !== node && repeatsOneNumber(l, node, base)) return yield* give(l, node, undefined, l.parts.get(base));
  if (base !== node) return yield* moved(l, node, base);
  if (!l.core.has(node)) return yield* give(l, node);
  const rule = rules[node.operation];
  return (rule && matrixShape(node) ? yield* rule(l, node) : undefined) ?? (yield* give(l, node));
}

/** Back over moves to what has a step of its own: a part, a start, or what is computed. */
function baseOf(l: Lowering, node: Node): Node {
  let at = node;
  while (movesCells(at) && at.operands[0]) {
    at = at.operands[0];
    if (l.starts.has(at) || l.parts.has(at) || l.given.has(at)) break;
  }
  return at.shape && isKnownShape(at.shape) && at.shape.length <= 4 ? at : node;
}

/** A constant that is one number everywhere (`nn.init.zeros_`) is given whole, not as a number and its repetition. */
const repeatsOneNumber = (l: Lowering, node: Node, base: Node): boolean =>
  !l.core.has(node) && base.operands.length === 0 && count(shapeOf(base) ?? []) === 1;

export const shapeOf = ({ shape }: Node): Shape | undefined => (shape && isKnownShape(shape) ? shape : undefined);

/** As a step has it; undefined where it has more axes than a step can. */
export function matrixShape(node: Node): Shape | undefined {
  const shape = shapeOf(node);
  return shape && shape.length <= 4 && count(shape) > 0 ? asMatrix(shape) : undefined;
}

function* moved(l: Lowering, node: Node, base: Node): Paced<string> {
  const from = yield* lower(l, base);
  const shape = matrixShape(node);
  const places = shape && (yield* placesIn(node, base));
  if (!shape || !places) return yield* give(l, node);
  return place(l, node, from, shape, places);
}

/** A step of cells at other places; none where all stay. */
export function place(l: Lowering, node: Node, from: string, shape: Shape, places: readonly number[]): string {
  if (stays(l, from, shape, places) && !l.parts.has(node)) return from;
  const base = { ...said(l, node, 'view', l.steps.find(({ id }) => id === from)?.role), operands: [from] };
  return push(l, { ...base, ...moveOf(l.shapes.get(from) ?? [], shape, places) }, shape, node);
}

const stays = (l: Lowering, from: string, shape: Shape, places: readonly number[]): boolean =>
  (l.shapes.get(from) ?? []).join() === shape.join() && places.every((at, i) => at === i);

/** The same on the way to a node, of which it is not the value: what einsum does before it multiplies. */
function arranged(l: Lowering, node: Node, from: string, shape: Shape, places: readonly number[]): string {
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
      from.at(-1) === d * (shape.at(-3) as number)
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
    if (joins && shape.at(-1) === d * (from.at(-3) as number)) return { op: 'concatHeads' };
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

/** The node's numbers as they are. */
function* give(l: Lowering, node: Node, hides?: boolean, part = l.parts.get(node)): Paced<string> {
  const found = yield* numbersOf(l.source, node);
  const shape = matrixShape(node);
  if (!found || !shape) throw new NoNumbers(node);
  const values = nested(shape, found.dense.data, hides === false ? (x) => (x === 0 ? 1 : 0) : (x) => x);
  const step = { op: 'given', ...said(l, node, 'value', 'x', part), values, ...originOf(node, found), ...(hides !== undefined && { hides: true }) } as const; // prettier-ignore
  return push(l, step, shape, hides === undefined ? node : undefined);
}

function originOf(
  node: Node,
  { standIn }: Numbers,
): { origin: 'literal' | 'computed' | 'drawn' | 'stand-in'; standsIn?: true } {
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

interface Said {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly line: number;
  readonly range: readonly number[];
}

/** Id, name, part and place of a node's step. */
export function said(l: Lowering, node: Node, kind: string, inherited: Role = 'x', part = l.parts.get(node)): Said {
  const id = part !== undefined && !l.shapes.has(part) ? part : freshId(l, kind);
  const role = part ? roles[part] : inherited;
  const { range } = node;
  const name = l.namer.name(node, part ? symbols[part] : kind);
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

function freshId(l: Lowering, kind: string): string {
  for (let n = 1; ; n++) if (!l.shapes.has(`${kind}${n}`)) return `${kind}${n}`;
}

export function push(l: Lowering, step: ProgramStep, shape: Shape, node?: Node): string {
  l.steps.push(step);
  l.shapes.set(step.id, shape);
  if (node) l.nodes.set(step.id, node);
  return step.id;
}

// --- operations -------------------------------------------------------------------

type Rule = (l: Lowering, node: Node) => Paced<string | undefined>;

const roleOf = (l: Lowering, id: string): Role => l.steps.find((step) => step.id === id)?.role ?? 'x';

function* matmul(l: Lowering, node: Node): Paced<string | undefined> {
  const [a, b] = node.operands;
  const [left, right] = [a && shapeOf(a), b && shapeOf(b)];
  if (!a || !b || !left || !right || left.length > 4 || right.length > 4) return undefined;
  if (right.length === 1) {
    if (left.length > 2) return undefined;
    return yield* product(l, node, b, a, true);
  }
  const turned = turnedOnly(b);
  const transposed = turned !== undefined && !l.parts.has(b);
  return yield* product(l, node, a, transposed ? turned : b, transposed);
}

/** The operand of a transposition of the last two axes alone. */
function turnedOnly({ operation, operands, attributes: { axes } }: Node): Node | undefined {
  if (operation !== 'permute' || !axes || axes.length < 2) return undefined;
  const n = axes.length;
  const swaps = axes.every((axis, i) => axis === (i === n - 1 ? n - 2 : i === n - 2 ? n - 1 : i));
  return swaps ? operands[0] : undefined;
}

function* product(l: Lowering, node: Node, a: Node, b: Node, transposeB: boolean): Paced<string | undefined> {
  const shape = matrixShape(node);
  if (!shape) return undefined;
  let [left, right] = [yield* lower(l, a), yield* lower(l, b)];
  const lead = shape.slice(0, -2);
  const rightLead = (l.shapes.get(right) ?? []).slice(0, -2);
  if (count(rightLead) !== 1) [left, right] = [spread(l, node, left, lead), spread(l, node, right, lead)];
  else if ((l.shapes.get(left) ?? []).slice(0, -2).join() !== lead.join()) left = spread(l, node, left, lead);
  const base = said(l, node, 'product', roleOf(l, left) === 'weights' ? 'output' : roleOf(l, left));
  return push(l, { op: 'matmul', ...base, operands: [left, right], transposeB }, shape, node);
}

/** Repeated over axes before rows and columns. */
function spread(l: Lowering, node: Node, id: string, lead: Shape): string {
  const own = l.shapes.get(id) ?? [];
  return widened(l, node, id, [...lead, ...own.slice(-2)]);
}

/** Repeated to a shape, as broadcasting does. */
function widened(l: Lowering, node: Node, id: string, shape: Shape): string {
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
function* scalar(l: Lowering, node: Node | undefined): Paced<number | undefined> {
  if (!node || !isScalar(node) || l.core.has(node)) return undefined;
  const found = yield* numbersOf(l.source, node);
  // What a sample computes from its sizes, such as √d_k, is a number of the code all the same.
  return found && (!found.standIn || (node.sample && !node.why)) ? found.dense.data[0] : undefined;
}

const binary = (op: 'add' | 'subtract' | 'multiply' | 'divide'): Rule =>
  function* (l, node) {
    const [a, b] = node.operands as [Node, Node];
    const shape = matrixShape(node) as Shape;
    const by = yield* scalar(l, b);
    if (by !== undefined && matrixShape(a)?.join() === shape.join()) {
      const scaled = yield* scaledBy(l, node, op, a, by, shape);
      if (scaled !== undefined) return scaled;
    }
    const first = op === 'multiply' ? yield* scalar(l, a) : undefined;
    if (first !== undefined && matrixShape(b)?.join() === shape.join())
      return yield* scaledBy(l, node, op, b, first, shape);
    const commutes = op === 'add' || op === 'multiply';
    const swapped = commutes && matrixShape(a)?.join() !== shape.join();
    const [x, y] = swapped ? [b, a] : [a, b];
    if (!matrixShape(x) || !matrixShape(y)) return undefined;
    const ids = [yield* lower(l, x), yield* lower(l, y)] as const;
    const operands = [widened(l, node, ids[0], shape), ids[1]];
    const base = { ...said(l, node, op === 'add' ? 'sum' : op, roleOf(l, ids[0])), operands };
    if (op === 'add') return push(l, { op: 'add', ...base }, shape, node);
    return push(
      l,
      { op: 'combine', ...base, sign: op === 'subtract' ? '−' : op === 'multiply' ? '×' : '÷' },
      shape,
      node,
    );
  };

function* scaledBy(l: Lowering, node: Node, op: string, of: Node, by: number, shape: Shape): Paced<string | undefined> {
  if ((op !== 'multiply' && op !== 'divide') || !Number.isFinite(by)) return undefined;
  const from = yield* lower(l, of);
  const base = { ...said(l, node, 'scaled', roleOf(l, from)), operands: [from], by };
  return push(l, op === 'multiply' ? { op: 'scale', ...base } : { op: 'divide', ...base }, shape, node);
}

/** `where(hidden, fill, x)` or `where(visible, x, fill)`. */
function* where(l: Lowering, node: Node): Paced<string | undefined> {
  const [condition, yes, no] = node.operands;
  const shape = matrixShape(node) as Shape;
  if (!condition || !yes || !no) return undefined;
  const [whenTrue, whenFalse] = [yield* scalar(l, yes), yield* scalar(l, no)];
  const [fill, of] = whenTrue !== undefined ? [whenTrue, no] : [whenFalse, yes];
  if (
    fill === undefined ||
    matrixShape(of)?.join() !== shape.join() ||
    l.core.has(condition) ||
    !matrixShape(condition)
  )
    return undefined;
  const from = yield* lower(l, of);
  const mask = l.masks.get(condition) ?? (yield* give(l, condition, whenTrue !== undefined));
  l.masks.set(condition, mask);
  const base = { ...said(l, node, 'masked', roleOf(l, from)), operands: [from, mask] };
  return push(l, { op: 'mask', ...base, fill: encodeNumber(fill) as SpecNumber }, shape, node);
}

function* softmax(l: Lowering, node: Node): Paced<string | undefined> {
  const [of] = node.operands;
  const shape = matrixShape(node) as Shape;
  const rank = shapeOf(node)?.length ?? 0;
  const fromEnd = rank - (node.attributes.axis ?? rank - 1);
  if (!of || fromEnd > 2) return undefined;
  const from = yield* lower(l, of);
  if (fromEnd === 1) return push(l, { op: 'softmax', ...said(l, node, 'weights'), operands: [from] }, shape, node);
  const turned = [...shape.slice(0, -2), ...shape.slice(-2).reverse()];
  const { name, line, range } = said(l, node, 'turned');
  const place = { line, range };
  const columns = turn(
    l,
    {
      id: freshId(l, 'turned'),
      name: `${l.steps.find(({ id }) => id === from)?.name ?? ''}ᵀ`,
      role: 'scores',
      ...place,
    },
    from,
    turned,
  );
  const inner = push(
    l,
    {
      op: 'softmax',
      id: freshId(l, 'softmax'),
      name: `${name}ᵀ`,
      role: 'scores',
      operands: [columns],
      ...place,
    },
    turned,
  );
  return turn(l, said(l, node, 'weights'), inner, shape, node);
}

/** The last two axes exchanged. */
function turn(
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

/** einsum of two tensors with one letter summed over: a product of matrices between changes of places. */
function* einsum(l: Lowering, node: Node): Paced<string | undefined> {
  const [a, b] = node.operands;
  const plan = node.attributes.equation === undefined ? undefined : lettersOf(node.attributes.equation);
  const sizes = new Map<string, number>();
  for (const [of, letters] of [
    [a, plan?.a],
    [b, plan?.b],
  ] as const)
    shapeOf(of as Node)?.forEach((size, i) => sizes.set(letters?.[i] ?? '', size));
  if (!a || !b || !plan || !matrixShape(a) || !matrixShape(b)) return undefined;
  const size = (letters: string): number => count([...letters].map((letter) => sizes.get(letter) ?? 1));
  const lead = plan.batch.length > 2 ? [size(plan.batch)] : [...plan.batch].map((letter) => size(letter));
  const side = function* (of: Node, letters: string, rows: string): Paced<string> {
    const from = yield* lower(l, of);
    const shape = [...lead, size(rows), size(plan.summed)];
    return arranged(l, node, from, shape, placesByLetter(letters, plan.batch + rows + plan.summed, sizes));
  };
  const operands = [yield* side(a, plan.a, plan.rows), yield* side(b, plan.b, plan.columns)];
  const made = [...lead, size(plan.rows), size(plan.columns)];
  const shape = matrixShape(node) as Shape;
  const order = plan.batch + plan.rows + plan.columns;
  const role = roleOf(l, operands[0] as string) === 'weights' ? 'output' : roleOf(l, operands[0] as string);
  if (order === plan.output && made.join() === shape.join())
    return push(l, { op: 'matmul', ...said(l, node, 'product', role), operands, transposeB: true }, shape, node);
  const { line, range } = said(l, node, 'product', role);
  const product = push(
    l,
    { op: 'matmul', id: freshId(l, 'product'), name: 'product', role, line, range, operands, transposeB: true },
    made,
  );
  return place(l, node, product, shape, placesByLetter(order, plan.output, sizes));
}

interface Letters {
  readonly a: string;
  readonly b: string;
  readonly output: string;
  readonly batch: string;
  readonly summed: string;
  readonly rows: string;
  readonly columns: string;
}

/** Undefined where the equation is no product of matrices: a letter of one tensor alone is summed over, or several are. */
function lettersOf(equation: string): Letters | undefined {
  const [inputs = '', output = ''] = equation.split('->');
  const [a = '', b = '', ...more] = inputs.split(',');
  const of = (letters: string, fits: (letter: string) => boolean): string => [...letters].filter(fits).join('');
  const batch = of(output, (x) => a.includes(x) && b.includes(x));
  const summed = of(a, (x) => b.includes(x) && !output.includes(x));
  const [rows, columns] = [
    of(output, (x) => a.includes(x) && !b.includes(x)),
    of(output, (x) => b.includes(x) && !a.includes(x)),
  ];
  const complete =
    a.length === batch.length + rows.length + summed.length &&
    b.length === batch.length + columns.length + summed.length;
  const plain = [a, b, output].every((letters) => new Set(letters).size === letters.length);
  return more.length === 0 && complete && plain && summed.length === 1 && rows !== '' && columns !== ''
    ? { a, b, output, batch, summed, rows, columns }
    : undefined;
}

/** Of each cell, its axes in the order `to`, the place among cells with axes in the order `from`. */
function placesByLetter(from: string, to: string, sizes: ReadonlyMap<string, number>): readonly number[] {
  const shape = [...to].map((letter) => sizes.get(letter) ?? 1);
  const stride = new Map<string, number>();
  [...from].reverse().reduce((sum, letter) => (stride.set(letter, sum), sum * (sizes.get(letter) ?? 1)), 1);
  return Array.from({ length: count(shape) }, (_, i) =>
    indexAt(shape, i).reduce((sum, at, d) => sum + at * (stride.get(to[d] ?? '') ?? 0), 0),
  );
}

function* exponential(l: Lowering, node: Node): Paced<string | undefined> {
  const from = yield* lower(l, node.operands[0] as Node);
  return push(
    l,
    { op: 'exponential', ...said(l, node, 'exp', roleOf(l, from)), operands: [from] },
    matrixShape(node) as Shape,
    node,
  );
}

const reduction = (of: 'sum' | 'max'): Rule =>
  function* (l, node) {
    const [operand] = node.operands;
    const from = operand && shapeOf(operand);
    const rank = from?.length ?? 0;
    const axes = [...(node.attributes.axes ?? [])].map((axis) => rank - axis).sort();
    const over =
      axes.join() === '1' ? 'row' : axes.join() === '2' ? 'column' : axes.join() === '1,2' ? 'matrix' : undefined;
    if (!operand || !from || from.length > 4 || !over) return undefined;
    const id = yield* lower(l, operand);
    const own = l.shapes.get(id) ?? [];
    const reduced = [
      ...own.slice(0, -2),
      over === 'row' ? (own.at(-2) as number) : 1,
      over === 'column' ? (own.at(-1) as number) : 1,
    ];
    const shape = matrixShape(node) as Shape;
    const base = said(l, node, of === 'sum' ? 'sum' : 'max', roleOf(l, id));
    const made = push(
      l,
      { op: 'reduce', ...base, operands: [id], of, over },
      reduced,
      reduced.join() === shape.join() ? node : undefined,
    );
    return reduced.join() === shape.join()
      ? made
      : place(
          l,
          node,
          made,
          shape,
          Array.from({ length: count(shape) }, (_, i) => i),
        );
  };

const rules: Readonly<Record<string, Rule>> = {
  matmul,
  einsum,
  where,
  softmax,
  add: binary('add'),
  subtract: binary('subtract'),
  multiply: binary('multiply'),
  divide: binary('divide'),
  exp: exponential,
  sum: reduction('sum'),
  max: reduction('max'),
};
