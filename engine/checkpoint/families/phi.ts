import type { Layer } from '../architecture';
import { activationOf, layersOf, refuseUnless, ropeOf } from '../config';
import { apart, each, layerNorm, linear, partOf, predicting, prefixOf, type Family } from './family';

/** Phi 1 to 2 (Li et al. 2023): one norm, then attention and the feed-forward layer side by side; part of each head turns. */
export const phi: Family = (source) => {
  const { config } = source;
  const [width, heads] = [config.size('hidden_size'), config.size('num_attention_heads')];
  const [kvHeads, inner] = [config.size('num_key_value_heads', heads), config.size('intermediate_size', 4 * width)];
  const headWidth = width / heads;
  const group = heads / kvHeads;
  refuseUnless(Number.isInteger(group), `num_key_value_heads ${kvHeads} × n = num_attention_heads ${heads}`);
  const epsilon = config.number('layer_norm_eps', 1e-5);
  const activation = activationOf(config.text('hidden_act', 'gelu_new'));
  const parameters = config.part('rope_parameters');
  const share = partOf(config, parameters, 0.5);
  const rope = { layout: 'half', dims: Math.floor(headWidth * share), ...ropeOf(config) } as const;
  const root = prefixOf(source, 'embed_tokens.weight', ['model.', '']);
  const isNormed = config.flag('qk_layernorm', false);
  const layer = (i: number): Layer => {
    const at = `${root}layers.${i}`;
    const before = layerNorm(source, `${at}.input_layernorm`, epsilon);
    const project = (name: string, outputs: number) => linear(`${at}.self_attn.${name}`, width, outputs, true);
    return {
      isParallel: true,
      branches: [
        {
          kind: 'attention',
          heads,
          kvHeads,
          headWidth,
          projections: [
            project('q_proj', width),
            project('k_proj', kvHeads * headWidth),
            project('v_proj', kvHeads * headWidth),
          ],
          place: apart(headWidth, group),
          output: project('dense', width),
          scale: 1 / Math.sqrt(headWidth),
          causal: true,
          rope,
          ...(isNormed && {
            qkNorm: {
              over: 'head' as const,
              q: layerNorm(source, `${at}.self_attn.q_layernorm`, epsilon),
              k: layerNorm(source, `${at}.self_attn.k_layernorm`, epsilon),
            },
          }),
          before,
        },
        {
          kind: 'feed-forward',
          up: linear(`${at}.mlp.fc1`, width, inner, true),
          down: linear(`${at}.mlp.fc2`, inner, width, true),
          activation,
          before,
        },
      ],
    };
  };
  const table = `${root}embed_tokens.weight`;
  return {
    family: 'phi',
    width,
    vocabulary: config.size('vocab_size'),
    context: config.size('max_position_embeddings', 2048),
    embedding: { table },
    stacks: [
      {
        name: 'layers',
        layers: each(layersOf(config, 'num_hidden_layers'), layer),
        final: layerNorm(source, `${root}final_layernorm`, epsilon),
      },
    ],
    ...predicting(source, ['lm_head.weight'], { table, isTied: false }, { bias: 'lm_head.bias' }),
  };
};
