/** `tensor[…]` and assignments to it: slices and single indices are views, index tensors pick, masks pick or replace. */
import { t } from '../../text';
import {
  addNode,
  cause,
  isCause,
  look,
  operate,
  raise,
  refuseOverlap,
  constant,
  type Machine,
  castNode,
  expandNode,
  newTensor,
  nodeOf,
  overwrite,
  reshaped,
  shapeOnly,
  sliced,
  type Run,
  type SliceValue,
  type TensorValue,
  type Value,
} from '../machine';
import {
  Raised,
  formatDim,
  sameNode,
  type Cause,
  type Node,
  add,
  floorDivide,
  subtract,
  type Dim,
  type Shape,
  broadcast,
  type Library,
} from '../tensor';
import { arrayNode, operandNode } from './arrays';
import { dimOf } from './numbers';

/** One axis of the tensor under an index. */
interface AxisIndex {
  readonly start: number;
  readonly step: number;
  readonly size: Dim;
  /** A single index: the axis goes. */
  readonly dropped: boolean;
  readonly why?: Cause | undefined;
}

/** A whole-number tensor along one axis. */
interface Pick {
  readonly axis: number;
  readonly node: Node;
}

/** An index as a slice of every axis, the shape that is left with new axes, and what is picked in that. */
interface Parsed {
  readonly axes: readonly AxisIndex[];
  readonly shape: Shape;
  readonly picks: readonly Pick[];
  /** Where the axes of the picks stand in the result. */
  readonly at: number;
}

const itemsOf = (key: Value): readonly Value[] => (key.kind === 'tuple' ? key.items : [key]);

/** A part along the first axis. */
export function part(m: Machine, tensor: TensorValue, i: number): TensorValue {
  const [size, ...rest] = nodeOf(m, tensor).shape ?? [];
  const axes = [{ start: i, step: 1, size: 1, dropped: true }, ...rest.map(whole)];
  return finished(m, viewed(m, tensor, { axes, shape: rest, picks: [], at: 0 }), size === undefined);
}

const whole = (size: Dim): AxisIndex => ({ start: 0, step: 1, size, dropped: false });

/** NumPy gives a scalar where no axis is left. */
const finished = (m: Machine, tensor: TensorValue, isOpen = false): TensorValue =>
  tensor.library === 'numpy' && !isOpen && tensor.node.shape?.length === 0
    ? newTensor('numpy', nodeOf(m, tensor), { scalar: true })
    : tensor;

export function* getItem(m: Machine, tensor: TensorValue, key: Value): Run<Value> {
  const node = nodeOf(m, tensor);
  if (!node.shape) return newTensor(tensor.library, shapeOnly(m, 'slice', node, undefined));
  const parsed = yield* parse(m, tensor, node.shape, key);
  if ('text' in parsed)
    return newTensor(
      tensor.library,
      addNode(m, 'pick', { operands: [node], shape: undefined, dtype: node.dtype, why: parsed }),
    );
  const view = viewed(m, tensor, parsed);
  if (parsed.picks.length === 0) return finished(m, view);
  return finished(m, newTensor(tensor.library, picked(m, view, parsed)));
}

function viewed(m: Machine, tensor: TensorValue, { axes, shape }: Parsed): TensorValue {
  const why = axes.find((axis) => axis.why)?.why;
  if (why)
    return newTensor(
      tensor.library,
      addNode(m, 'slice', { operands: [nodeOf(m, tensor)], shape, dtype: tensor.node.dtype, why }),
    );
  const node = nodeOf(m, tensor);
  const plain = axes.every(({ start, step, size }, i) => start === 0 && step === 1 && size === node.shape?.[i]);
  const starts = axes.map(({ start }) => start);
  const steps = axes.map(({ step }) => step);
  const cut = plain
    ? tensor
    : sliced(
        m,
        tensor,
        starts,
        steps,
        axes.map(({ size }) => size),
      );
  const same = cut.node.shape?.length === shape.length && cut.node.shape.every((dim, i) => dim === shape[i]);
  return same ? (plain ? reshaped(m, cut, shape) : cut) : reshaped(m, cut, shape);
}

function picked(m: Machine, view: TensorValue, { picks, at }: Parsed): Node {
  const node = nodeOf(m, view);
  const shape = pickedShape(node.shape ?? [], picks, at, view.library);
  const operands = [node, ...picks.map((pick) => pick.node)];
  return operate(
    m,
    'pick',
    operands,
    { axes: picks.map(({ axis }) => axis), axis: at, shape },
    node.dtype,
    view.library,
  );
}

function together(library: Library, shapes: readonly Shape[]): Shape {
  try {
    return broadcast(library, shapes);
  } catch (error) {
    if (!(error instanceof Raised)) throw error;
    const listed = shapes.map((shape) => `[${shape.map(formatDim).join(', ')}]`).join(', ');
    throw new Raised(
      'IndexError',
      `shape mismatch: indexing tensors could not be broadcast together with shapes ${listed}`,
    );
  }
}

function pickedShape(shape: Shape, picks: readonly Pick[], at: number, library: Library): Shape {
  const common = together(
    library,
    picks.map(({ node }) => node.shape ?? []),
  );
  const kept = shape.filter((_, i) => !picks.some(({ axis }) => axis === i));
  return [...kept.slice(0, at), ...common, ...kept.slice(at)];
}

/** How many axes an item takes; undefined for `...`. */
function consumed(item: Value): number | undefined {
  if (item.kind === 'ellipsis') return undefined;
  if (item.kind === 'none') return 0;
  return item.kind === 'tensor' && item.node.dtype === 'bool' ? (item.node.shape?.length ?? 1) : 1;
}

function* parse(m: Machine, tensor: TensorValue, shape: Shape, key: Value): Run<Parsed | Cause> {
  const items = yield* prepared(m, itemsOf(key), tensor.library);
  if ('text' in items) return items;
  const taken = items.reduce((sum, item) => sum + (consumed(item) ?? 0), 0);
  if (taken > shape.length) return tooMany(tensor.library, shape.length, taken);
  const open = items.findIndex((item) => item.kind === 'ellipsis');
  if (tensor.library === 'numpy' && items.filter((item) => item.kind === 'ellipsis').length > 1)
    raise('IndexError', "an index can only have a single ellipsis ('...')");
  // PyTorch takes what follows a mask for indices of the axes behind the mask's first.
  const wide = items.findIndex((item) => item.kind === 'tensor' && item.node.dtype === 'bool' && consumed(item) !== 1);
  if (tensor.library === 'torch' && wide >= 0 && items.slice(wide + 1).some((item) => !isAll(item)))
    return cause(m, t('the index is not known'));
  const fill = Array.from({ length: shape.length - taken }, (): Value => ({
    kind: 'slice',
    lower: nothing,
    upper: nothing,
    step: nothing,
  }));
  // In NumPy an ellipsis for no axis stands between indices all the same.
  const between = fill.length === 0 && tensor.library === 'numpy' ? items.slice(open, open + 1) : fill;
  const all = open < 0 ? [...items, ...fill] : [...items.slice(0, open), ...between, ...items.slice(open + 1)];
  return yield* indexed(m, tensor, shape, all);
}

const nothing: Value = { kind: 'none' };

const isAll = (item: Value): boolean =>
  item.kind === 'none' ||
  item.kind === 'ellipsis' ||
  (item.kind === 'slice' && [item.lower, item.upper, item.step].every(({ kind }) => kind === 'none'));

const tooMany = (library: Library, rank: number, taken: number): never =>
  raise(
    'IndexError',
    library === 'torch'
      ? `too many indices for tensor of dimension ${rank}`
      : `too many indices for array: array is ${rank}-dimensional, but ${taken} were indexed`,
  );

/** Lists and ranges as tensors. What is not known ends it with its cause. */
function* prepared(m: Machine, items: readonly Value[], library: Library): Run<readonly Value[] | Cause> {
  const out: Value[] = [];
  for (const item of items) {
    if (item.kind === 'unknown' && !item.standIn && item.type !== 'int') return item.cause;
    if (item.kind === 'bool' && !item.value) return cause(m, t('the index is not known'));
    const isSequence = item.kind === 'list' || item.kind === 'range' || (item.kind === 'tuple' && items.length === 1);
    if (item.kind === 'bool') out.push(nothing);
    // PyTorch still takes bytes for a mask.
    else if (item.kind === 'tensor' && library === 'torch' && item.node.dtype === 'uint8')
      out.push(newTensor(library, castNode(m, nodeOf(m, item), 'bool', library)));
    else out.push(isSequence ? newTensor(library, yield* arrayNode(m, item, library)) : item);
  }
  return out;
}

function* indexed(m: Machine, tensor: TensorValue, shape: Shape, items: readonly Value[]): Run<Parsed | Cause> {
  // NumPy takes a number beside an array for an array; PyTorch selects by numbers first, tensors of one number included.
  const advanced = tensor.library === 'numpy' && items.some((item) => item.kind === 'tensor' && !isScalarIndex(item));
  const axes: AxisIndex[] = [];
  const left: Dim[] = [];
  const picks: Pick[] = [];
  const positions: number[] = [];
  // Where an item stands among those that leave an axis: what PyTorch selects by a number stands between no two.
  let position = -1;
  for (const item of items) {
    position++;
    if (item.kind === 'ellipsis') continue;
    const size = shape[axes.length];
    if (item.kind === 'none') left.push(1);
    else if (item.kind === 'slice') {
      const axis = yield* slicedAxis(m, tensor.library, item, size as Dim);
      if ('text' in axis) return axis;
      axes.push(axis);
      left.push(axis.size);
    } else if (item.kind === 'tensor' && (!isScalarIndex(item) || advanced)) {
      const found = yield* picksOf(m, item, { axis: left.length, dim: axes.length, shape, library: tensor.library });
      if ('text' in found) return found;
      for (const pick of found) {
        picks.push(pick);
        left.push(shape[axes.length] as Dim);
        axes.push(whole(shape[axes.length] as Dim));
      }
      positions.push(position);
    } else {
      const axis = yield* singleIndex(m, tensor, item, size as Dim, axes.length);
      if (!advanced) {
        axes.push(axis);
        position--;
      } else {
        picks.push({ axis: left.length, node: constant(m, [], 'int64', Float64Array.of(axis.start)) });
        positions.push(position);
        left.push(size as Dim);
        axes.push(whole(size as Dim));
      }
    }
  }
  const together = positions.every((position, i) => i === 0 || position === (positions[i - 1] ?? 0) + 1);
  return { axes, shape: left, picks, at: together ? (picks[0]?.axis ?? 0) : 0 };
}

/** A 0-d tensor of whole numbers is an index like a number. */
const isScalarIndex = (item: TensorValue): boolean => item.node.shape?.length === 0 && item.node.dtype !== 'bool';

/** Where an index stands: the axis of what is left, and that of the tensor. */
interface PickedAt {
  readonly axis: number;
  readonly dim: number;
  readonly shape: Shape;
  readonly library: Library;
}

function* picksOf(m: Machine, item: TensorValue, at: PickedAt): Run<readonly Pick[] | Cause> {
  const node = nodeOf(m, item);
  const { axis } = at;
  if (node.dtype !== 'bool') {
    // Of what nothing is known the number type is not known either.
    if (node.why && !node.shape) return node.why;
    if (node.dtype.includes('float'))
      return raise(
        'IndexError',
        item.library === 'torch'
          ? 'tensors used as indices must be long, int, byte or bool tensors'
          : 'arrays used as indices must be of integer (or boolean) type',
      );
    yield* refuseOutside(m, node, at);
    return [{ axis, node }];
  }
  refuseMask(node.shape, at);
  const values = yield* look(m, node);
  if (isCause(values)) return values;
  const size = values.data.reduce((n, x) => n + (x !== 0 ? 1 : 0), 0);
  return values.shape.map((_, i) => ({
    axis: axis + i,
    node: operate(m, 'nonzero', [node], { axis: i, shape: [size] }, 'int64', item.library),
  }));
}

/** Numbers beyond the axis are refused where they are used; of many only those that are written. */
function* refuseOutside(m: Machine, node: Node, { dim, shape, library }: PickedAt): Run<void> {
  const size = shape[dim];
  const cells =
    node.shape?.reduce<number>((all, one) => all * (typeof one === 'number' ? one : Infinity), 1) ?? Infinity;
  const values = node.value ?? (node.why || cells > 1024 ? undefined : yield* look(m, node));
  if (!values || isCause(values) || typeof size !== 'number') return;
  const outside = values.data.find((i) => i >= size || i < -size);
  if (outside !== undefined) raise('IndexError', beyond(library, outside, dim, size));
}

const beyond = (library: Library, index: number, axis: number, size: number): string =>
  `index ${index} is out of bounds for ${library === 'torch' ? 'dimension' : 'axis'} ${axis} with size ${size}`;

function refuseMask(mask: Shape | undefined, { dim, shape, library }: PickedAt): void {
  mask?.forEach((size, i) => {
    const other = shape[dim + i];
    if (typeof size !== 'number' || typeof other !== 'number' || size === other) return;
    raise(
      'IndexError',
      library === 'torch'
        ? `The shape of the mask [${mask.map(formatDim).join(', ')}] at index ${i} does not match the shape of the indexed tensor [${shape.map(formatDim).join(', ')}] at index ${dim + i}`
        : `boolean index did not match indexed array along axis ${dim + i}; size of axis is ${other} but size of corresponding boolean axis is ${size}`,
    );
  });
}

function* singleIndex(m: Machine, tensor: TensorValue, item: Value, size: Dim, axis: number): Run<AxisIndex> {
  const index = item.kind === 'tensor' ? yield* scalarIndex(m, item) : dimOf(item);
  if (typeof index !== 'number') {
    if (item.kind !== 'symbol' && item.kind !== 'unknown' && item.kind !== 'tensor')
      raise(
        'IndexError',
        tensor.library === 'torch'
          ? `too many indices for tensor of dimension ${tensor.node.shape?.length}`
          : 'only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices',
      );
    return {
      start: 0,
      step: 1,
      size: 1,
      dropped: true,
      why: 'cause' in item ? item.cause : cause(m, t('the index is not known')),
    };
  }
  if (typeof size !== 'number')
    return {
      start: 0,
      step: 1,
      size: 1,
      dropped: true,
      why: tensor.node.why ?? cause(m, t('its sizes are known by name only')),
    };
  if (index < -size || index >= size) raise('IndexError', beyond(tensor.library, index, axis, size));
  return { start: index < 0 ? index + size : index, step: 1, size: 1, dropped: true };
}

function* scalarIndex(m: Machine, item: TensorValue): Run<number | undefined> {
  const values = yield* look(m, nodeOf(m, item));
  return isCause(values) ? undefined : values.data[0];
}

/** `lower:upper:step` of an axis, by names where the sizes are names. */
function* slicedAxis(
  m: Machine,
  library: Library,
  { lower, upper, step }: SliceValue,
  size: Dim,
): Run<AxisIndex | Cause> {
  const [from, to, by] = [yield* boundOf(m, lower), yield* boundOf(m, upper), yield* boundOf(m, step)];
  const stride = by === undefined ? 1 : by;
  if (typeof stride !== 'number') return cause(m, t('the step is not known'));
  if (stride === 0) raise('ValueError', 'slice step cannot be zero');
  if (stride < 0 && library === 'torch' && !m.modules.has('tensorflow'))
    raise('ValueError', 'step must be greater than zero');
  if ([from, to].some((x) => x === null)) {
    const why = cause(m, t('where the slice ends is not known'));
    const length = stride === 1 ? between(m, lower, upper) : undefined;
    return length === undefined ? why : { start: 0, step: 1, size: length, dropped: false, why };
  }
  const numeric = [size, from ?? 0, to ?? 0].every((x) => typeof x === 'number');
  if (numeric)
    return {
      ...plainSlice(size as number, from as number | undefined, to as number | undefined, stride),
      dropped: false,
    };
  return namedSlice(m, size, from ?? undefined, to ?? undefined, stride);
}

/** The length of `x[i : i + n]`, whose bounds are taken to lie within the axis, where `i` is not known; undefined where the bounds have another beginning. */
function between(m: Machine, lower: Value, upper: Value): number | undefined {
  if (lower.kind !== 'tensor' || upper.kind !== 'tensor') return undefined;
  const [a, b] = [offsetOf(nodeOf(m, lower)), offsetOf(nodeOf(m, upper))];
  const length = b.by - a.by;
  return length >= 0 && sameNode(a.from, b.from) ? length : undefined;
}

/** A number as another one and what is added to it. */
function offsetOf(node: Node): { readonly from: Node; readonly by: number } {
  let [from, by] = [node, 0];
  while (from.operation === 'add' || from.operation === 'subtract') {
    const [a, b] = from.operands;
    const sign = from.operation === 'add' ? 1 : -1;
    const [right, left] = [b && writtenIn(b), a && writtenIn(a)];
    if (a && right !== undefined) [from, by] = [a, by + sign * right];
    else if (b && left !== undefined && sign === 1) [from, by] = [b, by + left];
    else break;
  }
  return { from, by };
}

const writtenIn = ({ value }: Node): number | undefined => (value?.data.length === 1 ? value.data[0] : undefined);

/** A bound: undefined where none is given, null where it is not known. */
function* boundOf(m: Machine, value: Value): Run<Dim | undefined | null> {
  if (value.kind === 'none') return undefined;
  if (value.kind === 'tensor') return (yield* scalarIndex(m, value)) ?? null;
  if (value.kind === 'unknown' && value.standIn) return operandName(value.standIn.name);
  return (
    dimOf(value) ??
    (value.kind === 'unknown'
      ? null
      : raise('TypeError', 'slice indices must be integers or None or have an __index__ method'))
  );
}

const operandName = (name: string): Dim => ({
  terms: [{ coefficient: 1, factors: [{ name: name.slice(name.lastIndexOf('.') + 1), power: 1 }] }],
});

/** Python's rule for slices. */
export function plainSlice(
  size: number,
  from: number | undefined,
  to: number | undefined,
  step: number,
): { start: number; stop: number; step: number; size: number } {
  const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x < 0 ? x + size : x, low), high);
  const [low, high] = step > 0 ? [0, size] : [-1, size - 1];
  const start = from === undefined ? (step > 0 ? 0 : size - 1) : clamp(from, low, high);
  const stop = to === undefined ? (step > 0 ? size : -1) : clamp(to, low, high);
  return { start, stop, step, size: Math.max(0, Math.ceil((stop - start) / step)) };
}

/** With names: bounds are taken to lie within the axis. */
function namedSlice(m: Machine, size: Dim, from: Dim | undefined, to: Dim | undefined, step: number): AxisIndex {
  const fromEnd = (x: Dim): Dim => (typeof x === 'number' && x < 0 ? add(size, x) : x);
  const start = from === undefined ? 0 : fromEnd(from);
  const length = subtract(to === undefined ? size : fromEnd(to), start);
  const count = step === 1 ? length : floorDivide(add(length, Math.abs(step) - 1), Math.abs(step));
  const movable = typeof start === 'number' && step > 0;
  return {
    start: movable ? start : 0,
    step: movable ? step : 1,
    size: count,
    dropped: false,
    why: movable ? undefined : cause(m, t('where the slice begins is not known')),
  };
}

/** `tensor[key] = value`. */
export function* setItem(m: Machine, tensor: TensorValue, key: Value, value: Value): Run<void> {
  const node = nodeOf(m, tensor);
  const { library } = tensor;
  const from = castNode(m, yield* operandNode(m, value, library, node.dtype), node.dtype, library);
  if (!node.shape) return forget(m, tensor, from);
  const items = itemsOf(key);
  const [mask] = items;
  if (items.length === 1 && mask?.kind === 'tensor' && mask.node.dtype === 'bool' && from.shape?.length === 0)
    return replaceMasked(m, tensor, nodeOf(m, mask), from);
  const parsed = yield* parse(m, tensor, node.shape, key);
  if ('text' in parsed || parsed.axes.some(({ why }) => why)) return forget(m, tensor, from);
  const view = isWhole(parsed, node.shape) ? tensor : viewed(m, tensor, parsed);
  if (parsed.picks.length > 0) return put(m, view, parsed, from);
  if (value.kind === 'tensor') refuseOverlap(view, value);
  overwrite(m, view, fitted(m, from, nodeOf(m, view).shape ?? [], library));
}

/** Whether the slices beside the places leave every axis as it is. */
const isWhole = ({ axes, shape: result }: Parsed, shape: Shape): boolean =>
  axes.length === shape.length &&
  result.length === shape.length &&
  axes.every(({ start, step, size, dropped }, i) => start === 0 && step === 1 && size === shape[i] && !dropped);

function fitted(m: Machine, from: Node, shape: Shape, library: Library): Node {
  // Leading axes of size 1 that the place does not have go.
  const extra = (from.shape?.length ?? 0) - shape.length;
  const lean =
    extra > 0 && from.shape?.slice(0, extra).every((dim) => dim === 1)
      ? operate(m, 'reshape', [from], { shape: from.shape.slice(extra) }, from.dtype, library)
      : from;
  if (lean.shape) assignable(library, lean.shape, shape);
  return expandNode(m, lean, shape, library);
}

function assignable(library: Library, from: Shape, to: Shape): void {
  const common = from.length <= to.length ? broadcastOrUndefined(library, from, to) : undefined;
  const fits = common?.every((dim, i) => dim === to[i] || typeof dim !== 'number' || typeof to[i] !== 'number');
  if (fits) return;
  const text = (shape: Shape, mark: string): string =>
    `${shape.join(mark)}${shape.length === 1 && mark === ',' ? ',' : ''}`;
  if (library === 'numpy')
    raise(
      'ValueError',
      `could not broadcast input array from shape (${text(from, ',')}) into shape (${text(to, ',')})`,
    );
  raise(
    'RuntimeError',
    `shape mismatch: value tensor of shape [${text(from, ', ')}] cannot be broadcast to indexing result of shape [${text(to, ', ')}]`,
  );
}

function broadcastOrUndefined(library: Library, a: Shape, b: Shape): Shape | undefined {
  try {
    return broadcast(library, [a, b]);
  } catch {
    return undefined;
  }
}

function put(m: Machine, view: TensorValue, { picks, at }: Parsed, from: Node): void {
  const node = nodeOf(m, view);
  const shape = pickedShape(node.shape ?? [], picks, at, view.library);
  if (node.operands.length > 0 && from.shape?.length === 0) return putOne(m, view, node, { picks, at, shape, from });
  const operands = [node, fitted(m, from, shape, view.library), ...picks.map((pick) => pick.node)];
  overwrite(
    m,
    view,
    operate(m, 'put', operands, { axes: picks.map(({ axis }) => axis), axis: at }, node.dtype, view.library),
  );
}

interface Places {
  readonly picks: Parsed['picks'];
  readonly at: Parsed['at'];
  readonly shape: Shape;
  readonly from: Node;
}

/** `scores[np.triu_indices(n, 1)] = -np.inf`: the same as by a mask of these places, as which a reader of attention code means it. */
function putOne(m: Machine, view: TensorValue, node: Node, to: Places): void {
  const { library } = view;
  const [none, one] = [0, 1].map((truth) => constant(m, [], 'bool', Float64Array.of(truth))) as [Node, Node];
  const operands = [expandNode(m, none, node.shape ?? [], library), expandNode(m, one, to.shape, library), ...to.picks.map((pick) => pick.node)]; // prettier-ignore
  const mask = operate(m, 'put', operands, { axes: to.picks.map(({ axis }) => axis), axis: to.at }, 'bool', library);
  overwrite(m, view, operate(m, 'where', [mask, to.from, node], {}, node.dtype, library));
}

/** `x[mask] = number`, which needs no places: a mask that is not known spoils no shape. */
function replaceMasked(m: Machine, tensor: TensorValue, mask: Node, from: Node): void {
  const node = nodeOf(m, tensor);
  const lead = (node.shape?.length ?? 0) - (mask.shape?.length ?? 0);
  if (!mask.shape || lead < 0) return forget(m, tensor, from);
  refuseMask(mask.shape, { axis: 0, dim: 0, shape: node.shape ?? [], library: tensor.library });
  const wide =
    lead === 0
      ? mask
      : operate(
          m,
          'reshape',
          [mask],
          { shape: [...mask.shape, ...Array.from({ length: lead }, () => 1)] },
          'bool',
          tensor.library,
        );
  overwrite(m, tensor, operate(m, 'where', [wide, from, node], {}, node.dtype, tensor.library));
}

/** Something was written, and it is not known where: from here on only the shape is known. */
function forget(m: Machine, tensor: TensorValue, from: Node): void {
  const node = nodeOf(m, tensor);
  const why = from.why ?? node.why ?? cause(m, t('where this writes is not known'));
  overwrite(m, tensor, addNode(m, 'write', { operands: [node, from], shape: node.shape, dtype: node.dtype, why }));
}
