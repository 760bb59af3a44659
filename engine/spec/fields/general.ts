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
     * inside of it, as the exponentials and the sum of a softmax, is float32, as in PyTorch on a CPU and in models that say `softmax(…, dtype=torch.float32)`.
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

const halves = { float16: 'float16', bfloat16: 'bfloat16' };

/** A program's own casts are not among its steps, so that rounding each of them would be wrong. */
function checkPrecision({ dtype, start }: Spec, problems: Problem[]): void {
  if (start.from !== 'program' || !isHalf(dtype)) return;
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
          paths: ['dtype'],
          applies: () => true,
          options: ({ start }) =>
            listed({ float64: 'float64', float32: 'float32', ...(start.from !== 'program' && halves) }),
          get: (s) => s.dtype,
          set: (_, dtype) => ({ dtype: dtype as Precision }),
        },
      ],
    },
  },
};

export const general = { kinds, fields };
