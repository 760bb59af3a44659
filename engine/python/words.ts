/**
 * The words of attention in Python: whether a text is read as a program at all, and which of its definitions may compute attention. It imports nothing,
 * so that activation can have it without the engine.
 */

/** Names of functions and layers that make weights of attention. One expression without nested repetition: the scan is linear. */
const weights =
  /softmax|dot_product_attention|Multi[hH]ead(?:DotProduct)?Attention|\blayers\.(?:Additive)?Attention\b|\bAdditiveAttention\b|flash_attn|memory_efficient_attention|Transformer(?:En|De)coder|\bexp\s*\(/;

/** A product of two matrices, or a layer that has one. */
const products =
  /[\w)\]] *@ *[\w(]|matmul|\b(?:torch\.|np\.)?(?:bmm|baddbmm|addmm|mm|dot|einsum)\s*\(|\.dot\(|scaled_dot|dot_product|flash_attn|memory_efficient|tensordot|batch_dot|Multi[hH]ead|Transformer|layers\.(?:Additive)?Attention|\bAdditiveAttention\b/; // prettier-ignore

const code = /\bimport\b|=|\bdef\b/;

/** Whether a Python text has the words without which no program computes attention. */
export const hasAttentionCode = (text: string): boolean => weights.test(text) && code.test(text);

/** Whether a piece of a program, such as a method, names what makes weights. */
export const namesWeights = (text: string): boolean => weights.test(text);

/** `torch.sum(q * k, dim=2)`: a product of rows, written as a sum. */
const summed = /\bsum\(\s*[\w.]+ *\* *[\w.]+ *, *(?:dim|axis)? *=? *-?\d/;

/** Whether a definition may compute attention itself: it names what makes weights, and a product, the tanh of additive scores, or a sum by what it calls attention. */
export const mayAttend = (text: string): boolean =>
  weights.test(text) &&
  (products.test(text) ||
    summed.test(text) ||
    /\btanh\b/.test(text) ||
    (/att(?:n|en)/i.test(text) && /sum\(/.test(text)));
