import MarkdownIt from 'markdown-it';
import { renderFormula } from '../formulas';
import { h, typeset } from '../draw';
import { mathPlugin } from './math';

type Token = ReturnType<MarkdownIt['parse']>[number];

let made: MarkdownIt | undefined;

/** Created on first use: the explainer shares this bundle and does not need it. */
function markdown(): MarkdownIt {
  // HTML in a lesson is shown as text, and addresses become links only if written as links.
  made ??= new MarkdownIt({ html: false, linkify: false, typographer: false }).use(mathPlugin);
  // Accepts every address here, as `link` decides below which can be opened. A refused link would be shown as its Markdown source.
  made.validateLink = () => true;
  return made;
}

export interface MarkdownOptions {
  /** Called when a link to an https address is activated. */
  readonly onLink: (href: string) => void;
  /** The level that first-level headings get, e.g. 2 below the page's own title. */
  readonly top?: number;
}

/**
 * Renders Markdown as DOM nodes. They are created from the parser's tokens one by one, never parsed from HTML, so a lesson cannot produce an
 * element, attribute or style that is not named here. An image becomes its alternative text: nothing is loaded.
 */
export function renderMarkdown(text: string, options: MarkdownOptions): DocumentFragment {
  const into = document.createDocumentFragment();
  build(markdown().parse(text, {}), into, options);
  return into;
}

/** Renders inline Markdown, without a paragraph around it. */
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
  // Paragraphs of a tight list.
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

/** Text in which names such as `W_q` get a subscript, as in formulas. */
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

/** Only https addresses become links; other links become plain text. The address is not set as `href`, so the page itself never navigates. */
function link(address: string, { onLink }: MarkdownOptions): HTMLElement {
  if (!isHttps(address)) return h('span', { class: 'dead-link' });
  const element = h('a', { role: 'link', tabindex: 0, class: 'text-link', title: address });
  const followLink = (): void => onLink(address);
  element.addEventListener('click', followLink);
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') followLink();
  });
  return element;
}

/** Whether a text is an absolute https address that `URL` accepts. */
function isHttps(address: string): boolean {
  try {
    return /^https:\/\//i.test(address) && new URL(address).protocol === 'https:';
  } catch {
    return false;
  }
}
