/* Formulas: LaTeX set by KaTeX. A room of its own, since its style sheet can only be imported by a bundler. */

import katex from 'katex';
import 'katex/dist/katex.min.css';

/**
 * Renders LaTeX into an element as DOM nodes (never as an HTML string: the page's CSP forbids style attributes in
 * parsed HTML). `\htmlClass{role-…}` is the only trusted command; it colours a symbol by the part it plays. MathML
 * beside the picture speaks.
 */
export function renderFormula(latex: string, into: HTMLElement, display = false): void {
  katex.render(latex, into, {
    displayMode: display,
    throwOnError: false,
    output: 'htmlAndMathml',
    trust: ({ command }) => command === '\\htmlClass',
    strict: (code: string) => (code === 'htmlExtension' ? 'ignore' : 'warn'),
  });
}
