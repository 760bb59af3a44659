import type MarkdownIt from 'markdown-it';

/** A markdown-it plugin: `$…$` within a line and `$$…$$` over lines become tokens `math_inline` and `math_block` with LaTeX as their content. */
export function mathPlugin(md: MarkdownIt): void {
  md.inline.ruler.after('escape', 'math_inline', (state, silent) => {
    const { src, pos } = state;
    const found = inlineAt(src, pos);
    if (!found) return false;
    if (!silent) state.push('math_inline', 'math', 0).content = found.latex;
    state.pos = found.end;
    return true;
  });
  md.block.ruler.before('fence', 'math_block', (state, startLine, endLine, silent) => {
    const found = blockAt((line) => lineOf(state, line), startLine, endLine);
    if (!found) return false;
    if (silent) return true;
    state.push('math_block', 'math', 0).content = found.latex;
    state.line = found.next;
    return true;
  });
}

const lineOf = (
  { src, bMarks, tShift, eMarks }: { src: string; bMarks: number[]; tShift: number[]; eMarks: number[] },
  line: number,
): string => src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);

/** Pandoc's rules: no space after the opening `$` or before the closing one, and no digit after the closing one, so that prices remain text. */
function inlineAt(src: string, pos: number): { latex: string; end: number } | undefined {
  if (src[pos] !== '$' || src[pos + 1] === '$' || /\s/.test(src[pos + 1] ?? ' ')) return undefined;
  const end = src.slice(pos + 1, pos + 1000).search(/[^\s\\]\$(?!\d)/);
  if (end < 0) return undefined;
  const latex = src.slice(pos + 1, pos + 2 + end);
  return latex.includes('$') || latex.includes('\n\n') ? undefined : { latex, end: pos + 3 + end };
}

function blockAt(line: (i: number) => string, start: number, end: number): { latex: string; next: number } | undefined {
  const first = line(start);
  if (!first.startsWith('$$')) return undefined;
  const rest = first.slice(2).trimEnd();
  if (rest.endsWith('$$')) return { latex: rest.slice(0, -2), next: start + 1 };
  for (let i = start + 1; i < end; i++) {
    const written = line(i).trimEnd();
    if (!written.endsWith('$$')) continue;
    const lines = Array.from({ length: i - start - 1 }, (_, k) => line(start + 1 + k));
    return { latex: [rest, ...lines, written.slice(0, -2)].join('\n'), next: i + 1 };
  }
  return undefined;
}
