/** Sums, means and other reductions; softmax and what else runs along an axis. */
import { t } from '../../text';
import { cause, input, newTensor, operate, raise, castNode, tuple, type Run, type Value } from '../machine';
import {
  type Node,
  floatOf,
  isFloat,
  scalarName,
  sumOf,
  type DType,
  type OperationName,
  type Attributes,
} from '../tensor';
import {
  absent,
  apply,
  axesArgument,
  axisArgument,
  dtypeOf,
  flagArgument,
  given,
  intArgument,
  nodeArgument,
  rankOf,
} from './support';
import { refuseType } from './refused';
import { notFollowed, type Call, type Row } from './table';
import { binary } from './elementwise';

const signature = 'input|a|x, dim|axis=, keepdim|keepdims=, *, dtype=, initial=, where=';

/** NumPy adds bytes up in uint64, which is not followed. */
const totalOf = (call: Call, dtype: DType): DType =>
  call.library === 'numpy' && dtype === 'uint8'
    ? notFollowed(call.m, t('{0} is not a number type that is supported', 'uint64'))
    : sumOf(call.library, dtype);

/** The type in which a reduction computes and answers. */
function typeOf(call: Call, operation: string, node: Node): DType {
  const asked = dtypeOf(call, call.get('dtype'));
  if (asked) return asked;
  if (operation === 'sum' || operation === 'prod') return totalOf(call, node.dtype);
  if (['max', 'min'].includes(operation)) return node.dtype;
  if (call.library === 'numpy') return isFloat(node.dtype) ? node.dtype : 'float64';
  if (['mean', 'var', 'std', 'norm'].includes(operation) && !isFloat(node.dtype))
    return raise(
      'RuntimeError',
      `${operation}(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: ${scalarName(node.dtype)}`,
    );
  return floatOf(call.library, node.dtype, call.m.floats);
}

function* reduce(call: Call, operation: OperationName, attributes: Attributes = {}): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const dtype = typeOf(call, operation, node);
  const axes = yield* axesArgument(call, 'dim', rankOf(call, node));
  const keepdims = yield* flagArgument(call, 'keepdim');
  return apply(
    call,
    operation,
    [castNode(call.m, node, dtype, call.library)],
    { axes, keepdims, ...attributes },
    dtype,
  );
}

function* tested(call: Call, operation: 'any' | 'all'): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const axes = yield* axesArgument(call, 'dim', rankOf(call, node));
  // PyTorch answers bytes with a byte.
  const dtype = call.library === 'torch' && node.dtype === 'uint8' ? 'uint8' : 'bool';
  return apply(call, operation, [node], { axes, keepdims: yield* flagArgument(call, 'keepdim') }, dtype);
}

/** `argmax`: without an axis of all elements in a row. */
function* place(call: Call, operation: 'argmax' | 'argmin'): Run<Value> {
  yield* refuseEmpty(call, operation);
  const node = yield* nodeArgument(call, 'input');
  if (!node.why) refuseType(call.library, operation, node.dtype);
  const axes = yield* axesArgument(call, 'dim', rankOf(call, node));
  return apply(call, operation, [node], { axes, keepdims: yield* flagArgument(call, 'keepdim') }, 'int64');
}

/** `torch.max(x)`, `torch.max(x, dim)` with places, `torch.max(x, y)`. */
/** Of no elements none is the largest. */
function* refuseEmpty(call: Call, operation: 'max' | 'min' | 'argmax' | 'argmin'): Run<void> {
  const { shape } = yield* nodeArgument(call, 'input');
  const dim = call.get('dim');
  const size = dim?.kind === 'int' ? shape?.at(Number(dim.value)) : absent(dim) && shape?.includes(0) ? 0 : undefined;
  if (size !== 0) return;
  if (call.library === 'numpy')
    raise('ValueError', operation.startsWith('arg') ? `attempt to get ${operation} of an empty sequence` : `zero-size array to reduction operation ${operation}imum which has no identity`); // prettier-ignore
  const whole = absent(dim);
  raise(whole && operation.length === 3 ? 'RuntimeError' : 'IndexError', `${operation}(): Expected reduction dim ${whole ? `to be specified for input.numel() == 0.${operation.length === 3 ? " Specify the reduction dim with the 'dim' argument." : ''}` : `${Number(dim?.kind === 'int' ? dim.value : 0)} to have non-zero size.`}`); // prettier-ignore
}

function* extreme(call: Call, operation: 'max' | 'min'): Run<Value> {
  const second = call.get('dim');
  if (call.library === 'torch' && second?.kind === 'tensor')
    return yield* binary(call, operation === 'max' ? 'maximum' : 'minimum', given(call, 'input'), second);
  yield* refuseEmpty(call, operation);
  const values = yield* reduce(call, operation);
  if (call.library === 'numpy' || absent(second)) return values;
  return tuple([values, yield* place(call, operation === 'max' ? 'argmax' : 'argmin')], ['values', 'indices']);
}

/** Divides by the number of elements less a correction: 1 in PyTorch, 0 in NumPy. */
function* spreadOf(call: Call, operation: 'var' | 'std'): Run<Value> {
  const unbiased = call.get('unbiased');
  const usual = call.library === 'torch' ? 1 : 0;
  const correction = unbiased?.kind === 'bool' ? Number(unbiased.value) : yield* intArgument(call, 'correction', usual);
  return yield* reduce(call, operation, { correction });
}

function* norm(call: Call): Run<Value> {
  const p = call.get('p');
  const value = p?.kind === 'int' || p?.kind === 'float' ? Number(p.value) : 2;
  if (value === 2 || (p?.kind === 'str' && p.value === 'fro')) return yield* reduce(call, 'norm');
  return yield* normOfOrder(call, value);
}

/** Of vectors along one axis: the sum of absolute values (order 1), the largest (∞), the smallest (−∞). Without an axis it may be a matrix' norm. */
function* normOfOrder(call: Call, order: number): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const rank = rankOf(call, node);
  const axes = yield* axesArgument(call, 'dim', rank);
  const operation = order === 1 ? 'sum' : order === Infinity ? 'max' : order === -Infinity ? 'min' : undefined;
  if (!operation || axes.length !== 1) return notFollowed(call.m, t('a norm of order {0} is not followed', order));
  const keepdims = yield* flagArgument(call, 'keepdim');
  const dtype = typeOf(call, 'norm', node);
  const sizes = apply(call, 'absolute', [castNode(call.m, node, dtype, call.library)], {}, dtype);
  return apply(call, operation, [sizes.node], { axes, keepdims }, dtype);
}

/** What keeps the shape and runs along one axis. */
function* along(call: Call, operation: OperationName, attributes: Attributes = {}, otherwise?: number): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const asked = dtypeOf(call, call.get('dtype'));
  const sums = operation === 'cumsum' || operation === 'cumprod';
  const dtype =
    asked ?? (sums ? totalOf(call, node.dtype) : isFloat(node.dtype) ? node.dtype : refuseWhole(operation, node.dtype));
  const operand = castNode(call.m, node, dtype, call.library);
  if (!node.shape) return apply(call, operation, [operand], attributes, dtype);
  if (node.shape.length === 0)
    return apply(
      call,
      operation,
      [operate(call.m, 'reshape', [operand], { shape: [1] }, dtype, call.library)],
      { axis: 0 },
      dtype,
    );
  const axis = yield* axisArgument(call, 'dim', node.shape.length, otherwise);
  return apply(call, operation, [operand], { axis, ...attributes }, dtype);
}

const refuseWhole = (operation: string, dtype: DType): never =>
  raise('RuntimeError', `"${operation}_lastdim_kernel_impl" not implemented for '${scalarName(dtype)}'`);

/** NumPy's cumsum without an axis is of all elements in a row. */
function* running(call: Call, operation: 'cumsum' | 'cumprod'): Run<Value> {
  if (call.library === 'torch' || !absent(call.get('dim'))) return yield* along(call, operation);
  const node = yield* nodeArgument(call, 'input');
  const size = rankOf(call, node) === 1 ? node.shape : undefined;
  if (size) return yield* along(call, operation, {}, 0);
  const total = (node.shape ?? []).reduce<number>((n, dim) => n * (typeof dim === 'number' ? dim : NaN), 1);
  if (Number.isNaN(total)) return notFollowed(call.m, t('its sizes are known by name only'));
  const dtype = sumOf(call.library, node.dtype);
  const flat = operate(
    call.m,
    'reshape',
    [castNode(call.m, node, dtype, call.library)],
    { shape: [total] },
    dtype,
    call.library,
  );
  return apply(call, operation, [flat], { axis: 0 }, dtype);
}

/** The old softmax without an axis: the first of vectors and of 3-d tensors, the second otherwise (and a warning). */
function* softmax(call: Call, operation: 'softmax' | 'log_softmax'): Run<Value> {
  // Of PyTorch's functions those written in Python take no `axis` for `dim`.
  if (call.name.startsWith('F.') && call.keywords.has('axis'))
    raise('TypeError', `${operation}() got an unexpected keyword argument 'axis'`);
  const node = yield* nodeArgument(call, 'input');
  const rank = node.shape?.length ?? 2;
  return yield* along(
    call,
    operation,
    {},
    call.name.startsWith('torch.') ? undefined : rank === 0 || rank === 1 || rank === 3 ? 0 : 1,
  );
}

function* sorting(call: Call, only: 'places' | 'both' | 'values'): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const axis = yield* axisArgument(call, 'dim', rankOf(call, node), -1);
  const descending = yield* flagArgument(call, 'descending');
  const attributes = { axis, descending, ...(node.shape ? { shape: node.shape } : {}) };
  const places = (): Value => apply(call, 'argsort', [node], attributes, 'int64');
  const values = (): Value => apply(call, 'sort', [node], attributes, node.dtype);
  return only === 'places'
    ? places()
    : only === 'values'
      ? values()
      : tuple([values(), places()], ['values', 'indices']);
}

function* topk(call: Call): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const k = yield* intArgument(call, 'k');
  const axis = yield* axisArgument(call, 'dim', rankOf(call, node), -1);
  const size = node.shape?.[axis];
  if (typeof size === 'number' && k > size) raise('RuntimeError', 'selected index k out of range');
  const shape = (node.shape ?? []).map((dim, i) => (i === axis ? k : dim));
  // In which order it leaves them is up to the processor.
  if (k > 1 && !(yield* flagArgument(call, 'sorted', true)) && !call.m.sampling) {
    const why = cause(call.m, t('{0} is not known', 'topk(sorted=False)'));
    const open = (dtype: DType): Value => newTensor(call.library, input(call.m, node.shape && shape, dtype, why, call.name)); // prettier-ignore
    return tuple([open(node.dtype), open('int64')], ['values', 'indices']);
  }
  const attributes = { axis, descending: yield* flagArgument(call, 'largest', true), shape };
  return tuple(
    [apply(call, 'sort', [node], attributes, node.dtype), apply(call, 'argsort', [node], attributes, 'int64')],
    ['values', 'indices'],
  );
}

/** NumPy sorts a copy, `x.sort()` the array itself; PyTorch gives both values and places. */
export const reductionRows: readonly Row[] = [
  ...(['sum', 'mean', 'prod'] as const).map((operation): Row => ({
    names: `torch.${operation} Tensor.${operation}`,
    signature,
    run: (call) => reduce(call, operation),
    source: `PyTorch, torch.${operation}`,
    oracle: 'torch',
  })),
  ...(['sum', 'mean', 'prod'] as const).map((operation): Row => ({
    names: `np.${operation} ndarray.${operation}`,
    signature: 'input|a, dim|axis=, dtype=, out=, keepdim|keepdims=',
    run: (call) => reduce(call, operation),
    source: `NumPy, numpy.${operation}`,
    oracle: 'numpy',
  })),
  {
    names: 'torch.max Tensor.max',
    signature: 'input, dim|other|axis=, keepdim|keepdims=',
    run: (call) => extreme(call, 'max'),
    source: 'PyTorch, torch.max',
    oracle: 'torch',
  },
  {
    names: 'torch.min Tensor.min',
    signature: 'input, dim|other|axis=, keepdim|keepdims=',
    run: (call) => extreme(call, 'min'),
    source: 'PyTorch, torch.min',
    oracle: 'torch',
  },
  {
    names: 'torch.amax Tensor.amax',
    signature,
    run: (call) => reduce(call, 'max'),
    source: 'PyTorch, torch.amax',
    oracle: 'torch',
  },
  {
    names: 'torch.amin Tensor.amin',
    signature,
    run: (call) => reduce(call, 'min'),
    source: 'PyTorch, torch.amin',
    oracle: 'torch',
  },
  {
    names: 'np.max np.amax ndarray.max',
    signature: 'input|a, dim|axis=, out=, keepdim|keepdims=',
    run: (call) => extreme(call, 'max'),
    source: 'NumPy, numpy.max',
    oracle: 'numpy',
  },
  {
    names: 'np.min np.amin ndarray.min',
    signature: 'input|a, dim|axis=, out=, keepdim|keepdims=',
    run: (call) => extreme(call, 'min'),
    source: 'NumPy, numpy.min',
    oracle: 'numpy',
  },
  {
    names: 'torch.argmax Tensor.argmax np.argmax ndarray.argmax',
    signature: 'input|a, dim|axis=, keepdim|keepdims=',
    run: (call) => place(call, 'argmax'),
    source: 'NumPy, numpy.argmax',
    oracle: 'torch',
  },
  {
    names: 'torch.argmin Tensor.argmin np.argmin ndarray.argmin',
    signature: 'input|a, dim|axis=, keepdim|keepdims=',
    run: (call) => place(call, 'argmin'),
    source: 'NumPy, numpy.argmin',
    oracle: 'torch',
  },
  {
    names: 'torch.any Tensor.any np.any ndarray.any',
    signature: 'input|a, dim|axis=, keepdim|keepdims=',
    run: (call) => tested(call, 'any'),
    source: 'NumPy, numpy.any',
    oracle: 'torch',
  },
  {
    names: 'torch.all Tensor.all np.all ndarray.all',
    signature: 'input|a, dim|axis=, keepdim|keepdims=',
    run: (call) => tested(call, 'all'),
    source: 'NumPy, numpy.all',
    oracle: 'torch',
  },
  {
    names: 'torch.var Tensor.var',
    signature: 'input, dim|axis=, unbiased=, keepdim|keepdims=, *, correction=',
    run: (call) => spreadOf(call, 'var'),
    source: 'PyTorch, torch.var',
    oracle: 'torch',
  },
  {
    names: 'torch.std Tensor.std',
    signature: 'input, dim|axis=, unbiased=, keepdim|keepdims=, *, correction=',
    run: (call) => spreadOf(call, 'std'),
    source: 'PyTorch, torch.std',
    oracle: 'torch',
  },
  {
    names: 'np.var ndarray.var',
    signature: 'input|a, dim|axis=, dtype=, out=, correction|ddof=, keepdim|keepdims=',
    run: (call) => spreadOf(call, 'var'),
    source: 'NumPy, numpy.var',
    oracle: 'numpy',
  },
  {
    names: 'np.std ndarray.std',
    signature: 'input|a, dim|axis=, dtype=, out=, correction|ddof=, keepdim|keepdims=',
    run: (call) => spreadOf(call, 'std'),
    source: 'NumPy, numpy.std',
    oracle: 'numpy',
  },
  {
    names: 'torch.norm Tensor.norm',
    signature: 'input, p=, dim=, keepdim=',
    run: norm,
    source: 'PyTorch, torch.norm',
    oracle: 'torch',
  },
  {
    names: 'np.linalg.norm torch.linalg.norm torch.linalg.vector_norm',
    signature: 'input|x|A, p|ord=, dim|axis=, keepdim|keepdims=',
    run: norm,
    source: 'NumPy, numpy.linalg.norm',
    oracle: 'numpy',
  },
  {
    names: 'torch.logsumexp Tensor.logsumexp',
    signature: 'input, dim|axis, keepdim|keepdims=',
    run: (call) => reduce(call, 'logsumexp'),
    source: 'PyTorch, torch.logsumexp',
    oracle: 'torch',
  },
  {
    names: 'torch.count_nonzero np.count_nonzero',
    signature: 'input|a, dim|axis=',
    run: countNonzero,
    source: 'NumPy, numpy.count_nonzero',
    oracle: 'numpy',
  },
  {
    names: 'torch.softmax Tensor.softmax F.softmax',
    signature: 'input, dim|axis=, _stacklevel=, dtype=',
    run: (call) => softmax(call, 'softmax'),
    source: 'PyTorch, torch.nn.functional.softmax',
    oracle: 'torch',
  },
  {
    names: 'torch.log_softmax Tensor.log_softmax F.log_softmax',
    signature: 'input, dim|axis=, _stacklevel=, dtype=',
    run: (call) => softmax(call, 'log_softmax'),
    source: 'PyTorch, torch.nn.functional.log_softmax',
    oracle: 'torch',
  },
  {
    names: 'torch.cumsum Tensor.cumsum np.cumsum ndarray.cumsum',
    signature: 'input|a, dim|axis=, dtype=',
    run: (call) => running(call, 'cumsum'),
    source: 'NumPy, numpy.cumsum',
    oracle: 'torch',
  },
  {
    names: 'torch.cumprod Tensor.cumprod np.cumprod ndarray.cumprod',
    signature: 'input|a, dim|axis=, dtype=',
    run: (call) => running(call, 'cumprod'),
    source: 'NumPy, numpy.cumprod',
    oracle: 'torch',
  },
  {
    names: 'torch.sort Tensor.sort',
    signature: 'input, dim|axis=, descending=, *, stable=',
    run: (call) => sorting(call, 'both'),
    source: 'PyTorch, torch.sort',
    oracle: 'torch',
  },
  {
    names: 'torch.argsort Tensor.argsort',
    signature: 'input, dim|axis=, descending=, *, stable=',
    run: (call) => sorting(call, 'places'),
    source: 'PyTorch, torch.argsort',
    oracle: 'torch',
  },
  {
    names: 'np.sort',
    signature: 'input|a, dim|axis=, kind=',
    run: (call) => sorting(call, 'values'),
    source: 'NumPy, numpy.sort',
    oracle: 'numpy',
  },
  {
    names: 'np.argsort ndarray.argsort',
    signature: 'input|a, dim|axis=, kind=',
    run: (call) => sorting(call, 'places'),
    source: 'NumPy, numpy.argsort',
    oracle: 'numpy',
  },
  {
    names: 'torch.topk Tensor.topk',
    signature: 'input, k, dim|axis=, largest=, sorted=',
    run: topk,
    source: 'PyTorch, torch.topk',
    oracle: 'torch',
  },
];

function* countNonzero(call: Call): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  return apply(
    call,
    'count_nonzero',
    [node],
    { axes: yield* axesArgument(call, 'dim', rankOf(call, node)), keepdims: false },
    'int64',
  );
}
