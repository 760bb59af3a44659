import { say, t } from '../../text';
import { listed, type Fields } from '../field';
import { matrix, tagged, type RecordOf } from '../kinds';
import { hasScores, type Start } from './start';
import type { WeighedBy, Weighting } from './weighting';

/* What makes a score of a query and a key. */

const kinds = {
  required: {},
  optional: {
    /** What makes a score of a query and a key instead of their dot product: see `Scoring`. */
    scoring: tagged('by', { additive: { required: {}, optional: { v: matrix } } }),
  },
} as const;

/**
 * What makes a score of a query and a key; their dot product where nothing is said.
 * - `additive`: v·tanh(q + k) (Bahdanau et al. 2015, section A.1.2: v_aᵀ tanh(W_a s + U_a h); d2l's AdditiveAttention: w_vᵀ tanh(W_q q + W_k k)). The projections are
 *   what the papers multiply q and k with. `v` has a row of d_k numbers for each head; it is drawn where it is absent. Nothing is scaled.
 */
export type Scoring = NonNullable<RecordOf<typeof kinds>['scoring']>;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly weighting?: Weighting;
}

export interface Switches {
  readonly scoring: { readonly scoring: 'dot' | Scoring['by'] };
}

/** The switch that other controls ask: only a dot product is scaled. */
export type ScoredBy = Pick<Switches['scoring'], 'scoring'>;

/** Whether scores are made here, of Q and K that can be added. */
export const comparesAnew = (spec: Pick<Spec, 'start'>): boolean => hasScores(spec) && spec.start.from !== 'scores';

/** Whether v is drawn. */
export const drawsScoring = (spec: Pick<Spec, 'start' | 'scoring'>, { scoring, weighting }: ScoredBy & WeighedBy): boolean =>
  comparesAnew(spec) && scoring === 'additive' && weighting !== 'linear' && spec.scoring?.v === undefined; // prettier-ignore

const fields: Fields<typeof kinds, Spec, Switches, Switches['scoring'] & WeighedBy> = {
  scoring: {
    describe: () => t('What makes a score instead of the dot product of query and key: additive (Bahdanau et al. 2015).'),
    initial: 'absent',
    example: '.by=additive',
    limits: 'none',
    ignored: {
      scoring: ({ start, scoring, weighting }, plan) => {
        if (scoring === undefined) return undefined;
        if (start.from === 'scores' || start.from === 'weights') return plan.begins;
        return weighting?.by === 'linear' ? say('linear attention compares features') : undefined;
      },
    },
    panel: {
      read: ({ scoring }) => ({ scoring: scoring?.by ?? 'dot' }),
      write: ({ scoring: own }, { scoring: by }) => (by === 'dot' ? undefined : (own ?? { by })),
      controls: [
        {
          id: 'scoring',
          group: 'scores',
          kind: 'choice',
          label: () => t('Scores by'),
          explain: () => t('What makes a score of a query and a key.'),
          explainChoice: ({ scoring }) =>
            scoring === 'additive'
              ? t('v·tanh(q + k), q and k projected: a small network (Bahdanau et al. 2015; d2l’s AdditiveAttention).')
              : t('q·k: the dot product (Vaswani et al. 2017).'),
          paths: ['scoring', 'scoring.by', 'scoring.v'],
          applies: (spec, { weighting }) => comparesAnew(spec) && weighting !== 'linear',
          options: () => listed({ dot: t('Dot product'), additive: t('Additive') }),
          get: (s) => s.scoring,
          set: (_, value) => ({ scoring: value as Switches['scoring']['scoring'] }),
          brief: (text, { scoring }) => (scoring === 'dot' ? '' : text),
        },
      ],
    },
  },
}; // prettier-ignore

export const scoring = { kinds, fields };
