import type { AttentionPart, FeedForwardPart, Layer, Norm, Rope } from '../architecture';
import { activationOf, layersOf, refuse, refuseUnless, ropeOf, type Config, type Turning } from '../config';
import { t } from '../../text';
import { apart, each, linear, partOf, predicting, prefixOf, rmsNorm, type Family, type Source } from './family';

/** What sets apart the families that descend from Llama (Touvron et al. 2023, section 2.2). */
interface Variant {
  readonly family: string;
  /** Before each branch (Llama), after it (OLMo 2), or both (Gemma 2). */
  readonly norms: 'before' | 'after' | 'both';
  /** Gemma: files hold gains less 1, and the embedding is multiplied by √width. */
  readonly isGemma?: true;
  readonly qkNorm?: 'head' | 'all';
  /** Q, K and V in one product, gate and up in another. */
  readonly isFused?: true;
  /** Which products have biases; without it all of attention's or none, by attention_bias, and none of the feed-forward layer. */
  readonly biases?: 'none' | 'of qkv' | 'by two fields';
  /** config.json may say what q·k is divided by the root of, and soft caps (Gemma 2 and 3). */
  readonly hasCaps?: true;
  /** Part of each head may turn. */
  readonly isPartial?: true;
  /** Whether layer i has rotary positions; by default all have. */
  readonly turns?: (config: Config, i: number) => boolean;
  /** What Hugging Face's class takes where config.json is silent. */
  readonly defaults?: Readonly<Record<string, number | string | boolean>>;
  /** Keys that a query of layer i sees, itself counted; undefined: all before it. */
  readonly window?: (config: Config, i: number) => number | undefined;
  /** Rotations of layers with a window, where they are others. */
  readonly windowRope?: (config: Config) => Turning;
}

const inEveryLayer = (config: Config): number | undefined =>
  config.has('sliding_window') ? config.size('sliding_window') : undefined;

const kinds = ['full_attention', 'sliding_attention'];

/** By `layer_types` where config.json lists them, else by the family's own rule. Refused: kinds that are not built, a window that has no size. */
const inSome =
  (rule: (config: Config, i: number) => boolean, isOn: (config: Config) => boolean = () => true) =>
  (config: Config, i: number): number | undefined => {
    const listed = config.texts('layer_types');
    const kind = listed?.[i];
    if (listed && kind === undefined) refuse(t('config.json: layer_types has nothing for layer {0}', i));
    refuseUnless(kind === undefined || kinds.includes(kind), `layer_types ${kind}`);
    // Asked for in each layer, so that they count as read.
    const [own, byRule, isAllowed] = [inEveryLayer(config), rule(config, i), isOn(config)];
    const isSliding = kind === undefined ? byRule && isAllowed : kind === 'sliding_attention';
    if (isSliding && !(isAllowed && own !== undefined)) refuse(t('config.json: layer {0} has sliding_attention, and no sliding_window is on', i)); // prettier-ignore
    return isSliding ? own : undefined;
  };

const qwenWindow = inSome(
  (config, i) => i >= config.number('max_window_layers', 28),
  (config) => config.flag('use_sliding_window', false),
);

/** Files of transformers 4 have it without a dash, those of 5 with one. */
const patternOf = (config: Config): number =>
  config.size(config.has('sliding_window_pattern') ? 'sliding_window_pattern' : '_sliding_window_pattern', 6);

const variants: readonly Variant[] = [
  { family: 'llama', norms: 'before', biases: 'by two fields' },
  {
    // SmolLM 3: Llama with layers that have no positions (Yang et al. 2025).
    family: 'smollm3',
    norms: 'before',
    biases: 'by two fields',
    defaults: { num_key_value_heads: 4, rope_theta: 2_000_000, tie_word_embeddings: true, no_rope_layer_interval: 4 },
    window: inSome(
      () => false,
      (config) => config.flag('use_sliding_window', false),
    ),
    turns: (config, i) => {
      const [listed, interval] = [config.numbers('no_rope_layers'), config.size('no_rope_layer_interval')];
      return listed ? listed[i] !== 0 : (i + 1) % interval !== 0;
    },
  },
  {
    family: 'mistral',
    norms: 'before',
    biases: 'none',
    defaults: { num_key_value_heads: 8, sliding_window: 4096 },
    window: inEveryLayer,
  },
  { family: 'qwen2', norms: 'before', biases: 'of qkv', window: qwenWindow },
  { family: 'qwen3', norms: 'before', qkNorm: 'head', defaults: { head_dim: 128 }, window: qwenWindow },
  {
    family: 'phi3',
    norms: 'before',
    biases: 'none',
    isFused: true,
    isPartial: true,
    defaults: { rms_norm_eps: 1e-5 },
    window: inEveryLayer,
  },
  { family: 'olmo2', norms: 'after', qkNorm: 'all', defaults: { rms_norm_eps: 1e-5 } },
  { family: 'gemma', norms: 'before', isGemma: true, defaults: { head_dim: 256 } },
  {
    family: 'gemma2',
    norms: 'both',
    isGemma: true,
    hasCaps: true,
    defaults: {
      head_dim: 256,
      query_pre_attn_scalar: 256,
      sliding_window: 4096,
      attn_logit_softcapping: 50,
      final_logit_softcapping: 30,
    },
    window: inSome((_, i) => i % 2 === 0),
  },
  {
    family: 'gemma3_text',
    norms: 'both',
    isGemma: true,
    hasCaps: true,
    // Files of Gemma 3 with pictures name only what differs from these.
    defaults: {
      vocab_size: 262208,
      hidden_size: 2304,
      intermediate_size: 9216,
      num_hidden_layers: 26,
      num_attention_heads: 8,
      num_key_value_heads: 4,
      head_dim: 256,
      max_position_embeddings: 131072,
      rope_theta: 1_000_000,
      query_pre_attn_scalar: 256,
      sliding_window: 4096,
    },
    qkNorm: 'head',
    window: inSome((config, i) => (i + 1) % patternOf(config) !== 0),
    windowRope: (config) => {
      const own = config.part('rope_parameters')?.part('sliding_attention');
      return own ? ropeOf(config, own) : { base: config.number('rope_local_base_freq', 10000) };
    },
  },
];

/** Llama, Mistral, Qwen 2 and 3, Phi-3, OLMo 2, Gemma 1 to 3, by `model_type`. */
export const llamaFamilies: Readonly<Record<string, Family>> = Object.fromEntries(
  variants.map((variant) => [
    variant.family,
    ({ config, has }: Source) => architectureOf({ config: config.withDefaults(variant.defaults ?? {}), has }, variant),
  ]),
);

/** Gemma 3 with pictures: its text model stands in a part of config.json. */
export const gemma3: Family = (source) => {
  const own = source.config.part('text_config');
  // Whether the tables are one is a field of the whole model in files of transformers 5.
  const config =
    own?.withDefaults({ tie_word_embeddings: source.config.flag('tie_word_embeddings', true) }) ?? source.config;
  return llamaFamilies['gemma3_text']?.({ ...source, config }) as ReturnType<Family>;
};

const wrappers = ['model.', 'language_model.model.', 'model.language_model.', ''];

function architectureOf(source: Source, variant: Variant): ReturnType<Family> {
  const { config } = source;
  const [width, vocabulary] = [config.size('hidden_size'), config.size('vocab_size')];
  if (variant.isGemma) refuseUnless(!config.flag('use_bidirectional_attention', false), 'use_bidirectional_attention');
  config.knows(
    ['attention_bias', 'mlp_bias', 'lm_head_bias', 'use_mrope', 'rope_interleaved', 'use_sliding_window'],
    false,
  );
  const root = prefixOf(source, 'embed_tokens.weight', wrappers);
  const table = `${root}embed_tokens.weight`;
  const epsilon = config.number('rms_norm_eps', 1e-6);
  return {
    family: variant.family,
    width,
    vocabulary,
    context: config.size('max_position_embeddings', 2048),
    embedding: { table, ...(variant.isGemma && { times: Math.fround(Math.sqrt(width)) }) },
    stacks: [
      {
        name: 'layers',
        layers: each(layersOf(config, 'num_hidden_layers'), (i) => layerOf(source, variant, `${root}layers.${i}`, i)),
        final: normOf(variant, `${root}norm`, epsilon),
      },
    ],
    ...predicting(
      source,
      ['lm_head.weight', 'language_model.lm_head.weight'],
      { table, isTied: variant.isGemma === true },
      variant.hasCaps && capOf(config, 'final_logit_softcapping'),
    ),
  };
}

const capOf = (config: Config, name: string): { softcap?: number } =>
  config.has(name) ? { softcap: config.number(name) } : {};

const normOf = ({ isGemma }: Variant, name: string, epsilon: number): Norm =>
  rmsNorm(name, epsilon, isGemma ? '1+g' : undefined);

function layerOf(source: Source, variant: Variant, at: string, i: number): Layer {
  const epsilon = source.config.number('rms_norm_eps', 1e-6);
  const norm = (name: string): Norm => normOf(variant, `${at}.${name}`, epsilon);
  const attention = attentionOf(source, variant, at, i);
  const feedForward = feedForwardOf(source, variant, at);
  if (variant.norms === 'before')
    return {
      branches: [
        { ...attention, before: norm('input_layernorm') },
        { ...feedForward, before: norm('post_attention_layernorm') },
      ],
    };
  const [before, after] = variant.norms === 'both' ? ['input_layernorm', 'pre_feedforward_layernorm'] : [];
  return {
    branches: [
      { ...attention, ...(before && { before: norm(before) }), after: norm('post_attention_layernorm') },
      { ...feedForward, ...(after && { before: norm(after) }), after: norm('post_feedforward_layernorm') },
    ],
  };
}

function attentionOf(source: Source, variant: Variant, at: string, i: number): AttentionPart {
  const { config } = source;
  const [width, heads] = [config.size('hidden_size'), config.size('num_attention_heads')];
  const kvHeads = config.size('num_key_value_heads', heads);
  const headWidth = config.size('head_dim', width / heads);
  const attn = `${at}.self_attn`;
  const [qWidth, kvWidth] = [heads * headWidth, kvHeads * headWidth];
  const window = variant.window?.(config, i);
  const isBiased = variant.biases === undefined || variant.biases === 'by two fields' ? config.flag('attention_bias', false) : variant.biases === 'of qkv'; // prettier-ignore
  const project = (name: string, outputs: number) => linear(`${attn}.${name}`, width, outputs, isBiased);
  const turns = variant.turns?.(config, i) ?? true;
  const rope = ropeOfLayer(config, variant, headWidth, window !== undefined);
  const qk = (name: string): Norm => normOf(variant, `${attn}.${name}`, config.number('rms_norm_eps', 1e-6));
  const group = heads / kvHeads;
  refuseUnless(Number.isInteger(group), `num_key_value_heads ${kvHeads} × n = num_attention_heads ${heads}`);
  return {
    kind: 'attention',
    heads,
    kvHeads,
    headWidth,
    ...(variant.isFused
      ? {
          projections: [project('qkv_proj', qWidth + 2 * kvWidth)],
          place: (part, head) => {
            const first = { q: 0, k: qWidth, v: qWidth + kvWidth }[part];
            return { linear: 0, column: first + (part === 'q' ? head : Math.floor(head / group)) * headWidth };
          },
        }
      : {
          projections: [project('q_proj', qWidth), project('k_proj', kvWidth), project('v_proj', kvWidth)],
          place: apart(headWidth, group),
        }),
    output: linear(`${attn}.o_proj`, qWidth, width, isBiased && variant.biases !== 'of qkv'),
    scale: 1 / Math.sqrt(variant.hasCaps ? config.number('query_pre_attn_scalar', headWidth) : headWidth),
    causal: true,
    ...(window !== undefined && { window }),
    ...(variant.hasCaps && capOf(config, 'attn_logit_softcapping')),
    ...(turns && { rope }),
    ...(variant.qkNorm && { qkNorm: { over: variant.qkNorm, q: qk('q_norm'), k: qk('k_norm') } }),
  };
}

function ropeOfLayer(config: Config, variant: Variant, headWidth: number, hasWindow: boolean): Rope {
  const parameters = config.part('rope_parameters');
  const share = variant.isPartial ? partOf(config, parameters, 1) : 1;
  const full = parameters?.part('full_attention') ?? parameters;
  const turning = hasWindow && variant.windowRope ? variant.windowRope(config) : ropeOf(config, full);
  const dims = Math.floor(headWidth * share);
  const { scaling } = turning;
  // Phi-3's class has it in every file, and reads it for longrope alone.
  if (variant.isFused) config.has('original_max_position_embeddings');
  refuseUnless(!(scaling && variant.isFused), `rope_scaling ${scaling?.kind}`);
  return { layout: 'half', dims, ...turning };
}

function feedForwardOf(source: Source, variant: Variant, at: string): FeedForwardPart {
  const { config } = source;
  const [width, inner] = [config.size('hidden_size'), config.size('intermediate_size')];
  const activation = activationOf(activationName(config, variant));
  const isBiased = variant.biases === 'by two fields' && config.flag('mlp_bias', false);
  const down = linear(`${at}.mlp.down_proj`, inner, width, isBiased);
  const up = (tensor: string, outputs: number) => linear(`${at}.mlp.${tensor}`, width, outputs, isBiased);
  return variant.isFused
    ? { kind: 'feed-forward', up: up('gate_up_proj', 2 * inner), gate: 'fused', down, activation }
    : { kind: 'feed-forward', up: up('up_proj', inner), gate: up('gate_proj', inner), down, activation };
} // prettier-ignore

/** Gemma 2 and 3 have it in hidden_activation, all others in hidden_act. The other field is named as not read where it says something else. */
function activationName(config: Config, { isGemma, hasCaps }: Variant): string {
  const [own, other] = hasCaps ? ['hidden_activation', 'hidden_act'] : ['hidden_act', 'hidden_activation'];
  const name = config.text(own, isGemma ? 'gelu_pytorch_tanh' : 'silu');
  config.knows([other], name);
  return name;
}
