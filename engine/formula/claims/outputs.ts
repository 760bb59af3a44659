/** Where a document shows what its code printed: below a copied cell, in the block behind a block, in a comment below or behind a line. */
import { copiedCells, fencedPython, type FencedPython } from '../../parse';
import type { TextRange } from '../../text';

export interface Shown {
  /** The code that printed it. */
  readonly cell: TextRange;
  /** Where it stands in the document. */
  readonly range: TextRange;
  /** What stands there, with the signs of comments blank. */
  readonly text: string;
  readonly by: 'output' | 'comment';
}

export interface CodeOf extends FencedPython {
  /** Cells of a notebook that was copied as text: each ran, and what it printed stands below it. */
  readonly isNotebook: boolean;
}

export function codeOf(text: string): CodeOf | undefined {
  const fenced = fencedPython(text);
  if (fenced) return { ...fenced, isNotebook: false };
  const cells = copiedCells(text);
  return cells && { ...cells, isNotebook: true };
}

export function shownIn(text: string, code: CodeOf): readonly Shown[] {
  const outputs = code.isNotebook ? cellOutputs(text, code) : blockOutputs(text, code);
  return [...outputs, ...commentsIn(code)].sort((a, b) => a.range.start - b.range.start);
}

const output = (text: string, cell: TextRange, range: TextRange): Shown => ({ cell, range, text: text.slice(range.start, range.end), by: 'output' }); // prettier-ignore

/** A heading, emphasis, a list, a formula, a quotation, or a sentence: no output begins so. */
const prose = /^(?:#{1,6}\s|\*\*|[-*]\s+[A-Za-z*`]|\$\$|>\s|!\[|\\begin)|^(?:[A-Za-z'’`*_,()-]+\s+){7,}.*[.:]\s*$/;

function cellOutputs(text: string, { blocks }: CodeOf): readonly Shown[] {
  return blocks.flatMap((cell, i) => {
    const end = blocks[i + 1]?.start ?? text.length;
    let at = cell.end;
    for (const line of text.slice(cell.end, end).split(/(?<=\n)/)) {
      if (prose.test(line)) break;
      at += line.length;
    }
    return text.slice(cell.end, at).trim() === '' ? [] : [output(text, cell, { start: cell.end, end: at })];
  });
}

/** Behind the end of a block: its closing line, at most one line that announces an output, and a block that is no code. */
const following = /^[^\n]*\n(?:[ \t]*\r?\n)*(?:(?=[^\n]*(?:print|output|result|return|give|show|see|get))(?![ \t]*(?:`{3}|#))[^\n]{1,160}\n)?(?:[ \t]*\r?\n)*[ \t]*(`{3,}|~{3,})[ \t]*(?:text|txt|output|out|console|plaintext|none)?[ \t]*\r?\n/i; // prettier-ignore

function blockOutputs(text: string, { blocks }: CodeOf): readonly Shown[] {
  return blocks.flatMap((cell) => {
    const found = following.exec(text.slice(cell.end, cell.end + 2000));
    if (!found) return [];
    const start = cell.end + found[0].length;
    const end = text.indexOf(found[1] ?? '```', start);
    return end < 0 ? [] : [output(text, cell, { start, end })];
  });
}

/** Comments that show numbers: each with the code above it as its cell. */
function commentsIn({ text, blocks }: CodeOf): readonly Shown[] {
  return blocks.flatMap((block) => {
    const found: Shown[] = [];
    let [at, run]: [number, { start: number; text: string; from: number } | undefined] = [block.start, undefined];
    const close = (): void => {
      if (run && /\d/.test(run.text)) found.push({ cell: { start: block.start, end: run.from }, range: { start: run.start, end: run.start + run.text.length }, text: run.text, by: 'comment' }); // prettier-ignore
      run = undefined;
    };
    for (const line of text.slice(block.start, block.end).split(/(?<=\n)/)) {
      const [, before = '', comment] = /^([^#'"\n]*)#(.*)/.exec(line) ?? [];
      const isWhole = comment !== undefined && before.trim() === '';
      if (isWhole && run) run.text += line.replace('#', ' ');
      else {
        close();
        if (comment !== undefined) run = { start: at + before.length, text: ` ${line.slice(before.length + 1)}`, from: at + before.length }; // prettier-ignore
      }
      at += line.length;
    }
    close();
    return found;
  });
}
