import type { RopeScaling } from '../math';

/*
 * What a checkpoint computes, as data: which tensors are multiplied where. A family (`families/`) writes it from config.json; `forward.ts` runs it without
 * knowing any family.
 */

/** x·W + b. */
export interface Linear {
  readonly weight: string;
  readonly bias?: string;
  /** How the file holds W: `in×out` (GPT-2's Conv1D), else `out×in` (nn.Linear). */
  readonly layout: 'in×out' | 'out×in';
  readonly inputs: number;
  readonly outputs: number;
}

/**
 * `layer`: (x − mean) ÷ √(variance + ε) · g + b (Ba et al. 2016, eq. 4). `rms`: x ÷ √(mean of squares + ε) · g (Zhang and Sennrich 2019, eq. 4). `gain` of
 * `1+g`: Gemma's files hold g − 1.
 */
export interface Norm {
  readonly kind: 'layer' | 'rms';
  readonly weight: string;
  readonly bias?: string;
  readonly epsilon: number;
  readonly gain?: '1+g';
}

/** Rotary positions (Su et al. 2021): the first `dims` columns of a head turn, neighbours (`interleaved`) or halves (`half`) in pairs. */
export interface Rope {
  readonly layout: 'half' | 'interleaved';
  readonly dims: number;
  readonly base: number;
  readonly scaling?: RopeScaling;
  readonly long?: LongRope;
}

/** Each pair turns slower by a factor of its own: by those of `short` in a text of at most `original` tokens, else by those of `long` (Ding et al. 2024). */
export interface LongRope {
  readonly short: readonly number[];
  readonly long: readonly number[];
  readonly original: number;
  /** What cosines and sines are multiplied by. */
  readonly times: number;
}

/** Bias by bucket of distance (Raffel et al. 2020, section 2.1): a table of buckets × heads. */
export interface Buckets {
  readonly table: string;
  readonly count: number;
  readonly maxDistance: number;
  readonly bidirectional: boolean;
}

export type HeadPart = 'q' | 'k' | 'v';

export interface AttentionPart {
  readonly kind: 'attention';
  /** Keys and values from the encoder's output. */
  readonly crosses?: true;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headWidth: number;
  /** One product, or several; `place` says in which of them a head's columns stand, and from which column on. */
  readonly projections: readonly Linear[];
  readonly place: (part: HeadPart, head: number) => { readonly linear: number; readonly column: number };
  readonly output: Linear;
  /** What q·k is multiplied by: 1/√d_k mostly. */
  readonly scale: number;
  readonly causal: boolean;
  /** Keys that a query sees, itself counted, as Hugging Face counts them. */
  readonly window?: number;
  /** softcap·tanh(s/softcap) (Gemma 2, section 2). */
  readonly softcap?: number;
  readonly rope?: Rope;
  /** Of q and k before RoPE: over each head, or over all heads together. */
  readonly qkNorm?: { readonly over: 'head' | 'all'; readonly q: Norm; readonly k: Norm };
  readonly buckets?: Buckets;
}

export type Activation = 'gelu' | 'gelu-tanh' | 'relu' | 'silu';

/** down(f(up(x))), or down(f(gate(x)) · up(x)) (Shazeer 2020). */
export interface FeedForwardPart {
  readonly kind: 'feed-forward';
  readonly up: Linear;
  /** `fused`: the first half of up's columns is the gate. */
  readonly gate?: Linear | 'fused';
  readonly down: Linear;
  readonly activation: Activation;
}

/** x + after(part(before(x))), and `sum` of that. */
export type Branch = (AttentionPart | FeedForwardPart) & {
  readonly before?: Norm;
  readonly after?: Norm;
  readonly sum?: Norm;
};

export interface Layer {
  readonly branches: readonly Branch[];
  /** All branches read the layer's input (GPT-J, NeoX, Phi), instead of one after the other. */
  readonly isParallel?: true;
}

/** A table by position; `first`: that of the first token (RoBERTa's is 2). */
interface LearnedPositions {
  readonly table: string;
  readonly first: number;
  readonly count: number;
  /** RoBERTa: tokens of this id all have the row before `first`, and are not counted. */
  readonly padding?: number;
}

export interface Stack {
  readonly name: 'encoder' | 'decoder' | 'layers';
  readonly layers: readonly Layer[];
  readonly final?: Norm;
}

export interface Embedding {
  readonly table: string;
  /** Gemma: √width, rounded to float32. */
  readonly times?: number;
  readonly positions?: LearnedPositions;
  /** BERT's: row 0 for a first text, row 1 for a second. */
  readonly types?: { readonly table: string; readonly count: number };
  readonly norm?: Norm;
}

/** What makes the scores of the vocabulary from the last stack: dense and norm first (BERT), then the table. */
export interface Unembedding {
  readonly dense?: Linear;
  readonly activation?: Activation;
  readonly norm?: Norm;
  readonly table: string;
  readonly bias?: string;
  readonly times?: number;
  readonly softcap?: number;
}

export interface Architecture {
  /** `model_type` of config.json. */
  readonly family: string;
  readonly width: number;
  readonly vocabulary: number;
  /** Most tokens of a text. */
  readonly context: number;
  readonly embedding: Embedding;
  /** One stack, or an encoder and a decoder that reads it. */
  readonly stacks: readonly Stack[];
  /** Absent in a model without a head on the vocabulary. */
  readonly unembedding?: Unembedding;
  /** What it predicts: the next token, or the one in its place. */
  readonly predicts: 'next' | 'same' | 'nothing';
  /** How two texts are read as one: with the tokenizer's last token between (BERT), or with two of it (RoBERTa). Absent: they are not. */
  readonly pairs?: 'one' | 'two';
  /** The token that a decoder reads first; 0 by default. */
  readonly start?: number;
}

/** All tensors that a forward pass reads, each with the shape that it must have. */
export function tensorsOf(architecture: Architecture): ReadonlyMap<string, readonly number[]> {
  const { embedding, stacks, unembedding, vocabulary, width } = architecture;
  const shapes = new Map<string, readonly number[]>([[embedding.table, [vocabulary, width]]]);
  const row = (name: string | undefined, length: number): void => void (name && shapes.set(name, [length]));
  const norm = (one: Norm | undefined, length = width): void => {
    row(one?.weight, length);
    row(one?.bias, length);
  };
  const linear = (one: Linear): void => {
    const { weight, bias, layout, inputs, outputs } = one;
    shapes.set(weight, layout === 'in×out' ? [inputs, outputs] : [outputs, inputs]);
    row(bias, outputs);
  };
  if (embedding.types) shapes.set(embedding.types.table, [embedding.types.count, width]);
  if (embedding.positions) shapes.set(embedding.positions.table, [embedding.positions.count, width]);
  norm(embedding.norm);
  for (const { layers, final } of stacks) {
    norm(final);
    for (const branch of layers.flatMap(({ branches }) => branches)) {
      for (const one of [branch.before, branch.after, branch.sum]) norm(one);
      for (const one of linearsOf(branch)) linear(one);
      if (branch.kind === 'attention') addAttention(branch, shapes, norm);
    }
  }
  if (!unembedding) return shapes;
  if (unembedding.dense) linear(unembedding.dense);
  norm(unembedding.norm);
  shapes.set(unembedding.table, [vocabulary, width]);
  row(unembedding.bias, vocabulary);
  return shapes;
}

/** The tensors of one layer. */
export function tensorsOfLayer({ unembedding: _, ...rest }: Architecture, layer: Layer): readonly string[] {
  const embedding = tensorsOf({ ...rest, stacks: [] });
  const all = tensorsOf({ ...rest, stacks: [{ name: 'layers', layers: [layer] }] });
  return [...all.keys()].filter((name) => !embedding.has(name));
}

function addAttention(
  { qkNorm, heads, kvHeads, headWidth, buckets }: AttentionPart,
  shapes: Map<string, readonly number[]>,
  norm: (one: Norm | undefined, length?: number) => void,
): void {
  norm(qkNorm?.q, qkNorm?.over === 'all' ? heads * headWidth : headWidth);
  norm(qkNorm?.k, qkNorm?.over === 'all' ? kvHeads * headWidth : headWidth);
  if (buckets) shapes.set(buckets.table, [buckets.count, heads]);
}

/** The products of a branch, in the order in which they are computed. */
export const linearsOf = (branch: Branch): readonly Linear[] =>
  branch.kind === 'attention'
    ? [...branch.projections, branch.output]
    : [...(branch.gate && branch.gate !== 'fused' ? [branch.gate] : []), branch.up, branch.down];
