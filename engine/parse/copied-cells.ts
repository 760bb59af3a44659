/** Python in the cells of a notebook that was copied as text (`In [3]:`), as one program with the document's offsets and lines. */
import { fencedPython, type FencedPython } from './fenced-python';

const prompt = /^In \[(?:[ \d*]*|None)\]:/;

/** What a paragraph of code begins with, after the first of its cell; what was printed, and prose, do not. */
const code =
  /^(?:[ \t]|@\w|(?:def|class|import|from|for|while|if|with|try|return|print)\b|(?!(?:array|tensor)\()[\w.]+(?:\[[^\]\n]*\])?(?: *, *[\w.]+)* *(?:[-+*/]?=(?!=)|\())/;

const blank = (line: string): string => line.replace(/[^\r\n]/g, ' ');

/** Undefined where there is no such cell. Linear time. */
export function copiedCells(text: string): FencedPython | undefined {
  const blocks: { start: number; end: number }[] = [];
  const lines = text.split(/(?<=\n)/);
  const written: string[] = [];
  let [isOpen, isAfterGap, isFirst, at] = [false, false, false, 0];
  lines.forEach((line, i) => {
    const isEmpty = line.trim() === '';
    if (prompt.test(line)) {
      [isOpen, isFirst] = [true, true];
      blocks.push({ start: at, end: at + line.length });
      written.push(line.replace(prompt, blank));
    } else {
      if (isOpen && isAfterGap && !isFirst && !isEmpty && !isCode(lines, i)) isOpen = false;
      const last = blocks.at(-1);
      if (isOpen && !isEmpty && last) [last.end, isFirst] = [at + line.length, false];
      written.push(isOpen ? line : blank(line));
    }
    [isAfterGap, at] = [isEmpty, at + line.length];
  });
  return blocks.length > 0 ? { text: written.join(''), blocks } : undefined;
}

/** A comment is code where the line below it is: else it is a heading. */
const isCode = (lines: readonly string[], i: number): boolean =>
  code.test(lines[i] ?? '') || (/^#[^#]/.test(lines[i] ?? '') && code.test(lines[i + 1] ?? ''));

/** The Python of a document that is not all Python: its fenced blocks, else the cells that were copied into it. */
export const pythonIn = (text: string): FencedPython | undefined => fencedPython(text) ?? copiedCells(text);
