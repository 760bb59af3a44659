import { t } from '../../text/l10n';
import { referenceKernels } from '../../run/backend/reference';
import { cos, exp, log, sin, tanh } from '../../math/math';
import { sizeOf, tensor } from '../../math/tensor';
import { dimsText } from './words';
import { done, isNone, option, realNumber, required, sizesOf, taken, wholeNumber, type Arguments } from './arguments';
import {
  array,
  asArray,
  elementwise,
  filling,
  mapped,
  matmul,
  operand,
  operate,
  room,
  spend,
  stretched,
  broadcastShape,
} from './arithmetic';
import { converted, type Make } from './constructors';
import { promote } from './dtypes';
import { axisOf, concatenate, permute, reversed, squeeze, stack, swapped, unsqueeze } from './shapes';
import { arrayOf, cast, isFloat, refuse, scalar, type ArrayValue, type Library } from './values';

/** An operand as the library takes it: NumPy and JAX make arrays of lists. */
function input(args: Arguments, name: string, library: Library): ArrayValue {
  const value = required(args, name);
  if (value.kind === 'array' && value.library !== 'list' && value.library !== 'numpy') return value;
  if (value.kind === 'array' && value.library === library) return value;
  if (library === 'torch') return refuse(args.at, t('{0}(…) takes tensors of PyTorch', args.name));
  return converted(value, library, undefined, args);
}

const product: Make = (args, library) => {
  const [a, b] = [input(args, 'a', library), input(args, 'b', library)];
  const flag = (name: string): boolean => {
    const value = option(args, name);
    return value?.kind === 'scalar' && value.value !== 0;
  };
  const [turnA, turnB] = [flag('transpose_a'), flag('transpose_b')];
  done(args);
  const turned = (m: ArrayValue, turn: boolean): ArrayValue => (turn ? swapped(m, -2, -1, args.at) : m);
  return matmul(turned(a, turnA), turned(b, turnB), args.at);
};

/** `np.dot`: numbers multiply, matrices as with `@`; more dimensions mean something else. */
const dot: Make = (args, library) => {
  const [a, b] = [input(args, 'a', library), input(args, 'b', library)];
  done(args);
  if (a.shape.length === 0 || b.shape.length === 0) return elementwise('*', a, b, args.at);
  if (a.shape.length > 2 || b.shape.length > 2)
    refuse(args.at, t('the dot product of more than 2 dimensions is not computed'));
  return matmul(a, b, args.at);
};

const transpose: Make = (args, library) => {
  const a = input(args, 'a', library);
  const axes = taken(args, 'axes') ?? option(args, 'perm', 'dim0');
  const second =
    library === 'torch'
      ? (taken(args, 'dim1') ?? refuse(args.at, t('torch.transpose(…) needs two dimensions')))
      : undefined;
  done(args);
  if (second && axes)
    return swapped(a, wholeNumber(axes, 'dim0', args.at), wholeNumber(second, 'dim1', args.at), args.at);
  return axes === undefined || isNone(axes) ? reversed(a, args.at) : permute(a, sizesOf(axes, args.at), args.at);
};

const swapAxes: Make = (args, library) => {
  const a = input(args, 'a', library);
  const [x, y] = ['axis1', 'axis2'].map((name) => wholeNumber(required(args, name), name, args.at));
  done(args);
  return swapped(a, x ?? 0, y ?? 0, args.at);
};

/** Of a float in its own dtype, of whole numbers in the library's float. */
function floatOf(a: ArrayValue, library: Library, args: Arguments): ArrayValue {
  if (isFloat(a.dtype)) return a;
  if (library === 'tensorflow') return refuse(args.at, t('{0}(…) of {1} is not computed', args.name, a.dtype));
  return cast({ ...a }, library === 'torch' || library === 'jax' ? 'float32' : 'float64', args.at);
}

const eachOf =
  (f: (x: number) => number): Make =>
  (args, library) => {
    const a = floatOf(input(args, 'x', library), library, args);
    done(args);
    return mapped(a, a.dtype, f, args.at);
  };

const ofPython =
  (f: (x: number) => number): Make =>
  (args) => {
    const x = realNumber(required(args, 'x'), 'x', args.at);
    done(args);
    const value = f(x);
    return Number.isNaN(value) && !Number.isNaN(x)
      ? refuse(args.at, t('{0}({1}) is not defined', args.name, x))
      : scalar(value, 'float');
  };

/** softmax(x − max): one axis, which must be said wherever a library has no last axis by default. */
const softmax =
  (defaultAxis: number | undefined): Make =>
  (args, library) => {
    const a = floatOf(input(args, 'input', library), library, args);
    const given = taken(args, 'dim') ?? option(args, 'axis');
    done(args);
    if (given === undefined && defaultAxis === undefined)
      refuse(args.at, t('{0}(…) without an axis is not computed', args.name));
    const axis = axisOf(given === undefined ? -1 : wholeNumber(given, t('the axis'), args.at), a.shape.length, args.at);
    const last = a.shape.length - 1;
    const turned = axis === last ? a : swapped(a, axis, last, args.at);
    const dtype = a.dtype === 'float32' ? 'float32' : 'float64';
    spend(args.at, 20 * a.values.length);
    const call = { op: 'softmax', emptyRow: 'nan' } as const;
    const values = new Float64Array(a.values.length);
    const n = turned.shape[last] ?? 0;
    const fill = (from: number, to: number): void => {
      const shape = [to - from, n];
      const rows = tensor(dtype, shape, turned.values.subarray(from * n, to * n));
      values.set(referenceKernels.softmax(call, [rows], shape, dtype).data, from * n);
    };
    filling(args.at, n > 0 ? values.length / n : 0, fill, 8 * n);
    const result = { ...turned, values };
    return axis === last ? result : swapped(result, axis, last, args.at);
  };

type Reduce = (row: Float64Array, round: (x: number) => number) => number;
const reduceSum: Reduce = (row, round) => row.reduce((sum, x) => round(sum + x), 0);
const reductions: Readonly<Record<string, Reduce>> = {
  sum: reduceSum,
  mean: (row, round) => round(reduceSum(row, round) / row.length),
  max: (row) => row.reduce((a, b) => (Number.isNaN(a) || a > b ? a : b), -Infinity),
  min: (row) => row.reduce((a, b) => (Number.isNaN(a) || a < b ? a : b), Infinity),
};

/** `sum(axis=-1, keepdims=True)`: over one axis or over everything, in index order. */
const reduced =
  (name: string): Make =>
  (args, library) => {
    const a = name === 'mean' ? floatOf(input(args, 'a', library), library, args) : input(args, 'a', library);
    const given = taken(args, 'axis') ?? option(args, 'dim');
    const kept = option(args, 'keepdims', 'keepdim');
    done(args);
    if (a.dtype === 'bool') refuse(args.at, t('{0} of truth values is not computed', name));
    if (library === 'torch' && given !== undefined && (name === 'max' || name === 'min'))
      refuse(args.at, t('{0} with dim gives two tensors', name));
    const keep = kept?.kind === 'scalar' && kept.value !== 0;
    const all = given === undefined || isNone(given);
    const flat = all ? { ...a, shape: [a.values.length] } : a;
    const axis = axisOf(all ? 0 : wholeNumber(given, t('the axis'), args.at), flat.shape.length, args.at);
    const out = reduceAxis(flat, axis, reductions[name] ?? reduceSum, args);
    if (all) return { ...out, shape: keep ? a.shape.map(() => 1) : [] };
    return keep ? out : squeeze(out, axis, args.at);
  };

function reduceAxis(a: ArrayValue, axis: number, f: Reduce, args: Arguments): ArrayValue {
  const n = a.shape[axis] ?? 0;
  if (n === 0) return refuse(args.at, t('{0}(…) over nothing', args.name));
  const inner = sizeOf(a.shape.slice(axis + 1));
  const shape = a.shape.map((size, d) => (d === axis ? 1 : size));
  const values = room(args.at, shape);
  spend(args.at, a.values.length);
  const row = new Float64Array(n);
  const round = a.dtype === 'float32' ? Math.fround : (x: number): number => x;
  const fill = (from: number, to: number): void => {
    for (let i = from; i < to; i++) {
      const start = Math.floor(i / inner) * n * inner + (i % inner);
      for (let j = 0; j < n; j++) row[j] = a.values[start + j * inner] as number;
      values[i] = f(row, round);
    }
  };
  filling(args.at, values.length, fill, n);
  return { ...a, shape, values };
}

const joined =
  (how: 'stack' | 'concatenate', axis: number): Make =>
  (args, library) => {
    const list = required(args, 'arrays');
    const given = taken(args, 'axis') ?? option(args, 'dim');
    done(args);
    const items =
      list.kind === 'sequence' ? list.items : refuse(args.at, t('{0}(…) of this is not computed', args.name));
    const parts = items.map((v) =>
      v.kind === 'array' && v.library !== 'list' ? v : converted(v, library, undefined, args),
    );
    const d = given === undefined ? axis : wholeNumber(given, t('the axis'), args.at);
    return how === 'stack' ? stack(parts, d, args.at) : concatenate(parts, d, args.at);
  };

const vertically: Make = (args, library) => {
  const list = required(args, 'arrays');
  done(args);
  const items = list.kind === 'sequence' ? list.items : refuse(args.at, t('{0}(…) of this is not computed', args.name));
  const parts = items.map((v) => converted(v, library, undefined, args));
  return concatenate(
    parts.map((p) => (p.shape.length === 1 ? unsqueeze(p, 0, args.at) : p)),
    0,
    args.at,
  );
};

/** `np.where(mask, -np.inf, 0)` with three arguments. */
const where: Make = (args, library) => {
  const condition = input(args, 'condition', library);
  const [x, y] = [operand(required(args, 'x'), args.at), operand(required(args, 'y'), args.at)];
  done(args);
  return chosen(condition, asArray(x, library), asArray(y, library), args);
};

export function chosen(condition: ArrayValue, x: ArrayValue, y: ArrayValue, args: Arguments): ArrayValue {
  const dtype = promote(x, y, args.at);
  const shape = broadcastShape(broadcastShape(condition.shape, x.shape, args.at), y.shape, args.at);
  const [hide, a, b] = [
    stretched(condition, shape, 'bool', args.at),
    stretched(x, shape, dtype, args.at),
    stretched(y, shape, dtype, args.at),
  ];
  const values = room(args.at, shape);
  filling(args.at, values.length, (from, to) => {
    for (let i = from; i < to; i++) values[i] = (hide[i] ? a[i] : b[i]) as number;
  });
  return arrayOf(condition.library, dtype, shape, values);
}

const squeezed: Make = (args, library) => {
  const a = input(args, 'a', library);
  const given = taken(args, 'axis') ?? option(args, 'dim');
  done(args);
  return squeeze(
    a,
    given === undefined || isNone(given) ? undefined : wholeNumber(given, t('the axis'), args.at),
    args.at,
  );
};

const unsqueezed: Make = (args, library) => {
  const a = input(args, 'a', library);
  const axis = wholeNumber(taken(args, 'axis') ?? required(args, 'dim'), t('the axis'), args.at);
  done(args);
  return unsqueeze(a, axis, args.at);
};

const combine =
  (operator: string): Make =>
  (args) => {
    const [a, b] = [required(args, 'x'), required(args, 'y')];
    done(args);
    return operate(operator, a, b, args.at);
  };

const shapeFunction: Make = (args) => {
  const a = array(required(args, 'a'), args.at);
  done(args);
  return dimsText(a.shape);
};

/** By the name without its module; which libraries have it stands beside it. */
export const functions: Readonly<Record<string, readonly [libraries: string, make: Make]>> = {
  matmul: ['numpy jax torch tensorflow', product],
  'linalg.matmul': ['tensorflow', product],
  mm: ['torch', product],
  bmm: ['torch', product],
  dot: ['numpy jax torch', dot],
  transpose: ['numpy jax torch tensorflow', transpose],
  swapaxes: ['numpy jax', swapAxes],
  exp: ['numpy jax torch tensorflow', eachOf(exp)],
  log: ['numpy jax torch', eachOf(log)],
  sqrt: ['numpy jax torch tensorflow', eachOf(Math.sqrt)],
  'math.sqrt': ['tensorflow', eachOf(Math.sqrt)],
  'math.exp': ['tensorflow', eachOf(exp)],
  sin: ['numpy jax torch tensorflow', eachOf(sin)],
  cos: ['numpy jax torch tensorflow', eachOf(cos)],
  tanh: ['numpy jax torch tensorflow', eachOf(tanh)],
  softmax: ['torch', softmax(undefined)],
  'nn.functional.softmax': ['torch', softmax(undefined)],
  'nn.softmax': ['tensorflow jax', softmax(-1)],
  sum: ['numpy jax torch', reduced('sum')],
  mean: ['numpy jax torch', reduced('mean')],
  max: ['numpy jax torch', reduced('max')],
  min: ['numpy jax torch', reduced('min')],
  amax: ['numpy', reduced('max')],
  amin: ['numpy', reduced('min')],
  stack: ['numpy jax torch tensorflow', joined('stack', 0)],
  concatenate: ['numpy jax', joined('concatenate', 0)],
  cat: ['torch', joined('concatenate', 0)],
  concat: ['tensorflow torch', joined('concatenate', 0)],
  vstack: ['numpy jax', vertically],
  where: ['numpy jax torch tensorflow', where],
  squeeze: ['numpy jax torch tensorflow', squeezed],
  expand_dims: ['numpy jax tensorflow', unsqueezed],
  unsqueeze: ['torch', unsqueezed],
  add: ['numpy jax torch tensorflow', combine('+')],
  subtract: ['numpy jax torch tensorflow', combine('-')],
  multiply: ['numpy jax torch tensorflow', combine('*')],
  divide: ['numpy jax torch tensorflow', combine('/')],
  shape: ['numpy tensorflow', shapeFunction],
};

/** Names of other modules, with the whole name. */
export const others: Readonly<Record<string, Make>> = {
  'math.sqrt': ofPython(Math.sqrt),
  'math.exp': ofPython(exp),
  'math.log': ofPython(log),
  'scipy.special.softmax': (args) => softmax(undefined)(args, 'numpy'),
};

/** A method that is a function of the same name: `x.softmax(-1)`, `x.sum(axis=0)`, `q.matmul(k)`, `x.exp()`. */
export function functionAsMethod(name: string, library: Library): Make | undefined {
  const found = functions[name];
  if (!found || !methodNames.has(name) || !found[0].split(' ').includes(library)) return undefined;
  return found[1];
}

const methodNames = new Set(
  'matmul mm bmm dot exp log sqrt tanh sin cos softmax sum mean max min squeeze unsqueeze swapaxes'.split(' '),
);
