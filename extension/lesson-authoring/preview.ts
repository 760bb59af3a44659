// A plugin for markdown-it that draws the blocks of a lesson as static HTML in VS Code's Markdown preview.
import type { Problem, ReadLesson, TextRange } from '../../engine/index';
import { escapeHtml } from './markup';
import { blockHtml } from './preview-block';
import { figuresAt, questionHtml } from './preview-question';
import { hasBlocks, lessonWithin, problemText, type Translate, type Waiting } from './read';

/** The parts of markdown-it's interface that are used. */
export interface Token {
  readonly type: string;
  readonly info: string;
  content: string;
  /** Its first line, and the line after its last, from 0. */
  readonly map: readonly [number, number] | null;
  meta: unknown;
  readonly children: Token[] | null;
}
type Rule = (tokens: Token[], at: number, options: unknown, env: unknown, self: Renderer) => string;
interface Renderer {
  readonly rules: Record<string, Rule | undefined>;
  renderAttrs(token: Token): string;
}
export interface MarkdownIt {
  readonly renderer: Renderer;
  readonly core: { readonly ruler: { push(name: string, rule: (state: { src: string; tokens: Token[] }) => void): void } };
  render(source: string): string;
} // prettier-ignore

/** The Markdown text that a token belongs to, and the token's first line in it, from 0. */
interface TokenSource {
  readonly source: string;
  readonly line: number;
}

const key = 'explainAttention';
const sourceOf = (token: Token | undefined): TokenSource | undefined =>
  (token?.meta as Readonly<Record<string, TokenSource>> | null | undefined)?.[key];

/**
 * Extends VS Code's Markdown engine. A lesson is read when the preview renders, not when Markdown is parsed, which happens far more often. A lesson
 * that takes long to read is shown as code at first; `ready` then has the preview rendered again.
 */
export function extendMarkdownIt(md: MarkdownIt, t: Translate, waiting: Waiting): MarkdownIt {
  const { failed } = waiting;
  md.core.ruler.push(key, ({ src, tokens }) => {
    if (hasBlocks(src)) for (const token of tokens) mark(token, src, token.map?.[0] ?? 0);
  });
  const { fence, text } = md.renderer.rules;
  const formula = formulasOf(md);
  const read = (source: string): ReadLesson | undefined => lessonWithin(source, waiting);
  md.renderer.rules['fence'] = (tokens, at, options, env, self) => {
    const token = tokens[at];
    const stands = sourceOf(token);
    const plain = (): string => fence?.(tokens, at, options, env, self) ?? '';
    if (!token || !stands) return plain();
    return safely(() => framed(fenceHtml(stands, read, { t, formula }, plain), self.renderAttrs(token)), plain, failed);
  };
  md.renderer.rules['text'] = (tokens, at, options, env, self) => {
    const token = tokens[at];
    const stands = sourceOf(token);
    const plain = (): string => text?.(tokens, at, options, env, self) ?? escapeHtml(token?.content ?? '');
    return token && stands ? safely(() => escapeHtml(filled(token.content, stands, read)), plain, failed) : plain();
  };
  return md;
}

function mark(token: Token, source: string, line: number): void {
  const ours = token.type === 'fence' && /^attention(?:-question)?(?!\S)/.test(token.info.trim());
  if (ours || (token.type === 'text' && token.content.includes('{{')))
    token.meta = { ...(token.meta as object | null), [key]: { source, line } };
  for (const child of token.children ?? []) mark(child, source, line);
}

/** Falls back to the plain rendering if our own throws. */
function safely(make: () => string, plain: () => string, failed: (error: unknown) => void): string {
  try {
    return make();
  } catch (error) {
    failed(error);
    return plain();
  }
}

/** Returns a function that typesets LaTeX by KaTeX, which VS Code's preview has as another plugin. Without that plugin the LaTeX is shown as code. */
function formulasOf(md: MarkdownIt): (latex: string) => string {
  const cache = new Map<string, string>();
  const typeset = (latex: string): string => {
    const html = md.render(`$\\displaystyle ${latex}$`).trim();
    return /katex/.test(html) ? html.replace(/^<p[^>]*>|<\/p>$/g, '') : `<code>${escapeHtml(latex)}</code>`;
  };
  return (latex) => {
    const html = cache.get(latex) ?? typeset(latex);
    if (cache.size > 500) cache.clear();
    cache.set(latex, html);
    return html;
  };
}

interface Words {
  readonly t: Translate;
  readonly formula: (latex: string) => string;
}

/** The lesson of a text, if it has been read already. */
type Reading = (source: string) => ReadLesson | undefined;

function fenceHtml({ source, line }: TokenSource, lessonOf: Reading, words: Words, plain: () => string): string {
  const { t } = words;
  const read = lessonOf(source);
  if (!read) return `<div style="opacity:.75">${escapeHtml(t('Computing this lesson…'))}</div>${plain()}`;
  const start = offsetOfLine(source, line);
  const at = ({ range }: { readonly range: TextRange }): boolean => range.start <= start && start < range.end;
  const part = read.lesson.parts.find((p) => (p.kind === 'block' ? at(p.block) : p.kind === 'question' && at(p.question)));
  const problems = problemsAt(read, source, start);
  const list = problems.length ? problemList(problems, source, words.t) : '';
  // A table of all steps would show what an exam asks for.
  if (part?.kind === 'block' && read.lesson.exam) return list + plain();
  if (part?.kind === 'block') return list + blockHtml(part.block, read.lesson.questions, words);
  if (part?.kind === 'question') return list + questionHtml(part.question, read.lesson, words);
  return list + plain();
} // prettier-ignore

/** Problems of the fence that begins at an offset. If the fence was not reached, the problem that ended the reading. */
function problemsAt({ problems, lesson }: ReadLesson, source: string, start: number): readonly Problem[] {
  const end = fenceEnd(source, start);
  const own = problems.filter(({ range }) => range && range.start < end && range.end > start);
  const read = lesson.parts.some((p) => p.kind !== 'prose' && (p.kind === 'block' ? p.block : p.question).range.start === start); // prettier-ignore
  if (own.length || read) return own;
  return problems.filter(({ code }) => code === 'too-large' || code === 'more').slice(0, 1);
}

function fenceEnd(source: string, start: number): number {
  const first = /[`~]{3,}/.exec(source.slice(start, start + 200))?.[0] ?? '```';
  const close = source.indexOf(`\n${first}`, start);
  return close < 0 ? source.length : close + 1 + first.length;
}

function offsetOfLine(source: string, line: number): number {
  let at = source.startsWith('\ufeff') ? 1 : 0;
  for (let i = 0; i < line; i++) {
    const next = source.indexOf('\n', at);
    if (next < 0) return source.length;
    at = next + 1;
  }
  return at;
}

function filled(content: string, { source, line }: TokenSource, lessonOf: Reading): string {
  const read = lessonOf(source);
  return read ? figuresAt(content, read.lesson, offsetOfLine(source, line)) : content;
}

const problemList = (problems: readonly Problem[], source: string, t: Translate): string =>
  `<ul role="alert" style="color:var(--vscode-errorForeground,#f14c4c);margin:0;padding-left:1.2em">${problems
    .slice(0, 10)
    .map((p) => `<li>${escapeHtml(problemText(p, source, t))}</li>`)
    .join('')}</ul>`;

/** Wraps a rendered block. `attrs` has the attributes by which the preview synchronises scrolling. */
const framed = (html: string, attrs: string): string =>
  `<div${attrs} style="border-left:3px solid var(--vscode-charts-blue,#3794ff);padding:.4em 0 .4em 1em;margin:1em 0;overflow-x:auto">${html}</div>\n`;
