import { t } from '../../text/l10n';
import {
  done,
  dtypeOption,
  isNone,
  option,
  required,
  restAsSizes,
  taken,
  typeOf,
  wholeNumber,
  type Arguments,
} from './arguments';
import { array, asArray, operand } from './arithmetic';
import { chosen, functionAsMethod } from './functions';
import { permute, reshape, reversed, swapped, triangle } from './shapes';
import { dimsText } from './words';
import { cast, refuse, scalar, type ArrayValue, type Value } from './values';

/** `Q.T`, `K.shape`: what an attribute of a matrix is, or a refusal. */
export function attributeOf(a: ArrayValue, name: string, at: Arguments['at']): Value {
  if (a.library === 'list')
    return refuse(at, t('a Python list has no .{0}', name), t('Make it an array: np.array(…).'));
  switch (name) {
    case 'T':
      if (a.library === 'tensorflow') return refuse(at, t('a tensor of TensorFlow has no .T'));
      if (a.library === 'torch' && a.shape.length > 2)
        return refuse(at, t('.T of more than 2 dimensions is not computed'));
      return reversed(a, at);
    case 'mT':
      return swapped(a, -2, -1, at);
    case 'shape':
      return dimsText(a.shape);
    case 'ndim':
      return scalar(a.shape.length, 'int');
    case 'size':
      return a.library === 'torch'
        ? refuse(at, t('.size without brackets is a method'))
        : scalar(a.values.length, 'int');
    case 'dtype':
      return { kind: 'word', text: a.dtype };
    case 'data':
    case 'real':
      return a.library === 'torch' || name === 'real' ? a : refuse(at, t('.{0} is not computed', name));
    default:
      return refuse(at, t('.{0} is not computed', name));
  }
}

type Method = (a: ArrayValue, args: Arguments) => Value;

const same: Method = (a, args) => {
  done(args);
  return a;
};

/** Methods that keep numbers and dtype. `clone` and `copy` too: nothing here changes a value in place. */
const keeping = 'cpu cuda copy clone detach contiguous requires_grad_ block_until_ready resolve_conj'.split(' ');

const toType =
  (dtype: 'float32' | 'float64' | 'int64' | 'bool'): Method =>
  (a, args) => {
    done(args);
    if (a.library !== 'torch') refuse(args.at, t('.{0}() belongs to PyTorch', args.name));
    return cast(a, dtype, args.at);
  };

const transpose: Method = (a, args) => {
  if (a.library === 'torch') {
    const [x, y] = ['dim0', 'dim1'].map((name) => wholeNumber(required(args, name), name, args.at));
    done(args);
    return swapped(a, x ?? 0, y ?? 0, args.at);
  }
  const axes = restAsSizes(args, 'axes');
  done(args);
  return axes.length ? permute(a, axes, args.at) : reversed(a, args.at);
};

const reshaped: Method = (a, args) => {
  if (option(args, 'order') !== undefined) refuse(args.at, t('reshape with order is not computed'));
  const sizes = restAsSizes(args, 'shape');
  done(args);
  return reshape(a, sizes, args.at);
};

const flattened: Method = (a, args) => {
  done(args);
  return reshape(a, [-1], args.at);
};

const astype: Method = (a, args) => {
  const dtype = dtypeOption(args, a.library) ?? typeOf(required(args, 'dtype'), a.library, args.at);
  done(args);
  return cast(a, dtype, args.at);
};

/** `.to(torch.float64)`, `.to('cpu')`, `.to(device)`: a dtype or a device. */
const to: Method = (a, args) => {
  const dtype = dtypeOption(args, a.library);
  const word = taken(args, 'device');
  done(args);
  if (dtype) return cast(a, dtype, args.at);
  const isDevice = word?.kind === 'word' && /^(?:cpu|cuda|mps|device)/.test(word.text);
  return isDevice || word === undefined ? a : cast(a, typeOf(word, a.library, args.at), args.at);
};

const toNumPy: Method = (a, args) => {
  done(args);
  return { ...a, library: 'numpy' };
};

const toList: Method = (a, args) => {
  done(args);
  return { ...a, library: 'list' };
};

const item: Method = (a, args) => {
  done(args);
  if (a.values.length !== 1) refuse(args.at, t('.item() of {0} numbers', a.values.length));
  return scalar(a.values[0] ?? NaN, a.dtype === 'bool' ? 'bool' : a.dtype.startsWith('int') ? 'int' : 'float');
};

const size: Method = (a, args) => {
  if (a.library !== 'torch' && a.library !== 'printed') refuse(args.at, t('.size() belongs to PyTorch'));
  const dim = taken(args, 'dim');
  done(args);
  if (dim === undefined || isNone(dim)) return dimsText(a.shape);
  const n = a.shape.at(wholeNumber(dim, 'dim', args.at));
  return n === undefined ? refuse(args.at, t('the matrix has {0} dimensions', a.shape.length)) : scalar(n, 'int');
};

const maskedFill: Method = (a, args) => {
  const [condition, value] = [array(required(args, 'mask'), args.at), operand(required(args, 'value'), args.at)];
  done(args);
  if (condition.dtype !== 'bool') refuse(args.at, t('masked_fill needs a mask of truth values'));
  const fill = cast(asArray(value, a.library), a.dtype, args.at);
  return { ...chosen(condition, fill, a, args), dtype: a.dtype };
};

const triangular =
  (name: 'tril' | 'triu', make: (a: ArrayValue, k: number, at: Arguments['at']) => Value): Method =>
  (a, args) => {
    const k = taken(args, 'diagonal');
    done(args);
    if (a.library !== 'torch') refuse(args.at, t('.{0}() belongs to PyTorch', name));
    return make(a, k === undefined ? 0 : wholeNumber(k, 'diagonal', args.at), args.at);
  };

const methods: Readonly<Record<string, Method>> = {
  ...Object.fromEntries(keeping.map((name) => [name, same])),
  float: toType('float32'),
  double: toType('float64'),
  long: toType('int64'),
  bool: toType('bool'),
  transpose,
  permute: (a, args) => {
    const order = restAsSizes(args, 'dims');
    done(args);
    return permute(a, order, args.at);
  },
  t: (a, args) => {
    done(args);
    return a.shape.length > 2 ? refuse(args.at, t('.t() of more than 2 dimensions')) : reversed(a, args.at);
  },
  reshape: reshaped,
  view: reshaped,
  flatten: flattened,
  ravel: flattened,
  astype,
  to,
  type: astype,
  numpy: toNumPy,
  tolist: toList,
  item,
  size,
  dim: (a, args) => {
    done(args);
    return scalar(a.shape.length, 'int');
  },
  masked_fill: maskedFill,
  tril: triangular('tril', (a, k, at) => triangle(a, 'lower', k, at)),
  triu: triangular('triu', (a, k, at) => triangle(a, 'upper', k, at)),
};

/** `a.name(…)`. */
export function callMethod(a: ArrayValue, name: string, args: Arguments): Value {
  if (a.library === 'list')
    return refuse(args.at, t('a Python list has no .{0}()', name), t('Make it an array: np.array(…).'));
  const method = methods[name];
  if (method) return method(a, args);
  const make = functionAsMethod(name, a.library === 'printed' ? 'numpy' : a.library);
  if (!make) return refuse(args.at, t('.{0}(…) is not computed', name));
  return make({ ...args, positional: [a, ...args.positional], taken: 0 }, a.library);
}
