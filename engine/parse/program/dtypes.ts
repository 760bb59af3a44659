import { t } from '../../text/l10n';
import type { TextRange } from '../../text/problems';
import {
  isFloat,
  nameOfLibrary,
  refuse,
  type ArrayValue,
  type Library,
  type NumberType,
  type ScalarValue,
} from './values';

type Operand = ArrayValue | ScalarValue;

const rank: Readonly<Record<NumberType, number>> = { bool: 0, int32: 1, int64: 1, float32: 2, float64: 2 };
const rankOfScalar = { bool: 0, int: 1, float: 2 } as const;

/** The library whose rules hold for two operands; lists and printed digits take the other's. */
export function libraryOf(a: Operand, b: Operand, at: TextRange): Library {
  if (a.kind === 'scalar') return b.kind === 'scalar' ? 'numpy' : b.library;
  if (b.kind === 'scalar' || a.library === b.library) return a.library;
  const [own, other] =
    a.library === 'printed' || a.library === 'list' ? [b.library, a.library] : [a.library, b.library];
  if (other === 'printed') return own === 'list' ? 'printed' : own;
  if (other === 'list' && (own === 'numpy' || own === 'printed')) return own;
  return refuse(at, t('{0} with {1} is not computed', nameOfLibrary(a.library), nameOfLibrary(b.library)));
}

/**
 * The dtype of `a ∘ b`: NumPy's promotion (where releases 1 and 2 agree), PyTorch's categories, JAX's with 32 bits,
 * TensorFlow's refusal to mix. `divide`: the result is a float.
 */
export function promote(a: Operand, b: Operand, at: TextRange, divide = false): NumberType {
  const library = libraryOf(a, b, at);
  const both = library === 'torch' || library === 'jax' ? categories(library, a, b) : strict(library, a, b, at);
  if (!divide || isFloat(both)) return both;
  if (library === 'tensorflow') return refuse(at, t('whole numbers of TensorFlow divided are not computed'));
  return library === 'torch' || library === 'jax' ? 'float32' : 'float64';
}

function strict(library: Library, a: Operand, b: Operand, at: TextRange): NumberType {
  if (a.kind === 'array' && b.kind === 'array') {
    if (library === 'tensorflow') return same(a, b, at);
    const strong = numpyType(a.dtype, b.dtype);
    if (library !== 'numpy' || (a.shape.length === 0) === (b.shape.length === 0)) return strong;
    // NumPy 1 looks at the value of a single number, NumPy 2 at its type.
    const [array, single] = a.shape.length === 0 ? [b, a] : [a, b];
    const weak = rank[single.dtype] <= rank[array.dtype] ? array.dtype : strong;
    return weak === strong
      ? strong
      : refuse(at, t('{0} with a single {1}: NumPy 1 gives {2}, NumPy 2 {3}', array.dtype, single.dtype, weak, strong));
  }
  const [array, number] = a.kind === 'array' ? [a, b as ScalarValue] : [b as ArrayValue, a as ScalarValue];
  if (rankOfScalar[number.type] <= rank[array.dtype]) return array.dtype;
  if (library === 'tensorflow')
    return refuse(at, t('TensorFlow does not take {0} with {1}', number.value, array.dtype));
  return number.type === 'float' ? 'float64' : 'int64';
}

function same(a: ArrayValue, b: ArrayValue, at: TextRange): NumberType {
  if (a.dtype === b.dtype || b.library === 'printed') return a.dtype;
  return a.library === 'printed' ? b.dtype : refuse(at, t('TensorFlow does not take {0} with {1}', a.dtype, b.dtype));
}

function numpyType(a: NumberType, b: NumberType): NumberType {
  if (a === b || b === 'bool') return a;
  if (a === 'bool') return b;
  const pair = [a, b];
  if (pair.includes('float64') || (pair.includes('float32') && pair.includes('int64'))) return 'float64';
  return pair.includes('float32') ? 'float64' : 'int64';
}

/** Python's numbers, then single numbers, then tensors: the higher kind wins, within a kind the one with dimensions. */
function categories(library: 'torch' | 'jax', a: Operand, b: Operand): NumberType {
  const [high, low] = order(a) >= order(b) ? [a, b] : [b, a];
  if (high.kind === 'scalar') return library === 'torch' ? 'int64' : 'int32';
  if (low.kind === 'array' && order(high) === order(low)) {
    if (rank[high.dtype] !== rank[low.dtype]) return rank[high.dtype] > rank[low.dtype] ? high.dtype : low.dtype;
    return high.dtype.includes('64') ? high.dtype : low.dtype;
  }
  const rankOfLow = low.kind === 'array' ? rank[low.dtype] : rankOfScalar[low.type];
  if (rankOfLow <= rank[high.dtype]) return high.dtype;
  if (low.kind === 'array') return low.dtype;
  return low.type === 'float' ? 'float32' : library === 'torch' ? 'int64' : 'int32';
}

const order = (a: Operand): number => (a.kind === 'scalar' ? 0 : a.shape.length === 0 ? 1 : 2);

/** What a library makes of Python's numbers when no dtype is asked for. */
export function defaultType(library: Library, type: ScalarValue['type']): NumberType {
  if (type === 'bool') return 'bool';
  const narrow = library === 'tensorflow' || library === 'jax';
  if (type === 'int') return narrow ? 'int32' : 'int64';
  return narrow || library === 'torch' ? 'float32' : 'float64';
}

const names = new Map<string, NumberType>([
  ['float', 'float64'],
  ['float_', 'float64'],
  ['double', 'float64'],
  ['single', 'float32'],
  ['int', 'int64'],
  ['long', 'int64'],
  ['bool_', 'bool'],
  ['f4', 'float32'],
  ['f8', 'float64'],
  ['i4', 'int32'],
  ['i8', 'int64'],
  ...(['bool', 'int32', 'int64', 'float32', 'float64'] as const).map((t): [string, NumberType] => [t, t]),
]);

/** `np.float32`, `'float32'`, `float`, `torch.float`: the dtype of a library, refused where it is none that is computed. */
export function typeNamed(word: string, library: Library, at: TextRange): NumberType {
  const name = word.slice(word.lastIndexOf('.') + 1);
  // `torch.float` is float32; Python's `float` is float64, in JAX float32 for want of 64 bits.
  if (word === 'torch.float') return 'float32';
  const type = names.get(name);
  if (type === undefined) return refuse(at, t('{0} is no dtype that is computed', word));
  if (library !== 'jax') return type;
  return type === 'float64' ? 'float32' : type === 'int64' ? 'int32' : type;
}
