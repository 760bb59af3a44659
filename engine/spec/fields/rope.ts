import { t, say, type Problem } from '../../text';
import { listed, type Fields } from '../field';
import { flag, number, oneOf, record, tagged, type RecordOf } from '../kinds';
import { checkLimit, checkPositive, wholeFrom, widthLimit, type Limit } from '../limits';
import type { Positions } from './input';
import { hasX, type Start } from './start';

/* How fast RoPE turns, which columns, and in which precision positions are computed. */

const stretched = { required: { factor: number } } as const;

const scaling = tagged('kind', {
  linear: stretched,
  ntk: stretched,
  dynamic: { required: { factor: number, original: number }, optional: { length: number } },
  yarn: {
    required: { factor: number, original: number },
    optional: {
      betaFast: number,
      betaSlow: number,
      attentionFactor: number,
      mscale: number,
      mscaleAllDims: number,
      truncate: flag,
    },
  },
  llama3: { required: { factor: number, lowFrequency: number, highFrequency: number, original: number } },
});

const kinds = {
  required: {},
  optional: {
    /** Base, width and scaling of RoPE: see `Rotary`. */
    rope: record({ required: {}, optional: { base: number, localBase: number, dims: number, scaling } }),
    /**
     * In which precision rotations and sinusoids are computed: in float64 and rounded once (the default), or in float32, every operation rounded, as
     * Hugging Face's rotations and `torch.arange(d, dtype=torch.float32)` do.
     */
    positionsDtype: oneOf('float64', 'float32'),
  },
} as const;

/**
 * How RoPE turns, as Hugging Face's modeling_rope_utils.py has it.
 * - `base`: rope_theta, default 10000
 * - `localBase`: rope_local_base_freq, the base in layers that `block.layerTypes` calls local, where nothing is scaled (Gemma 3: 10000 beside 1000000)
 * - `dims`: how many of the first columns of a head turn (rotary_dim, or partial_rotary_factor × d_k); default all
 * - `scaling`: rope_scaling, for texts longer than those a model was trained on (`original`: original_max_position_embeddings)
 *   - `linear`: positions are divided by the factor (Chen et al. 2023)
 *   - `ntk`: the base is multiplied by factor^(d/(d−2)) (NTK-aware, bloc97)
 *   - `dynamic`: the same with s·length/original − (s − 1) for the factor s; `length` is that of the whole text, default one more than its last position
 *   - `yarn`: slow pairs as linear, fast ones unscaled, a ramp between those that turn `betaSlow` (1) and `betaFast` (32) times; cosines and sines are
 *     multiplied by `attentionFactor`, default 0.1·ln(factor) + 1, or the ratio of such with `mscale` and `mscaleAllDims`; `truncate` (default true)
 *     rounds the ramp's ends to pairs (Peng et al. 2023)
 *   - `llama3`: wavelengths above original/lowFrequency as linear, below original/highFrequency unscaled, a mixture between
 */
export type Rotary = NonNullable<RecordOf<typeof kinds>['rope']>;
type Scaling = NonNullable<Rotary['scaling']>;

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly positions: Positions;
  readonly block?: { readonly layerTypes?: readonly string[] };
}

export interface Switches {
  readonly rope: {
    /** null: as RoPE is without the field. */
    readonly rope: Rotary | null;
  };
  readonly positionsDtype: { readonly positionsDtype: 'float64' | 'float32' };
}

export const rotates = ({ positions }: Pick<Spec, 'positions'>): boolean =>
  positions === 'rope-half' || positions === 'rope-interleaved';
const isSinusoidal = ({ positions }: Pick<Spec, 'positions'>): boolean =>
  typeof positions === 'string' && positions.startsWith('sinusoidal');

const applies = (spec: Spec): boolean => rotates(spec) && (hasX(spec) || spec.start.from === 'qkv');

const above0: Limit = { whole: false, least: 1e-12, most: Infinity, expected: () => t('a number above 0') };
const lengthLimit = wholeFrom(1, 1_000_000_000);
/** In the panel 0 is all columns. */
const dimsLimit = wholeFrom(0, widthLimit.most);
const attentionLimit: Limit = { whole: false, least: 0, most: Infinity, expected: () => t('0, or a number above it') };

function checkScaling(scaling: Scaling, problems: Problem[]): void {
  const at = (name: string): string => `rope.scaling.${name}`;
  checkPositive(problems, at('factor'), scaling.factor);
  if ('original' in scaling) checkLimit(problems, at('original'), scaling.original, lengthLimit);
  if (scaling.kind === 'dynamic' && scaling.length !== undefined)
    checkLimit(problems, at('length'), scaling.length, lengthLimit);
  if (scaling.kind === 'yarn')
    for (const name of ['betaFast', 'betaSlow', 'attentionFactor', 'mscale', 'mscaleAllDims'] as const)
      checkPositive(problems, at(name), scaling[name]);
  if (scaling.kind === 'llama3') checkBand(scaling, problems);
}

function checkBand({ lowFrequency, highFrequency }: Extract<Scaling, { kind: 'llama3' }>, problems: Problem[]): void {
  checkPositive(problems, 'rope.scaling.lowFrequency', lowFrequency);
  checkPositive(problems, 'rope.scaling.highFrequency', highFrequency);
  if (!(highFrequency <= lowFrequency)) return;
  const path = 'rope.scaling.highFrequency';
  problems.push({ code: 'number', path, message: t('{0} is {1}, expected more than {2}', path, highFrequency, lowFrequency) }); // prettier-ignore
}

function checkRotary({ rope }: Spec, problems: Problem[]): void {
  if (!rope) return;
  checkPositive(problems, 'rope.base', rope.base);
  checkPositive(problems, 'rope.localBase', rope.localBase);
  if (rope.dims !== undefined) checkLimit(problems, 'rope.dims', rope.dims, wholeFrom(2, widthLimit.most));
  if (rope.base === 1 && rope.scaling?.kind === 'yarn')
    problems.push({ code: 'number', path: 'rope.base', message: t('YaRN has no ramp for a base of 1') });
  if (rope.scaling) checkScaling(rope.scaling, problems);
}

/** Scalings as a reader first takes them: the numbers of the first models that had them. */
const scalings: Readonly<Record<Scaling['kind'], Scaling>> = {
  linear: { kind: 'linear', factor: 2 },
  ntk: { kind: 'ntk', factor: 2 },
  dynamic: { kind: 'dynamic', factor: 2, original: 4 },
  yarn: { kind: 'yarn', factor: 4, original: 32 },
  llama3: { kind: 'llama3', factor: 8, lowFrequency: 1, highFrequency: 4, original: 8192 },
};

const scalingNames = (): Readonly<Record<string, string>> => ({
  none: t('None'),
  linear: t('Linear'),
  ntk: t('NTK-aware'),
  dynamic: t('NTK-aware, dynamic'),
  yarn: 'YaRN',
  llama3: 'Llama 3',
});

const scalingNotes: Readonly<Record<string, () => string>> = {
  none: () => t('Pairs turn as they were trained (rope_type "default").'),
  linear: () => t('rope_type "linear": positions are divided by the factor (Chen et al. 2023).'),
  ntk: () => t('The base becomes base·s^(d/(d − 2)) for the factor s, so that slow pairs turn slower and fast ones hardly change (bloc97). Hugging Face has no rope_type for it; models write the new base into rope_theta.'),
  dynamic: () => t('rope_type "dynamic": the base grows with the text, once it is longer than the model was trained on, which Hugging Face takes from max_position_embeddings (emozilla).'),
  yarn: () => t('rope_type "yarn": slow pairs are divided by the factor, fast ones kept, a ramp between; cosines and sines grow by the attention factor (Peng et al. 2023). DeepSeek’s mscale, mscale_all_dim and gpt-oss’s truncate: in the spec, rope.scaling.'),
  llama3: () => t('rope_type "llama3", with four numbers (Llama 3.1: factor 8, low_freq_factor 1, high_freq_factor 4, original_max_position_embeddings 8192): frequencies of long wavelengths are divided by the factor, short ones kept, a mixture between.'),
}; // prettier-ignore

const scalingOf = (s: Switches['rope']): Scaling | undefined => s.rope?.scaling;

/** RoPE with a change; null where it says nothing any more. */
function changed({ rope }: Switches['rope'], change: { readonly [F in keyof Rotary]?: Rotary[F] | undefined }): Switches['rope'] {
  const known = Object.entries({ ...rope, ...change }).filter(([, value]) => value !== undefined);
  return { rope: known.length ? Object.fromEntries(known) : null };
} // prettier-ignore

/** The scaling with another number; as it was where it has no such number. */
const withNumber = (s: Switches['rope'], name: string, value: number | undefined): Switches['rope'] => {
  const own = scalingOf(s);
  if (!own) return s;
  const known = Object.entries({ ...own, [name]: value }).filter(([, one]) => one !== undefined);
  return changed(s, { scaling: Object.fromEntries(known) as unknown as Scaling });
};

const numberOf = (s: Switches['rope'], name: string): number | undefined =>
  (scalingOf(s) as Readonly<Record<string, unknown>> | undefined)?.[name] as number | undefined;

/** What is common to the controls of one number of a scaling. */
const ofScaling = (name: string, kindsWithIt: readonly Scaling['kind'][]) =>
  ({
    group: 'input',
    kind: 'number',
    part: 'rope',
    paths: [`rope.scaling.${name}`],
    applies: (spec: Spec, s: Switches['rope']) => {
      const own = scalingOf(s);
      return applies(spec) && own !== undefined && kindsWithIt.includes(own.kind);
    },
    get: (s: Switches['rope']) => String(numberOf(s, name) ?? 0),
    set: (s: Switches['rope'], value: number) => withNumber(s, name, value),
  }) as const;

const fields: Fields<typeof kinds, Spec, Switches, Switches['rope'] & Switches['positionsDtype']> = {
  rope: {
    describe: () => t('RoPE’s base (rope_theta), how many columns turn (rotary_dim), and its scaling (rope_scaling).'),
    initial: 'absent',
    example: '.base=500000',
    limits: checkRotary,
    ignored: {
      rope: ({ rope }, plan) =>
        rope && Object.keys(rope).length && !plan.has('qRotations') ? say('{Q} and {K} are not rotated') : undefined,
      'rope.localBase': ({ rope, block }, plan) =>
        rope?.localBase !== undefined && plan.has('qRotations') && !block?.layerTypes?.includes('sliding_attention')
          ? say('block.layerTypes calls no layer local')
          : undefined,
    },
    panel: {
      read: ({ rope = null }) => ({ rope }),
      write: ({ rope: own }, { rope }) => rope ?? (own && Object.keys(own).length === 0 ? own : undefined),
      controls: [
        {
          id: 'ropeBase',
          group: 'input',
          kind: 'number',
          part: 'rope',
          limit: above0,
          label: () => t('RoPE base'),
          explain: () =>
            t(
              'rope_theta: the larger, the slower the last pairs turn. 10000 in the paper and Llama 2, 500000 in Llama 3, 1000000 in Qwen 3.',
            ),
          paths: ['rope', 'rope.base'],
          applies,
          get: ({ rope }) => String(rope?.base ?? 10000),
          set: (s, base) => changed(s, { base: base === 10000 ? undefined : base }),
          brief: (text) => (text === '10000' ? '' : t('base {0}', text)),
        },
        {
          id: 'ropeDims',
          group: 'input',
          kind: 'number',
          part: 'rope',
          limit: dimsLimit,
          label: () => t('Columns that turn'),
          explain: () =>
            t(
              '0: all. Else so many of each head’s first columns: GPT-J’s rotary_dim; partial_rotary_factor (Phi) or rotary_pct (GPT-NeoX) × d_k, rounded down.',
            ),
          paths: ['rope.dims'],
          applies,
          get: ({ rope }) => String(rope?.dims ?? 0),
          set: (s, dims) => changed(s, { dims: dims === 0 ? undefined : dims }),
          brief: (text) => (text === '0' ? '' : t('{0} columns turn', text)),
        },
        {
          id: 'ropeScaling',
          group: 'input',
          kind: 'choice',
          part: 'rope',
          label: () => t('RoPE scaling'),
          explain: () =>
            t(
              'How positions beyond those a model was trained on are brought into its range: rope_type of rope_scaling in Hugging Face’s config.',
            ),
          explainChoice: (s) => scalingNotes[scalingOf(s)?.kind ?? 'none']?.() ?? '',
          paths: ['rope.scaling'],
          applies,
          options: () => listed(scalingNames()),
          get: (s) => scalingOf(s)?.kind ?? 'none',
          set: (s, value, { rope: own }) =>
            changed(s, { scaling: own?.scaling?.kind === value ? own.scaling : scalings[value as Scaling['kind']] }),
          brief: (text) => (text === t('None') ? '' : text),
        },
        {
          ...ofScaling('factor', ['linear', 'ntk', 'dynamic', 'yarn', 'llama3']),
          id: 'ropeFactor',
          limit: above0,
          label: () => t('Scaling factor'),
          explain: () => t('factor: how many times longer texts may be than those the model was trained on.'),
          brief: (text) => `× ${text}`,
        },
        {
          ...ofScaling('original', ['dynamic', 'yarn', 'llama3']),
          id: 'ropeOriginal',
          limit: lengthLimit,
          label: () => t('Trained length'),
          explain: () => t('original_max_position_embeddings: the longest text that the model was trained on.'),
          brief: () => '',
        },
        {
          ...ofScaling('lowFrequency', ['llama3']),
          id: 'ropeLow',
          limit: above0,
          label: () => t('Low-frequency factor'),
          explain: () =>
            t('low_freq_factor: pairs that turn less often than this over the trained length are scaled whole.'),
          brief: () => '',
        },
        {
          ...ofScaling('highFrequency', ['llama3']),
          id: 'ropeHigh',
          limit: above0,
          label: () => t('High-frequency factor'),
          explain: () => t('high_freq_factor: pairs that turn more often than this over the trained length are kept.'),
          brief: () => '',
        },
        {
          ...ofScaling('betaFast', ['yarn']),
          id: 'ropeBetaFast',
          limit: above0,
          get: (s) => String(numberOf(s, 'betaFast') ?? 32),
          label: () => 'β_fast',
          explain: () =>
            t('beta_fast, 32 in the paper: pairs that turn more often than this over the trained length are kept.'),
          brief: () => '',
        },
        {
          ...ofScaling('betaSlow', ['yarn']),
          id: 'ropeBetaSlow',
          limit: above0,
          get: (s) => String(numberOf(s, 'betaSlow') ?? 1),
          label: () => 'β_slow',
          explain: () =>
            t(
              'beta_slow, 1 in the paper: pairs that turn less often than this over the trained length are divided by the factor.',
            ),
          brief: () => '',
        },
        {
          ...ofScaling('attentionFactor', ['yarn']),
          id: 'ropeAttention',
          limit: attentionLimit,
          set: (s: Switches['rope'], value: number) =>
            withNumber(s, 'attentionFactor', value === 0 ? undefined : value),
          label: () => t('Attention factor'),
          explain: () =>
            t(
              'attention_factor: what cosines and sines are multiplied by, so scores by its square. 0: 0.1·ln(factor) + 1 as the paper has it, or what mscale and mscale_all_dim say.',
            ),
          brief: () => '',
        },
      ],
    },
  },
  positionsDtype: {
    describe: () =>
      t('float32: rotations and sinusoids are computed in float32, as Hugging Face and PyTorch code does.'),
    initial: 'absent',
    example: '=float32',
    limits: 'none',
    ignored: {
      positionsDtype: ({ positionsDtype }, plan) =>
        positionsDtype === 'float32' && !plan.has('qRotations') && plan.operation('positions') !== 'sinusoidal'
          ? say('there are no rotations and no sinusoids')
          : undefined,
    },
    panel: {
      read: ({ positionsDtype = 'float64' }) => ({ positionsDtype }),
      write: ({ positionsDtype: own }, { positionsDtype: now }) =>
        now === 'float64' && own === undefined ? undefined : now,
      controls: [
        {
          id: 'positionsDtype',
          group: 'input',
          kind: 'choice',
          label: () => t('Angles in'),
          explain: () => t('float64 and then rounded, or float32 throughout, as Hugging Face’s rotations.'),
          paths: ['positionsDtype'],
          applies: (spec) => applies(spec) || (isSinusoidal(spec) && hasX(spec)),
          options: () => listed({ float64: 'float64', float32: 'float32' }),
          get: (s) => s.positionsDtype,
          set: (_, value) => ({ positionsDtype: value as 'float64' | 'float32' }),
          brief: (text) => (text === 'float64' ? '' : t('angles in {0}', text)),
        },
      ],
    },
  },
};

export const turning = { kinds, fields };
