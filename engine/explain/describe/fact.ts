/** Something that is true of all numbers of a matrix, and words that claim no more than that. */
export interface Fact {
  readonly id: FactId;
  readonly words: string;
}

export type FactId =
  | 'zeros'
  | 'constant'
  | 'identity'
  | 'permutation'
  | 'one-hot'
  | 'orthogonal'
  | 'symmetric'
  | 'diagonal'
  | 'triangular'
  | 'banded'
  | 'weights'
  | 'weights-in-columns'
  | 'causal-weights'
  | 'additive-mask'
  | 'boolean-mask'
  | 'hidden-row';
