import { t } from '../../text/l10n';
import type { Library, NumberType, Value } from './values';
import { arrayOf, cast, fit, isFloat, refuse, type ArrayValue } from './values';
import {
  checkedSizes,
  done,
  dtypeOption,
  isNone,
  option,
  realNumber,
  required,
  restAsSizes,
  sizesOf,
  taken,
  wholeNumber,
  type Arguments,
} from './arguments';
import { array, asArray, operand, room, spend } from './arithmetic';
import { defaultType } from './dtypes';
import { diagonal, reshape, stack, triangle } from './shapes';

export type Make = (args: Arguments, library: Library) => Value;

const floats = (library: Library): NumberType => defaultType(library, 'float');

/** `array(value, dtype)`: numbers, lists of numbers and lists of arrays. */
export function converted(value: Value, library: Library, dtype: NumberType | undefined, args: Arguments): ArrayValue {
  const found = gathered(value, library, args);
  const own = found.library === 'list' ? listType(found, library) : narrowed(found.dtype, library);
  return { ...cast(found.library === 'list' ? { ...found, dtype: 'float64' } : found, dtype ?? own, args.at), library };
}

/** What a library makes of numbers that were written with or without a point. */
function listType({ dtype }: ArrayValue, library: Library): NumberType {
  return defaultType(library, dtype === 'bool' ? 'bool' : isFloat(dtype) ? 'float' : 'int');
}

/** JAX keeps 32 bits unless it is told otherwise. */
function narrowed(dtype: NumberType, library: Library): NumberType {
  if (library !== 'jax') return dtype;
  return dtype === 'float64' ? 'float32' : dtype === 'int64' ? 'int32' : dtype;
}

function gathered(value: Value, library: Library, args: Arguments): ArrayValue {
  if (value.kind === 'array') {
    const foreign =
      value.library !== library && !['list', 'printed', 'numpy'].includes(value.library) && library !== 'numpy';
    return foreign ? refuse(args.at, t("{0}(…) of another library's tensor is not computed", args.name)) : value;
  }
  if (value.kind === 'scalar') return { ...asArray(value, 'list'), dtype: defaultType('list', value.type) };
  if (value.kind !== 'sequence' || value.items.length === 0)
    return refuse(args.at, t('{0}(…) of this is not computed', args.name));
  const parts = value.items.map((v) => gathered(v, library, args));
  const [first] = parts;
  const unfit = parts.find((p) => p.shape.join() !== first?.shape.join());
  if (unfit) refuse(args.at, t('{0}(…) of rows that differ in length', args.name));
  // Lists in a list stay a list, whose type is that of the widest number in it.
  return stack(sameLibrary(parts), 0, args.at);
}

function sameLibrary(parts: readonly ArrayValue[]): readonly ArrayValue[] {
  const library = parts.find((p) => p.library !== 'list')?.library ?? 'list';
  return parts.map((p) => ({ ...p, library }));
}

const makeArray: Make = (args, library) => {
  const value = required(args, 'data');
  if (option(args, 'ndmin', 'order') !== undefined)
    refuse(args.at, t('{0}(…) with ndmin or order is not computed', args.name));
  const dtype = dtypeOption(args, library) ?? positionalType(args, library);
  done(args);
  return converted(value, library, dtype, args);
};

/** `np.array(x, np.float32)` */
function positionalType(args: Arguments, library: Library): NumberType | undefined {
  const value = args.positional[args.taken];
  if (value?.kind !== 'word') return undefined;
  args.taken++;
  args.named.set('dtype', value);
  return dtypeOption(args, library);
}

const filled =
  (fill: number): Make =>
  (args, library) => {
    const asked = dtypeOption(args, library);
    const sizes = library === 'torch' ? restAsSizes(args, 'size') : sizesOf(required(args, 'shape'), args.at);
    const dtype = asked ?? positionalType(args, library) ?? floats(library);
    done(args);
    return arrayOf(library, dtype, sizes, room(args.at, checkedSizes(sizes, args.at)).fill(fill));
  };

const full: Make = (args, library) => {
  const sizes = sizesOf(required(args, library === 'torch' ? 'size' : 'shape'), args.at);
  const value = operand(taken(args, 'fill_value') ?? required(args, 'value'), args.at);
  const asked = dtypeOption(args, library) ?? positionalType(args, library);
  done(args);
  const number = realNumber(value, 'fill_value', args.at);
  const dtype = asked ?? (value.kind === 'scalar' ? defaultType(library, value.type) : value.dtype);
  return arrayOf(library, dtype, sizes, room(args.at, checkedSizes(sizes, args.at)).fill(fit(number, dtype, args.at)));
};

const like =
  (fill: number | undefined): Make =>
  (args, library) => {
    const model = array(required(args, 'input'), args.at);
    const value = fill ?? realNumber(required(args, 'fill_value'), 'fill_value', args.at);
    const dtype = dtypeOption(args, library) ?? (model.library === 'list' ? listType(model, library) : model.dtype);
    done(args);
    return arrayOf(library, dtype, model.shape, room(args.at, model.shape).fill(fit(value, dtype, args.at)));
  };

const eye: Make = (args, library) => {
  const rows = wholeNumber(required(args, library === 'torch' ? 'n' : 'N'), t('the size'), args.at);
  const other = taken(args, library === 'torch' ? 'm' : library === 'tensorflow' ? 'num_columns' : 'M');
  const columns = other === undefined || isNone(other) ? rows : wholeNumber(other, t('the number of columns'), args.at);
  const kth = library === 'numpy' || library === 'jax' ? taken(args, 'k') : undefined;
  const k = kth === undefined ? 0 : wholeNumber(kth, 'k', args.at);
  const dtype = dtypeOption(args, library) ?? floats(library);
  done(args);
  const values = room(args.at, checkedSizes([rows, columns], args.at));
  for (let i = Math.max(0, -k); i < rows && i + k < columns; i++) values[i * columns + i + k] = 1;
  return arrayOf(library, dtype, [rows, columns], values);
};

/** NumPy: start + i·(second − start), where second = start + step. Whole numbers are exact in every library. */
const arange: Make = (args, library) => {
  const numbers: Value[] = [];
  for (const name of ['start', 'stop', 'step']) {
    const value =
      taken(args, name) ??
      (name === 'stop' ? option(args, 'end', 'limit') : name === 'step' ? option(args, 'delta') : undefined);
    if (value) numbers.push(value);
  }
  const asked = dtypeOption(args, library);
  done(args);
  const at = args.at;
  const real = numbers.map((v) => realNumber(v, t('a bound'), at));
  const whole = numbers.every((v) => v.kind === 'scalar' && v.type !== 'float');
  const [start, stop, step = 1] = real.length === 1 ? [0, real[0] ?? 0] : [real[0] ?? 0, real[1] ?? 0, real[2]];
  if (step === 0 || real.length === 0) refuse(at, t('{0}(…) with step 0', args.name));
  if (!whole && library !== 'numpy') refuse(at, t('{0}(…) of fractions is computed for NumPy only', args.name));
  const count = Math.max(0, Math.ceil((stop - start) / step));
  const delta = whole ? step : start + step - start;
  const dtype = asked ?? defaultType(library, whole ? 'int' : 'float');
  const values = room(at, [count]);
  for (let i = 0; i < count; i++) values[i] = fit(start + i * delta, dtype, at);
  return arrayOf(library, dtype, [count], values);
};

/** NumPy: i·step + start with step = (stop − start)/(num − 1), and stop itself at the end. */
const linspace: Make = (args, library) => {
  const start = realNumber(required(args, 'start'), 'start', args.at);
  const stop = realNumber(required(args, 'stop'), 'stop', args.at);
  const given = taken(args, 'num');
  const count = given === undefined ? 50 : wholeNumber(given, 'num', args.at);
  const endpoint = option(args, 'endpoint');
  const dtype = dtypeOption(args, library) ?? 'float64';
  done(args);
  if (library !== 'numpy') refuse(args.at, t('{0}(…) is computed for NumPy only', args.name));
  const open = endpoint?.kind === 'scalar' && endpoint.value === 0;
  const parts = open ? count : count - 1;
  const step = parts > 0 ? (stop - start) / parts : NaN;
  const values = room(args.at, checkedSizes([count], args.at));
  for (let i = 0; i < count; i++) values[i] = parts > 0 ? i * step + start : start;
  if (!open && count > 1) values[count - 1] = stop;
  return arrayOf(
    library,
    dtype,
    [count],
    values.map((x) => fit(x, dtype, args.at)),
  );
};

const triangleOf =
  (keep: 'lower' | 'upper'): Make =>
  (args, library) => {
    const a = taken(args, 'm') ?? option(args, 'input') ?? refuse(args.at, t('{0}(…) without a matrix', args.name));
    const kth = taken(args, 'k') ?? option(args, 'diagonal');
    done(args);
    return triangle(
      converted(a, library, undefined, args),
      keep,
      kth === undefined ? 0 : wholeNumber(kth, 'k', args.at),
      args.at,
    );
  };

const diag: Make = (args, library) => {
  const a = converted(required(args, 'v'), library, undefined, args);
  const kth = taken(args, 'k') ?? option(args, 'diagonal');
  done(args);
  spend(args.at, a.values.length);
  return diagonal(a, kth === undefined ? 0 : wholeNumber(kth, 'k', args.at), args.at);
};

const tri: Make = (args, library) => {
  const n = wholeNumber(required(args, 'N'), 'N', args.at);
  const columns = taken(args, 'M');
  const m = columns === undefined || isNone(columns) ? n : wholeNumber(columns, 'M', args.at);
  const kth = taken(args, 'k');
  const dtype = dtypeOption(args, library) ?? floats(library);
  done(args);
  const ones = arrayOf(library, dtype, [n, m], room(args.at, checkedSizes([n, m], args.at)).fill(1));
  return triangle(ones, 'lower', kth === undefined ? 0 : wholeNumber(kth, 'k', args.at), args.at);
};

const castTo =
  (dtype: NumberType): Make =>
  (args, library) => {
    const value = required(args, 'x');
    done(args);
    return converted(value, library, dtype, args);
  };

/** `torch.Tensor([[1, 2]])`; of a size it is not initialised. */
const tensorOf =
  (dtype: NumberType): Make =>
  (args, library) =>
    args.positional[0]?.kind === 'scalar'
      ? refuse(args.at, t('{0}(…) of a size holds no particular numbers', args.name))
      : castTo(dtype)(args, library);

const castBy: Make = (args, library) => {
  const value = required(args, 'x');
  const dtype = dtypeOption(args, library) ?? positionalType(args, library);
  done(args);
  return converted(value, library, dtype, args);
};

const parameter: Make = (args, library) => {
  const value = array(required(args, 'data'), args.at);
  done(args);
  return value.library === library ? value : refuse(args.at, t('{0}(…) of something that is no tensor', args.name));
};

const reshaped: Make = (args, library) => {
  const a = converted(required(args, 'a'), library, undefined, args);
  const sizes = sizesOf(
    taken(args, 'newshape') ?? option(args, 'shape') ?? refuse(args.at, t('without a shape')),
    args.at,
  );
  done(args);
  return reshape(a, sizes, args.at);
};

/** By the name without its module; which libraries have it stands beside it. */
export const constructors: Readonly<Record<string, readonly [libraries: string, make: Make]>> = {
  array: ['numpy jax', makeArray],
  asarray: ['numpy jax torch', makeArray],
  asanyarray: ['numpy', makeArray],
  ascontiguousarray: ['numpy', makeArray],
  tensor: ['torch', makeArray],
  as_tensor: ['torch', makeArray],
  from_numpy: ['torch', makeArray],
  Tensor: ['torch', tensorOf('float32')],
  FloatTensor: ['torch', tensorOf('float32')],
  DoubleTensor: ['torch', tensorOf('float64')],
  LongTensor: ['torch', tensorOf('int64')],
  BoolTensor: ['torch', tensorOf('bool')],
  'nn.Parameter': ['torch', parameter],
  'nn.parameter.Parameter': ['torch', parameter],
  constant: ['tensorflow', makeArray],
  Variable: ['tensorflow', makeArray],
  convert_to_tensor: ['tensorflow', makeArray],
  cast: ['tensorflow', castBy],
  float32: ['numpy jax', castTo('float32')],
  float64: ['numpy', castTo('float64')],
  zeros: ['numpy jax torch tensorflow', filled(0)],
  ones: ['numpy jax torch tensorflow', filled(1)],
  full: ['numpy jax torch', full],
  fill: ['tensorflow', full],
  zeros_like: ['numpy jax torch tensorflow', like(0)],
  ones_like: ['numpy jax torch tensorflow', like(1)],
  full_like: ['numpy jax torch', like(undefined)],
  eye: ['numpy jax torch tensorflow', eye],
  identity: ['numpy jax', eye],
  arange: ['numpy jax torch', arange],
  range: ['tensorflow', arange],
  linspace: ['numpy jax torch tensorflow', linspace],
  tril: ['numpy jax torch', triangleOf('lower')],
  triu: ['numpy jax torch', triangleOf('upper')],
  tri: ['numpy jax', tri],
  diag: ['numpy jax torch', diag],
  reshape: ['numpy jax torch tensorflow', reshaped],
};
