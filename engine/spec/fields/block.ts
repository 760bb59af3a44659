import { t, type Problem, say, type Sentence } from '../../text';
import { listed, type Fields, type Planned } from '../field';
import { flag, listOf, matrix, number, oneOf, record, row, tagged, type RecordOf } from '../kinds';
import { checkLimit, widthLimit, wholeFrom, type Limit } from '../limits';
import type { Switches as HeadSwitches } from './heads';
import { isWindow, type Mask, type Switches as MaskSwitches } from './mask';
import { learnedOr, type Switches as ModelSwitches } from './model';
import { hasX, type Start } from './start';

/* What stands around attention in a transformer: norms, residuals, the feed-forward layer, more layers of the same, and the unembedding. */

/** The weights of one layer, by the names of their steps; of a norm its gains and, of LayerNorm, its biases. What is left out is drawn, or what other fields say. */
const layerWeights = record({
  required: {},
  optional: {
    wq: matrix, wk: matrix, wv: matrix, bq: row, bk: row, bv: row, wo: matrix, bo: row,
    norm1: row, norm1Bias: row, norm2: row, norm2Bias: row,
    w1: matrix, b1: row, wg: matrix, w2: matrix, b2: row,
  },
}); // prettier-ignore

const kinds = {
  required: {},
  optional: {
    /** Norms and residuals around attention: see `Block`. */
    block: record({
      required: { norm: oneOf('before', 'after', 'none') },
      optional: {
        of: oneOf('layer', 'rms'),
        epsilon: number,
        gains: oneOf('ones', 'random'),
        layers: number,
        shown: number,
        finalNorm: flag,
        weights: listOf(layerWeights),
        last: record({ required: {}, optional: { norm: row, normBias: row } }),
        layerTypes: listOf(oneOf('sliding_attention', 'full_attention')),
      },
    }),
    /** The layer after attention: see `FeedForward`. */
    feedForward: record({
      required: { of: oneOf('relu', 'gelu', 'gelu-tanh', 'silu', 'swiglu') },
      optional: { width: number, bias: flag },
    }),
    /** From the last rows to a number for each word of the vocabulary: see `Unembedding`. */
    unembedding: tagged('from', {
      tied: { required: {}, optional: { topK: number } },
      random: { required: {}, optional: { size: number, topK: number } },
      given: { required: { wu: matrix }, optional: { bu: row, topK: number } },
    }),
  },
} as const;

/**
 * A layer of a transformer: X + attention, then that + feed-forward, with a norm `before` each (pre-LN, GPT-2 and Llama) or `after` each sum (Vaswani et
 * al. 2017), or none. `of`: LayerNorm (default) or RMSNorm, with `epsilon` (default 10⁻⁵) and gains that are 1, or drawn, or given. `layers` of them
 * follow each other, each with weights of its own; `shown` is the one (from 1) whose steps have plain ids, the others' begin with `layer2_`.
 * `finalNorm` norms the last rows once more. Weights of layer i are `weights[i]`; what it leaves out is drawn, or what other fields say.
 * `layerTypes`, a word for each layer as Hugging Face's layer_types has it: in a `full_attention` layer a window does not hold (a causal one leaves a causal mask), in a
 * `sliding_attention` one `rope.localBase` is the base.
 */
export type Block = NonNullable<RecordOf<typeof kinds>['block']>;

/** The weights of one layer. */
export type LayerWeights = NonNullable<Block['weights']>[number];

/**
 * act(N·W_1 + b_1)·W_2 + b_2 with `width` columns between (default 4·d_model), or SwiGLU (Shazeer 2020): (SiLU(N·W_g) ⊙ N·W_1)·W_2. GELU is exact
 * (by erf) or its tanh approximation (Hendrycks and Gimpel 2016).
 */
export type FeedForward = NonNullable<RecordOf<typeof kinds>['feedForward']>;

/** Logits X·W_U, then softmax, over all words or the `topK` with the largest logits. `tied`: W_U is the embedding table, transposed. */
export type Unembedding = NonNullable<RecordOf<typeof kinds>['unembedding']>;

/** That of nn.LayerNorm and of Llama's RMSNorm. */
export const blockEpsilon = 1e-5;
export const layerLimit = wholeFrom(1, 48);
const epsilonLimit: Limit = { whole: false, least: 0, most: Infinity, expected: () => t('a finite number, 0 or more') };

interface Spec extends RecordOf<typeof kinds> {
  readonly start: Start;
  readonly mask: Mask;
  readonly rope?: { readonly localBase?: number };
}

type BlockKind = 'none' | 'plain' | `${'before' | 'after'}-${'layer' | 'rms'}`;

export interface Switches {
  readonly block: {
    readonly block: BlockKind;
    readonly layers: number;
    readonly shownLayer: number;
    readonly normGains: 'ones' | 'random';
    readonly finalNorm: boolean;
    /** Hugging Face's sliding_window_pattern: each k-th layer is global. 0: none is; −1: as the input lists them. */
    readonly globalEvery: number;
  };
  readonly feedForward: {
    readonly feedForward: 'none' | FeedForward['of'];
    readonly feedWidth: number | null;
    readonly feedBias: boolean;
  };
  readonly unembedding: { readonly unembedding: 'none' | Unembedding['from']; readonly topK: number | null };
}

type All = Switches['block'] &
  Switches['feedForward'] &
  Switches['unembedding'] &
  ModelSwitches['model'] &
  MaskSwitches['mask'] &
  Pick<HeadSwitches['outputProjection'], 'output'>;

function blockKind({ block }: Spec): BlockKind {
  if (!block) return 'none';
  return block.norm === 'none' ? 'plain' : `${block.norm}-${block.of ?? 'layer'}`;
}

/** How often a global layer comes; −1 where it is not each k-th. */
function patternOf(types: NonNullable<Block['layerTypes']>): number {
  const first = types.indexOf('full_attention') + 1;
  return first === 0 || types.every((type, i) => type === typeAt(i, first)) ? first : -1;
}

const typeAt = (i: number, every: number): 'sliding_attention' | 'full_attention' =>
  every > 0 && (i + 1) % every === 0 ? 'full_attention' : 'sliding_attention';

/** The types of the layers with a reader's switches; those that came with the input where they fit. */
function writtenTypes(own: Block | undefined, { layers, globalEvery }: Switches['block']): Block['layerTypes'] {
  const given = own?.layerTypes;
  if (given?.length === layers && patternOf(given) === globalEvery) return given;
  return globalEvery > 0 ? Array.from({ length: layers }, (_, i) => typeAt(i, globalEvery)) : undefined;
}

function writtenBlock(spec: Spec, s: Switches['block']): Block | undefined {
  const { block: own } = spec;
  if (s.block === 'none') return undefined;
  const [norm, of] =
    s.block === 'plain' ? (['none'] as const) : (s.block.split('-') as [Block['norm'], 'layer' | 'rms']);
  const {
    norm: _,
    of: __,
    layers: ___,
    shown: ____,
    gains: _____,
    finalNorm: ______,
    layerTypes: _7,
    ...rest
  } = own ?? ({} as Block);
  const layerTypes = writtenTypes(own, s);
  const shown = Math.min(s.shownLayer, s.layers);
  const made: Block = {
    norm,
    ...(of !== undefined && (of !== 'layer' || own?.of) && { of }),
    ...((s.layers > 1 || own?.layers !== undefined) && { layers: s.layers }),
    ...((shown > 1 || own?.shown !== undefined) && { shown }),
    ...((s.normGains === 'random' || own?.gains !== undefined) && { gains: s.normGains }),
    ...((s.finalNorm || own?.finalNorm !== undefined) && { finalNorm: s.finalNorm }),
    ...(layerTypes && { layerTypes }),
    ...rest,
  };
  return own && sameSwitches(spec, s) ? own : made;
}

const readBlock = (spec: Spec): Switches['block'] => ({
  block: blockKind(spec),
  layers: spec.block?.layers ?? 1,
  shownLayer: spec.block?.shown ?? 1,
  normGains: spec.block?.gains ?? 'ones',
  finalNorm: spec.block?.finalNorm ?? false,
  globalEvery: spec.block?.layerTypes ? patternOf(spec.block.layerTypes) : 0,
});

function sameSwitches(spec: Spec, s: Switches['block']): boolean {
  const own = readBlock(spec);
  return (Object.keys(own) as (keyof Switches['block'])[]).every((name) => own[name] === s[name]);
}

function writtenFeed({ feedForward: own }: Spec, s: Switches['feedForward']): FeedForward | undefined {
  if (s.feedForward === 'none') return undefined;
  const same =
    own && own.of === s.feedForward && (own.width ?? null) === s.feedWidth && (own.bias ?? false) === s.feedBias;
  if (same) return own;
  return { of: s.feedForward, ...(s.feedWidth !== null && { width: s.feedWidth }), ...(s.feedBias && { bias: true }) };
}

function writtenUnembedding({ unembedding: own }: Spec, s: Switches['unembedding']): Unembedding | undefined {
  if (s.unembedding === 'none') return undefined;
  if (own?.from === s.unembedding && (own.topK ?? null) === s.topK) return own;
  const topK = s.topK === null ? {} : { topK: s.topK };
  if (own?.from === s.unembedding) {
    const { topK: _, ...rest } = own;
    return { ...rest, ...topK };
  }
  return s.unembedding === 'given' ? undefined : { from: s.unembedding, ...topK };
}

function checkBlock({ block, start }: Spec, problems: Problem[]): void {
  if (!block || !hasX({ start })) return;
  checkLimit(problems, 'block.epsilon', block.epsilon ?? blockEpsilon, epsilonLimit);
  checkLimit(problems, 'block.layers', block.layers ?? 1, layerLimit);
  const { layers = 1, layerTypes } = block;
  if (layerTypes && layerTypes.length !== layers) {
    const message = t('block.layerTypes has entries: {0}, block.layers is {1}', layerTypes.length, layers);
    problems.push({ code: 'shape-mismatch', path: 'block.layerTypes', message, hint: t('One word for each layer, as layer_types in Hugging Face’s config.') }); // prettier-ignore
  }
  checkLimit(problems, 'block.shown', block.shown ?? 1, wholeFrom(1, Math.min(48, Math.max(1, block.layers ?? 1))));
}

const feedNotes: Readonly<Record<'none' | FeedForward['of'], () => string>> = {
  none: () => t('Two products with a function between them, for each token alone.'),
  relu: () => t('max(0, x) between two products (Vaswani et al. 2017, T5).'),
  gelu: () => t('x·Φ(x) by erf: nn.GELU(), hidden_act "gelu" (BERT).'),
  'gelu-tanh': () => t('The approximation by tanh: nn.GELU(approximate="tanh"), hidden_act "gelu_new" (GPT-2) and "gelu_pytorch_tanh", the default of jax.nn.gelu.'),
  silu: () => t('x·σ(x): hidden_act "silu" or "swish".'),
  swiglu: () => t('SiLU of gate_proj times up_proj, then down_proj: hidden_act "silu" in Llama, Mistral and Qwen. Gemma and T5 1.1 have GELU there: no spec says that.'),
}; // prettier-ignore

/** Why a part of a block changes nothing. */
const noBlock = ({ block }: Spec, plan: Planned): Sentence => (block ? plan.begins : say('there is no block'));

/** Why something of the norms changes nothing. */
const noNorm = ({ block }: Spec, plan: Planned): Sentence | undefined =>
  !block
    ? undefined
    : !plan.has('residual')
      ? plan.begins
      : block.norm === 'none'
        ? say('nothing is normed')
        : undefined;

/** Why types of layers change nothing. */
const unusedTypes = ({ block, mask, rope }: Spec, plan: Planned): Sentence | undefined =>
  !block?.layerTypes
    ? undefined
    : !plan.has('residual')
      ? plan.begins
      : isWindow(mask) || rope?.localBase !== undefined
        ? undefined
        : say('the mask is no window');

const inBlock = (spec: Spec, s: Switches['block']): boolean => hasX(spec) && s.block !== 'none';
const isNormed = (spec: Spec, s: Switches['block']): boolean => inBlock(spec, s) && s.block !== 'plain';
const hasTable = ({ start }: Spec): boolean => start.from === 'text' || start.from === 'ids';

const fields: Fields<typeof kinds, Spec, Switches, All> = {
  block: {
    describe: () =>
      t(
        'Norms and residuals around attention: before (pre-LN), after each sum (BERT) or none; how many layers follow each other, and which of them have a window (layer_types).',
      ),
    initial: 'absent',
    example: '.norm=before',
    limits: checkBlock,
    ignored: {
      block: ({ block }, plan) => (block && !plan.has('residual') ? plan.begins : undefined),
      'block.of': (spec, plan) => (spec.block?.of === 'rms' ? noNorm(spec, plan) : undefined),
      'block.epsilon': (spec, plan) => (spec.block?.epsilon === undefined ? undefined : noNorm(spec, plan)),
      'block.finalNorm': (spec, plan) => (spec.block?.finalNorm ? noNorm(spec, plan) : undefined),
      'block.layerTypes': (spec, plan) => unusedTypes(spec, plan),
      'block.gains': (spec, plan) => (spec.block?.gains === 'random' ? noNorm(spec, plan) : undefined),
    },
    panel: {
      read: readBlock,
      write: writtenBlock,
      controls: [
        {
          id: 'block',
          group: 'block',
          kind: 'choice',
          label: () => t('Around attention'),
          explain: () =>
            t(
              'Residual sums and norms make a layer of a transformer of it. Before: pre-LN; after: after each sum (BERT). OLMo 2 and Gemma 2 norm what attention made, before the sum: no spec says that.',
            ),
          paths: ['block', 'block.norm', 'block.of', 'block.epsilon', 'block.weights', 'block.last'],
          applies: hasX,
          options: () =>
            listed({
              none: t('Nothing'),
              'before-layer': t('LayerNorm before (GPT-2)'),
              'before-rms': t('RMSNorm before (Llama)'),
              'after-layer': t('LayerNorm after (Vaswani et al. 2017)'),
              'after-rms': t('RMSNorm after'),
              plain: t('Residual sums alone'),
            }),
          get: (s) => s.block,
          // What attention makes is added to X: W_O gives it X's width.
          set: (s, block) => ({
            block: block as BlockKind,
            ...(block !== 'none' && s.output === 'none' && { output: 'random' as const }),
          }),
          brief: (text, s) => (s.block === 'none' ? t('attention alone') : text),
        },
        {
          id: 'normGains',
          group: 'block',
          kind: 'choice',
          label: () => t('Gains of the norms'),
          explain: () =>
            t(
              'Each normed number is multiplied by its gain (weight): 1, as before training, or drawn. Gemma’s gains are 1 + weight. ε is block.epsilon: 10⁻⁵ as nn.LayerNorm and GPT-2; BERT has 10⁻¹², many Llamas 10⁻⁶.',
            ),
          paths: ['block.gains'],
          applies: (spec, s) => isNormed(spec, s) && s.model === '',
          options: () => listed({ ones: t('All 1'), random: t('Random') }),
          get: (s) => s.normGains,
          set: (_, normGains) => ({ normGains: normGains as 'ones' | 'random' }),
          brief: () => '',
        },
        {
          id: 'layers',
          group: 'block',
          kind: 'number',
          limit: layerLimit,
          label: () => t('Layers'),
          explain: () => t('num_hidden_layers: each takes the rows of the one before, with weights of its own.'),
          paths: ['block.layers'],
          applies: inBlock,
          get: (s) => String(s.layers),
          set: (s, layers) => ({ layers, shownLayer: Math.min(s.shownLayer, layers) }),
          brief: (text) => (text === '1' ? t('1 layer') : t('{0} layers', text)),
        },
        {
          id: 'shownLayer',
          group: 'block',
          kind: 'number',
          limit: wholeFrom(0, layerLimit.most - 1),
          label: () => t('Shown layer'),
          explain: () => t('Whose attention is opened, from 0; the other layers stay folded.'),
          paths: ['block.shown'],
          applies: (spec, s) => inBlock(spec, s) && s.layers > 1,
          get: (s) => String(s.shownLayer - 1),
          set: (s, shown) => ({ shownLayer: Math.min(shown + 1, s.layers) }),
          brief: (text, s) => (s.layers > 1 ? t('layer {0} shown', text) : ''),
        },
        {
          id: 'finalNorm',
          group: 'block',
          kind: 'choice',
          label: () => t('Norm at the end'),
          explain: () => t('The rows of the last layer are normed once more.'),
          paths: ['block.finalNorm'],
          applies: isNormed,
          options: () => listed({ no: t('None'), yes: t('Yes') }),
          get: (s) => (s.finalNorm ? 'yes' : 'no'),
          set: (_, value) => ({ finalNorm: value === 'yes' }),
          brief: () => '',
        },
        {
          id: 'globalEvery',
          group: 'block',
          kind: 'number',
          limit: wholeFrom(0, layerLimit.most),
          label: () => t('Every k-th layer is global'),
          explain: () =>
            t(
              'k: layers k, 2k, … see beyond the window: Hugging Face’s sliding_window_pattern, or layer_types (Gemma 2: 2; Gemma 3: 6). 0: the window holds in all.',
            ),
          paths: ['block.layerTypes'],
          applies: (spec, s) => inBlock(spec, s) && isWindow(s.mask) && s.layers > 1,
          get: (s) => String(Math.max(0, s.globalEvery)),
          set: (_, globalEvery) => ({ globalEvery }),
          brief: (text, s) => (s.globalEvery > 0 ? t('global every {0}', text) : ''),
        },
      ],
    },
  },
  feedForward: {
    describe: () =>
      t(
        'The layer after attention: two products with a function between them; gelu by erf, gelu-tanh as gelu_new, swiglu as Llama.',
      ),
    initial: 'absent',
    example: '.of=gelu',
    limits: ({ feedForward, block, start }, problems) => {
      if (!block || !hasX({ start })) return;
      if (feedForward?.width !== undefined) checkLimit(problems, 'feedForward.width', feedForward.width, widthLimit);
    },
    ignored: {
      feedForward: (spec, plan) => (spec.feedForward && !plan.has('ffOutput') ? noBlock(spec, plan) : undefined),
    },
    panel: {
      read: ({ feedForward }) => ({
        feedForward: feedForward?.of ?? 'none',
        feedWidth: feedForward?.width ?? null,
        feedBias: feedForward?.bias ?? false,
      }),
      write: writtenFeed,
      controls: [
        {
          id: 'feedForward',
          group: 'block',
          kind: 'choice',
          label: () => t('Feed-forward'),
          explain: () => t('Two products with a function between them, for each token alone.'),
          explainChoice: ({ feedForward }) => feedNotes[feedForward](),
          paths: ['feedForward', 'feedForward.of'],
          applies: inBlock,
          options: () =>
            listed({
              none: t('None'),
              relu: 'ReLU',
              gelu: t('GELU, exact'),
              'gelu-tanh': t('GELU, by tanh (GPT-2)'),
              silu: 'SiLU',
              swiglu: t('SwiGLU (Llama)'),
            }),
          get: (s) => s.feedForward,
          set: (_, value) => ({ feedForward: value as 'none' | FeedForward['of'] }),
          brief: (text, s) => (s.feedForward === 'none' ? '' : text),
        },
        {
          id: 'feedWidth',
          group: 'block',
          kind: 'number',
          limit: wholeFrom(0, widthLimit.most),
          label: () => 'd_ff',
          explain: () => t('intermediate_size: numbers between the two products; 0: four times as many as in a row.'),
          paths: ['feedForward.width'],
          applies: (spec, s) => inBlock(spec, s) && s.feedForward !== 'none',
          get: (s) => String(s.feedWidth ?? 0),
          set: (_, width) => ({ feedWidth: width === 0 ? null : width }),
          brief: () => '',
        },
        {
          id: 'feedBias',
          group: 'block',
          kind: 'choice',
          label: () => t('Its biases'),
          explain: () => t('A row b_1 and a row b_2, added after each product.'),
          paths: ['feedForward.bias'],
          applies: (spec, s) => inBlock(spec, s) && s.feedForward !== 'none',
          options: (_, __, { model }) => listed({ no: t('None'), yes: learnedOr(model, t('Random')) }),
          get: (s) => (s.feedBias ? 'yes' : 'no'),
          set: (_, value) => ({ feedBias: value === 'yes' }),
          brief: () => '',
        },
      ],
    },
  },
  unembedding: {
    describe: () => t('From the last rows to a probability for each word of the vocabulary.'),
    initial: 'absent',
    example: '.from=tied',
    limits: ({ unembedding, block, start }, problems) => {
      if (!unembedding || !block || !hasX({ start })) return;
      if (unembedding.topK !== undefined)
        checkLimit(problems, 'unembedding.topK', unembedding.topK, wholeFrom(1, 1_000_000));
      if (unembedding.from === 'random' && unembedding.size !== undefined)
        checkLimit(problems, 'unembedding.size', unembedding.size, wholeFrom(1, 1_000_000));
    },
    ignored: {
      unembedding: (spec, plan) => (spec.unembedding && !plan.has('logits') ? noBlock(spec, plan) : undefined),
    },
    panel: {
      read: ({ unembedding }) => ({ unembedding: unembedding?.from ?? 'none', topK: unembedding?.topK ?? null }),
      write: writtenUnembedding,
      controls: [
        {
          id: 'unembedding',
          group: 'block',
          kind: 'choice',
          label: () => t('Next token'),
          explain: () =>
            t(
              'A probability for each word of the vocabulary, from the last rows (lm_head; by the embedding table with tie_word_embeddings).',
            ),
          paths: ['unembedding', 'unembedding.wu', 'unembedding.bu', 'unembedding.size'],
          applies: (spec, s) => inBlock(spec, s) && (hasTable(spec) || spec.unembedding !== undefined),
          options: (spec) => [
            { value: 'none', text: t('None') },
            ...(spec.unembedding?.from === 'given' ? [{ value: 'given', text: t('Your W_U') }] : []),
            ...(hasTable(spec) ? [{ value: 'tied', text: t('By the embedding table') }] : []),
            { value: 'random', text: t('Random W_U') },
          ],
          get: (s) => s.unembedding,
          set: (_, value) => ({ unembedding: value as 'none' | Unembedding['from'] }),
          brief: (_, s) => (s.unembedding === 'none' ? '' : t('next token')),
        },
        {
          id: 'topK',
          group: 'block',
          kind: 'number',
          limit: wholeFrom(0, 1_000_000),
          label: () => t('Top k'),
          explain: () => t('Only the k largest logits take part in the softmax; 0: all.'),
          paths: ['unembedding.topK'],
          applies: (spec, s) => inBlock(spec, s) && s.unembedding !== 'none',
          get: (s) => String(s.topK ?? 0),
          set: (_, k) => ({ topK: k === 0 ? null : k }),
          brief: () => '',
        },
      ],
    },
  },
};

export const blocking = { kinds, fields };
