// Of the engine this room alone: it imports nothing, so that activation stays small.
import { hasAttentionCode } from '../../engine/python';

export { hasAttentionCode };

/** Languages of documents that are Python, contain it, or may be it: an untitled text has no language yet. */
export const codeLanguages = ['python', 'markdown', 'quarto', 'plaintext'] as const;

/** A line that opens a block of Python; one that only looks so costs loading the extension. */
const fenced = /^[ \t]*(?:`{3,}|~{3,})[ \t]*\{?\.?(?:i?py|code-cell)/m;
/** A line that is Python and hardly prose. */
const written = /^[ \t]*(?:import[ \t]+[\w.]+(?:[ \t]+as[ \t]+\w+)?[ \t]*$|from[ \t]+[\w.]+[ \t]+import\b|def[ \t]+\w+\(|class[ \t]+\w+[(:]|\w+[ \t]*=[ \t]*[\w.]+\(.*\)[ \t]*$)/m; // prettier-ignore

/** Whether a document may compute attention in Python. */
export const mayCompute = (language: string, text: string): boolean =>
  hasAttentionCode(text) && (language === 'python' || (language === 'plaintext' ? written : fenced).test(text));

/** Languages of documents that may have formulas. */
export const formulaLanguages = ['markdown', 'quarto', 'plaintext', 'latex', 'tex'] as const;

const words = /soft ?max|attention/i;
/** What hardly stands in a text without formulas. */
const signs = /[$√ᵀ⊤]|\\[([]|\\begin|\^\{?\\?T/;

/** Whether a text of these languages may have formulas of attention. */
export const hasFormulas = (text: string): boolean => words.test(text) && signs.test(text);
