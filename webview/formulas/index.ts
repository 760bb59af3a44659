/* Formulas: LaTeX rendered by KaTeX, whose style sheet is part of common.css. */

import katex from 'katex';

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
