import type { ModelName } from '../spec';

/** What is known of a head from measuring it: the score that named it, and what its removal costs. */
export interface HeadEvidence {
  /** Layer and head, from 0. */
  readonly layer: number;
  readonly head: number;
  /** `none`: nothing that was measured for stands out. */
  readonly kind: HeadKind;
  /** Mean weight on what the kind names, on the text that it was measured on; of agreement and pronouns, less that on the other nouns. */
  readonly score: number;
  /** The same score of an untrained model of the same shape. */
  readonly control: number;
  /** Whether the head was trained to point there, by a loss of its own. */
  readonly pointed?: true;
  /** All scores that were measured, by name. */
  readonly scores: Readonly<Record<string, number>>;
  /** How much each loss rises (nats per token) where each row of the head's output is replaced by the mean of its rows. */
  readonly costs: Readonly<Record<string, number>>;
}

/** What a head does: looks at the token before, at what followed the same token earlier, at that token itself, at the first token, at its subject or its noun. */
export type HeadKind = 'previous' | 'induction' | 'duplicate' | 'sink' | 'agreement' | 'pronoun' | 'none';

/** A tensor of a model in float64 that holds its float16 numbers exactly, row-major. */
export interface ModelTensor {
  /** Rows and columns, or the length of a row. */
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
}

/**
 * A model of the box: GPT-2's layers (Radford et al. 2019, section 2.3) with learned positions, LayerNorm before each part, GELU by erf and an
 * unembedding tied to the embedding; without feed-forward layers where `mlp` is 0. Tensors by GPT-2's names, weights in × out.
 */
export interface Model extends ModelName {
  /** What a token is. */
  readonly kind: 'characters' | 'words';
  readonly width: number;
  readonly heads: number;
  readonly layers: number;
  readonly mlp: number;
  /** The most tokens it reads, the start token among them. */
  readonly context: number;
  /** How each id is written. Ids 0 and 1 are the start token and what is not in the vocabulary. */
  readonly vocabulary: readonly string[];
  /** Steps of training. */
  readonly step: number;
  /** Losses in nats per token on held-out text, and on what was measured besides. */
  readonly losses: Readonly<Record<string, number>>;
  readonly evidence: readonly HeadEvidence[];
  readonly tensors: ReadonlyMap<string, ModelTensor>;
}

/** The id of what a model has no word for. */
export const unknownId = 1;

const provided = new Map<string, Model>();

/** Makes a model known to the planner of this thread. Its hash was checked when it was read. */
export function provideModel(model: Model): void {
  provided.set(model.sha256, model);
}

/** The model that a spec names, if its file has been read in this thread. */
export const providedModel = ({ sha256 }: ModelName): Model | undefined => provided.get(sha256);
