import { createStream, generators, type Generator } from '../../random';
import { t, say } from '../../text';
import { both, listed, type Fields } from '../field';
import { expected, oneOf, record, type Kind, type RecordOf } from '../kinds';
import { wholeFrom } from '../limits';
import type { Switches as BlockSwitches } from './block';
import type { Switches as HeadSwitches } from './heads';
import { drawsLambda, type Switches as DifferentialSwitches } from './differential';
import { embedsAtRandom, type Embedding, type Switches as InputSwitches } from './input';
import { drawsFeedForward, type ModelName, type Switches as ModelSwitches } from './model';
import { drawsWeights, type Switches as ProjectionSwitches } from './projections';
import type { Switches as SinkSwitches } from './sink';
import type { Switches as RelativeSwitches } from './relative';
import { drawsScoring, type Scoring, type Switches as ScoringSwitches } from './scoring';
import type { Switches as WeightingSwitches } from './weighting';
import { hasScores, hasX, type Start } from './start';

/* Where random numbers come from. */

/** Which seeds a generator takes is its own to say. */
const seed: Kind<number | string> = {
  check: expected(
    () => t('a number, or decimal digits in a text'),
    (v) => typeof v === 'number' || (typeof v === 'string' && /^-?\d{1,1000}$/.test(v)),
  ),
  schema: () => ({
    oneOf: [
      { type: 'number' },
      {
        type: 'string',
        pattern: '^-?[0-9]{1,1000}$',
        description: t('For a seed beyond 2^53 - 1, where a JSON number is not exact.'),
      },
    ],
  }),
};

const kinds = {
  required: {
    /** Draws in the order in which the plan lists its random steps. A seed beyond 2^53 − 1 is a text of decimal digits, since JSON numbers are not exact there. */
    random: record({ required: { generator: oneOf(...generators), seed } }),
  },
  optional: {},
} as const;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly embedding?: Embedding;
  readonly scoring?: Scoring;
  readonly model?: ModelName;
}

export interface Switches {
  readonly random: { readonly generator: Generator; readonly seed: number | string };
}

/** Switches that say whether anything is drawn. */
interface Drawing {
  readonly positions: InputSwitches['positions']['positions'];
  readonly projections: ProjectionSwitches['projections']['projections'];
  readonly output: HeadSwitches['outputProjection']['output'];
  readonly scoring: ScoringSwitches['scoring']['scoring'];
  readonly weighting: WeightingSwitches['weighting']['weighting'];
  readonly sink: SinkSwitches['sink']['sink'];
  readonly differential: DifferentialSwitches['differential']['differential'];
  readonly relativeBias: RelativeSwitches['relativeBias']['relativeBias'];
  readonly block: BlockSwitches['block']['block'];
  readonly normGains: BlockSwitches['block']['normGains'];
  readonly feedForward: BlockSwitches['feedForward']['feedForward'];
  readonly unembedding: BlockSwitches['unembedding']['unembedding'];
  readonly model: ModelSwitches['model']['model'];
}

const initial = { generator: 'numpy.RandomState', seed: 0 } as const;

const seeding: Readonly<Record<Generator, string>> = {
  'numpy.RandomState': 'np.random.seed',
  'numpy.default_rng': 'np.random.default_rng',
  torch: 'torch.manual_seed',
};

const draws = (spec: Spec, s: Drawing): boolean => drawsBeside(spec, s) || (s.model === '' && drawsLayers(spec, s));

/** Whether something is drawn for which a trained model has numbers. */
const drawsLayers = (spec: Spec, s: Drawing): boolean =>
  embedsAtRandom(spec) ||
  drawsWeights(spec, s) ||
  (hasX(spec) && s.positions === 'learned-random') ||
  s.output === 'random' ||
  (hasX(spec) && s.block !== 'none' && s.normGains === 'random');

/** Whether something is drawn that no model of the box has. */
const drawsBeside = (spec: Spec, s: Drawing): boolean =>
  (spec.embedding?.from === 'random' && embedsAtRandom(spec)) ||
  drawsScoring(spec, s) ||
  (hasScores(spec) && s.relativeBias !== null && s.relativeBias.table === undefined) ||
  (hasScores(spec) && s.sink === 'random') ||
  drawsLambda(spec, s) ||
  (hasX(spec) && s.block !== 'none' && (drawsFeedForward(s) || s.unembedding === 'random'));

const fields: Fields<typeof kinds, Spec, Switches, Switches['random'] & Drawing> = {
  random: {
    describe: () => t('The generator of all drawn numbers.'),
    initial: both(initial),
    example: '.seed=3',
    limits: ({ random }, problems) => {
      const stream = createStream(random);
      if (!stream.ok) problems.push(...stream.problems.map((p) => ({ ...p, path: 'random.seed' })));
    },
    ignored: {
      random: ({ random: { generator, seed } }, plan) => {
        const asks = generator !== initial.generator || seed !== initial.seed;
        return asks && !plan.draws ? say('nothing is drawn') : undefined;
      },
    },
    panel: {
      read: ({ random: { generator, seed } }) => ({ generator, seed }),
      write: (_, { generator, seed }) => ({ generator, seed }),
      controls: [
        {
          id: 'generator',
          group: 'numbers',
          kind: 'choice',
          label: () => t('Generator'),
          explain: () => t('Whose random numbers: the same seed gives the same numbers there.'),
          explainChoice: ({ generator, seed }) =>
            t('{0}, then normal draws in the order of the steps.', `${seeding[generator]}(${seed})`),
          paths: ['random.generator'],
          applies: draws,
          options: () =>
            listed({
              'numpy.RandomState': t('NumPy, RandomState'),
              'numpy.default_rng': t('NumPy, default_rng'),
              torch: 'PyTorch',
            }),
          get: (s) => s.generator,
          set: (_, generator) => ({ generator: generator as Generator }),
          brief: () => '',
        },
        {
          id: 'seed',
          group: 'numbers',
          kind: 'number',
          limit: { ...wholeFrom(0, Number.MAX_SAFE_INTEGER), expected: () => t('a whole number from 0 to 2⁵³ − 1') },
          label: () => t('Seed'),
          explain: () => t('Another seed draws other numbers.'),
          paths: ['random.seed'],
          applies: draws,
          get: (s) => String(s.seed),
          set: (_, seed) => ({ seed }),
          brief: (text) => t('seed {0}', text),
        },
      ],
    },
  },
};

export const drawing = { kinds, fields };
