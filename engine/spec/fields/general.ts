import type { DType } from '../../math';
import { t } from '../../text';
import { both, listed, type Fields } from '../field';
import { oneOf, type Kind } from '../kinds';

/* What a spec is of, and in which precision everything is computed. */

const dtype: Kind<DType> = oneOf('float64', 'float32');

const kinds = {
  required: {
    version: oneOf(1),
    /** float64 follows NumPy; float32 rounds after every operation, as PyTorch and TensorFlow do. */
    dtype,
  },
  optional: {},
} as const;

export interface Switches {
  readonly dtype: { readonly dtype: DType };
}

interface Spec {
  readonly dtype: DType;
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
    describe: () => t('float64 as NumPy, float32 as PyTorch and TensorFlow: every operation is rounded.'),
    initial: both('float64'),
    example: '=float32',
    limits: 'none',
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
          explain: () => t('float64 as NumPy, float32 as PyTorch.'),
          paths: ['dtype'],
          applies: () => true,
          options: () => listed({ float64: 'float64', float32: 'float32' }),
          get: (s) => s.dtype,
          set: (_, dtype) => ({ dtype: dtype as DType }),
        },
      ],
    },
  },
};

export const general = { kinds, fields };
