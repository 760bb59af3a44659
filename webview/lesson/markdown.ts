import MarkdownIt from 'markdown-it';
import { renderFormula } from '../formulas';
import { h, typeset } from '../draw';
import { mathPlugin } from './math';

type Token = ReturnType<MarkdownIt['parse']>[number];

let made: MarkdownIt | undefined;

/** Made when a lesson is read: the explainer has the same bundle and no use for it. */
function markdown(): MarkdownIt {
  // HTML in a lesson is text. Nothing is made a link that was not written as one.
  made ??= new MarkdownIt({ html: false, linkify: false, typographer: false }).use(mathPlugin);
  // Everything is let through here: what may be opened is decided below, and an address that may not stays readable.
  made.validateLink = () => true;
  return made;
}

export interface MarkdownOptions {
  /** A link to an https address was activated. */
  readonly onLink: (href: string) => void;
  /** Headings of the first level become this one (2 below the page's own). */
  readonly top?: number;
}

/**
 * Markdown as DOM nodes. They are built one by one from the parser's tokens by the table below, never parsed from HTML, so that nothing a
 * lesson says can become an element, an attribute or a style that is not named here. Pictures are their words: nothing is loaded.
 */
export function renderMarkdown(text: string, options: MarkdownOptions): DocumentFragment {
  const into = document.createDocumentFragment();
  build(markdown().parse(text, {}), into, options);
  return into;
}

/** One paragraph's worth, without the paragraph. */
export function renderInline(text: string, options: MarkdownOptions): DocumentFragment {
  const into = document.createDocumentFragment();
  build(markdown().parseInline(text, {}), into, options);
  return into;
}

const plainTags = new Set([
  'p', 'ul', 'li', 'blockquote', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'em', 'strong', 's',
]); // prettier-ignore

function build(tokens: readonly Token[], root: Node, options: MarkdownOptions): void {
  const open: Node[] = [root];
  for (const token of tokens) {
    const into = open.at(-1) ?? root;
    if (token.nesting === -1) open.pop();
    else if (token.nesting === 1) open.push(into.appendChild(container(token, options)));
    else if (token.type === 'inline') build(token.children ?? [], into, options);
    else into.appendChild(leaf(token));
  }
}

function container(token: Token, options: MarkdownOptions): Node {
  // The paragraphs of a tight list.
  if (token.hidden) return h('span');
  if (token.type === 'heading_open') {
    const level = Math.min(6, Number(token.tag.slice(1)) + (options.top ?? 1) - 1);
    return h(`h${level}`);
  }
  if (token.type === 'ol_open') return h('ol', { start: token.attrGet('start') ?? undefined });
  if (token.type === 'link_open') return link(token.attrGet('href') ?? '', options);
  return h(plainTags.has(token.tag) ? token.tag : 'span');
}

function leaf(token: Token): Node {
  switch (token.type) {
    case 'code_inline':
      return h('code', {}, token.content);
    case 'code_block':
    case 'fence':
      return h('pre', { tabindex: 0 }, h('code', {}, token.content));
    case 'math_inline':
    case 'math_block':
      return formula(token);
    case 'hardbreak':
      return h('br');
    case 'softbreak':
      return document.createTextNode(' ');
    case 'hr':
      return h('hr');
    case 'image':
      return h('span', { class: 'picture-words' }, `[${token.content}]`);
    default:
      return textOf(token.content);
  }
}

/** `W_q` and its like with their index below, as formulas have them. */
function textOf(text: string): Node {
  const into = document.createDocumentFragment();
  into.append(...typeset(text));
  return into;
}

function formula({ type, content }: Token): HTMLElement {
  const display = type === 'math_block';
  const element = h(display ? 'div' : 'span', { class: display ? 'formula' : 'formula-inline' });
  renderFormula(content, element, display);
  return element;
}

/** Only https is a link; everything else stays its words. The address is no `href`: the page itself never goes anywhere. */
function link(address: string, { onLink }: MarkdownOptions): HTMLElement {
  if (!isHttps(address)) return h('span', { class: 'dead-link' });
  const element = h('a', { role: 'link', tabindex: 0, class: 'text-link', title: address });
  const go = (): void => onLink(address);
  element.addEventListener('click', go);
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') go();
  });
  return element;
}

/** An absolute https address that a browser would read as such. */
function isHttps(address: string): boolean {
  try {
    return /^https:\/\//i.test(address) && new URL(address).protocol === 'https:';
  } catch {
    return false;
  }
}
