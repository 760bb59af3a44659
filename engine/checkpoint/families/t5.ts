import type { AttentionPart, Buckets, FeedForwardPart, Layer, Stack } from '../architecture';
import { activationOf, layersOf } from '../config';
import { apart, each, linear, rmsNorm, type Family, type Source } from './family';

/** T5 (Raffel et al. 2020, section 2.1): no scale, a bias by bucket of distance that the first layer holds for all, RMS norms before each branch. */
export const t5: Family = (source) => {
  const { config, has } = source;
  const [width, vocabulary] = [config.size('d_model'), config.size('vocab_size')];
  const table = has('shared.weight') ? 'shared.weight' : 'encoder.embed_tokens.weight';
  const count = layersOf(config, 'num_layers');
  const decoders = config.has('num_decoder_layers') ? layersOf(config, 'num_decoder_layers') : count;
  const head = has('lm_head.weight') ? 'lm_head.weight' : table;
  const isTied = config.flag('tie_word_embeddings', true);
  const stack = (name: 'encoder' | 'decoder', layers: number): Stack => ({
    name,
    layers: each(layers, (i) => layerOf(source, name, i)),
    final: rmsNorm(`${name}.final_layer_norm`, config.number('layer_norm_epsilon', 1e-6)),
  });
  const hasDecoder = has('decoder.final_layer_norm.weight');
  return {
    family: 't5',
    width,
    vocabulary,
    context: config.size('n_positions', 512),
    embedding: { table },
    stacks: [stack('encoder', count), ...(hasDecoder ? [stack('decoder', decoders)] : [])],
    ...(hasDecoder
      ? { predicts: 'next', unembedding: { table: isTied ? table : head, ...(isTied && { times: 1 / Math.sqrt(width) }) } } // prettier-ignore
      : { predicts: 'nothing' }),
  };
};

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
  const project = (name: string) => linear(source, `${at}.${name}`, width, heads * headWidth);
  return {
    kind: 'attention',
    heads,
    kvHeads: heads,
    headWidth,
    projections: [project('q'), project('k'), project('v')],
    place: apart(headWidth, 1),
    output: linear(source, `${at}.o`, heads * headWidth, width),
    scale: 1,
    causal,
  };
}

function feedForwardOf(source: Source, at: string): FeedForwardPart {
  const { config } = source;
  const [width, inner] = [config.size('d_model'), config.size('d_ff')];
  const [, gated, name = 'relu'] = /^(gated-)?(.+)$/.exec(config.text('feed_forward_proj', 'relu')) ?? [];
  // Hugging Face reads gated-gelu as the tanh form.
  const activation = activationOf(gated && name === 'gelu' ? 'gelu_new' : name);
  const up = (tensor: string) => linear(source, `${at}.${tensor}`, width, inner);
  const down = linear(source, `${at}.wo`, inner, width);
  return gated
    ? { kind: 'feed-forward', up: up('wi_1'), gate: up('wi_0'), down, activation }
    : { kind: 'feed-forward', up: up('wi'), down, activation };
}
