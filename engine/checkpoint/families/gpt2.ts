import type { Linear } from '../architecture';
import { activationOf, layersOf, refuseUnless } from '../config';
import { each, layerNorm, predicting, prefixOf, type Family } from './family';

/** GPT-2 (Radford et al. 2019, section 2.3): weights in×out, Q, K and V in one product. */
export const gpt2: Family = (source) => {
  const { config } = source;
  const [width, heads, vocabulary] = [config.size('n_embd'), config.size('n_head'), config.size('vocab_size')];
  const [context, layers, inner] = [config.size('n_positions', 1024), layersOf(config, 'n_layer'), config.size('n_inner', 4 * width)];
  const isByLayer = config.flag('scale_attn_by_inverse_layer_idx', false);
  refuseUnless(!config.flag('add_cross_attention', false), 'add_cross_attention');
  const activation = activationOf(config.text('activation_function', 'gelu_new'));
  const epsilon = config.number('layer_norm_epsilon', 1e-5);
  const root = prefixOf(source, 'wte.weight', ['transformer.', '']);
  const headWidth = width / heads;
  const conv = (name: string, inputs: number, outputs: number): Linear => ({ weight: `${name}.weight`, bias: `${name}.bias`, layout: 'in×out', inputs, outputs });
  const layer = (i: number) => {
    const at = `${root}h.${i}`;
    return {
      branches: [
        {
          kind: 'attention',
          heads, kvHeads: heads, headWidth,
          projections: [conv(`${at}.attn.c_attn`, width, 3 * width)],
          place: (part, head) => ({ linear: 0, column: ['q', 'k', 'v'].indexOf(part) * width + head * headWidth }),
          output: conv(`${at}.attn.c_proj`, width, width),
          scale: (config.flag('scale_attn_weights', true) ? 1 / Math.sqrt(headWidth) : 1) / (isByLayer ? i + 1 : 1),
          causal: true,
          before: layerNorm(source, `${at}.ln_1`, epsilon),
        },
        {
          kind: 'feed-forward',
          up: conv(`${at}.mlp.c_fc`, width, inner), down: conv(`${at}.mlp.c_proj`, inner, width), activation,
          before: layerNorm(source, `${at}.ln_2`, epsilon),
        },
      ],
    } satisfies ReturnType<Family>['stacks'][number]['layers'][number];
  };
  const table = `${root}wte.weight`;
  return {
    family: 'gpt2', width, vocabulary, context,
    embedding: { table, positions: { table: `${root}wpe.weight`, first: 0, count: context } },
    stacks: [{ name: 'layers', layers: each(layers, layer), final: layerNorm(source, `${root}ln_f`, epsilon) }],
    ...predicting(source, ['lm_head.weight'], { table, isTied: true }),
  };
}; // prettier-ignore
