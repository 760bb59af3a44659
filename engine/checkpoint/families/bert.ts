import type { Activation, Layer, Unembedding } from '../architecture';
import { activationOf, layersOf, refuseUnless } from '../config';
import { apart, each, layerNorm, linear, prefixOf, type Family, type Source } from './family';

/** Where the tensors of a family of encoders stand. */
interface Names {
  readonly root: string;
  readonly layer: (i: number) => string;
  readonly projections: readonly [string, string, string];
  readonly output: string;
  readonly outputNorm: string;
  readonly up: string;
  readonly down: string;
  readonly lastNorm: string;
}

const bertNames = (root: string): Names => ({
  root,
  layer: (i) => `${root}encoder.layer.${i}`,
  projections: ['attention.self.query', 'attention.self.key', 'attention.self.value'],
  output: 'attention.output.dense',
  outputNorm: 'attention.output.LayerNorm',
  up: 'intermediate.dense',
  down: 'output.dense',
  lastNorm: 'output.LayerNorm',
});

const distilNames = (root: string): Names => ({
  root,
  layer: (i) => `${root}transformer.layer.${i}`,
  projections: ['attention.q_lin', 'attention.k_lin', 'attention.v_lin'],
  output: 'attention.out_lin',
  outputNorm: 'sa_layer_norm',
  up: 'ffn.lin1',
  down: 'ffn.lin2',
  lastNorm: 'output_layer_norm',
});

interface Sizes {
  readonly width: number;
  readonly heads: number;
  readonly inner: number;
  readonly epsilon: number;
  readonly activation: Activation;
}

/** A layer of the encoder of Vaswani et al. 2017, section 3.1: the norm after each sum. */
function layerOf(source: Source, names: Names, { width, heads, inner, epsilon, activation }: Sizes, i: number): Layer {
  const at = names.layer(i);
  const headWidth = width / heads;
  return {
    branches: [
      {
        kind: 'attention',
        heads,
        kvHeads: heads,
        headWidth,
        projections: names.projections.map((name) => linear(`${at}.${name}`, width, width, true)),
        place: apart(headWidth, 1),
        output: linear(`${at}.${names.output}`, width, width, true),
        scale: 1 / Math.sqrt(headWidth),
        causal: false,
        sum: layerNorm(source, `${at}.${names.outputNorm}`, epsilon),
      },
      {
        kind: 'feed-forward',
        up: linear(`${at}.${names.up}`, width, inner, true),
        down: linear(`${at}.${names.down}`, inner, width, true),
        activation,
        sum: layerNorm(source, `${at}.${names.lastNorm}`, epsilon),
      },
    ],
  };
}

/** The head of masked language models: dense, activation, norm, then the table and a bias for each token. */
function masked(
  source: Source,
  names: { readonly dense: string; readonly norm: string; readonly decoder: string; readonly bias: readonly string[] },
  { table, width, epsilon, activation }: Pick<Sizes, 'width' | 'epsilon' | 'activation'> & { readonly table: string },
): Unembedding | undefined {
  const decoder = `${names.decoder}.weight`;
  const isThere = source.has(decoder) || source.config.flag('tie_word_embeddings', true);
  if (!isThere || !source.has(`${names.dense}.weight`)) return undefined;
  const bias = names.bias.find(source.has);
  return {
    dense: linear(names.dense, width, width, true),
    activation,
    norm: layerNorm(source, names.norm, epsilon),
    table: source.has(decoder) ? decoder : table,
    ...(bias !== undefined && { bias }),
  };
}

/** BERT (Devlin et al. 2019, section 3) and RoBERTa (Liu et al. 2019), whose positions begin after those of padding. */
const bertLike =
  (family: 'bert' | 'roberta'): Family =>
  (source) => {
    const { config } = source;
    refuseUnless(config.text('position_embedding_type', 'absolute') === 'absolute', 'position_embedding_type');
    for (const name of ['is_decoder', 'add_cross_attention']) refuseUnless(!config.flag(name, false), name);
    const [width, count] = [config.size('hidden_size'), config.size('max_position_embeddings', 512)];
    const sizes: Sizes = {
      width,
      heads: config.size('num_attention_heads'),
      inner: config.size('intermediate_size', 4 * width),
      epsilon: config.number('layer_norm_eps', 1e-12),
      activation: activationOf(config.text('hidden_act', 'gelu')),
    };
    const root = prefixOf(source, 'embeddings.word_embeddings.weight', [`${family}.`, '']);
    const padding = family === 'roberta' ? config.number('pad_token_id', 1) : undefined;
    const first = padding === undefined ? 0 : padding + 1;
    refuseUnless(Number.isInteger(first) && first >= 0 && first < count, `pad_token_id ${padding}`);
    const table = `${root}embeddings.word_embeddings.weight`;
    const heads = {
      bert: { dense: 'cls.predictions.transform.dense', norm: 'cls.predictions.transform.LayerNorm', decoder: 'cls.predictions.decoder', bias: ['cls.predictions.bias', 'cls.predictions.decoder.bias'] },
      roberta: { dense: 'lm_head.dense', norm: 'lm_head.layer_norm', decoder: 'lm_head.decoder', bias: ['lm_head.bias', 'lm_head.decoder.bias'] },
    }; // prettier-ignore
    // Hugging Face's RobertaLMHead has this function, whatever hidden_act says.
    const activation = family === 'roberta' ? 'gelu' : sizes.activation;
    const unembedding = masked(source, heads[family], { ...sizes, activation, table });
    return {
      family,
      width,
      vocabulary: config.size('vocab_size'),
      context: count - first,
      embedding: {
        table,
        positions: {
          table: `${root}embeddings.position_embeddings.weight`,
          first,
          count,
          ...(padding !== undefined && { padding }),
        },
        types: { table: `${root}embeddings.token_type_embeddings.weight`, count: config.size('type_vocab_size', 2) },
        norm: layerNorm(source, `${root}embeddings.LayerNorm`, sizes.epsilon),
      },
      stacks: [
        {
          name: 'layers',
          layers: each(layersOf(config, 'num_hidden_layers'), (i) => layerOf(source, bertNames(root), sizes, i)),
        },
      ],
      ...(unembedding ? { unembedding, predicts: 'same' } : { predicts: 'nothing' }),
      pairs: family === 'bert' ? 'one' : 'two',
    };
  };

export const bert = bertLike('bert');
export const roberta = bertLike('roberta');

/** DistilBERT (Sanh et al. 2019): BERT's layers without token types. */
export const distilbert: Family = (source) => {
  const { config } = source;
  // Sinusoidal positions stand in the file's table like learned ones.
  config.flag('sinusoidal_pos_embds', false);
  const [width, context] = [config.size('dim'), config.size('max_position_embeddings', 512)];
  const sizes: Sizes = {
    width,
    heads: config.size('n_heads'),
    inner: config.size('hidden_dim', 4 * width),
    epsilon: 1e-12,
    activation: activationOf(config.text('activation', 'gelu')),
  };
  const root = prefixOf(source, 'embeddings.word_embeddings.weight', ['distilbert.', '']);
  const table = `${root}embeddings.word_embeddings.weight`;
  const head = { dense: 'vocab_transform', norm: 'vocab_layer_norm', decoder: 'vocab_projector', bias: ['vocab_projector.bias'] }; // prettier-ignore
  const unembedding = masked(source, head, { ...sizes, table });
  return {
    family: 'distilbert',
    width,
    vocabulary: config.size('vocab_size'),
    context,
    embedding: {
      table,
      positions: { table: `${root}embeddings.position_embeddings.weight`, first: 0, count: context },
      norm: layerNorm(source, `${root}embeddings.LayerNorm`, 1e-12),
    },
    stacks: [
      {
        name: 'layers',
        layers: each(layersOf(config, 'n_layers'), (i) => layerOf(source, distilNames(root), sizes, i)),
      },
    ],
    ...(unembedding ? { unembedding, predicts: 'same' } : { predicts: 'nothing' }),
    pairs: 'one',
  };
};
