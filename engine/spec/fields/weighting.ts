import { say, t, type Problem, type Sentence } from '../../text';
import { listed, type Fields } from '../field';
import { number, tagged, type RecordOf } from '../kinds';
import type { Limit } from '../limits';
import type { Positions } from './input';
import { hasScores, type Start } from './start';

/* What makes weights of the masked scores. */

const kinds = {
  required: {},
  optional: {
    /** What makes weights of the scores instead of softmax: see `Weighting`. */
    weighting: tagged('by', { sigmoid: { required: {}, optional: { bias: number } }, linear: { required: {} } }),
  },
} as const;

/**
 * What makes weights of the masked scores; softmax where nothing is said.
 * - `sigmoid`: each score plus `bias` through 1/(1 + exp(−x)), alone (Ramapuram et al. 2024, eq. 3). Default bias −log n, n the number of keys: there the paper's
 *   section 4 puts it, so that a row sums to about 1 at the beginning of training. A decoder's step has the n of the whole text.
 * - `linear`: φ(q)·φ(k) by its sum over the row's keys, φ(x) = elu(x) + 1 (Katharopoulos et al. 2020, eqs. 4 and 7). Nothing is scaled, and a hidden key has 0. With RoPE,
 *   φ is of the rotated q and k. Weights are written out here; a model keeps the sums of eqs. 8 and 9 instead, which give the same.
 */
export type Weighting = NonNullable<RecordOf<typeof kinds>['weighting']>;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly mask: string | { readonly kind: string };
  readonly positions: Positions;
  readonly softcap?: number;
  readonly temperature?: number;
  readonly relativeBias?: unknown;
}

export interface Switches {
  readonly weighting: {
    readonly weighting: 'softmax' | Weighting['by'];
    /** null: −log n. */
    readonly weightingBias: number | null;
  };
}

/** The switch that other controls ask: what belongs to softmax is shown where there is one. */
export type WeighedBy = Pick<Switches['weighting'], 'weighting'>;

const biasLimit: Limit = {
  whole: false,
  least: -Infinity,
  most: Infinity,
  expected: () => t('a finite number'),
};

const biasOf = ({ weighting }: Pick<Spec, 'weighting'>): number | undefined =>
  weighting?.by === 'sigmoid' ? weighting.bias : undefined;

/** What has no place between features and shares. */
function checkLinear(spec: Spec, problems: Problem[]): void {
  if (spec.weighting?.by !== 'linear' || spec.start.from === 'weights') return;
  const refuse = (path: string, message: string): void => void problems.push({ code: 'weighting', path, message });
  if (spec.start.from === 'scores')
    refuse('weighting.by', t('linear attention needs Q and K: it starts at their features'));
  const { mask } = spec;
  if (typeof mask === 'object' && mask.kind === 'additive')
    refuse('mask', t('linear attention has no score to which a mask could be added'));
  if (spec.positions === 'alibi')
    refuse('positions', t('linear attention has no score to which a bias could be added'));
  if (spec.relativeBias !== undefined)
    refuse('relativeBias', t('linear attention has no score to which a bias could be added'));
  for (const path of ['softcap', 'temperature'] as const)
    if (spec[path] !== undefined)
      refuse(path, t('{0} acts on scores before a softmax; linear attention has none', path));
}

const fields: Fields<typeof kinds, Spec, Switches, Switches['weighting']> = {
  weighting: {
    describe: () =>
      t(
        'What makes weights of the scores instead of softmax: sigmoid (Ramapuram et al. 2024), linear (Katharopoulos et al. 2020).',
      ),
    initial: 'absent',
    example: '.by=sigmoid',
    limits: (spec, problems) => {
      checkLinear(spec, problems);
      const bias = biasOf(spec);
      if (bias === undefined || Number.isFinite(bias)) return;
      const message = t('weighting.bias is {0}, expected a finite number', String(bias));
      problems.push({ code: 'field', path: 'weighting.bias', message });
    },
    ignored: {
      weighting: ({ start, weighting }, plan) =>
        start.from === 'weights' && weighting !== undefined ? plan.begins : undefined,
    },
    panel: {
      read: (spec) => ({ weighting: spec.weighting?.by ?? 'softmax', weightingBias: biasOf(spec) ?? null }),
      write: (spec, { weighting: by, weightingBias: bias }) => {
        if (by === 'softmax') return undefined;
        if (by === 'linear') return { by };
        if (spec.weighting?.by === by && (biasOf(spec) ?? null) === bias) return spec.weighting;
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
              : weighting === 'linear'
                ? t('φ(q)·φ(k) by its sum over the row, φ(x) = elu(x) + 1: no softmax (Katharopoulos et al. 2020).')
                : t('exp of each score by the sum of its row (Vaswani et al. 2017).'),
          paths: ['weighting', 'weighting.by'],
          applies: hasScores,
          options: (spec) =>
            listed({
              softmax: 'Softmax',
              sigmoid: 'Sigmoid',
              ...(spec.start.from !== 'scores' && { linear: t('Linear') }),
            }),
          get: (s) => s.weighting,
          set: (_, value) => ({ weighting: value as Switches['weighting']['weighting'] }),
          brief: (text, { weighting }) => (weighting === 'softmax' ? '' : text),
        },
        {
          id: 'weightingBiasKind',
          group: 'scores',
          kind: 'choice',
          part: 'weightingBias',
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

/** Why `sink` and the like change nothing where there is no softmax; undefined where there is one. */
export const withoutSoftmax = ({ weighting }: Pick<Spec, 'weighting'>): Sentence | undefined =>
  weighting ? say('there is no softmax') : undefined;

export const weighing = { kinds, fields };
