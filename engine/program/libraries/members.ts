/** What a tensor says of itself, and what turns it into something else. */
import { t } from '../../text';
import { arrayNode, inPlace } from '../evaluate';
import {
  addNode,
  cause,
  input,
  isCause,
  look,
  raise,
  recordChange,
  refuseOverlap,
  unknown,
  castNode,
  isContiguous,
  newTensor,
  nodeOf,
  overwrite,
  bool,
  str,
  float,
  int,
  list,
  none,
  sized,
  type Instance,
  type Run,
  type TensorValue,
  type Value,
} from '../machine';
import {
  type Cause,
  type Node,
  type Shape,
  bytesOf,
  isKnownShape,
  formatDim,
  sizeOf as elements,
  floatLimits,
  integerLimits,
  isFloat,
  type DType,
  axisOf,
} from '../tensor';
import {
  absent,
  common,
  dtypeOf,
  given,
  nodeArgument,
  rankOf,
  shapeValue,
  tensorArgument,
  tensorOf,
  intArgument,
} from './support';
import { notFollowed, type Call, type Row } from './table';

/** One element as a Python number. */
export const numberOf = (dtype: DType, x: number): Value =>
  dtype === 'bool' ? bool(x !== 0) : isFloat(dtype) ? float(x) : int(x);

function* item(call: Call): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const values = yield* look(call.m, node);
  const type = node.dtype === 'bool' ? 'bool' : isFloat(node.dtype) ? 'float' : 'int';
  if (isCause(values)) return { kind: 'unknown', cause: values, type };
  if (values.data.length !== 1)
    raise(
      call.library === 'torch' ? 'RuntimeError' : 'ValueError',
      call.library === 'torch'
        ? `a Tensor with ${values.data.length} elements cannot be converted to Scalar`
        : 'can only convert an array of size 1 to a Python scalar',
    );
  return numberOf(node.dtype, values.data[0] as number);
}

function* asList(call: Call): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const values = yield* look(call.m, node);
  if (isCause(values)) return { kind: 'unknown', cause: values };
  let at = 0;
  const nested = (shape: readonly number[]): Value =>
    shape.length === 0
      ? numberOf(node.dtype, values.data[at++] as number)
      : list(Array.from({ length: shape[0] as number }, () => nested(shape.slice(1))));
  return nested(values.shape);
}

/** `x.size()`, `x.size(-1)`. */
function* size(call: Call): Run<Value> {
  const value = given(call, 'input');
  const { standIn } = value.kind === 'unknown' ? value : {};
  const dim = call.get('dim');
  if (value.kind === 'unknown' && standIn && !standIn.tensor?.node.shape) {
    const shape = yield* call.m.evaluator.attribute(call.m, value, 'shape');
    return shape ?? none;
  }
  const node = yield* nodeArgument(call, 'input');
  const shape = shapeValue(call, node);
  if (absent(dim) || shape.kind !== 'tuple') return shape;
  return shape.items[axisOf('torch', yield* intArgument(call, 'dim'), shape.items.length)] ?? none;
}

function* rank(call: Call): Run<Value> {
  return int(rankOf(call, yield* nodeArgument(call, 'input')));
}

const count = (call: Call): Run<Value> => sizeIn(call, () => []);
const bytes = (call: Call): Run<Value> => sizeIn(call, ({ dtype }) => [bytesOf(dtype)]);

function* sizeIn(call: Call, times: (node: Node) => Shape): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  return node.shape
    ? sized(elements([...node.shape, ...times(node)]), node.why ?? cause(call.m, t('its sizes are known by name only')))
    : notFollowed(call.m, t('its shape is not known'));
}

function* bytesEach(call: Call): Run<Value> {
  return int(bytesOf((yield* nodeArgument(call, 'input')).dtype));
}

const cast = (tensor: TensorValue, call: Call, dtype: DType): Value => {
  const node = nodeOf(call.m, tensor);
  return node.dtype === dtype
    ? tensor
    : newTensor(tensor.library, castNode(call.m, node, dtype, tensor.library), { scalar: tensor.scalar });
};

function* to(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const listed = [...call.rest, call.keywords.get('dtype'), call.keywords.get('other')];
  const asked = listed.find((value) => value?.kind === 'dtype' || value?.kind === 'class');
  const other = listed.find((value) => value?.kind === 'tensor');
  if (other?.kind === 'tensor') return cast(tensor, call, other.node.dtype);
  return asked ? cast(tensor, call, dtypeOf(call, asked) ?? tensor.node.dtype) : tensor;
}

function* astype(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const made = cast(tensor, call, dtypeOf(call, given(call, 'dtype')) ?? tensor.node.dtype);
  return made === tensor ? newTensor(tensor.library, nodeOf(call.m, tensor)) : made;
}

const asType = (dtype: DType): Row['run'] =>
  function* (call) {
    return cast(yield* tensorArgument(call, 'input'), call, dtype);
  };

function* itself(call: Call): Run<Value> {
  return yield* tensorArgument(call, 'input');
}

/** The same storage without the part of a parameter. */
function* detached(call: Call): Run<Value> {
  return { ...(yield* tensorArgument(call, 'input')), parameter: false, grad: false };
}

function* copied(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  return newTensor(tensor.library, nodeOf(call.m, tensor));
}

/** NumPy's view of PyTorch's storage. */
function* asNumpy(call: Call): Run<Value> {
  return { ...(yield* tensorArgument(call, 'input')), library: 'numpy', parameter: false, scalar: false };
}

function* fill(call: Call, value: Value): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const node = nodeOf(call.m, tensor);
  const { nodes } = yield* common(call, [value], node.dtype);
  const from = castNode(call.m, nodes[0] ?? node, node.dtype, call.library);
  overwrite(
    call.m,
    tensor,
    node.shape
      ? addNode(call.m, 'expand', {
          operands: [from],
          attributes: { shape: node.shape },
          shape: node.shape,
          dtype: node.dtype,
          why: from.why ?? (isKnownShape(node.shape) ? undefined : node.why),
        })
      : from,
  );
  return tensor;
}

function* fillFrom(call: Call, tensor: TensorValue): Run<Value> {
  const other = yield* tensorOf(call, given(call, 'src'));
  refuseOverlap(tensor, other);
  return inPlace(call.m, tensor, { ...other, library: tensor.library });
}

function setGrad(m: Call['m'], tensor: TensorValue, to: boolean): void {
  const set = (value: Value | undefined): void => void (tensor.grad = value?.kind === 'bool' && value.value);
  recordChange(m, () => ({ owner: tensor, key: 'grad', get: () => bool(tensor.grad ?? tensor.parameter), set }));
  tensor.grad = to;
}

function* parameter(call: Call): Run<Value> {
  const tensor = absent(call.get('data'))
    ? newTensor('torch', input(call.m, [0], 'float32', cause(call.m, t('it is not filled yet'))))
    : yield* tensorArgument(call, 'data');
  const grad = call.get('requires_grad');
  return { ...tensor, parameter: true, grad: grad?.kind === 'bool' ? grad.value : true };
}

/** `x.data = …`: the other's storage from then on; what was taken of the old one keeps that. */
function* setData(call: Call): Run<Value> {
  const tensor = yield* tensorArgument(call, 'input');
  const other = yield* tensorArgument(call, 'data');
  nodeOf(call.m, other);
  const set = (value: Value | undefined): void => {
    if (value?.kind !== 'tensor') return;
    const { root, isRoot, offset, strides, node, version } = value;
    Object.assign(tensor, { root, isRoot, offset, strides, node, version });
  };
  recordChange(call.m, () => ({ owner: tensor, key: 'data', get: () => ({ ...tensor }), set }));
  set(other);
  return none;
}

const limits = (call: Call, of: (dtype: DType) => object | undefined, fallback: DType): Value => {
  const value = call.get('dtype');
  const dtype = value?.kind === 'tensor' ? value.node.dtype : (dtypeOf(call, value) ?? fallback);
  const found = of(dtype);
  if (!found) return unknown(call.m, t('{0} is not a number type that is supported', dtype));
  const whole = !isFloat(dtype);
  const attributes = new Map<string, Value>(
    Object.entries(found as Record<string, number>).map(([name, x]) => [name, whole ? int(x) : float(x)]),
  );
  return {
    kind: 'instance',
    of: {
      kind: 'class',
      name: 'finfo',
      bases: [],
      attributes: new Map(),
      cause: cause(call.m, t('{0} is not known', 'finfo')),
    },
    attributes,
  } satisfies Instance;
};

/** Whether all elements are close: |a − b| ≤ atol + rtol·|b|. */
function* close(call: Call, everywhere: boolean): Run<Value> {
  const { nodes } = yield* common(call, [given(call, 'input'), given(call, 'other')], 'float64');
  const [a, b] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  const real = (name: string, usual: number): number => {
    const value = call.get(name);
    return value?.kind === 'float' || value?.kind === 'int' ? Number(value.value) : usual;
  };
  const [x, y] = [yield* look(call.m, a), yield* look(call.m, b)];
  if (isCause(x) || isCause(y)) return { kind: 'unknown', cause: isCause(x) ? x : (y as Cause), type: 'bool' };
  const [rtol, atol] = [real('rtol', 1e-5), real('atol', 1e-8)];
  const near = (p: number, q: number): boolean => p === q || Math.abs(p - q) <= atol + rtol * Math.abs(q);
  if (x.data.length !== y.data.length && x.data.length !== 1 && y.data.length !== 1)
    return notFollowed(call.m, t('{0} of different shapes is not followed', call.name));
  if (!everywhere) return notFollowed(call.m, t('{0} is not known', call.name));
  const [longer, one] = x.data.length >= y.data.length ? [x.data, y.data] : [y.data, x.data];
  return bool(
    longer.every((_, i) =>
      near(
        x.data[x.data.length === 1 ? 0 : i] as number,
        y.data[one.length === 1 && longer === x.data ? 0 : i] as number,
      ),
    ),
  );
}

function* equal(call: Call): Run<Value> {
  const [a, b] = [yield* nodeArgument(call, 'input'), yield* nodeArgument(call, 'other')];
  if (a.shape && b.shape && a.shape.map(formatDim).join() !== b.shape.map(formatDim).join()) return bool(false);
  const [x, y] = [yield* look(call.m, a), yield* look(call.m, b)];
  if (isCause(x)) return { kind: 'unknown', cause: x, type: 'bool' };
  if (isCause(y)) return { kind: 'unknown', cause: y, type: 'bool' };
  return bool(x.data.every((value, i) => value === y.data[i]));
}

const row = (
  names: string,
  signature: string,
  run: Row['run'],
  property = false,
  oracle: Row['oracle'] = 'torch',
): Row => ({
  names,
  signature,
  run,
  source: 'PyTorch, torch.Tensor; NumPy, numpy.ndarray',
  oracle,
  ...(property ? { property } : {}),
});

const casts: readonly (readonly [string, DType])[] = [
  ['float', 'float32'],
  ['double', 'float64'],
  ['half', 'float16'],
  ['bfloat16', 'bfloat16'],
  ['long', 'int64'],
  ['int', 'int32'],
  ['short', 'int16'],
  ['char', 'int8'],
  ['byte', 'uint8'],
  ['bool', 'bool'],
];

const always = (value: Value): Row['run'] =>
  function* () {
    yield;
    return value;
  };

const addresses = new WeakMap<object, number>();
let mostAddresses = 0;

/** Which memory a tensor lies in, not where: two can be compared. */
function addressOf(root: object): number {
  const own = addresses.get(root) ?? ++mostAddresses;
  addresses.set(root, own);
  return own;
}

export const memberRows: readonly Row[] = [
  row('Tensor.item ndarray.item', 'input', item),
  row('Tensor.tolist ndarray.tolist', 'input', asList),
  row(
    'Tensor.shape ndarray.shape',
    'input',
    function* (call) {
      return shapeValue(call, yield* nodeArgument(call, 'input'));
    },
    true,
  ),
  row(
    'np.shape',
    'input|a',
    function* (call) {
      return shapeValue(call, yield* nodeArgument(call, 'input'));
    },
    false,
    'numpy',
  ),
  row('Tensor.size', 'input, dim|axis=', size),
  row('ndarray.size', 'input', count, true, 'numpy'),
  row('Tensor.dim Tensor.ndimension', 'input', rank),
  row('Tensor.ndim ndarray.ndim', 'input', rank, true),
  row('Tensor.nbytes ndarray.nbytes', 'input', bytes, true),
  row('Tensor.itemsize ndarray.itemsize', 'input', bytesEach, true),
  row('Tensor.element_size', 'input', bytesEach),
  row('Tensor.numel Tensor.nelement torch.numel np.size', 'input|a', count),
  row(
    'Tensor.dtype ndarray.dtype',
    'input',
    function* (call) {
      return { kind: 'dtype', dtype: (yield* nodeArgument(call, 'input')).dtype, library: call.library };
    },
    true,
  ),
  row('Tensor.device', 'input', always({ kind: 'device', name: 'cpu' }), true),
  row('Tensor.is_cuda', 'input', always(bool(false)), true),
  row(
    'Tensor.requires_grad',
    'input',
    function* (call) {
      const { grad, parameter, node } = yield* tensorArgument(call, 'input');
      if (grad === undefined && !parameter && node.operands.length > 0)
        return unknown(call.m, t('gradients are not followed'));
      return bool(grad ?? parameter);
    },
    true,
  ),
  row(
    'Tensor.grad',
    'input',
    function* (call) {
      yield;
      return unknown(call.m, t('gradients are not followed'));
    },
    true,
  ),
  row('Tensor.data', 'input', detached, true),
  row('Tensor.set_data', 'input, data', setData),
  row('Tensor.detach', 'input', detached),
  row('Tensor.requires_grad_ Tensor.set_requires_grad', 'input, requires_grad=', function* (call) {
    const tensor = yield* tensorArgument(call, 'input');
    const to = call.get('requires_grad');
    setGrad(call.m, tensor, to ? to.kind === 'bool' && to.value : true);
    return tensor;
  }),
  row('Tensor.retain_grad', 'input, __ignored=', function* () {
    yield;
    return none;
  }),
  row('Tensor.cpu Tensor.cuda Tensor.pin_memory', 'input, device=', itself),
  row('Tensor.clone ndarray.copy np.copy torch.clone', 'input|a', copied),
  row('Tensor.numpy Tensor.__array__', 'input, *, force=', asNumpy),
  row('Tensor.to', 'input, *args, dtype=, device=, other=', to),
  row('Tensor.type', 'input, *args, dtype=', to),
  row('Tensor.type_as', 'input, other', function* (call) {
    return cast(yield* tensorArgument(call, 'input'), call, (yield* nodeArgument(call, 'other')).dtype);
  }),
  row('ndarray.astype', 'input, dtype', astype, false, 'numpy'),
  ...casts.map(([name, dtype]) => row(`Tensor.${name}`, 'input', asType(dtype))),
  row('Tensor.is_contiguous', 'input', function* (call) {
    return bool(isContiguous(yield* tensorArgument(call, 'input')) ?? true);
  }),
  // No number: an address differs from run to run, so that only comparisons of two are Python's.
  row('Tensor.data_ptr', 'input|self', function* (call) {
    const { root, offset } = yield* tensorArgument(call, 'input');
    return str(`<address ${addressOf(root)} + ${offset}>`);
  }),
  row('Tensor.is_floating_point torch.is_floating_point', 'input', function* (call) {
    return bool(isFloat((yield* nodeArgument(call, 'input')).dtype));
  }),
  row('Tensor.stride', 'input', function* (call) {
    const { strides } = yield* tensorArgument(call, 'input');
    return strides
      ? { kind: 'tuple', items: strides.map(int) }
      : notFollowed(call.m, t('its sizes are known by name only'));
  }),
  row('Tensor.zero_', 'input', (call) => fill(call, int(0))),
  row('init.zeros_', 'input|tensor', (call) => fill(call, int(0))),
  row('init.ones_', 'input|tensor', (call) => fill(call, int(1))),
  row('Tensor.fill_ ndarray.fill', 'input, value', (call) => fill(call, given(call, 'value'))),
  row('init.constant_', 'input|tensor, value|val', (call) => fill(call, given(call, 'value'))),
  row('Tensor.copy_', 'input, src, non_blocking=', function* (call) {
    return yield* fillFrom(call, yield* tensorArgument(call, 'input'));
  }),
  row(
    'dtype.__call__',
    'self, value=',
    function* (call) {
      const self = given(call, 'self');
      if (self.kind !== 'dtype') return none;
      const node = yield* arrayNode(call.m, call.get('value') ?? int(0), self.library, self.dtype);
      return newTensor(self.library, node, { scalar: node.shape?.length === 0 });
    },
    false,
    'numpy',
  ),
  row('nn.Parameter torch.nn.Parameter', 'data=, requires_grad=', parameter),
  row('torch.finfo np.finfo', 'dtype', function* (call) {
    yield;
    return limits(call, floatLimits, 'float32');
  }),
  row('torch.iinfo np.iinfo', 'dtype', function* (call) {
    yield;
    return limits(call, integerLimits, 'int64');
  }),
  row('torch.allclose np.allclose Tensor.allclose', 'input|a, other|b, rtol=, atol=, equal_nan=', (call) =>
    close(call, true),
  ),
  row('torch.equal np.array_equal Tensor.equal', 'input|a1, other|a2', equal),
  row('torch.is_tensor', 'input|obj', function* (call) {
    yield;
    return bool(given(call, 'input').kind === 'tensor');
  }),
  row('Tensor.backward', 'input, gradient=, retain_graph=', function* (call) {
    yield;
    unknown(call.m, t('gradients are not followed'));
    return none;
  }),
];
