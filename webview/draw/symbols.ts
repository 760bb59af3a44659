/*
 * Texts of one line as nodes. Code stands between backticks, as in Markdown, and is shown as it was written. W_q, d_k, O_h in texts: with their index below the line wherever elements can stand (`typeset`), and as “W q” where only
 * plain text can: names that are spoken, tooltips. Unicode has a small k and v, but no q, O, E or d.
 */

/** The symbols of our own texts, not a name in the reader's program or file. */
const indexed = /(?<![A-Za-z\d_.])([Wb]_[qkvOE]|d_(?:model|k|v)|O_h)(?![\p{Lu}\p{Ll}\d_]|\.\p{L})/gu;

/** A letter with an index, in a matrix's symbol: `W_q`, `X·W_q`; `attn_scores` and `self.W_q.weight` are names in the reader's code and keep their underscore. */
const letterWithIndex = /(?<![\p{L}\p{N}_.])(\p{L})_([a-z]+)(?![\p{Lu}\p{Ll}\p{N}_.])/iu;

/** A matrix's symbol as nodes: each index below its letter. */
export function symbolNodes(symbol: string): (Node | string)[] {
  return symbol.split(letterWithIndex).flatMap((part, i): (Node | string)[] => {
    if (i % 3 < 2) return part ? [part] : [];
    const below = document.createElement('sub');
    below.textContent = part;
    return [below];
  });
}

/** A text for screen readers and tooltips, with each index as a letter of its own. */
export const plain = (text: string): string =>
  text.includes('_') ? text.replace(indexed, (symbol) => symbol.replace('_', '\u00a0')) : text;

/** Attributes whose text a screen reader speaks or a tooltip shows. */
const plainAttributes: ReadonlySet<string> = new Set(['aria-label', 'aria-description', 'aria-valuetext', 'title']);

/** The text for an attribute of that name. */
export const attributeText = (name: string, value: string): string =>
  plainAttributes.has(name) ? plain(value) : value;

/** A text split at its symbols: every second part is one. */
const atSymbols = (text: string): readonly string[] => (text.includes('_') ? text.split(indexed) : [text]);

/** Nodes in which code is code, and symbols elsewhere have their index below, kept apart by a blank for those who listen. */
export function typeset(text: string): Node[] {
  return text.split(codeMark).flatMap((part, i) => (i % 2 ? codeOf(part) : typesetSymbols(part)));
}

/** Code between backticks: every second part of a text that is split here. */
const codeMark = /`([^`]+)`/;

function codeOf(text: string): Node {
  const code = document.createElement('code');
  code.textContent = text;
  return code;
}

function typesetSymbols(text: string): Node[] {
  return atSymbols(text).map((part, i) => {
    if (i % 2 === 0) return document.createTextNode(part);
    const [base = '', index = ''] = part.split('_');
    const symbol = document.createElement('var');
    const below = document.createElement('sub');
    below.textContent = index;
    symbol.append(base, blank(), below);
    return symbol;
  });
}

function blank(): HTMLElement {
  const element = document.createElement('span');
  element.className = 'said';
  element.textContent = '\u00a0';
  return element;
}
