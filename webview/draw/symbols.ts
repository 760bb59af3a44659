/*
 * Turns single-line texts into nodes. Code between backticks, as in Markdown, is shown as written. Symbols such as W_q, d_k and O_h get a subscript
 * where elements are possible (`typeset`), and become “W q” where only plain text is (accessible names, tooltips): Unicode has subscript letters k
 * and v, but no q, O, E or d.
 */

/** Symbols of our own texts, but not within a name of the reader's program or file. */
const ownSymbols = /(?<![A-Za-z\d_.])([Wb]_[qkvOE12gU]|d_(?:model|ff|k|v)|O_h)(?![\p{Lu}\p{Ll}\d_]|\.\p{L})/gu;

/**
 * A letter with an index in a matrix's symbol: `W_q`, `X·W_q`. Names in the reader's code, such as `attn_scores` and `self.W_q.weight`, keep their
 * underscore.
 */
const letterWithIndex = /(?<![\p{L}\p{N}_.])(\p{L})_([a-z]+|\d)(?![\p{Lu}\p{Ll}\p{N}_.])/iu;

/** A matrix's symbol as nodes, with indices as subscripts. */
export function symbolNodes(symbol: string): (Node | string)[] {
  return symbol.split(letterWithIndex).flatMap((part, i): (Node | string)[] => {
    if (i % 3 < 2) return part ? [part] : [];
    const below = document.createElement('sub');
    below.textContent = part;
    return [below];
  });
}

/** A text for screen readers and tooltips: underscores in symbols become no-break spaces, so that indices are spoken as separate letters. */
export const plain = (text: string): string =>
  text.includes('_') ? text.replace(ownSymbols, (symbol) => symbol.replace('_', '\u00a0')) : text;

/** Attributes that are spoken by screen readers or shown as tooltips. */
const plainAttributes: ReadonlySet<string> = new Set(['aria-label', 'aria-description', 'aria-valuetext', 'title']);

/** The text to set for an attribute: plain if it is spoken or shown as a tooltip, else unchanged. */
export const attributeText = (name: string, value: string): string =>
  plainAttributes.has(name) ? plain(value) : value;

/** A text split at its symbols: odd elements are symbols. */
const atSymbols = (text: string): readonly string[] => (text.includes('_') ? text.split(ownSymbols) : [text]);

/**
 * A text as nodes: code in backticks as code elements, symbols elsewhere with subscripts. A hidden space keeps letter and index apart for screen
 * readers.
 */
export function typeset(text: string): Node[] {
  return text.split(codeMark).flatMap((part, i) => (i % 2 ? codeOf(part) : typesetSymbols(part)));
}

/** Code between backticks. Splitting by it gives code at odd elements. */
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
    symbol.append(base, hiddenSpace(), below);
    return symbol;
  });
}

function hiddenSpace(): HTMLElement {
  const element = document.createElement('span');
  element.className = 'said';
  element.textContent = '\u00a0';
  return element;
}
