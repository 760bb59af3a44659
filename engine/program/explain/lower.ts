/**
 * Nodes of a program as steps of a plan. Each step has the numbers of the node that it stands for; what no operation of a plan computes is given
 * as the program computed it, and says so.
 */
import type { Paced, Role } from '../../text';
import { encodeNumber, type ProgramStep, type SpecNumber } from '../../spec';
import { indexAt } from '../../operations';
import { type Node, count, isHalf, isKnownShape, sameNode } from '../tensor';
import { mendedOf, listProduct, listSum, loopProduct, loopSum, type LoopProduct } from '../recognise';
import { movesCells, placesIn } from './moves';
import { numbersOf } from './values';
import {
  arranged, freshId, give, matrixShape, place, push, roleOf, said, scalar, shapeOf, spread, transposedName, turn, turnedOnly, widened,
  type Lowering, type Said, type Shape,
} from './steps'; // prettier-ignore

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

function* moved(l: Lowering, node: Node, base: Node): Paced<string> {
  const from = yield* lower(l, base);
  const shape = matrixShape(node);
  const places = shape && (yield* placesIn(node, base));
  if (!shape || !places) return yield* give(l, node);
  return place(l, node, from, shape, places);
}

type Rule = (l: Lowering, node: Node) => Paced<string | undefined>;

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

/** Scores that a loop over tokens wrote, and a sum that it added up: one product. */
function* byLoop(l: Lowering, node: Node, of: LoopProduct, transposeB: boolean): Paced<string | undefined> {
  const operands = [yield* lower(l, of.left), yield* lower(l, of.right)];
  const shape = matrixShape(node) as Shape;
  const base = said(l, node, 'product', transposeB ? roleOf(l, operands[0] as string) : 'output');
  return push(l, { op: 'matmul', ...base, operands, transposeB }, shape, node);
}

function* write(l: Lowering, node: Node): Paced<string | undefined> {
  const rows = loopProduct(node);
  return rows && (yield* byLoop(l, node, rows, true));
}

function* add(l: Lowering, node: Node): Paced<string | undefined> {
  const sum = loopSum(node);
  if (sum) return yield* byLoop(l, node, sum, false);
  const list = l.parts.has(node) ? listSum(node) : undefined;
  if (!list) return yield* binary('add')(l, node);
  const weights = yield* lower(l, list.left);
  const base = said(l, node, 'product', 'output');
  const operands = [weights, yield* joinedRows(l, node, list.rows, 'V', 'value')];
  const [shape, width] = [matrixShape(node) as Shape, count(shapeOf(node) ?? [])];
  if (shape.join() === `1,${width}`)
    return push(l, { op: 'matmul', ...base, operands, transposeB: false }, shape, node);
  const { line, range } = base;
  const row = push(l, { op: 'matmul', id: freshId(l, 'product'), name: base.name, role: 'output', line, range, operands, transposeB: false }, [1, width]); // prettier-ignore
  return place(
    l,
    node,
    row,
    shape,
    Array.from({ length: width }, (_, i) => i),
  );
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
    // A number of each row, added to all of them.
    const isColumn = op === 'add' && matrixShape(y)?.at(-1) === 1;
    const operands = [widened(l, node, ids[0], shape), isColumn ? widened(l, node, ids[1], shape) : ids[1]];
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
  const mended = mendedOf(node);
  if (mended && l.core.has(mended) && (yield* keepsAll(l, node, mended))) return yield* lower(l, mended);
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

/** Whether nothing is replaced of these numbers: `nan_to_num` of weights that are all numbers is no step. */
function* keepsAll(l: Lowering, { operands: [condition, yes] }: Node, of: Node): Paced<boolean> {
  const found = condition && (yield* numbersOf(l.source, condition));
  return found !== undefined && found.dense.data.every((x) => (x !== 0) === (yes === of));
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
  const { line, range } = said(l, node, 'turned');
  const turnedName = transposedName(l.steps.find(({ id }) => id === from)?.name ?? '');
  const place = { line, range };
  const columns = turn(
    l,
    {
      id: freshId(l, 'turned'),
      name: turnedName,
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
      name: `softmax(${turnedName})`,
      role: 'scores',
      operands: [columns],
      ...place,
    },
    turned,
  );
  return turn(l, said(l, node, 'weights'), inner, shape, node);
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

const applying = (of: Extract<ProgramStep, { op: 'apply' }>['of']): Rule =>
  function* (l, node) {
    const from = yield* lower(l, node.operands[0] as Node);
    const base = said(l, node, 'applied', roleOf(l, from));
    return push(l, { op: 'apply', ...base, operands: [from], of }, matrixShape(node) as Shape, node);
  };

function* negative(l: Lowering, node: Node): Paced<string | undefined> {
  const from = yield* lower(l, node.operands[0] as Node);
  const base = said(l, node, 'negative', roleOf(l, from));
  return push(l, { op: 'scale', ...base, operands: [from], by: -1 }, matrixShape(node) as Shape, node);
}

/** What is computed in float32 and then rounded to half precision, such as softmax: each step of half precision is. */
function* roundedStep(l: Lowering, node: Node, of: Node): Paced<string | undefined> {
  if (!l.core.has(of) || l.given.has(of) || l.starts.has(of) || !isHalf(l.dtype)) return undefined; // prettier-ignore
  const id = yield* lower(l, of);
  if (l.nodes.get(id) !== of) return undefined;
  l.nodes.set(id, node);
  return id;
}

/** A conversion that changes no number, such as integers to floats: what it converts. Another is given. */
function* cast(l: Lowering, node: Node): Paced<string | undefined> {
  const of = node.operands[0] as Node;
  const rounded = node.dtype === l.dtype && of.dtype === 'float32' ? yield* roundedStep(l, node, of) : undefined;
  if (rounded !== undefined) return rounded;
  const [before, after] = [yield* numbersOf(l.source, of), yield* numbersOf(l.source, node)];
  const shape = matrixShape(node) as Shape;
  if (!before || !after || !matrixShape(of) || !before.dense.data.every((x, i) => Object.is(x, after.dense.data[i])))
    return undefined;
  const places = Array.from(before.dense.data, (_, i) => i);
  return place(l, node, yield* lower(l, of), shape, places);
}

/** `x ** 2`, `x ** -1`; another power is given. */
function* power(l: Lowering, node: Node): Paced<string | undefined> {
  const exponent = yield* scalar(l, node.operands[1]);
  const sameShape = matrixShape(node.operands[0] as Node)?.join() === matrixShape(node)?.join();
  if (!sameShape || (exponent !== 2 && exponent !== -1)) return undefined;
  return yield* applying(exponent === 2 ? 'square' : 'inverse')(l, node);
}

/** Vectors of a list as the rows of one matrix. */
function* joinedRows(l: Lowering, node: Node, rows: readonly Node[], name: string, role: Role): Paced<string> {
  const operands: string[] = [];
  for (const row of rows) operands.push(yield* asRow(l, row));
  const { line, range } = said(l, node, 'joined');
  const shape = [rows.length, count(shapeOf(rows[0] as Node) ?? [])];
  return push(l, { op: 'join', id: freshId(l, 'joined'), name, role, line, range, operands, axis: 2 }, shape);
}

/** A vector as one row, in whichever direction it lies. */
function* asRow(l: Lowering, vector: Node): Paced<string> {
  const width = count(shapeOf(vector) ?? []);
  const places = Array.from({ length: width }, (_, i) => i);
  return arranged(l, vector, yield* lower(l, vector), [1, width], places);
}

/** The scores of one query with a list of keys; the same list may be made an array several times. */
function* listScores(l: Lowering, node: Node): Paced<string | undefined> {
  const list = listProduct(node);
  if (!list) return undefined;
  const scores = [...l.parts].find(([, part]) => part === 'scores')?.[0];
  if (scores && scores !== node && sameNode(scores, node)) return yield* lower(l, scores);
  const operands = [yield* asRow(l, list.left), yield* joinedRows(l, list.first, list.rows, 'K', 'key')];
  // The scores stand where their products are computed, not where the list becomes an array.
  const { line, range } = said(l, list.first, 'product');
  const base = { ...said(l, node, 'product', 'scores'), line, range, operands };
  return push(l, { op: 'matmul', ...base, transposeB: true }, matrixShape(node) as Shape, node);
}

/** Tensors one after the other: a cache and its new keys, the halves of a rotation, heads that a list holds. */
function* concatenation(l: Lowering, node: Node): Paced<string | undefined> {
  const scores = yield* listScores(l, node);
  if (scores !== undefined) return scores;
  const shape = matrixShape(node) as Shape;
  const rank = shapeOf(node)?.length ?? 0;
  const operands = node.operands.filter((operand) => count(shapeOf(operand) ?? []) > 0);
  if (operands.length < 2 || operands.length > mostJoined || operands.some((operand) => !matrixShape(operand)))
    return undefined;
  const ids: string[] = [];
  for (const operand of operands) ids.push(yield* lower(l, operand));
  const axis = rank - (node.attributes.axis ?? 0);
  const base = said(l, node, 'joined', roleOf(l, ids[0] as string));
  return push(l, { op: 'join', ...base, operands: ids, axis }, shape, node);
}

/** Parts of one step: a loop over tokens may join hundreds. */
const mostJoined = 64;

/** The sum of each row, column or matrix, divided by how many there are. */
function* mean(l: Lowering, node: Node): Paced<string | undefined> {
  const [operand] = node.operands;
  const size = count((operand && shapeOf(operand)) ?? []) / Math.max(1, count(shapeOf(node) ?? []));
  const { line, range } = said(l, node, 'mean');
  const summed = yield* reducedTo(l, node, 'sum', { id: freshId(l, 'sum'), name: 'sum', line, range });
  if (summed === undefined) return undefined;
  const base = said(l, node, 'mean', roleOf(l, summed));
  return push(l, { op: 'divide', ...base, operands: [summed], by: size }, matrixShape(node) as Shape, node);
}

const reduction = (of: 'sum' | 'max'): Rule =>
  function* (l, node) {
    return yield* reducedTo(l, node, of, said(l, node, of), node);
  };

/** A step that goes through rows, columns or matrices; it stands for `stands` where it is that node. */
function* reducedTo(
  l: Lowering,
  node: Node,
  of: 'sum' | 'max',
  own: Omit<Said, 'role'> & Partial<Said>,
  stands?: Node,
): Paced<string | undefined> {
  const [operand] = node.operands;
  const from = operand && shapeOf(operand);
  const rank = from?.length ?? 0;
  const axes = [...(node.attributes.axes ?? [])].map((axis) => rank - axis).sort();
  const over =
    axes.join() === '1' ? 'row' : axes.join() === '2' ? 'column' : axes.join() === '1,2' ? 'matrix' : undefined;
  if (!operand || !from || from.length > 4 || !over) return undefined;
  const id = yield* lower(l, operand);
  const before = l.shapes.get(id) ?? [];
  const reduced = [
    ...before.slice(0, -2),
    over === 'row' ? (before.at(-2) as number) : 1,
    over === 'column' ? (before.at(-1) as number) : 1,
  ];
  const shape = matrixShape(node) as Shape;
  const stays = reduced.join() === shape.join();
  const base = { ...own, role: stands && l.parts.has(stands) ? (own.role ?? 'x') : roleOf(l, id) };
  const made = push(l, { op: 'reduce', ...base, operands: [id], of, over }, reduced, stays ? stands : undefined);
  const places = Array.from({ length: count(shape) }, (_, i) => i);
  if (stays) return made;
  return stands ? place(l, stands, made, shape, places) : arranged(l, node, made, shape, places);
}

const rules: Readonly<Record<string, Rule>> = {
  matmul,
  einsum,
  where,
  write,
  softmax,
  add,
  cast,
  subtract: binary('subtract'),
  multiply: binary('multiply'),
  divide: binary('divide'),
  exp: exponential,
  sum: reduction('sum'),
  max: reduction('max'),
  mean,
  concat: concatenation,
  negative,
  power,
  square: applying('square'),
  sqrt: applying('root'),
  rsqrt: applying('inverseRoot'),
  reciprocal: applying('inverse'),
  tanh: applying('tanh'),
};
