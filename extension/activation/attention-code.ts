/** Whether a Python text has words without which no program has attention. Apart, so that start-up can ask without the engine; a test holds both to one rule. */
export const hasAttentionCode = (text: string): boolean =>
  /softmax|scaled_dot_product_attention|MultiheadAttention|\bexp\s*\(|Transformer(?:En|De)coder/.test(text) &&
  /\bimport\b|=|\bdef\b/.test(text);
