import { activationOf, layersOf, refuseUnless, ropeOf } from '../config';
import { each, layerNorm, linear, predicting, prefixOf, type Family } from './family';
import type { Layer } from '../architecture';

/** GPT-NeoX and Pythia (Black et al. 2022, section 2): both branches read the layer's input; q, k and v of a head stand together. */
export const neox: Family = (source) => {
  const { config } = source;
  const [width, heads, vocabulary] = [config.size('hidden_size'), config.size('num_attention_heads'), config.size('vocab_size')];
  const [context, inner] = [config.size('max_position_embeddings', 2048), config.size('intermediate_size', 4 * width)];
  const activation = activationOf(config.text('hidden_act', 'gelu'));
  const epsilon = config.number('layer_norm_eps', 1e-5);
  const root = prefixOf(source, 'embed_in.weight', ['gpt_neox.', '']);
  const headWidth = width / heads;
  const hasBias = config.flag('attention_bias', true);
  refuseUnless(!config.flag('is_decoder', false), 'is_decoder');
  const parameters = config.part('rope_parameters');
  const share = parameters?.has('partial_rotary_factor') ? parameters.number('partial_rotary_factor') : config.number('rotary_pct', 0.25);
  const { scaling, long, base } = ropeOf(config);
  const rope = {
    layout: 'half', dims: Math.floor(headWidth * share),
    base: config.has('rotary_emb_base') && !parameters ? config.number('rotary_emb_base') : base,
    ...(scaling && { scaling }),
    ...(long && { long }),
  } as const;
  const layer = (i: number): Layer => {
    const at = `${root}layers.${i}`;
    return {
      ...(config.flag('use_parallel_residual', true) && { isParallel: true as const }),
      branches: [
        {
          kind: 'attention',
          heads, kvHeads: heads, headWidth,
          projections: [linear(`${at}.attention.query_key_value`, width, 3 * width, hasBias)],
          place: (part, head) => ({ linear: 0, column: (3 * head + ['q', 'k', 'v'].indexOf(part)) * headWidth }),
          output: linear(`${at}.attention.dense`, width, width, hasBias),
          scale: 1 / Math.sqrt(headWidth),
          causal: true, rope,
          before: layerNorm(source, `${at}.input_layernorm`, epsilon),
        },
        {
          kind: 'feed-forward',
          up: linear(`${at}.mlp.dense_h_to_4h`, width, inner, true),
          down: linear(`${at}.mlp.dense_4h_to_h`, inner, width, true),
          activation,
          before: layerNorm(source, `${at}.post_attention_layernorm`, epsilon),
        },
      ],
    };
  };
  const table = `${root}embed_in.weight`;
  return {
    family: 'gpt_neox', width, vocabulary, context,
    embedding: { table },
    stacks: [{ name: 'layers', layers: each(layersOf(config, 'num_hidden_layers'), layer), final: layerNorm(source, `${root}final_layer_norm`, epsilon) }],
    ...predicting(source, ['embed_out.weight'], { table, isTied: false }),
  };
}; // prettier-ignore
