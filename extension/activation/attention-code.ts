/**
 * Whether a Python text contains words without which a program cannot compute attention. Does not use the engine, so that activation can call it; a
 * test compares it with the engine's own rule.
 */
export const hasAttentionCode = (text: string): boolean =>
  /softmax|scaled_dot_product_attention|MultiheadAttention|\bexp\s*\(|Transformer(?:En|De)coder/.test(text) &&
  /\bimport\b|=|\bdef\b/.test(text);
