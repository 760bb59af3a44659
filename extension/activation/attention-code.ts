/**
 * Whether a Python text contains words without which a program cannot compute attention. Does not use the engine, so that activation can call it; a
 * test compares it with the engine's own rule.
 */
export const hasAttentionCode = (text: string): boolean =>
  /softmax|scaled_dot_product_attention|MultiheadAttention|\bexp\s*\(|Transformer(?:En|De)coder/.test(text) &&
  /\bimport\b|=|\bdef\b/.test(text);

/** Languages of documents that are Python, contain it, or may be it: an untitled text has no language yet. */
export const codeLanguages = ['python', 'markdown', 'quarto', 'plaintext'] as const;

/** A line that opens a block of Python; one that only looks so costs loading the extension. */
const fenced = /^[ \t]*(?:`{3,}|~{3,})[ \t]*\{?\.?(?:i?py|code-cell)/m;
/** A line that is Python and hardly prose. */
const written = /^[ \t]*(?:import[ \t]+[\w.]+(?:[ \t]+as[ \t]+\w+)?[ \t]*$|from[ \t]+[\w.]+[ \t]+import\b|def[ \t]+\w+\(|class[ \t]+\w+[(:]|\w+[ \t]*=[ \t]*[\w.]+\(.*\)[ \t]*$)/m; // prettier-ignore

/** Whether a document may compute attention in Python. */
export const mayCompute = (language: string, text: string): boolean =>
  hasAttentionCode(text) && (language === 'python' || (language === 'plaintext' ? written : fenced).test(text));
