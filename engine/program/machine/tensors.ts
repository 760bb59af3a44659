/** Tensors as Python holds them: views over shared storage on top of a graph that never changes. */
import { cause, raise, recordChange, type Machine, type Slot } from './machine';
import { addNode, constant, operate } from './nodes';
import { finish, t } from '../../text';
import {
  count,
  stridesOf,
  walked,
  formatDim,
  isKnownShape,
  multiply,
  remaining,
  same,
  sizeOf,
  type Dim,
  type Shape,
  rounding,
  type DType,
  type Library,
  listText,
  tupleText,
  type Node,
} from '../tensor';
import { isPlain, stridesFor } from './layout';
import type { TensorValue } from './values';

interface TensorOptions {
  readonly parameter?: boolean;
  readonly scalar?: boolean;
}

/** A tensor with storage of its own. */
export function newTensor(
  library: Library,
  node: Node,
  { parameter = false, scalar = false }: TensorOptions = {},
): TensorValue {
  const base = {
    kind: 'tensor',
    library,
    root: { node, version: 0 },
    isRoot: true,
    offset: 0,
    node,
    version: 0,
    parameter,
    scalar,
  } as const;
  return node.shape && isKnownShape(node.shape) ? { ...base, strides: stridesOf(node.shape) } : base;
}

/** What the tensor is now: written to through it or any of its views. */
export function nodeOf(m: Machine, tensor: TensorValue): Node {
  const { root } = tensor;
  if (tensor.version === root.version) return tensor.node;
  tensor.version = root.version;
  if (tensor.isRoot) return (tensor.node = root.node);
  const { shape, dtype } = tensor.node;
  const { offset, strides } = tensor;
  tensor.node =
    shape && strides
      ? operate(m, 'strided', [root.node], { shape, offset, strides }, dtype, tensor.library)
      : addNode(m, 'strided', {
          operands: [root.node],
          shape,
          dtype,
          why: cause(m, t('its sizes are known by name only')),
        });
  return tensor.node;
}

/** Writes `node` (of the tensor's shape and type) over the tensor, and so over all views of the same storage. */
export function overwrite(m: Machine, tensor: TensorValue, node: Node): void {
  const { root, offset, strides } = tensor;
  recordChange(m, () => storageSlot(tensor));
  const { shape } = tensor.node;
  if (tensor.isRoot) {
    root.node = node;
    delete root.unfilled;
  } else if (shape && strides)
    root.node = operate(m, 'write', [root.node, node], { shape, offset, strides }, root.node.dtype, tensor.library);
  else root.node = addNode(m, 'write', { operands: [root.node, node], shape: root.node.shape, dtype: root.node.dtype });
  if (root.unfilled && strides && shape && isKnownShape(shape)) fillPlaces(m, tensor, shape, strides);
  root.version++;
  tensor.node = node;
  tensor.version = root.version;
}

/** A tensor that was not filled counts what is written to it; after the last place its values are known. */
export function unfilled(tensor: TensorValue): TensorValue {
  const { shape } = tensor.node;
  const size = shape && isKnownShape(shape) ? count(shape) : 0;
  if (size > 0 && size <= unfilledLimit) tensor.root.unfilled = { written: new Uint8Array(size), left: size };
  return tensor;
}

const unfilledLimit = 100_000;

function fillPlaces(
  m: Machine,
  { root, offset }: TensorValue,
  shape: readonly number[],
  strides: readonly number[],
): void {
  const { unfilled: open } = root;
  if (!open) return;
  for (const place of finish(walked(shape, strides, offset))) {
    if (open.written[place] === 0) open.left--;
    open.written[place] = 1;
  }
  if (open.left > 0) return;
  delete root.unfilled;
  root.node = refilled(m, root.node);
}

/** The writes since then, from zeros on, of which none is left. */
function refilled(m: Machine, last: Node): Node {
  const writes: Node[] = [];
  let at = last;
  for (; at.operation === 'write' && at.operands[0]; at = at.operands[0]) writes.push(at);
  const shape = (at.shape ?? []) as readonly number[];
  let node = constant(m, shape, at.dtype, new Float64Array(count(shape)), at.attributes.origin);
  for (const { operands, attributes, dtype } of writes.reverse())
    node = operate(m, 'write', [node, operands[1] as Node], attributes, dtype, 'torch');
  return node;
}

const storageSlot = ({ root, library }: TensorValue): Slot => ({
  owner: root,
  key: '',
  get: () => newTensor(library, root.node),
  set: (value) => {
    if (value?.kind === 'tensor') root.node = value.node;
    root.version++;
  },
});

const viewOf = (
  tensor: TensorValue,
  node: Node,
  offset: number,
  strides: readonly number[] | undefined,
): TensorValue => {
  const { kind, library, root } = tensor;
  const base = {
    kind,
    library,
    root,
    isRoot: false,
    offset,
    node,
    version: root.version,
    parameter: false,
    scalar: false,
  };
  return strides ? { ...base, strides } : base;
};

export function permuted(m: Machine, tensor: TensorValue, axes: readonly number[]): TensorValue {
  const node = operate(m, 'permute', [nodeOf(m, tensor)], { axes }, tensor.node.dtype, tensor.library);
  return viewOf(tensor, node, tensor.offset, tensor.strides && axes.map((axis) => tensor.strides?.[axis] ?? 0));
}

/** A slice: starts and steps along each axis, and the sizes that result; an axis with step 0 is repeated. */
export function sliced(
  m: Machine,
  tensor: TensorValue,
  starts: readonly number[],
  steps: readonly number[],
  shape: Shape,
): TensorValue {
  const node = operate(m, 'slice', [nodeOf(m, tensor)], { starts, steps, shape }, tensor.node.dtype, tensor.library);
  const { strides } = tensor;
  const offset = strides
    ? starts.reduce((sum, start, i) => sum + start * (strides[i] as number), tensor.offset)
    : tensor.offset;
  return viewOf(tensor, node, offset, strides && steps.map((step, i) => step * (strides[i] as number)));
}

export function expanded(m: Machine, tensor: TensorValue, shape: Shape): TensorValue {
  const from = nodeOf(m, tensor);
  const node = operate(m, 'expand', [from], { shape }, from.dtype, tensor.library);
  const lead = shape.length - (from.shape?.length ?? 0);
  const strides =
    tensor.strides &&
    shape.map((dim, i) =>
      i < lead || (from.shape?.[i - lead] === 1 && dim !== 1) ? 0 : (tensor.strides?.[i - lead] ?? 0),
    );
  return viewOf(tensor, node, tensor.offset, strides);
}

/** The diagonal k of the last two axes. */
export function diagonalOf(m: Machine, tensor: TensorValue, k: number, shape: Shape): TensorValue {
  const node = operate(m, 'diagonal', [nodeOf(m, tensor)], { k, shape }, tensor.node.dtype, tensor.library);
  const { strides } = tensor;
  if (!strides) return viewOf(tensor, node, tensor.offset, undefined);
  const [down, right] = [strides.at(-2) ?? 0, strides.at(-1) ?? 0];
  return viewOf(tensor, node, tensor.offset + (k >= 0 ? k * right : -k * down), [
    ...strides.slice(0, -2),
    down + right,
  ]);
}

/** With sizes where -1 stood; Python's refusal where the number of elements does not fit. */
export function resolved(library: Library, from: Shape, to: Shape): Shape {
  const total = sizeOf(from);
  const open = to.indexOf(-1);
  const given = sizeOf(to.filter((_, i) => i !== open));
  const refuse = (): never =>
    library === 'torch'
      ? raise('RuntimeError', `shape '${listText(to)}' is invalid for input of size ${formatDim(total)}`)
      : raise(
          'ValueError',
          `cannot reshape array of size ${formatDim(total)} into shape ${tupleText(to).replaceAll(', ', ',')}`,
        );
  if (open < 0) return same(total, given) === false ? refuse() : to;
  if (given === 0 || (typeof total === 'number' && typeof given === 'number' && total % given !== 0)) return refuse();
  return to.map((dim, i) => (i === open ? remaining(total, given) : dim));
}

/** `view` shares or refuses, `reshape` shares where it can. */
export function reshaped(
  m: Machine,
  tensor: TensorValue,
  to: Shape,
  mode: 'view' | 'reshape' = 'reshape',
): TensorValue {
  const from = nodeOf(m, tensor);
  if (!from.shape)
    return viewOf(tensor, shapeOnly(m, 'reshape', from, to.includes(-1) ? to.map(openDim(m)) : to), 0, undefined);
  const shape = resolved(tensor.library, from.shape, to);
  const strides =
    tensor.strides && isKnownShape(from.shape) && isKnownShape(shape)
      ? stridesFor(from.shape, tensor.strides, shape)
      : undefined;
  const node = operate(m, 'reshape', [from], { shape }, from.dtype, tensor.library);
  // Where a size has no number, it is not known whether a view is refused.
  const isOpen = !isKnownShape(from.shape) || !isKnownShape(shape);
  if (strides || !tensor.strides || (isOpen && mode === 'view')) return viewOf(tensor, node, tensor.offset, strides);
  if (mode === 'view' && isPlain(tensor.root)) {
    if (!m.sampling) raise('RuntimeError', notViewed);
    m.raisedInSample.push({ kind: 'error', text: `RuntimeError: ${notViewed}`, range: m.here });
  }
  return inOrder(newTensor(tensor.library, node));
}

const notViewed =
  "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.";

/** A copy that lies in memory row by row. */
export function inOrder(tensor: TensorValue): TensorValue {
  tensor.root.inOrder = true;
  return tensor;
}

const openDim =
  (_: Machine) =>
  (dim: Dim): Dim =>
    dim === -1 ? { terms: [{ coefficient: 1, factors: [{ name: '?', power: 1 }] }] } : dim;

export const shapeOnly = (
  m: Machine,
  operation: string,
  from: Node,
  shape: Shape | undefined,
  dtype = from.dtype,
): Node =>
  addNode(m, operation, { operands: [from], shape, dtype, why: from.why ?? cause(m, t('its shape is not known')) });

/** Row-major without gaps; undefined where the sizes are not numbers. */
export function isContiguous({ strides, node }: TensorValue): boolean | undefined {
  if (!strides || !node.shape || !isKnownShape(node.shape)) return undefined;
  const plain = stridesOf(node.shape);
  return node.shape.every((dim, i) => dim === 1 || strides[i] === plain[i]);
}

/** A 0-d tensor of one number. */
export const scalarNode = (m: Machine, value: number, dtype: DType): Node =>
  constant(m, [], dtype, Float64Array.of(rounding[dtype](value)));

/** `node` in another type. */
export const castNode = (m: Machine, node: Node, dtype: DType, library: Library): Node =>
  node.dtype === dtype ? node : operate(m, 'cast', [node], {}, dtype, library);

/** `node` repeated to `shape`; the node itself where nothing is repeated. */
export function expandNode(m: Machine, node: Node, shape: Shape, library: Library): Node {
  const equal = node.shape?.length === shape.length && node.shape.every((dim, i) => dim === shape[i]);
  return equal || !node.shape ? node : operate(m, 'expand', [node], { shape }, node.dtype, library);
}

export const elementsOf = (shape: Shape): Dim => shape.reduce<Dim>(multiply, 1);
