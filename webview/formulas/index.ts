/* Formulas: LaTeX rendered by KaTeX. In a module of its own, since only a bundler can import its style sheet. */

import katex from 'katex';
import 'katex/dist/katex.min.css';

/**
 * Renders LaTeX into an element as DOM nodes, never as an HTML string, as the page's CSP blocks style attributes in parsed HTML. The only trusted
 * command is `\htmlClass{role-…}`, which colours a symbol by its role. MathML is included for screen readers.
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
