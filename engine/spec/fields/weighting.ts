import { say, t } from '../../text';
import { listed, type Fields } from '../field';
import { number, tagged, type RecordOf } from '../kinds';
import type { Limit } from '../limits';
import { hasScores, type Start } from './start';

/* What makes weights of the masked scores. */

const kinds = {
  required: {},
  optional: {
    /** What makes weights of the scores instead of softmax: see `Weighting`. */
    weighting: tagged('by', { sigmoid: { required: {}, optional: { bias: number } } }),
  },
} as const;

/**
 * What makes weights of the masked scores; softmax where nothing is said.
 * - `sigmoid`: each score plus `bias` through 1/(1 + exp(−x)), alone (Ramapuram et al. 2024, eq. 3). Default bias −log n, n the number of keys: there the paper's
 *   section 4 puts it, so that a row sums to about 1 at the beginning of training. A decoder's step has the n of the whole text.
 */
export type Weighting = NonNullable<RecordOf<typeof kinds>['weighting']>;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
}

export interface Switches {
  readonly weighting: {
    readonly weighting: 'softmax' | Weighting['by'];
    /** null: −log n. */
    readonly weightingBias: number | null;
  };
}

const biasLimit: Limit = {
  whole: false,
  least: -Infinity,
  most: Infinity,
  expected: () => t('a finite number'),
};

const fields: Fields<typeof kinds, Spec, Switches, Switches['weighting']> = {
  weighting: {
    describe: () => t('What makes weights of the scores instead of softmax: sigmoid (Ramapuram et al. 2024).'),
    initial: 'absent',
    example: '.by=sigmoid',
    limits: ({ weighting }, problems) => {
      const { bias } = weighting ?? {};
      if (bias === undefined || Number.isFinite(bias)) return;
      const message = t('weighting.bias is {0}, expected a finite number', String(bias));
      problems.push({ code: 'field', path: 'weighting.bias', message });
    },
    ignored: {
      weighting: ({ start, weighting }, plan) =>
        start.from === 'weights' && weighting !== undefined ? plan.begins : undefined,
    },
    panel: {
      read: ({ weighting }) => ({ weighting: weighting?.by ?? 'softmax', weightingBias: weighting?.bias ?? null }),
      write: ({ weighting: own }, { weighting: by, weightingBias: bias }) => {
        if (by === 'softmax') return undefined;
        if (own?.by === by && (own.bias ?? null) === bias) return own;
        return { by, ...(bias !== null && { bias }) };
      },
      controls: [
        {
          id: 'weighting',
          group: 'scores',
          kind: 'choice',
          part: 'weighting',
          label: () => t('Weights by'),
          explain: () => t('What makes weights of the masked scores.'),
          explainChoice: ({ weighting }) =>
            weighting === 'sigmoid'
              ? t('Each score alone: 1 / (1 + exp(−(s + b))). A row need not sum to 1 (Ramapuram et al. 2024).')
              : t('exp of each score by the sum of its row (Vaswani et al. 2017).'),
          paths: ['weighting', 'weighting.by'],
          applies: hasScores,
          options: () => listed({ softmax: 'Softmax', sigmoid: 'Sigmoid' }),
          get: (s) => s.weighting,
          set: (_, value) => ({ weighting: value as Switches['weighting']['weighting'] }),
          brief: (text, { weighting }) => (weighting === 'softmax' ? '' : text),
        },
        {
          id: 'weightingBiasKind',
          group: 'scores',
          kind: 'choice',
          part: 'weighting',
          label: () => t('Bias b'),
          explain: () => t('Added to each score before the sigmoid. −log n, n the number of keys, is the paper’s.'),
          paths: [],
          applies: (spec, s) => hasScores(spec) && s.weighting === 'sigmoid',
          options: () => listed({ keys: '−log n', number: t('A number') }),
          get: (s) => (s.weightingBias === null ? 'keys' : 'number'),
          set: (_, value) => ({ weightingBias: value === 'keys' ? null : 0 }),
          brief: () => '',
        },
        {
          id: 'weightingBias',
          group: 'scores',
          kind: 'number',
          part: 'weighting',
          limit: biasLimit,
          label: () => 'b',
          explain: () => t('0 gives every key of score 0 half its value.'),
          paths: ['weighting.bias'],
          applies: (spec, s) => hasScores(spec) && s.weighting === 'sigmoid' && s.weightingBias !== null,
          get: (s) => String(s.weightingBias ?? 0),
          set: (_, weightingBias) => ({ weightingBias }),
          brief: (text) => `b = ${text}`,
        },
      ],
    },
  },
};

/** Why what belongs to softmax changes nothing where there is none; undefined where there is one. */
export const withoutSoftmax = ({ weighting }: Pick<Spec, 'weighting'>) =>
  weighting ? say('there is no softmax') : undefined;

export const weighing = { kinds, fields };
