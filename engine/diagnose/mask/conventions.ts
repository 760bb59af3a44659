/** What the numbers of a mask mean to those who take one, as data. */
import { t } from '../../text';

export type ConventionId =
  | 'sdpa' | 'multihead' | 'masked-fill' | 'hugging-face' | 'keras' | 'added'; // prettier-ignore

/** What a mask is made of: truth or 0 and 1, or numbers that are added to scores. */
export type MaskKind = 'truth' | 'added';

export interface Convention {
  readonly id: ConventionId;
  readonly takes: MaskKind;
  /** Whether a key is hidden where the mask has this number. */
  readonly hides: (x: number) => boolean;
  readonly name: () => string;
  readonly source: string;
}

/** Below this an added number leaves nothing of a key: BERT adds −10000, Swin −100. */
const hidden = -50;

const isFalse = (x: number): boolean => x === 0;
const isTrue = (x: number): boolean => x !== 0;

export const conventions: readonly Convention[] = [
  { id: 'sdpa', takes: 'truth', hides: isFalse, name: () => t('PyTorch’s scaled_dot_product_attention (True sees)'), source: 'PyTorch, torch.nn.functional.scaled_dot_product_attention' },
  { id: 'hugging-face', takes: 'truth', hides: isFalse, name: () => t('Hugging Face’s attention_mask (1 sees)'), source: 'Transformers, glossary: attention mask' },
  { id: 'keras', takes: 'truth', hides: isFalse, name: () => t('Keras’s attention_mask (True sees)'), source: 'Keras, MultiHeadAttention' },
  { id: 'multihead', takes: 'truth', hides: isTrue, name: () => t('PyTorch’s nn.MultiheadAttention (True hides)'), source: 'PyTorch, torch.nn.MultiheadAttention' },
  { id: 'masked-fill', takes: 'truth', hides: isTrue, name: () => t('masked_fill (True is filled)'), source: 'PyTorch, torch.Tensor.masked_fill' },
  { id: 'added', takes: 'added', hides: (x) => x <= hidden, name: () => t('added to the scores (−∞ hides)'), source: 'Vaswani et al. 2017, section 3.2.3' },
]; // prettier-ignore
