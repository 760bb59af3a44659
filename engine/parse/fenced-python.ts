/** Python in the fenced blocks of a Markdown document, as one program with the document's offsets and lines. */
import type { TextRange } from '../text';

export interface FencedPython {
  /** As long as the document: what is no Python is blank. */
  readonly text: string;
  /** Each block with its opening line, in order. */
  readonly blocks: readonly TextRange[];
}

interface Fence {
  readonly mark: string;
  readonly isPython: boolean;
}

const opening = /^[ \t]*(`{3,}|~{3,})[ \t]*([^`\r\n]*)/;
/** `python`, `py`, `{python}`, `{.python}`, `{code-cell} ipython3`; not `pycon`, nor a name that only begins so. */
const python = /^(?:\{code-cell\}[ \t]*)?\{?\.?(?:python|py|ipython)3?(?![\w-])/i;
const prompt = /^([ \t]*)(?:>>>|\.\.\.)(?: |$)/;

const blank = (line: string): string => line.replace(/[^\r\n]/g, ' ');

/**
 * Blocks as CommonMark 0.31 finds them (section 4.5), in lists too. What stands further in than the margin is the body of an `if`, which takes the
 * place of the opening line; of an interactive session only what follows its prompts is code. Linear time.
 */
export function fencedPython(text: string): FencedPython | undefined {
  const blocks: TextRange[] = [];
  const written: string[] = [];
  let [open, body, start, at]: [Fence | undefined, string[], number, number] = [undefined, [], 0, 0];
  const close = (end: number): void => {
    if (open?.isPython) {
      written.push(...codeOf(body));
      blocks.push({ start, end });
    } else written.push(...body.map(blank));
    [open, body] = [undefined, []];
  };
  for (const line of text.split(/(?<=\n)/)) {
    if (open) {
      const isEnd = closes(line, open);
      if (isEnd) close(at);
      if (isEnd) written.push(blank(line));
      else body.push(line);
    } else if ((open = opened(line))) [start, body] = [at, [line]];
    else written.push(blank(line));
    at += line.length;
  }
  close(at);
  return blocks.length > 0 ? { text: written.join(''), blocks } : undefined;
}

function opened(line: string): Fence | undefined {
  const [, mark, info = ''] = opening.exec(line) ?? [];
  return mark === undefined ? undefined : { mark, isPython: python.test(info.trim()) };
}

const closes = (line: string, { mark }: Fence): boolean => {
  const own = line.trim();
  return own.length >= mark.length && own === (mark[0] ?? '').repeat(own.length);
};

/** The lines of a block, the opening one first, with the lengths that they have. */
function codeOf([head = '', ...body]: readonly string[]): readonly string[] {
  const isSession = prompt.test(body.find((line) => line.trim() !== '') ?? '');
  const lines = isSession ? body.map(afterPrompt) : body;
  const isInner = /^[ \t]/.test(lines.find((line) => line.trim() !== '') ?? '');
  return [isInner ? `if 1:${blank(head.slice('if 1:'.length))}` : blank(head), ...lines];
}

const afterPrompt = (line: string): string => (prompt.test(line) ? line.replace(/>>>|\.\.\./, '   ') : blank(line));
