/** Functions of each element. */
import {
  addNode,
  isCause,
  look,
  operate,
  raise,
  castNode,
  newTensor,
  tuple,
  typeName,
  type Run,
  type Value,
} from '../machine';
import {
  floatOf,
  isFloat,
  quotientOf,
  type DType,
  arithmetic,
  comparing,
  floating,
  sameType,
  testing,
  type OperationName,
  type Attributes,
  type Node,
} from '../tensor';
import { absent, apply, common, given, nodeArgument, realArgument, result, tensorArgument } from './support';
import { refuseType, takenAs } from './refused';
import { NotFollowed, type Call, type Row } from './table';

type Kind = 'same' | 'float' | 'bool';

/** The result of a function of one tensor. */
export function* unary(call: Call, operation: OperationName, kind: Kind, attributes: Attributes = {}): Run<Value> {
  refuseNumber(call);
  const node = yield* nodeArgument(call, 'input');
  if (!node.why) refuseType(call.library, operation, node.dtype);
  const own = takenAs(call.library, operation, node.dtype);
  const wholeReciprocal = operation === 'reciprocal' && call.library === 'numpy';
  const dtype = kind === 'float' && !wholeReciprocal ? floatOf(call.library, own, call.m.floats) : own;
  const operand = castNode(call.m, node, dtype, call.library);
  return apply(call, operation, [operand], attributes, kind === 'bool' ? 'bool' : dtype);
}

/** PyTorch's functions of one tensor take no number, list or array for it. */
function refuseNumber(call: Call): void {
  const value = call.get('input');
  if (!value || !/^(?:torch|F)\.[a-z]\w*$/.test(call.name)) return;
  const foreign = value.kind === 'tensor' && value.library === 'numpy';
  if (foreign || ['int', 'float', 'bool', 'symbol', 'list', 'tuple'].includes(value.kind))
    raise(
      'TypeError',
      `${call.name.slice(call.name.indexOf('.') + 1)}(): argument 'input' (position 1) must be Tensor, not ${typeName(value)}`,
    );
}

/** `a operation b`, with the rules of promotion. */
export function* binary(call: Call, operation: OperationName, a: Value, b: Value): Run<Value> {
  if (call.library === 'numpy') refuseText(operation, a, b);
  const { nodes, dtype } = yield* common(call, [a, b]);
  if (operation === 'subtract') refuseTruthValues(call, [a, b], dtype);
  if (operation === 'power' && call.library === 'numpy' && b.kind === 'int' && b.value < 0 && !isFloat(dtype))
    raise('ValueError', 'Integers to negative integer powers are not allowed.');
  if (nodes.every(({ why }) => !why)) refuseType(call.library, operation, dtype);
  const to =
    operation === 'divide' ? quotientOf(call.library, dtype, call.m.floats) : takenAs(call.library, operation, dtype);
  const operands = nodes.map((node) => castNode(call.m, node, to, call.library));
  const truth = operation in comparing;
  if (call.library === 'torch') yield* refuseZero(call, operation, operands[1], to);
  if (
    /^torch\.|^Tensor\.[a-z]/.test(call.name) &&
    tensorsOnly.has(operation) &&
    b.kind !== 'tensor' &&
    b.kind !== 'unknown'
  )
    raise('TypeError', `${call.name}(): argument 'other' (position 2) must be Tensor, not ${b.kind}`);
  return result(call, operate(call.m, operation, operands, {}, truth ? 'bool' : to, call.library));
}

/** PyTorch refuses to divide whole numbers by 0. */
function* refuseZero({ m }: Call, operation: string, divisor: Node | undefined, dtype: DType): Run<void> {
  if ((operation !== 'floor_divide' && operation !== 'remainder') || isFloat(dtype) || !divisor || divisor.why) return;
  const values = yield* look(m, divisor);
  if (!isCause(values) && values.data.includes(0)) raise('RuntimeError', 'ZeroDivisionError');
}

/** PyTorch's functions of two tensors that take no number for one of them. */
const tensorsOnly = new Set('logical_and logical_or logical_xor maximum minimum'.split(' '));

/** NumPy makes arrays of text, with which no arithmetic goes. */
function refuseText(operation: string, a: Value, b: Value): void {
  if (a.kind !== 'str' && b.kind !== 'str') return;
  const type = (value: Value): string =>
    value.kind === 'str'
      ? `dtype('<U${[...value.value].length}')`
      : value.kind === 'tensor'
        ? `dtype('${value.node.dtype}')`
        : `<class '${value.kind}'>`;
  raise(
    'UFuncTypeError',
    `ufunc '${operation}' did not contain a loop with signature matching types (${type(a)}, ${type(b)}) -> None`,
  );
}

/** The difference of two truth values; PyTorch refuses one that is a tensor's. */
function refuseTruthValues({ library }: Call, values: readonly Value[], dtype: DType): void {
  if (library === 'numpy' && dtype === 'bool')
    raise(
      'TypeError',
      'numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor function instead.',
    );
  if (
    library === 'torch' &&
    values.some((value) => (value.kind === 'tensor' ? value.node.dtype === 'bool' : value.kind === 'bool'))
  )
    raise(
      'RuntimeError',
      'Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.',
    );
}

const doc = {
  torch: 'PyTorch, torch: pointwise operations',
  numpy: 'NumPy, universal functions',
} as const;

/** The names of each: operation, then Python's. */
const unaryNames: Readonly<Record<keyof typeof sameType | keyof typeof floating | keyof typeof testing, string>> = {
  negative: 'torch.neg torch.negative Tensor.neg Tensor.negative Tensor.__neg__ np.negative ndarray.__neg__',
  absolute: 'torch.abs torch.absolute Tensor.abs np.abs np.absolute',
  sign: 'torch.sign Tensor.sign np.sign',
  floor: 'torch.floor Tensor.floor np.floor',
  ceil: 'torch.ceil Tensor.ceil np.ceil',
  trunc: 'torch.trunc Tensor.trunc np.trunc',
  round: '',
  square: 'torch.square Tensor.square np.square',
  relu: 'torch.relu Tensor.relu F.relu',
  clip: '',
  exp: 'torch.exp Tensor.exp np.exp',
  exp2: 'torch.exp2 Tensor.exp2 np.exp2',
  expm1: 'torch.expm1 Tensor.expm1 np.expm1',
  log: 'torch.log Tensor.log np.log',
  log1p: 'torch.log1p Tensor.log1p np.log1p',
  log2: 'torch.log2 Tensor.log2 np.log2',
  log10: 'torch.log10 Tensor.log10 np.log10',
  sqrt: 'torch.sqrt Tensor.sqrt np.sqrt',
  rsqrt: 'torch.rsqrt Tensor.rsqrt',
  reciprocal: 'torch.reciprocal Tensor.reciprocal np.reciprocal',
  sin: 'torch.sin Tensor.sin np.sin',
  cos: 'torch.cos Tensor.cos np.cos',
  tan: 'torch.tan Tensor.tan np.tan',
  sinh: 'torch.sinh Tensor.sinh np.sinh',
  cosh: 'torch.cosh Tensor.cosh np.cosh',
  tanh: 'torch.tanh Tensor.tanh np.tanh F.tanh',
  erf: 'torch.erf Tensor.erf torch.special.erf',
  sigmoid: 'torch.sigmoid Tensor.sigmoid F.sigmoid torch.special.expit',
  silu: 'F.silu',
  gelu: '',
  softplus: 'F.softplus',
  logsigmoid: 'F.logsigmoid',
  elu: '',
  leaky_relu: '',
  mish: 'F.mish',
  degrees: 'np.degrees np.rad2deg',
  radians: 'np.radians np.deg2rad',
  logical_not: 'torch.logical_not Tensor.logical_not np.logical_not',
  isnan: 'torch.isnan Tensor.isnan np.isnan',
  isinf: 'torch.isinf Tensor.isinf np.isinf',
  isfinite: 'torch.isfinite Tensor.isfinite np.isfinite',
};

const binaryNames: Readonly<Record<keyof typeof arithmetic | keyof typeof comparing | 'divide', string>> = {
  add: 'Tensor.__add__ np.add ndarray.__add__',
  subtract: 'Tensor.__sub__ np.subtract ndarray.__sub__',
  multiply: 'torch.mul torch.multiply Tensor.mul Tensor.multiply Tensor.__mul__ np.multiply ndarray.__mul__',
  divide: 'torch.true_divide Tensor.__truediv__ np.divide np.true_divide ndarray.__truediv__',
  floor_divide: 'torch.floor_divide Tensor.floor_divide Tensor.__floordiv__ np.floor_divide ndarray.__floordiv__',
  remainder: 'torch.remainder Tensor.remainder Tensor.__mod__ np.remainder np.mod ndarray.__mod__',
  power: 'torch.pow Tensor.pow Tensor.__pow__ np.power ndarray.__pow__',
  maximum: 'torch.maximum Tensor.maximum np.maximum',
  minimum: 'torch.minimum Tensor.minimum np.minimum',
  bitwise_and: 'torch.bitwise_and Tensor.bitwise_and Tensor.__and__ np.bitwise_and ndarray.__and__',
  bitwise_or: 'torch.bitwise_or Tensor.bitwise_or Tensor.__or__ np.bitwise_or ndarray.__or__',
  bitwise_xor: 'torch.bitwise_xor Tensor.bitwise_xor Tensor.__xor__ np.bitwise_xor ndarray.__xor__',
  left_shift: 'Tensor.__lshift__ ndarray.__lshift__',
  right_shift: 'Tensor.__rshift__ ndarray.__rshift__',
  equal: 'torch.eq Tensor.eq Tensor.__eq__ np.equal ndarray.__eq__',
  not_equal: 'torch.ne torch.not_equal Tensor.ne Tensor.not_equal Tensor.__ne__ np.not_equal ndarray.__ne__',
  less: 'torch.lt torch.less Tensor.lt Tensor.less Tensor.__lt__ np.less ndarray.__lt__',
  less_equal: 'torch.le torch.less_equal Tensor.le Tensor.less_equal Tensor.__le__ np.less_equal ndarray.__le__',
  greater: 'torch.gt torch.greater Tensor.gt Tensor.greater Tensor.__gt__ np.greater ndarray.__gt__',
  greater_equal:
    'torch.ge torch.greater_equal Tensor.ge Tensor.greater_equal Tensor.__ge__ np.greater_equal ndarray.__ge__',
  logical_and: 'torch.logical_and Tensor.logical_and np.logical_and',
  logical_or: 'torch.logical_or Tensor.logical_or np.logical_or',
  logical_xor: 'torch.logical_xor Tensor.logical_xor np.logical_xor',
};

const kindOf = (operation: string): Kind => (operation in testing ? 'bool' : operation in floating ? 'float' : 'same');

const oracleOf = (names: string): Row['oracle'] =>
  names.includes('torch.') || names.includes('F.') ? 'torch' : 'numpy';

const unaryRows = Object.entries(unaryNames).flatMap(([operation, names]): Row[] =>
  names === ''
    ? []
    : [
        {
          names,
          signature: 'input|a|x, out=, *',
          run: (call) => unary(call, operation as OperationName, kindOf(operation)),
          source: doc[oracleOf(names) === 'torch' ? 'torch' : 'numpy'],
          oracle: oracleOf(names),
        },
      ],
);

const binaryRows = Object.entries(binaryNames).map(([operation, names]): Row => ({
  names,
  signature: 'input|x1|self, other|x2|exponent',
  run: (call) => binary(call, operation as OperationName, given(call, 'input'), given(call, 'other')),
  source: doc.torch,
  oracle: oracleOf(names),
}));

/** `torch.add(a, b, alpha=2)`. */
function* scaled(call: Call, operation: 'add' | 'subtract'): Run<Value> {
  const alpha = call.get('alpha');
  const other = absent(alpha) ? given(call, 'other') : yield* binary(call, 'multiply', given(call, 'other'), alpha);
  return yield* binary(call, operation, given(call, 'input'), other);
}

function* divided(call: Call): Run<Value> {
  const mode = call.get('rounding_mode');
  if (absent(mode)) return yield* binary(call, 'divide', given(call, 'input'), given(call, 'other'));
  if (mode.kind === 'str' && mode.value === 'floor')
    return yield* binary(call, 'floor_divide', given(call, 'input'), given(call, 'other'));
  const quotient = yield* binary(call, 'divide', given(call, 'input'), given(call, 'other'));
  const { nodes, dtype } = yield* common(call, [given(call, 'input'), given(call, 'other')]);
  const node = operate(
    call.m,
    'trunc',
    quotient.kind === 'tensor' ? [quotient.node] : nodes,
    {},
    quotient.kind === 'tensor' ? quotient.node.dtype : dtype,
    call.library,
  );
  return newTensor(call.library, castNode(call.m, node, dtype, call.library));
}

/** `~x`: not, for truth values; −x − 1 for whole numbers. */
function* inverted(call: Call): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  if (isFloat(node.dtype) && !node.why)
    raise(
      call.name.endsWith('bitwise_not') && call.library === 'torch' ? 'RuntimeError' : 'TypeError',
      `ufunc 'invert' not supported for the input types: ~ of ${node.dtype}`,
    );
  if (node.dtype === 'bool') return apply(call, 'logical_not', [node], {}, 'bool');
  const negative = result(call, operate(call.m, 'negative', [node], {}, node.dtype, call.library));
  return yield* binary(call, 'subtract', negative, { kind: 'int', value: 1 });
}

function* clipped(call: Call): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const bounds = ['min', 'max'].map((name) => given(call, name));
  if (bounds.some(({ kind }) => kind === 'tensor' || kind === 'unknown')) return yield* clippedByTensors(call, bounds);
  const low = realArgument(call, 'min', -Infinity);
  const high = realArgument(call, 'max', Infinity);
  const whole = [low, high].every((x) => Math.abs(x) === Infinity || Number.isInteger(x));
  const dtype: DType = isFloat(node.dtype) || whole ? node.dtype : floatOf(call.library, node.dtype, call.m.floats);
  return apply(call, 'clip', [castNode(call.m, node, dtype, call.library)], { low, high }, dtype);
}

function* clippedByTensors(call: Call, [low, high]: readonly Value[]): Run<Value> {
  const raised = absent(low) ? given(call, 'input') : yield* binary(call, 'maximum', given(call, 'input'), low);
  return absent(high) ? raised : yield* binary(call, 'minimum', raised, high);
}

/** `torch.where(condition)`: the places where it holds, an index tensor for each axis. */
function* places(call: Call, condition: Node): Run<Value> {
  const values = yield* look(call.m, condition);
  if (isCause(values)) throw new NotFollowed(values);
  const size = values.data.reduce((n, x) => n + (x !== 0 ? 1 : 0), 0);
  return tuple(values.shape.map((_, axis) => apply(call, 'nonzero', [condition], { axis, shape: [size] }, 'int64')));
}

function* where(call: Call): Run<Value> {
  const condition = yield* nodeArgument(call, 'condition');
  if (!call.get('input') && !call.get('other')) return yield* places(call, condition);
  const [a, b] = [given(call, 'input'), given(call, 'other')];
  const { nodes, dtype } = yield* common(call, [a, b]);
  const test = castNode(call.m, condition, 'bool', call.library);
  return apply(call, 'where', [test, ...nodes], {}, dtype);
}

/** The mask broadcasts to the tensor, which keeps its shape even where the mask is not known. */
function* maskedFill(call: Call): Run<Value> {
  const node = yield* nodeArgument(call, 'input');
  const mask = yield* nodeArgument(call, 'mask');
  const { nodes } = yield* common(call, [given(call, 'value')], node.dtype);
  const value = castNode(call.m, nodes[0] ?? node, node.dtype, call.library);
  const operands = [castNode(call.m, mask, 'bool', call.library), value, node];
  if (!mask.shape && node.shape)
    return result(call, addNode(call.m, 'where', { operands, shape: node.shape, dtype: node.dtype }));
  return apply(call, 'where', operands, {}, node.dtype);
}

const torchDoc = (name: string): string => `PyTorch, ${name}`;

export const elementwiseRows: readonly Row[] = [
  ...unaryRows,
  ...binaryRows,
  {
    names: 'torch.add Tensor.add',
    signature: 'input, other, *, alpha=',
    run: (call) => scaled(call, 'add'),
    source: torchDoc('torch.add'),
    oracle: 'torch',
  },
  {
    names: 'torch.sub torch.subtract Tensor.sub Tensor.subtract',
    signature: 'input, other, *, alpha=',
    run: (call) => scaled(call, 'subtract'),
    source: torchDoc('torch.sub'),
    oracle: 'torch',
  },
  {
    names: 'torch.rsub',
    signature: 'input, other',
    run: (call) => binary(call, 'subtract', given(call, 'other'), given(call, 'input')),
    source: torchDoc('torch.rsub'),
    oracle: 'torch',
  },
  {
    names: 'torch.div torch.divide Tensor.div Tensor.divide',
    signature: 'input, other, *, rounding_mode=',
    run: divided,
    source: torchDoc('torch.div'),
    oracle: 'torch',
  },
  {
    names: 'torch.bitwise_not Tensor.bitwise_not Tensor.__invert__ np.invert np.bitwise_not ndarray.__invert__',
    signature: 'input|x',
    run: inverted,
    source: torchDoc('torch.bitwise_not'),
    oracle: 'torch',
  },
  {
    names: 'np.fabs',
    signature: 'input|a|x, out=, *',
    run: (call) => unary(call, 'absolute', 'float'),
    source: 'NumPy, numpy.fabs',
    oracle: 'numpy',
  },
  {
    names: 'Tensor.__pos__ ndarray.__pos__',
    signature: 'input',
    run: function* (call) {
      const tensor = yield* tensorArgument(call, 'input');
      if (tensor.node.dtype === 'bool' && call.library === 'torch')
        raise('RuntimeError', 'The `+` operator, on a bool tensor is not supported.');
      return tensor;
    },
    source: torchDoc('torch.positive'),
    oracle: 'torch',
  },
  {
    names: 'torch.clamp torch.clip Tensor.clamp Tensor.clip np.clip ndarray.clip',
    signature: 'input|a, min|a_min=, max|a_max=',
    run: clipped,
    source: torchDoc('torch.clamp'),
    oracle: 'torch',
  },
  {
    names: 'torch.clamp_min Tensor.clamp_min',
    signature: 'input, min',
    run: clipped,
    source: torchDoc('torch.clamp'),
    oracle: 'torch',
  },
  {
    names: 'torch.clamp_max Tensor.clamp_max',
    signature: 'input, max',
    run: clipped,
    source: torchDoc('torch.clamp'),
    oracle: 'torch',
  },
  {
    names: 'torch.round Tensor.round np.round np.around ndarray.round',
    signature: 'input|a, decimals=',
    run: (call) => unary(call, 'round', 'same', { value: realArgument(call, 'decimals', 0) }),
    source: torchDoc('torch.round'),
    oracle: 'numpy',
  },
  {
    names: 'torch.where np.where',
    signature: 'condition, input|x=, other|y=',
    run: where,
    source: torchDoc('torch.where'),
    oracle: 'torch',
  },
  {
    names: 'np.nonzero ndarray.nonzero',
    signature: 'condition|a',
    run: function* (call) {
      return yield* places(call, yield* nodeArgument(call, 'condition'));
    },
    source: 'NumPy, numpy.nonzero',
    oracle: 'numpy',
  },
  {
    names: 'Tensor.where',
    signature: 'input, condition, other',
    run: where,
    source: torchDoc('Tensor.where'),
    oracle: 'torch',
  },
  {
    names: 'torch.masked_fill Tensor.masked_fill',
    signature: 'input, mask, value',
    run: maskedFill,
    source: torchDoc('Tensor.masked_fill'),
    oracle: 'torch',
  },
  {
    names: 'F.gelu',
    signature: 'input, *, approximate=',
    run: (call) => gelu(call),
    source: 'Hendrycks & Gimpel 2016, eq. 1 and 2',
    oracle: 'torch',
  },
  {
    names: 'F.elu',
    signature: 'input, alpha=',
    run: (call) => unary(call, 'elu', 'float', { value: realArgument(call, 'alpha', 1) }),
    source: torchDoc('F.elu'),
    oracle: 'torch',
  },
  {
    names: 'F.leaky_relu',
    signature: 'input, negative_slope=',
    run: (call) => unary(call, 'leaky_relu', 'float', { value: realArgument(call, 'negative_slope', 0.01) }),
    source: torchDoc('F.leaky_relu'),
    oracle: 'torch',
  },
];

function* gelu(call: Call): Run<Value> {
  const kind = call.get('approximate');
  return yield* unary(call, 'gelu', 'float', { approximate: kind?.kind === 'str' ? kind.value : 'none' });
}
