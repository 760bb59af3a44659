import type { TextRange } from '../text';
import type { MatrixFormat } from './matrix';
import { code, isCloser, isOpener, isQuote, peek, quotedEnd, skipGap, wordEnd, type Scanner } from './scanner';

/** Calls whose first argument is the matrix itself, with the library they belong to. */
const constructors = new Map<string, MatrixFormat>();
const learn = (format: MatrixFormat, modules: string, names: string): void => {
  for (const module of modules.split(' '))
    for (const name of names.split(' ')) constructors.set(module === '-' ? name : `${module}.${name}`, format);
};
learn(
  'numpy',
  'np numpy cp cupy',
  'array asarray asanyarray ascontiguousarray asfortranarray matrix mat float32 float64',
);
learn('numpy', '-', 'array asarray matrix');
learn('numpy', 'mx mlx.core', 'array');
learn(
  'torch',
  'torch',
  'tensor Tensor as_tensor asarray FloatTensor DoubleTensor HalfTensor LongTensor IntTensor BoolTensor',
);
learn('torch', '- nn torch.nn', 'Parameter');
learn('torch', '-', 'tensor');
learn('torch', 'paddle', 'to_tensor');
learn('tensorflow', 'tf tensorflow', 'constant convert_to_tensor Variable Tensor cast');
learn('tensorflow', '-', 'constant');
learn('jax', 'jnp jax.numpy', 'array asarray');
learn('jax', '-', 'Array DeviceArray');
learn('javascript', '-', 'Float32Array Float64Array Float32Array.from Float64Array.from Float32Array.of');

/** Calls whose name determines the dtype. */
const dtypeOfCall = new Map([
  ['torch.FloatTensor', 'float32'],
  ['torch.DoubleTensor', 'float64'],
  ['torch.HalfTensor', 'float16'],
  ['Float32Array', 'float32'],
  ['Float32Array.from', 'float32'],
  ['Float64Array', 'float64'],
  ['Float64Array.from', 'float64'],
]);

export const formatOfCall = (word: string): MatrixFormat | undefined => constructors.get(word);
export const dtypeOf = (word: string): string | undefined => dtypeOfCall.get(word);

/** Offset of the opening parenthesis, if the word from the cursor to `end` is a known constructor that is called. */
export function wrapperAt(s: Scanner, end: number): number | undefined {
  if (end - s.at > 40 || s.text.charCodeAt(end) !== code.open) return undefined;
  return constructors.has(s.text.slice(s.at, end)) ? end : undefined;
}

/** The arguments after the array in its call. */
export interface Arguments {
  /** Whether the call's closing parenthesis was found, with the cursor after it; otherwise the cursor is where reading stopped. */
  readonly closed: boolean;
  readonly dtype?: string;
  /** `shape=[2, 2]`, `ndmin=2`: the array has another shape than it is written in. */
  readonly reshapes?: TextRange;
  /** Offset of an expression: something other than a comma or the closing parenthesis follows the array. */
  readonly expression?: number;
}

/** Longest arguments; the limit keeps nested failures linear. */
const longestArguments = 2000;

/**
 * Reads `, dtype=np.float32, device='cpu')` from the cursor, which is after the array. Skips strings and nested brackets; records the dtype
 * whether given by name, by position or as a string.
 */
export function readArguments(s: Scanner): Arguments {
  skipGap(s);
  const first = peek(s);
  if (first !== code.comma && first !== code.close) return { closed: false, expression: s.at };
  const limit = Math.min(s.end, s.at + longestArguments);
  const start = s.at;
  let dtype: string | undefined;
  let reshapes: TextRange | undefined;
  let depth = 0;
  while (s.at < limit) {
    const c = peek(s);
    if (c === code.close && depth === 0) {
      s.at++;
      s.steps += s.at - start;
      return { closed: true, ...(dtype === undefined ? {} : { dtype }), ...(reshapes && { reshapes }) };
    }
    if (isOpener(c)) depth++;
    else if (isCloser(c) && --depth < 0) break;
    if (isQuote(c)) {
      const end = quotedEnd(s);
      if (depth === 0) dtype ??= dtypeWord(s.text.slice(s.at + 1, Math.min(end - 1, s.at + 24)));
      s.at = end;
      continue;
    }
    const end = wordEnd(s);
    if (end > s.at && depth === 0) {
      dtype ??= dtypeArgument(s, end);
      if (isReshaping(s, end)) reshapes ??= { start: s.at, end };
    }
    s.at = end > s.at ? end : s.at + 1;
  }
  s.steps += s.at - start;
  return { closed: false };
}

/** The dtype that a word names, unless the word is an argument's name (`float=`). */
function dtypeArgument(s: Scanner, end: number): string | undefined {
  if (end - s.at > 40 || s.text.charCodeAt(end) === code.equals) return undefined;
  return dtypeWord(s.text.slice(s.at, end));
}

const isReshaping = (s: Scanner, end: number): boolean =>
  end - s.at < 6 &&
  /^(?:shape|ndmin)$/.test(s.text.slice(s.at, end)) &&
  /^\s{0,4}=(?!=)/.test(s.text.slice(end, end + 6));

const dtypeNames = new Set(
  'float64 float32 float16 bfloat16 half float double int64 int32 int16 int8 uint8 int long bool bool_ complex64 complex128'.split(
    ' ',
  ),
);
const short = new Map([
  ['f4', 'float32'],
  ['<f4', 'float32'],
  ['f8', 'float64'],
  ['<f8', 'float64'],
  ['f2', 'float16'],
  ['<f2', 'float16'],
]);

const pythonFloats = new Set(['np.float', 'numpy.float', 'builtins.float']);

/**
 * `float32` for `np.float32`, `torch.float32`, `float32`; undefined for a word that names no type. `torch.float` is float32 (pytorch.org, Tensor
 * Attributes), whereas `float` and NumPy's old `np.float` are Python's type, which a library reads in its own way.
 */
export function dtypeWord(word: string): string | undefined {
  if (word.endsWith('.float') && !pythonFloats.has(word)) return 'float32';
  const name = word.slice(word.lastIndexOf('.') + 1);
  return dtypeNames.has(name) ? name : short.get(name);
}
