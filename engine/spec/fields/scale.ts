import { say, t } from '../../text';
import { both, type Fields } from '../field';
import { number, record, wordOr, type RecordOf } from '../kinds';
import type { Limit } from '../limits';
import { hasScores, hasX, type Start } from './start';
import type { ScoredBy, Scoring } from './scoring';
import type { WeighedBy, Weighting } from './weighting';

/* What the scores are divided by. */

const kinds = {
  required: {
    /** What the scores are divided by: see `Scale`. */
    scale: wordOr(['sqrt_d_k', 'none', 'sqrt_d_model'], record({ required: { divideBy: number } })),
  },
  optional: {},
} as const;

/** What the scores are divided by: √d_k (Vaswani et al. 2017, eq. 1), nothing, √d_model (a common mistake), or any number. */
export type Scale = RecordOf<typeof kinds>['scale'];

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly weighting?: Weighting;
  readonly scoring?: Scoring;
}

export interface Switches {
  readonly scale: { readonly scale: Scale };
}

const divisor: Limit = {
  whole: false,
  least: -Infinity,
  most: Infinity,
  expected: () => t('a number other than 0'),
};

/** Whether there is a dot product to scale. */
const isScaled = (spec: Spec, { weighting, scoring }: WeighedBy & ScoredBy): boolean =>
  hasScores(spec) && weighting !== 'linear' && (scoring === 'dot' || spec.start.from === 'scores');

const notes: Readonly<Record<Extract<Scale, string> | 'number', () => string>> = {
  sqrt_d_k: () => t('By √d_k, the columns of one head (Vaswani et al. 2017; scaled_dot_product_attention, head_dim ** -0.5).'),
  none: () => t('By nothing: T5 and GPT-Neo.'),
  sqrt_d_model: () => t('By √d_model: with several heads a common mistake.'),
  number: () => t('By a number: √query_pre_attn_scalar (Gemma 2), 1 / attention_multiplier (Granite), d_k (μP). Larger: flatter weights.'),
}; // prettier-ignore

const fields: Fields<typeof kinds, Spec, Switches, Switches['scale'] & WeighedBy & ScoredBy> = {
  scale: {
    describe: () => t('What the scores are divided by.'),
    initial: both('sqrt_d_k'),
    example: '=none',
    limits: ({ scale }, problems) => {
      if (typeof scale !== 'object' || (Number.isFinite(scale.divideBy) && scale.divideBy !== 0)) return;
      problems.push({
        code: 'scale',
        path: 'scale',
        message: t('scale: cannot divide by {0}', scale.divideBy),
        hint: t('Give a finite number other than 0.'),
      });
    },
    ignored: {
      scale: ({ start, scale, weighting, scoring }, plan) => {
        if (start.from === 'weights') return scale !== 'sqrt_d_k' && scale !== 'none' ? plan.begins : undefined;
        if (scale === 'sqrt_d_k') return undefined;
        if (weighting?.by === 'linear') return say('linear attention scales nothing');
        return scoring && start.from !== 'scores' ? say('additive attention scales nothing') : undefined;
      },
    },
    panel: {
      read: ({ scale }) => ({ scale }),
      write: (_, { scale }) => scale,
      controls: [
        {
          id: 'scale',
          group: 'scores',
          kind: 'choice',
          part: 'scale',
          label: () => t('Scale'),
          explain: () => t('What the scores are divided by before softmax.'),
          explainChoice: ({ scale }) => notes[typeof scale === 'object' ? 'number' : scale](),
          paths: [],
          applies: isScaled,
          options: (spec) => [
            { value: 'sqrt_d_k', text: '÷ √d_k' },
            { value: 'none', text: t('None') },
            ...(hasX(spec) ? [{ value: 'sqrt_d_model', text: t('÷ √d_model') }] : []),
            { value: 'number', text: t('÷ a number') },
          ],
          get: ({ scale }) => (typeof scale === 'object' ? 'number' : scale),
          set: (_, value) => ({
            scale: value === 'number' ? { divideBy: 2 } : (value as Extract<Scale, string>),
          }),
          brief: (text, { scale }) => (typeof scale === 'object' ? '' : text === t('None') ? t('unscaled') : text),
        },
        {
          id: 'divideBy',
          group: 'scores',
          kind: 'number',
          part: 'scale',
          limit: divisor,
          label: () => t('Divide by'),
          explain: () => t('Larger: flatter weights. Smaller: sharper weights.'),
          paths: ['scale'],
          applies: (spec, s) => isScaled(spec, s) && typeof s.scale === 'object',
          get: ({ scale }) => (typeof scale === 'object' ? String(scale.divideBy) : ''),
          set: (_, divideBy) => ({ scale: { divideBy } }),
          brief: (text) => `÷ ${text}`,
        },
      ],
    },
  },
};

export const scaling = { kinds, fields };
