/** Fields of the spec that the source code states: precision, scale, mask. */
import { t } from '../text';
import type { AttentionSpec } from '../spec';
import { codeLines } from './code-lines';
import type { Code } from './mask-use';
import type { ParsedMatrix } from './matrix';

/** A field of the spec with the value that the source code states, which can differ from the one that is computed. */
export interface StatedField {
  readonly change: Partial<Pick<AttentionSpec, 'dtype' | 'scale' | 'mask'>>;
  /** The note while the spec has the stated value. */
  readonly followed?: string;
  /** The note while the spec has another value. */
  readonly otherwise: string;
}

/** Whether a spec has the stated value. */
export const isFollowed = ({ change }: StatedField, spec: AttentionSpec): boolean =>
  Object.entries(change).every(
    ([field, value]) => JSON.stringify(spec[field as keyof AttentionSpec]) === JSON.stringify(value),
  );

/** The notes on all stated fields, for the spec as it is now. */
export const statedFieldNotes = (said: readonly StatedField[], spec: AttentionSpec): string[] =>
  said.flatMap((one) => (isFollowed(one, spec) ? (one.followed ?? []) : one.otherwise));

const libraries = new Map([
  ['torch', 'PyTorch'],
  ['tensorflow', 'TensorFlow'],
  ['jax', 'JAX'],
]);
const float32Names = /^(?:float32|single|float16|half|bfloat16)$/;
const float64Names = /^(?:float64|double)$/;

/** The precision that the source states or that is its library's default; undefined for lists, printed digits and integers. */
function precisionOf({ dtype, format }: ParsedMatrix): 'float32' | 'float64' | undefined {
  const library = libraries.has(format);
  if (dtype !== undefined && float32Names.test(dtype)) return 'float32';
  // Python's own type: float64 in NumPy and PyTorch, float32 in TensorFlow and in JAX by default.
  if (dtype === 'float') return library && format !== 'torch' ? 'float32' : 'float64';
  if (dtype !== undefined && float64Names.test(dtype)) return format === 'printed' ? undefined : 'float64';
  if (library) return 'float32';
  return format === 'numpy' && dtype === undefined ? 'float64' : undefined;
}

export interface Precision {
  readonly dtype: AttentionSpec['dtype'];
  readonly said: readonly StatedField[];
  readonly notes: readonly string[];
}

/**
 * NumPy computes in float64, PyTorch, TensorFlow and JAX in float32, unless a dtype is given (numpy.org, pytorch.org: default dtypes). A
 * mix of both is computed in float64, as NumPy promotes it.
 */
export function precisionFrom(used: readonly ParsedMatrix[]): Precision {
  const numbers = used.filter(({ role }) => role !== 'mask');
  const of = (dtype: Precision['dtype']): readonly ParsedMatrix[] => numbers.filter((m) => precisionOf(m) === dtype);
  const [singles, doubles] = [of('float32'), of('float64')];
  const names = (list: readonly ParsedMatrix[]): string =>
    list
      .map(({ name }) => name ?? t('the matrix'))
      .slice(0, 6)
      .join(', ');
  const [first] = singles;
  if (!first) return { dtype: 'float64', said: [], notes: [] };
  if (doubles.length > 0)
    return {
      dtype: 'float64',
      said: [],
      notes: [
        t(
          '{0}: float32; {1}: float64. Computed in float64, which loses no digit of either.',
          names(singles),
          names(doubles),
        ),
      ],
    };
  const library =
    first.dtype === undefined || !float32Names.test(first.dtype) ? libraries.get(first.format) : undefined;
  const followed =
    library === undefined
      ? t('Computed in float32, as the source says ({0}).', first.dtype ?? 'float32')
      : t('Computed in float32: the source is {0}, float32 unless it says otherwise.', library);
  const otherwise =
    library === undefined
      ? t('The source says {0}; computed in {1}, other digits come out.', first.dtype ?? 'float32', 'float64')
      : t(
          'The source is {0}, float32 unless it says otherwise; computed in {1}, other digits come out.',
          library,
          'float64',
        );
  return { dtype: 'float32', said: [{ change: { dtype: 'float32' }, followed, otherwise }], notes: [] };
}

const queries = String.raw`(?<![\w.])(?:self\.)?(?:[qQ]|quer(?:y|ies)|Query)(?:_\w+|\d+)?`;
const keys = String.raw`(?:(?:self\.)?(?:[kK]|[kK]eys?)(?:_\w+|\d+)?(?![\w(])|\(\s*W_?k\s*@)`;
const product = new RegExp(
  `${queries}(?:\\.T)?\\s*@\\s*${keys}|\\b(?:matmul|dot|bmm|mm|inner)\\(\\s*${queries}(?:\\.T)?\\s*,\\s*${keys}|${queries}\\.(?:dot|matmul|bmm)\\(\\s*${keys}`,
);
const scaling =
  /sqrt|\*\*\s*\(?\s*[-−]?\s*0?\.5|\*\*\s*\(\s*-?1\s*\/\s*2|scal(?:e|ing|ed)|temperature|scaled_dot_product|MultiheadAttention|MultiHeadAttention/i;
const normalising = /softmax\s*\(|\bexp\s*\(/i;
const longestQuote = 80;
const quoted = (line: string): string => (line.length > longestQuote ? `${line.slice(0, longestQuote)}…` : line);

/** The scale and the mask that the code states clearly, where they differ from the spec's. */
export function statedScaleAndMask(code: Code, spec: AttentionSpec): StatedField[] {
  if (spec.start.from !== 'x' && spec.start.from !== 'qkv' && spec.start.from !== 'scores') return [];
  const lines = codeLines(code).lines.map(({ shown }) => shown.trim());
  const [scale, mask] = [unscaled(lines, spec), causal(lines, spec)];
  return [...(scale ? [scale] : []), ...(mask ? [mask] : [])];
}

/** Scores that are passed to softmax directly: no line of the code scales anything. */
function unscaled(lines: readonly string[], { scale, start }: AttentionSpec): StatedField | undefined {
  const line = lines.find((other) => product.test(other));
  const never =
    line !== undefined && !lines.some((other) => scaling.test(other)) && lines.some((other) => normalising.test(other));
  if (!line || !never || scale === 'none' || start.from === 'scores') return undefined;
  return {
    change: { scale: 'none' },
    followed: t('Scores are not scaled, as in the code: `{0}`.', quoted(line)),
    otherwise: t('The code never scales its scores: `{0}`. Here they are divided by √d_k.', quoted(line)),
  };
}

const triangle =
  /^(?:self\.)?([A-Za-z_]\w*)\s*=\s*(?:[\w.]+\(\s*)?(?:\w+\.)*(?:triu\(.*(?:,\s*|k\s*=\s*|diagonal\s*=\s*)1\s*\)|tril\((?!.*(?:k|diagonal)\s*=))/;

/** A triangular mask in the call that applies it: `np.where(np.triu(…, k=1), -np.inf, scores)`. */
const hiding =
  /(?:where|masked_fill_?)\(.*(?:triu\(.*(?:,\s*|k\s*=\s*|diagonal\s*=\s*)1\s*\)|tril\((?!.*(?:k|diagonal)\s*=)).*inf/;

/** A triangular mask that a later line adds or applies. */
function causal(lines: readonly string[], { mask, start }: AttentionSpec): StatedField | undefined {
  if (mask !== 'none' || start.from === 'weights') return undefined;
  const inPlace = lines.find((other) => hiding.test(other));
  if (inPlace !== undefined) return hidden(inPlace);
  for (const [i, made] of lines.entries()) {
    const [, name] = triangle.exec(made) ?? [];
    if (name === undefined) continue;
    const used = new RegExp(
      `(?:\\+\\s*(?:self\\.)?${name}\\b(?!\\s*=)|(?:masked_fill_?|where)\\(.*\\b${name}\\b|mask\\s*=\\s*(?:self\\.)?${name}\\b)`,
    );
    const line = lines.slice(i + 1).find((other) => used.test(other));
    if (line !== undefined) return hidden(line);
  }
  return undefined;
}

const hidden = (line: string): StatedField => ({
  change: { mask: 'causal' },
  followed: t('Later keys are hidden, as in the code: `{0}`.', quoted(line)),
  otherwise: t('The code hides later keys: `{0}`. Here every query sees every key.', quoted(line)),
});
