import { say, t } from '../../text';
import { listed, type Fields } from '../field';
import { oneOf, type RecordOf } from '../kinds';
import type { Precision } from '../../math';
import type { Generator } from '../../random';
import type { Switches as BlockSwitches } from './block';
import type { Switches as DrawSwitches } from './draws';
import type { Switches as GeneralSwitches } from './general';
import type { Switches as HeadSwitches } from './heads';
import { drawsWeights, type Switches as ProjectionSwitches } from './projections';
import type { Start } from './start';

/* In which precision drawn weights are divided by the root of their width. */

const kinds = {
  required: {},
  optional: {
    /**
     * Drawn weights are divided by √d in float32, as `torch.randn(…) / math.sqrt(d)` does: the draw and √d are rounded to float32, then the quotient is.
     * Absent: in float64, rounded once to the dtype. For PyTorch's generator and other dtypes than float64; elsewhere both are the same.
     */
    weightsDividedIn: oneOf('float32'),
  },
} as const;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly dtype: Precision;
  readonly random: { readonly generator: Generator };
}

export interface Switches {
  readonly weightsDividedIn: { readonly weightsDividedIn: 'float64' | 'float32' };
}

type Others = DrawSwitches['random'] &
  GeneralSwitches['dtype'] &
  Pick<ProjectionSwitches['projections'], 'projections'> &
  Pick<HeadSwitches['outputProjection'], 'output'> &
  BlockSwitches['feedForward'] &
  BlockSwitches['unembedding'];

/** Whether a spec's weights are divided in float32. */
export const dividesInFloat32 = ({ weightsDividedIn, random, dtype }: Omit<Spec, 'start'>): boolean =>
  weightsDividedIn === 'float32' && random.generator === 'torch' && dtype !== 'float64';

const drawsAny = (spec: Spec, s: Others): boolean =>
  drawsWeights(spec, s) || s.output === 'random' || s.feedForward !== 'none' || s.unembedding === 'random';

const fields: Fields<typeof kinds, Spec, Switches, Switches['weightsDividedIn'] & Others> = {
  weightsDividedIn: {
    describe: () => t('float32: drawn weights are divided by √d as torch.randn(…) / math.sqrt(d) divides, not in float64.'),
    initial: 'absent',
    example: '=float32',
    limits: 'none',
    ignored: {
      weightsDividedIn: ({ weightsDividedIn, random, dtype }, plan) => {
        if (!weightsDividedIn) return undefined;
        if (!plan.draws) return say('nothing is drawn');
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
          applies: (spec, s) => drawsAny(spec, s) && s.generator === 'torch' && s.dtype !== 'float64',
          options: () => listed({ float64: 'float64', float32: t('float32, as PyTorch') }),
          get: (s) => s.weightsDividedIn,
          set: (_, value) => ({ weightsDividedIn: value as Switches['weightsDividedIn']['weightsDividedIn'] }),
          brief: () => '',
        },
      ],
    },
  },
}; // prettier-ignore

export const dividing = { kinds, fields };
