/** Checks what a document says of its own numbers: printed matrices beside its code and beside each other, sentences that can be computed, formulas, docstrings. */
export { checkingDocument } from './check';
export { markRules, type Mark, type MarkRule } from './mark';
