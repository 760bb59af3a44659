/**
 * Sizes that stand in where no call says any: small, and different where they mean different things, so that a shape shows what is what. A name
 * says what a size is of, as tutorials and libraries write them.
 */

import { bool, float, int, none, type Value } from '../machine';

/** Numbers by what they count; heads only where the code has them. */
const counts = {
  batch: 1,
  queries: 5,
  keys: 6,
  most: 10,
  heads: 2,
  keyHeads: 1,
  head: 4,
  width: 8,
  input: 3,
  hidden: 16,
  vocabulary: 11,
  layers: 1,
} as const;

type Count = keyof typeof counts;

const words: readonly (readonly [Count, RegExp])[] = [
  ['keyHeads', /(kv|key_value)_?heads?$|^h_kv$/],
  ['heads', /(?<!(?:^|_)(?:d|dim)_*)heads?$|^(h|nh|nhead|num_groups|n_groups|n_rep|((num|n)_)?(key_value|kv)_groups|group_size)$/],
  ['layers', /layers?$|^(n_?blocks?|depth|num_blks|layer_idx|layer_id)$/],
  ['batch', /^(b|bs|bsz|nbatches|n_batch|n_samples)$|batch/],
  ['vocabulary', /vocab|^num_embeddings$|n_tokens_in|^num_classes$|^(?:n|num)_?(?:unique_?)?(?:chars|characters|letters|words|symbols)$/],
  ['most', /block_size|context|^max_|_max$|max_len|maxlen|n_ctx|max_seq|max_pos|window/],
  ['keys', /^(s|tk|t_k|lk|m)$|src_len|len_k|k_len|kv_len|key_len|seq_len_k|len_v|v_len|num_keys|kv_seq_len|n_keys|num_kv|memory_len/],
  ['queries', /^(t|l|tq|t_q|lq|seq|time|n)$|len|tokens|num_queries|q_len|seq_length|sequence|steps/],
  ['head', /head_?(size|dim)|(dim|d)_?_?head|^(hs|d_?k|d_?v|d_?q|hd|dh|head_features|query_size|key_size|value_size)$|^(dim|size)_?(k|v|q)$/],
  ['hidden', /d_?ff|ffn|feed_?forward|intermediate|inner|mlp|dim_ff/],
  ['input', /^(d_in|in_dim|dim_in|in_features|input_dim|input_size)$/],
  ['width', /^(c|d|e|k|ni|nf|dim|features|width|size|channels|embed|emb)$|embd|emb|d_?model|model|hidden|dim|d_out|out|channel|units|feats?$/],
]; // prettier-ignore

/** `config.n_embd` is called `n_embd`, `heads_count` `heads`. */
const plain = (name: string): string => name.slice(name.lastIndexOf('.') + 1).replace(/^_+|_(?:count|num)$/g, '').toLowerCase(); // prettier-ignore

const countOf = (name: string): Count | undefined => words.find(([, pattern]) => pattern.test(plain(name)))?.[0];

/** Whether a name is one of heads, of which a width is a multiple then. */
export const namesHeads = (name: string): boolean => countOf(name) === 'heads';

/** Whether a name is one of how many numbers a token has. */
export const namesWidth = (name: string): boolean => countOf(name) === 'width';

/** Whether a name is one of layers that stand on each other. */
export const countsLayers = (name: string): boolean => countOf(name) === 'layers' && !/_(idx|id)$/.test(name);

/** The size that a name stands for; undefined where it says nothing. */
export function sizeNamed(name: string): number | undefined {
  const of = countOf(name);
  return of && counts[of];
}

/** A name that says nothing. */
export const otherSize: number = counts.head;

export const usual = counts;

/** What is no size by its name: a share, a small number, a switch. */
export function settingNamed(name: string): Value | undefined {
  const word = plain(name);
  if (/drop|^p$/.test(word)) return float(0);
  if (/^(alpha|negative_slope|leaky_slope)$/.test(word)) return float(0.2);
  if (/(?:^|_)eps/.test(word)) return float(1e-5);
  if (/theta|rope_base|^base$/.test(word)) return float(10000);
  if (/^(scale|scaling|sm_scale|softmax_scale|attention_scale|scale_factor)$/.test(word)) return float(0.5);
  if (/temperature|^tau$/.test(word)) return float(1);
  if (/^(start_pos|past_len|past_length|offset|pos_offset)$/.test(word)) return int(0);
  if (/^(valid_lens?|head_mask)$|soft_?cap/.test(word) || namesCache(name)) return none;
  // Tensors that stand in have the batch in front.
  if (/^batch_first$/.test(word)) return bool(true);
  if (/^device$/.test(word)) return { kind: 'device', name: 'cpu' };
  if (/bias$|causal|^(use|is|has|return|output(?=_(?!dim|size|feat|chan|vocab|len|seq|units))|need|with)_|^(flash|training|verbose|pre_?norm|masked|qk_norm)$/.test(word)) return bool(false); // prettier-ignore
  return undefined;
}

/** Token ids by their name. */
export const namesIds = (name: string): boolean =>
  /^(idx|ids|tokens?|token_ids|input_ids|src|tgt|trg|targets?|labels|in_idx|y|start_pos|position_ids|positions|pos|input_pos)$/.test(plain(name)); // prettier-ignore

export const namesMask = (name: string): boolean => /mask/.test(plain(name));

/** How many tokens each text has. */
export const namesLengths = (name: string): boolean => /(?:^|_)(?:lens|lengths)$/.test(plain(name));

/** A table of positions that is given as an argument. */
export const namesPositions = (name: string): boolean => /^pos(?:ition(?:al)?)?_(?:enc|emb)[a-z]*s?$/.test(plain(name)); // prettier-ignore

/** Keys of another text than the queries. */
export const namesContext = (name: string): boolean => /context|memory|^enc|encoder|cross/.test(plain(name));

/** A weight that is given as an argument: `W_q`, `Wk`, `w_out`, `query_weight`, `q_proj_weight`. */
export const namesWeight = (name: string): boolean =>
  /^w_?(?:[qkvo]|out|query|key|value|output)$|^(?:[qkvo]|out|query|key|value)_(?:proj_)?(?:weights?|kernel|w)$/.test(plain(name)); // prettier-ignore

/** Its bias. */
export const namesBias = (name: string): boolean => /^b_?(?:[qkvo]|out)$|^(?:[qkvo]|out|query|key|value)_(?:proj_)?(?:bias|b)$/.test(plain(name)); // prettier-ignore

/** Keys and values of tokens before. */
export const namesCache = (name: string): boolean => /^(?:past|past_kvs?|past_key_values?|layer_past|(?:kv|layer)?_?caches?)$/.test(plain(name)); // prettier-ignore
