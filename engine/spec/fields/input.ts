import { t, say, size } from '../../text';
import { both, given, listed, nameOf, type Fields, type Option } from '../field';
import { matrix, number, record, tagged, wordOr, type RecordOf } from '../kinds';
import { widthLimit } from '../limits';
import { learnedOr, type Switches as ModelSwitches } from './model';
import { hasScores, hasX, type Start } from './start';

/* What tokens become: rows of an embedding table, and what says where they stand. */

const embedding = tagged('from', { random: { required: {} }, given: { required: { table: matrix } } });

const positions = wordOr(
  [
    'none', 'sinusoidal-interleaved', 'sinusoidal-concatenated', 'learned-random', 'rope-interleaved', 'rope-half', 'alibi',
  ],
  record({ required: { learned: matrix } }),
); // prettier-ignore

const kinds = {
  required: {
    /** Width of a random embedding; where there is no X, also what √d_model and the width of a random W_O mean. */
    dModel: number,
    /** Where order enters: see `Positions`. */
    positions,
  },
  optional: {
    /** The embedding table, when starting from text or ids. */
    embedding,
  },
} as const;

/** The embedding table (vocabulary×d_model) when starting from text or ids. */
export type Embedding = NonNullable<RecordOf<typeof kinds>['embedding']>;

/**
 * Where order enters: sines and cosines added to the embedding (Vaswani et al. 2017, section 3.5; tensor2tensor's
 * layout), learned rows added (random here, or given: n×d_model), rotations of Q and K (Su et al. 2021: adjacent pairs, or
 * halves as in GPT-NeoX and Llama), or a bias on the scores that grows with distance (Press et al. 2022).
 */
export type Positions = RecordOf<typeof kinds>['positions'];

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly scale: string | object;
}

export interface Switches {
  readonly dModel: { readonly dModel: number };
  readonly positions: { readonly positions: Positions };
}

const initialWidth = 16;

/** Whether tokens are embedded by a table that is drawn. */
export const embedsAtRandom = ({ start, embedding }: Pick<Spec, 'start' | 'embedding'>): boolean =>
  (start.from === 'text' || start.from === 'ids') && embedding?.from !== 'given';

const biases = (): Readonly<Record<string, string>> => ({ none: t('None'), alibi: 'ALiBi' });
const rotations = (): Readonly<Record<string, string>> => ({
  none: t('None'),
  'rope-interleaved': t('RoPE, adjacent pairs'),
  'rope-half': t('RoPE, halves'),
  alibi: 'ALiBi',
});
const allPositions = (model: string): Readonly<Record<string, string>> => ({
  none: t('None'),
  'sinusoidal-interleaved': t('Sinusoidal, interleaved'),
  'sinusoidal-concatenated': t('Sinusoidal, concatenated'),
  'learned-random': learnedOr(model, t('Drawn at random')),
  'rope-interleaved': t('RoPE, adjacent pairs'),
  'rope-half': t('RoPE, halves'),
  alibi: 'ALiBi',
});

const notes: Readonly<Record<Extract<Positions, string>, () => string>> = {
  none: () => t('Without positions attention sees a set, not a sequence.'),
  'sinusoidal-interleaved': () => t('Sines and cosines in turn are added to X (Vaswani et al. 2017).'),
  'sinusoidal-concatenated': () =>
    t(
      'Sines, then cosines are added to X, with the paper’s wavelengths (Hugging Face’s Marian). tensor2tensor, fairseq and Whisper have this layout with other wavelengths: i/(d/2 − 1) in the exponent.',
    ),
  'learned-random': () => t('A row for each place is added to X. It is drawn at random here; a model learns it.'),
  'rope-interleaved': () =>
    t('Columns 2i and 2i+1 of Q and K turn with the position (Su et al. 2021; GPT-J, Meta’s own Llama code).'),
  'rope-half': () =>
    t(
      'Columns i and i+d/2 of Q and K turn with the position: rotate_half of Hugging Face’s Llama, Mistral, Qwen and Gemma, GPT-NeoX. Meta’s Llama turns adjacent pairs; Hugging Face reordered its W_q and W_k for that.',
    ),
  alibi: () =>
    t(
      'Scores lose in proportion to the distance (Press et al. 2022): slope 2^(−8k/h) for head k of h, from 1. BLOOM adds slope·j instead: other scores, and under a causal mask the same weights.',
    ),
};

/** The usual choices, and the one that the input came with where it is another. */
function withOwn(options: Readonly<Record<string, string>>, own: Positions): readonly Option[] {
  const name = nameOf(own);
  if (name in options) return listed(options);
  return [...listed(options), { value: name, text: name === given ? t('Learned, as given') : name }];
}

const fields: Fields<
  typeof kinds,
  Spec,
  Switches,
  Switches['dModel'] & Switches['positions'] & ModelSwitches['model']
> = {
  dModel: {
    describe: () => t('Width of a random embedding.'),
    initial: both(initialWidth),
    example: '=32',
    limits: 'none',
    ignored: {
      // X's width where there is an X that is not drawn; else it is what √d_model and a random W_O need.
      dModel: ({ dModel, scale }, plan) => {
        if (dModel === initialWidth || plan.operation('table') === 'random') return undefined;
        if (plan.has('x')) {
          const width = plan.width('x');
          return width === dModel ? undefined : say('{X} has {0} [columns|rows]', size(width));
        }
        const read = (scale === 'sqrt_d_model' && plan.has('scaled')) || plan.operation('wo') === 'random';
        return read ? undefined : plan.begins;
      },
    },
    panel: {
      read: ({ dModel }) => ({ dModel }),
      write: (_, { dModel }) => dModel,
      controls: [
        {
          id: 'dModel',
          group: 'input',
          kind: 'number',
          limit: widthLimit,
          label: () => 'd_model',
          explain: () => t('Numbers in each token’s embedding (hidden_size, n_embd).'),
          paths: ['dModel'],
          applies: embedsAtRandom,
          get: (s) => String(s.dModel),
          set: (_, dModel) => ({ dModel }),
          brief: (text) => `d_model ${text}`,
        },
      ],
    },
  },
  embedding: {
    describe: () => t('The embedding table.'),
    initial: 'absent',
    example: '.from=random',
    limits: 'none',
    ignored: {
      embedding: ({ embedding }, plan) => (embedding !== undefined && !plan.has('table') ? plan.begins : undefined),
    },
    panel: 'none',
  },
  positions: {
    describe: () =>
      t(
        'Where order enters. rope-half: rotate_half (Hugging Face’s Llama, GPT-NeoX); rope-interleaved: adjacent pairs (GPT-J, Meta’s Llama).',
      ),
    initial: { text: 'sinusoidal-interleaved', matrix: 'none' },
    example: '=rope-half',
    limits: 'none',
    ignored: {
      positions: ({ positions }, plan) =>
        positions !== 'none' && !['positions', 'qRotations', 'alibi'].some(plan.has) ? plan.begins : undefined,
    },
    panel: {
      read: ({ positions }) => ({ positions }),
      write: (_, { positions }) => positions,
      controls: [
        {
          id: 'positions',
          group: 'input',
          kind: 'choice',
          label: () => t('Positions'),
          explain: () => t('What says where a token stands.'),
          explainChoice: ({ positions, model }) => {
            if (typeof positions === 'object') return t('Rows that came with the input are added to X.');
            const learned = positions === 'learned-random' && model !== '';
            return learned ? t('A row for each place is added to X. {0} learned it.', model) : notes[positions]();
          },
          paths: ['positions'],
          // Positions that are added need X, rotations Q and K, biases scores.
          applies: hasScores,
          options: (spec, _, { model }) => {
            const names = hasX(spec) ? allPositions(model) : spec.start.from === 'qkv' ? rotations() : biases();
            return withOwn(names, spec.positions);
          },
          get: (s) => nameOf(s.positions),
          set: (_, value, spec) => ({
            positions: value === given ? spec.positions : (value as Extract<Positions, string>),
          }),
          brief: (text) => (text === t('None') ? t('no positions') : text),
        },
      ],
    },
  },
};

export const input = { kinds, fields };
