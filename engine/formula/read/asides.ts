/** What stands in a formula and is no part of it: notes of shapes, definitions of macros. */
import type { TextRange } from '../../text';
import { groupAt } from './braces';

/** How long `(` or `(\text{Shape: }` is, which leads to the shape of what is said before it. */
export function shapeNote(text: string, at: number, end: number): number | undefined {
  // `\quad (n \times d_k)`, as the last that is said.
  const note = text.slice(at, Math.min(end, at + 90));
  const written = /^\s*\((?=[^()]*\\times)(?:\\(?:times|cdot|text|mathrm)\b|[\w\s{}])+\)\s*[.,]?\s*(?:$|\\\\|\\q?quad\b)/.test(note); // prettier-ignore
  if (written) return note.indexOf('(') + 1;
  return /^\s*\(\s*\\(?:text|textrm|mathrm)\{\s*(?:[Ss]hape|[Ss]ize|[Dd]im(?:ension)?s?)\s*(?::|is)?\s*\}\s*:?/.exec(note.slice(0, 60))?.[0].length; // prettier-ignore
}

/** `\left.` draws nothing. */
export const skipDot = (text: string, name: string, at: number): number =>
  (name === 'left' || name === 'right') && text.charAt(at) === '.' ? at + 1 : at;

/** `\newcommand{\R}{\mathbb{R}}` inside a formula: its names and bodies are no part of it. */
export function afterDefinition(text: string, at: number, end: number): number {
  let after = at;
  for (let i = 0; i < 4; i++) {
    const part = /^\s*(?:\\[A-Za-z]+|\[\d\]|(?:#\d)+)/.exec(text.slice(after, Math.min(end, after + 60)))?.[0];
    const group = part === undefined ? groupAt(text, after, end) : undefined;
    if (part === undefined && !group) break;
    after = group ? group.end + 1 : after + (part ?? '').length;
    if (group && !/^\s*\\[A-Za-z]+\s*$/.test(text.slice(group.start, group.end))) break;
  }
  return after;
}

const longestNote = 80;

/** `Q`, `\mathbf{K}^T`, `W_Q`: of several factors the sizes below are those of their product, which nothing here is called. */
export const isOneName = (text: string, { start, end }: TextRange): boolean =>
  end - start < longestNote &&
  /^\s*(?:\\(?:mathbf|bm|boldsymbol)\s*)?\{?\s*[A-Z]\s*\}?(?:\s*[_^]\s*(?:\{[^{}]*\}|\\top|\w))*\s*$/.test(
    text.slice(start, end),
  );

/** `n \times d_k`. */
export const areSizes = (text: string, { start, end }: TextRange): boolean =>
  end - start < longestNote &&
  /^(?=.*\\times)(?:\\(?:times|cdot|text|mathrm)\b|[\w\s{}()])+$/.test(text.slice(start, end));
