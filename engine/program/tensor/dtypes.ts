/** Number types of tensors, how they mix, and how a number is rounded to one of them. */
export const dtypes = [
  'bool',
  'uint8',
  'int8',
  'int16',
  'int32',
  'int64',
  'float16',
  'bfloat16',
  'float32',
  'float64',
] as const;
export type DType = (typeof dtypes)[number];
export type Library = 'numpy' | 'torch';
/** The kind of a Python number: it gives way to a tensor's type of the same kind. */
export type Weak = 'bool' | 'int' | 'float';

const bits: Readonly<Record<DType, number>> = {
  bool: 1,
  uint8: 8,
  int8: 8,
  int16: 16,
  int32: 32,
  int64: 64,
  float16: 16,
  bfloat16: 16,
  float32: 32,
  float64: 64,
};

/** How much memory an element takes. */
export const bytesOf = (dtype: DType): number => Math.ceil(bits[dtype] / 8);

/** Two bytes: what is computed of it is computed in float32 inside and rounded. */
export const isHalf = (dtype: DType): boolean => dtype === 'float16' || dtype === 'bfloat16';
export const isFloat = (dtype: DType): boolean => dtype.includes('float');
const kindOf = (dtype: DType): Weak => (dtype === 'bool' ? 'bool' : isFloat(dtype) ? 'float' : 'int');
const rank: Readonly<Record<Weak, number>> = { bool: 0, int: 1, float: 2 };

/** What a Python number alone becomes. */
export const defaultOf = (library: Library, weak: Weak, floats: DType = 'float32'): DType =>
  weak === 'bool' ? 'bool' : weak === 'int' ? 'int64' : library === 'numpy' ? 'float64' : floats;

/** An operand as promotion sees it. */
export type Operand = { readonly dtype: DType; readonly scalar: boolean } | { readonly weak: Weak };

/** `floats`: PyTorch's floats of which no type is said, which `torch.set_default_dtype` changes; so in all functions here. */
export function promote(library: Library, operands: readonly Operand[], floats?: DType): DType {
  return library === 'numpy' ? promoteNumpy(operands) : promoteTorch(operands, floats);
}

/** NumPy 2 (NEP 50): all arrays alike, 0-d ones too; Python's numbers only decide the kind. */
function promoteNumpy(operands: readonly Operand[]): DType {
  const strong = operands.flatMap((o) => ('dtype' in o ? [o.dtype] : []));
  const weak = operands.flatMap((o) => ('weak' in o ? [o.weak] : []));
  const start = strong.length > 0 ? strong.reduce(pairNumpy) : undefined;
  return weak.reduce<DType | undefined>((dtype, w) => withWeak('numpy', dtype, w), start) ?? 'float64';
}

const withWeak = (library: Library, dtype: DType | undefined, weak: Weak, floats?: DType): DType =>
  dtype !== undefined && rank[kindOf(dtype)] >= rank[weak] ? dtype : defaultOf(library, weak, floats);

function pairNumpy(a: DType, b: DType): DType {
  if (a === b) return a;
  const [low, high] = rank[kindOf(a)] <= rank[kindOf(b)] ? [a, b] : [b, a];
  if (low === 'bool') return high;
  if (kindOf(low) === kindOf(high)) return kindOf(low) === 'int' ? pairIntegers(low, high) : wider(low, high);
  // A float that holds every value of the integer type.
  const needed = bits[low] <= 8 ? 16 : bits[low] <= 16 ? 32 : 64;
  return needed <= bits[high] ? high : needed === 32 ? 'float32' : 'float64';
}

const wider = (a: DType, b: DType): DType => (bits[a] === bits[b] ? 'float32' : bits[a] > bits[b] ? a : b);

function pairIntegers(a: DType, b: DType): DType {
  if (bits[a] === bits[b]) return 'int16'; // uint8 with int8
  return bits[a] > bits[b] ? a : b;
}

/** PyTorch: tensors with axes go before 0-d ones, these before Python's numbers; a lower group counts only where its kind is higher. */
function promoteTorch(operands: readonly Operand[], floats: DType = 'float32'): DType {
  const strong = (scalar: boolean): DType[] =>
    operands.flatMap((o) => ('dtype' in o && o.scalar === scalar ? [o.dtype] : []));
  const groups = [strong(false), strong(true)].map((group) => (group.length > 0 ? group.reduce(pairTorch) : undefined));
  const [tensors, scalars] = groups;
  const both =
    tensors === undefined || (scalars !== undefined && rank[kindOf(scalars)] > rank[kindOf(tensors)])
      ? scalars
      : tensors;
  const weak = operands.flatMap((o) => ('weak' in o ? [o.weak] : []));
  return weak.reduce<DType | undefined>((dtype, w) => withWeak('torch', dtype, w, floats), both) ?? floats;
}

function pairTorch(a: DType, b: DType): DType {
  if (a === b) return a;
  const [low, high] = rank[kindOf(a)] <= rank[kindOf(b)] ? [a, b] : [b, a];
  if (kindOf(low) !== kindOf(high)) return high;
  return kindOf(low) === 'int' ? pairIntegers(low, high) : wider(low, high);
}

/** The type in which `exp`, `sqrt` and the like answer. */
export function floatOf(library: Library, dtype: DType, floats: DType = 'float32'): DType {
  if (isFloat(dtype)) return dtype;
  if (library === 'torch') return floats;
  return bits[dtype] <= 8 ? 'float16' : bits[dtype] <= 16 ? 'float32' : 'float64';
}

const scalarNames: Readonly<Record<DType, string>> = {
  bool: 'Bool',
  uint8: 'Byte',
  int8: 'Char',
  int16: 'Short',
  int32: 'Int',
  int64: 'Long',
  float16: 'Half',
  bfloat16: 'BFloat16',
  float32: 'Float',
  float64: 'Double',
};
/** As PyTorch's messages write a type. */
export const scalarName = (dtype: DType): string => scalarNames[dtype];

/** The type of `a / b`. */
export const quotientOf = (library: Library, dtype: DType, floats?: DType): DType =>
  isFloat(dtype) ? dtype : defaultOf(library, 'float', floats);

/** The type in which `sum` and `prod` add up. */
export const sumOf = (library: Library, dtype: DType): DType =>
  isFloat(dtype) ? dtype : library === 'numpy' && dtype === 'uint8' ? 'int64' : 'int64';

export type Round = (x: number) => number;

const integer =
  (width: number, signed: boolean): Round =>
  (x) => {
    const size = 2 * (1 << (width - 1));
    if (!Number.isFinite(x)) return 0;
    const wrapped = ((Math.trunc(x) % size) + size) % size;
    return signed && wrapped >= size / 2 ? wrapped - size : wrapped;
  };

const word = new Float32Array(1);
const wordBits = new Uint32Array(word.buffer);

function toBfloat16(x: number): number {
  word[0] = x;
  const pattern = wordBits[0] as number;
  if (Number.isNaN(x)) return NaN;
  wordBits[0] = (pattern + 0x7fff + ((pattern >>> 16) & 1)) & 0xffff0000;
  return word[0];
}

/** To half precision, to the nearest, ties to even, as the float32 that holds it. */
function toFloat16(x: number): number {
  const size = Math.abs(x);
  if (!(size > 0) || size === Infinity) return x;
  if (size >= 65520) return x > 0 ? Infinity : -Infinity;
  // The spacing of halves there: 2^-24 below 2^-14, else 2^(e - 10).
  let unit = 5.960464477539063e-8;
  while (size >= unit * 2048) unit *= 2;
  const steps = size / unit;
  const down = Math.floor(steps);
  const rest = steps - down;
  const near = rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down;
  return x > 0 ? near * unit : -near * unit;
}

/** To the nearest number of a type. Halves are rounded from float32, in which both libraries compute them. */
export const rounding: Readonly<Record<DType, Round>> = {
  bool: (x) => (x !== 0 ? 1 : 0),
  uint8: integer(8, false),
  int8: integer(8, true),
  int16: integer(16, true),
  int32: (x) => x | 0,
  int64: (x) => Math.trunc(x),
  float16: (x) => toFloat16(Math.fround(x)),
  bfloat16: (x) => toBfloat16(Math.fround(x)),
  float32: Math.fround,
  float64: (x) => x,
};

/** The type in which sums of products are added up before they are rounded. */
export const accumulator = (dtype: DType): DType => (dtype === 'float16' || dtype === 'bfloat16' ? 'float32' : dtype);

const limits: Readonly<Partial<Record<DType, { min: number; max: number; eps: number; tiny: number }>>> = {
  float16: { min: -65504, max: 65504, eps: 0.0009765625, tiny: 6.103515625e-5 },
  bfloat16: { min: -3.3895313892515355e38, max: 3.3895313892515355e38, eps: 0.0078125, tiny: 1.1754943508222875e-38 },
  float32: {
    min: -3.4028234663852886e38,
    max: 3.4028234663852886e38,
    eps: 1.1920928955078125e-7,
    tiny: 1.1754943508222875e-38,
  },
  float64: { min: -Number.MAX_VALUE, max: Number.MAX_VALUE, eps: Number.EPSILON, tiny: 2.2250738585072014e-308 },
};
/** `torch.finfo(dtype)`. */
export const floatLimits = (dtype: DType): { min: number; max: number; eps: number; tiny: number } | undefined =>
  limits[dtype];
/** `torch.iinfo(dtype)`. */
export const integerLimits = (dtype: DType): { min: number; max: number } | undefined =>
  kindOf(dtype) !== 'int'
    ? undefined
    : dtype === 'uint8'
      ? { min: 0, max: 255 }
      : { min: -(2 * powerOf(bits[dtype] - 2)), max: 2 * powerOf(bits[dtype] - 2) - 1 };

const powerOf = (k: number): number => Array.from({ length: k }).reduce<number>((p) => p * 2, 1);
