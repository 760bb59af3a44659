import type { AttentionPart, Buckets, FeedForwardPart, Layer, Stack } from '../architecture';
import { activationOf, layersOf, refuseUnless, type Config } from '../config';
import { apart, each, linear, rmsNorm, type Family, type Source } from './family';

/** T5 (Raffel et al. 2020, section 2.1): no scale, a bias by bucket of distance that the first layer holds for all, RMS norms before each branch. */
export const t5: Family = (source) => {
  const { config, has } = source;
  const [width, vocabulary] = [config.size('d_model'), config.size('vocab_size')];
  const table = has('shared.weight') ? 'shared.weight' : 'encoder.embed_tokens.weight';
  const count = layersOf(config, 'num_layers');
  const decoders = config.has('num_decoder_layers') ? layersOf(config, 'num_decoder_layers') : count;
  const head = has('lm_head.weight') ? 'lm_head.weight' : table;
  const isScaled = scalesOutput(config);
  config.knows(['is_decoder', 'use_encoder_only'], false);
  const stack = (name: 'encoder' | 'decoder', layers: number): Stack => ({
    name,
    layers: each(layers, (i) => layerOf(source, name, i)),
    final: rmsNorm(`${name}.final_layer_norm`, config.number('layer_norm_epsilon', 1e-6)),
  });
  const hasDecoder = has('decoder.final_layer_norm.weight');
  const start = config.number('decoder_start_token_id', config.number('pad_token_id', 0));
  refuseUnless(Number.isInteger(start) && start >= 0 && start < vocabulary, `decoder_start_token_id ${start}`);
  // transformers 5 saves with it what feed_forward_proj says.
  const [name, isGated] = feedForwardName(config);
  refuseUnless(
    config.flag('is_gated_act', isGated) === isGated && config.text('dense_act_fn', name) === name,
    'is_gated_act',
  );
  return {
    family: 't5',
    width,
    vocabulary,
    context: config.size('n_positions', 512),
    embedding: { table },
    stacks: [stack('encoder', count), ...(hasDecoder ? [stack('decoder', decoders)] : [])],
    ...(hasDecoder
      ? { predicts: 'next', start, unembedding: { table: head, ...(isScaled && { times: 1 / Math.sqrt(width) }) } }
      : { predicts: 'nothing' }),
  };
};

/**
 * Whether the decoder's output is multiplied by 1/√d_model before the table, as in Mesh TensorFlow where table and embedding are one. transformers 4 says so by
 * tie_word_embeddings, which mT5 has off; transformers 5 saves scale_decoder_outputs for T5, and never scales mT5.
 */
function scalesOutput(config: Config): boolean {
  const isMt5 = config.text('model_type') === 'mt5';
  const isTied = config.flag('tie_word_embeddings', !isMt5);
  if (!isMt5) return config.flag('scale_decoder_outputs', isTied);
  const version = Number.parseInt(config.text('transformers_version', '4'), 10);
  return isTied && version < 5;
}

function layerOf(source: Source, stack: 'encoder' | 'decoder', i: number): Layer {
  const at = `${stack}.block.${i}.layer`;
  const epsilon = source.config.number('layer_norm_epsilon', 1e-6);
  const before = (j: number) => ({ before: rmsNorm(`${at}.${j}.layer_norm`, epsilon) });
  const self = { ...attentionOf(source, `${at}.0.SelfAttention`, stack === 'decoder'), buckets: bucketsOf(source, stack) }; // prettier-ignore
  const isDecoder = stack === 'decoder';
  const last = isDecoder ? 2 : 1;
  const crossing: AttentionPart = { ...attentionOf(source, `${at}.1.EncDecAttention`, false), crosses: true };
  return {
    branches: [
      { ...self, ...before(0) },
      ...(isDecoder ? [{ ...crossing, ...before(1) }] : []),
      { ...feedForwardOf(source, `${at}.${last}.DenseReluDense`), ...before(last) },
    ],
  };
}

const bucketsOf = ({ config }: Source, stack: 'encoder' | 'decoder'): Buckets => ({
  table: `${stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight`,
  count: config.size('relative_attention_num_buckets', 32),
  maxDistance: config.size('relative_attention_max_distance', 128),
  bidirectional: stack === 'encoder',
});

function attentionOf(source: Source, at: string, causal: boolean): AttentionPart {
  const { config } = source;
  const [width, heads, headWidth] = [config.size('d_model'), config.size('num_heads'), config.size('d_kv')];
  const project = (name: string) => linear(`${at}.${name}`, width, heads * headWidth, false);
  return {
    kind: 'attention',
    heads,
    kvHeads: heads,
    headWidth,
    projections: [project('q'), project('k'), project('v')],
    place: apart(headWidth, 1),
    output: linear(`${at}.o`, heads * headWidth, width, false),
    scale: 1,
    causal,
  };
}

/** The activation, and whether a gate multiplies it. Hugging Face reads gated-gelu as the tanh form. */
function feedForwardName(config: Config): readonly [activation: string, isGated: boolean] {
  const whole = config.text('feed_forward_proj', config.text('model_type') === 'mt5' ? 'gated-gelu' : 'relu');
  const [, gated, name = 'relu'] = /^(gated-)?(.+)$/.exec(whole) ?? [];
  return [gated && name === 'gelu' ? 'gelu_new' : name, gated !== undefined];
}

function feedForwardOf(source: Source, at: string): FeedForwardPart {
  const { config } = source;
  const [width, inner] = [config.size('d_model'), config.size('d_ff')];
  const [name, isGated] = feedForwardName(config);
  const activation = activationOf(name);
  const up = (tensor: string) => linear(`${at}.${tensor}`, width, inner, false);
  const down = linear(`${at}.wo`, inner, width, false);
  return isGated
    ? { kind: 'feed-forward', up: up('wi_1'), gate: up('wi_0'), down, activation }
    : { kind: 'feed-forward', up: up('wi'), down, activation };
}
