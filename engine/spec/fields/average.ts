import { say, t } from '../../text';
import { listed, type Fields } from '../field';
import { flag, type RecordOf } from '../kinds';
import type { Start } from './start';

/* The weights of all heads as one table. */

const kinds = {
  required: {},
  optional: {
    /**
     * The mean of the heads' weights, as a step of its own that nothing is computed from: what nn.MultiheadAttention returns beside its output
     * (`average_attn_weights=True`, its default). Hugging Face's `output_attentions` keeps the heads apart. Default false.
     */
    averageWeights: flag,
  },
} as const;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly heads: number;
}

export interface Switches {
  readonly averageWeights: { readonly averageWeights: boolean };
}

const fields: Fields<typeof kinds, Spec, Switches, Switches['averageWeights'] & { readonly heads: number }> = {
  averageWeights: {
    describe: () => t('The mean of the heads’ weights as a step, as nn.MultiheadAttention returns it (average_attn_weights).'),
    initial: 'absent',
    example: '=true',
    limits: 'none',
    ignored: {
      averageWeights: ({ averageWeights }, plan) =>
        averageWeights && !plan.has('averagedWeights') ? say('there is only one head') : undefined,
    },
    panel: {
      read: ({ averageWeights = false }) => ({ averageWeights }),
      write: ({ averageWeights: own }, { averageWeights }) =>
        (own ?? false) === averageWeights ? own : averageWeights,
      controls: [
        {
          id: 'averageWeights',
          group: 'heads',
          kind: 'choice',
          label: () => t('Mean of the heads'),
          explain: () => t('Whether a step shows the mean of the heads’ weights. No other number changes.'),
          explainChoice: ({ averageWeights }) =>
            averageWeights
              ? t('Shown as a step, as nn.MultiheadAttention returns it (average_attn_weights=True, its default).')
              : t('Each head’s weights stay apart, as in Hugging Face’s output_attentions.'),
          paths: ['averageWeights'],
          applies: ({ start }, { heads }) => start.from !== 'program' && heads > 1,
          options: () => listed({ no: t('Not shown'), yes: t('Shown') }),
          get: (s) => (s.averageWeights ? 'yes' : 'no'),
          set: (_, value) => ({ averageWeights: value === 'yes' }),
          brief: (_, { averageWeights }) => (averageWeights ? t('mean shown') : ''),
        },
      ],
    },
  },
}; // prettier-ignore

export const averaging = { kinds, fields };
