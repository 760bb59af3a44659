import { isHalf, type Precision } from '../../math';
import { t, type Problem } from '../../text';
import { both, listed, type Fields } from '../field';
import { oneOf, type Kind } from '../kinds';
import type { Start } from './start';

/* What a spec is of, and in which precision everything is computed. */

const dtype: Kind<Precision> = oneOf('float64', 'float32', 'float16', 'bfloat16');

const kinds = {
  required: {
    version: oneOf(1),
    /**
     * float64 follows NumPy; float32 rounds after every operation, as PyTorch and TensorFlow do. float16 and bfloat16 round the result of each step once: what is
     * inside of it, as the exponentials and the sum of a softmax, is float32, as in PyTorch on a CPU and in models that say `softmax(…, dtype=torch.float32)`. Soft cap,
     * elu + 1, sigmoid with a bias, RoPE’s turning and additive scores are several operations in code: they round after each. A factor is rounded first in float16 (NumPy), stays float32 in bfloat16 (PyTorch 2).
     */
    dtype,
  },
  optional: {},
} as const;

export interface Switches {
  readonly dtype: { readonly dtype: Precision };
}

interface Spec {
  readonly dtype: Precision;
  readonly start: Start;
}

const dtypeNotes: Readonly<Record<Precision, () => string>> = {
  float64: () => t('As NumPy computes: 52 binary digits behind the point.'),
  float32: () => t('As PyTorch and TensorFlow compute: each operation rounded to 23 binary digits behind the point.'),
  float16: () =>
    t('As NumPy computes on a CPU: each step rounded to 10 binary digits, softmax inside in float32; √d_k and other factors are rounded first.'),
  bfloat16: () =>
    t('As PyTorch 2 on a CPU: each step rounded to 7 binary digits, float32 inside; soft cap and elu + 1 round after each operation. Its GELU differs in the last place of 1 number in 2,000; 1.13 also rounds inside SiLU. RoPE rounds each product and their sum, as Hugging Face’s eager code; Meta’s own Llama multiplies complex numbers in float32 and rounds once. A norm with gains rounds once, as OLMo 2 and Gemma; Hugging Face’s Llama, Mistral and Qwen round before the gains too.'),
}; // prettier-ignore

const halves = { float16: 'float16', bfloat16: 'bfloat16' };

/** A program's own casts are not among its steps, so that rounding each of them would be wrong where it computes in another precision. */
function checkPrecision({ dtype, start }: Spec, problems: Problem[]): void {
  if (start.from !== 'program' || !isHalf(dtype) || start.dtype === dtype) return;
  const message = t('dtype is {0}, but the steps of a program are computed in float64 or float32', dtype);
  problems.push({ code: 'dtype', path: 'dtype', message });
}

const fields: Fields<typeof kinds, Spec, Switches, Switches['dtype']> = {
  version: {
    describe: () => t('The version of this format.'),
    initial: both(1),
    example: 'fixed',
    limits: 'none',
    ignored: 'never',
    panel: 'none',
  },
  dtype: {
    describe: () =>
      t(
        'float64 as NumPy, float32 as PyTorch and TensorFlow: every operation is rounded. float16, bfloat16: every step.',
      ),
    initial: both('float64'),
    example: '=float32',
    limits: checkPrecision,
    ignored: 'never',
    panel: {
      read: ({ dtype }) => ({ dtype }),
      write: (_, { dtype }) => dtype,
      controls: [
        {
          id: 'dtype',
          group: 'numbers',
          kind: 'choice',
          label: () => t('Precision'),
          explain: () =>
            t(
              'float64 as NumPy, float32 as PyTorch; float16 and bfloat16 round each step’s result once, softmax is inside in float32.',
            ),
          explainChoice: ({ dtype: of }) => dtypeNotes[of](),
          paths: ['dtype'],
          applies: () => true,
          options: ({ start }) =>
            listed({ float64: 'float64', float32: 'float32', ...(start.from === 'program' ? isHalf(start.dtype) && { [start.dtype]: start.dtype } : halves) }), // prettier-ignore
          get: (s) => s.dtype,
          set: (_, dtype) => ({ dtype: dtype as Precision }),
        },
      ],
    },
  },
};

export const general = { kinds, fields };
