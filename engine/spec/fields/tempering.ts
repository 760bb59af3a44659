import { t } from '../../text';
import type { Fields } from '../field';
import { number, type RecordOf } from '../kinds';
import { checkPositive, type Limit } from '../limits';
import { hasScores, type Start } from './start';
import type { WeighedBy } from './weighting';

/* What else makes scores flatter or sharper. */

const kinds = {
  required: {},
  optional: {
    /** softcap·tanh(scores/softcap) before the mask (Gemma 2). */
    softcap: number,
    /** The scaled scores are divided by this once more before softmax. */
    temperature: number,
  },
} as const;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
}

export interface Switches {
  readonly softcap: {
    /** null: none. */
    readonly softcap: number | null;
  };
  readonly temperature: {
    /** null: none. */
    readonly temperature: number | null;
  };
}

/** In the panel 0 is no softcap, and 1 no temperature. */
const capLimit: Limit = { whole: false, least: 0, most: Infinity, expected: () => t('0, or a number above it') };
const temperatureLimit: Limit = {
  whole: false,
  least: 1e-12,
  most: Infinity,
  expected: () => t('a number above 0'),
};

const fields: Fields<typeof kinds, Spec, Switches, Switches['softcap'] & Switches['temperature'] & WeighedBy> = {
  softcap: {
    describe: () => t('softcap·tanh(s/softcap) before the mask (attn_logit_softcapping of Gemma 2).'),
    initial: 'absent',
    example: '=50',
    limits: ({ softcap }, problems) => checkPositive(problems, 'softcap', softcap),
    ignored: {
      softcap: ({ start, softcap }, plan) =>
        start.from === 'weights' && softcap !== undefined ? plan.begins : undefined,
    },
    panel: {
      read: ({ softcap = null }) => ({ softcap }),
      write: (_, { softcap }) => softcap ?? undefined,
      controls: [
        {
          id: 'softcap',
          group: 'scores',
          kind: 'number',
          limit: capLimit,
          label: () => t('Softcap'),
          explain: () =>
            t(
              '0: none. Else c·tanh(Z/c) after the scale and before the mask, so that no score exceeds c: attn_logit_softcapping, 50 in Gemma 2.',
            ),
          paths: ['softcap'],
          // Set already, it stays: linear attention refuses it, and here it is taken away.
          applies: (spec, s) => hasScores(spec) && (s.weighting !== 'linear' || s.softcap !== null),
          get: (s) => String(s.softcap ?? 0),
          set: (_, softcap) => ({ softcap: softcap === 0 ? null : softcap }),
          brief: (text, { softcap }) => (softcap === null ? '' : t('softcap {0}', text)),
        },
      ],
    },
  },
  temperature: {
    describe: () => t('The scores are divided by it before softmax.'),
    initial: 'absent',
    example: '=0.5',
    limits: ({ temperature }, problems) => checkPositive(problems, 'temperature', temperature),
    ignored: {
      temperature: ({ start, temperature }, plan) =>
        start.from === 'weights' && temperature !== undefined ? plan.begins : undefined,
    },
    panel: {
      read: ({ temperature = null }) => ({ temperature }),
      write: (_, { temperature }) => temperature ?? undefined,
      controls: [
        {
          id: 'temperature',
          group: 'scores',
          kind: 'number',
          limit: temperatureLimit,
          label: () => t('Temperature'),
          explain: () => t('The scaled scores are divided by it once more. 1 changes nothing.'),
          paths: ['temperature'],
          applies: (spec, s) => hasScores(spec) && (s.weighting !== 'linear' || s.temperature !== null),
          get: (s) => String(s.temperature ?? 1),
          set: (_, temperature) => ({ temperature: temperature === 1 ? null : temperature }),
          brief: (text, { temperature }) => (temperature === null ? '' : `T = ${text}`),
        },
      ],
    },
  },
};

export const tempering = { kinds, fields };
