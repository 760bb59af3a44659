import { say, t } from '../../text';
import { listed, type Fields } from '../field';
import { number, oneOf, type RecordOf } from '../kinds';
import { checkPositive, type Limit } from '../limits';
import type { Precision } from '../../math';
import type { Generator } from '../../random';
import type { Switches as BlockSwitches } from './block';
import type { Switches as DrawSwitches } from './draws';
import type { Switches as GeneralSwitches } from './general';
import type { Switches as HeadSwitches } from './heads';
import { drawsFeedForward, type Switches as ModelSwitches } from './model';
import { drawsWeights, type Switches as ProjectionSwitches } from './projections';
import type { Start } from './start';

/* How drawn weights are scaled: by the root of their width in one of two precisions, or by a factor. */

const kinds = {
  required: {},
  optional: {
    /**
     * Drawn weights are divided by √d in float32, as `torch.randn(…) / math.sqrt(d)` does: the draw and √d are rounded to float32, then the quotient is.
     * Absent: in float64, rounded once to the dtype. For PyTorch's generator and other dtypes than float64; elsewhere both are the same.
     */
    weightsDividedIn: oneOf('float32'),
    /**
     * Drawn weights are multiplied by this instead of divided by √d, as `torch.randn(…) * 0.02` does: for PyTorch's generator and other dtypes than float64
     * the factor is rounded to float32, then the product is. nn.init.normal_(std=0.02) gives the same numbers from 16 draws on.
     */
    weightsTimes: number,
  },
} as const;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly dtype: Precision;
  readonly random: { readonly generator: Generator };
}

export interface Switches {
  readonly weightsDividedIn: { readonly weightsDividedIn: 'float64' | 'float32' };
  /** 0: they are divided. */
  readonly weightsTimes: { readonly weightsTimes: number };
}

type Others = DrawSwitches['random'] &
  GeneralSwitches['dtype'] &
  Pick<ProjectionSwitches['projections'], 'projections'> &
  Pick<HeadSwitches['outputProjection'], 'output'> &
  BlockSwitches['feedForward'] &
  BlockSwitches['unembedding'] &
  ModelSwitches['model'];

/** Whether a spec's weights are divided in float32. */
export const dividesInFloat32 = (spec: Omit<Spec, 'start'>): boolean =>
  spec.weightsDividedIn === 'float32' && multipliesInFloat32(spec);

/** Whether PyTorch scales drawn weights in float32. */
export const multipliesInFloat32 = ({ random, dtype }: Omit<Spec, 'start'>): boolean =>
  random.generator === 'torch' && dtype !== 'float64';

const factorLimit: Limit = { whole: false, least: 0, most: 1e6, expected: () => t('a number from 0 to 1,000,000') };

const drawsAny = (spec: Spec, s: Others): boolean =>
  (s.model === '' && (drawsWeights(spec, s) || s.output === 'random')) ||
  drawsFeedForward(s) ||
  s.unembedding === 'random';

const fields: Fields<typeof kinds, Spec, Switches, Switches['weightsDividedIn'] & Switches['weightsTimes'] & Others> = {
  weightsDividedIn: {
    describe: () => t('float32: drawn weights are divided by √d as torch.randn(…) / math.sqrt(d) divides, not in float64.'),
    initial: 'absent',
    example: '=float32',
    limits: 'none',
    ignored: {
      weightsDividedIn: ({ weightsDividedIn, weightsTimes, random, dtype }, plan) => {
        if (!weightsDividedIn) return undefined;
        if (!plan.drawsWeights) return say('no weights are drawn');
        if (weightsTimes !== undefined) return say('drawn weights are multiplied, not divided');
        if (random.generator !== 'torch') return say('NumPy draws and divides in float64');
        return dtype === 'float64' ? say('the numbers are float64') : undefined;
      },
    },
    panel: {
      read: (spec) => ({ weightsDividedIn: spec.weightsDividedIn ?? 'float64' }),
      write: (_, { weightsDividedIn }) => (weightsDividedIn === 'float32' ? weightsDividedIn : undefined),
      controls: [
        {
          id: 'weightsDividedIn',
          group: 'numbers',
          kind: 'choice',
          label: () => t('Drawn weights divided in'),
          explain: () => t('The precision in which a draw is divided by √d.'),
          explainChoice: ({ weightsDividedIn }) =>
            weightsDividedIn === 'float32'
              ? t('As torch.randn(…) / math.sqrt(d): √d and the quotient are rounded to float32.')
              : t('In float64, rounded once. torch.randn(…) / math.sqrt(d) rounds √d too, and can differ in the last digit.'),
          paths: ['weightsDividedIn'],
          applies: (spec, s) => drawsAny(spec, s) && s.weightsTimes === 0 && s.generator === 'torch' && s.dtype !== 'float64',
          options: () => listed({ float64: 'float64', float32: t('float32, as PyTorch') }),
          get: (s) => s.weightsDividedIn,
          set: (_, value) => ({ weightsDividedIn: value as Switches['weightsDividedIn']['weightsDividedIn'] }),
          brief: () => '',
        },
      ],
    },
  },
  weightsTimes: {
    describe: () => t('Drawn weights are multiplied by this, as torch.randn(…) * 0.02, instead of divided by √d.'),
    initial: 'absent',
    example: '=0.02',
    limits: ({ weightsTimes }, problems) => checkPositive(problems, 'weightsTimes', weightsTimes),
    ignored: {
      weightsTimes: ({ weightsTimes }, plan) =>
        weightsTimes === undefined || plan.drawsWeights ? undefined : say('no weights are drawn'),
    },
    panel: {
      read: ({ weightsTimes = 0 }) => ({ weightsTimes }),
      write: (_, { weightsTimes }) => (weightsTimes === 0 ? undefined : weightsTimes),
      controls: [
        {
          id: 'weightsTimes',
          group: 'numbers',
          kind: 'number',
          limit: factorLimit,
          label: () => t('Drawn weights times'),
          explain: () => t('0: none, they are divided by √d. Else a factor, as torch.randn(…) * 0.02 (initializer_range).'),
          paths: ['weightsTimes'],
          applies: drawsAny,
          get: (s) => String(s.weightsTimes),
          set: (_, weightsTimes) => ({ weightsTimes }),
          brief: (text, { weightsTimes }) => (weightsTimes === 0 ? '' : t('weights · {0}', text)),
        },
      ],
    },
  },
}; // prettier-ignore

export const dividing = { kinds, fields };
