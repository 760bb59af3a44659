import type * as vscode from 'vscode';
import type { TextRange } from '../../engine/index';

/** Languages whose documents are prose, with code and formulas in it. */
const proseLanguages = ['markdown', 'quarto', 'plaintext', 'latex', 'tex', 'restructuredtext'];

/** Longest document and paragraph that are read, in lines. */
const [mostLines, longestParagraph] = [20_000, 200];

/** A sentence of a document's prose. */
export interface Sentence {
  readonly range: TextRange;
  /** Whether it is all of its paragraph: an example rather than a part of a text. */
  readonly alone: boolean;
}

/**
 * The sentence at an offset of prose. Undefined on blank lines, in headings, tables, fenced code and sentences with formulas or code. A word alone is no
 * example of a document that has more.
 */
export function sentenceAt(document: vscode.TextDocument, offset: number): Sentence | undefined {
  const line = document.positionAt(offset).line;
  if (!proseLanguages.includes(document.languageId) || document.lineCount > mostLines || isFenced(document, line))
    return undefined;
  const paragraph = paragraphAt(document, line);
  return paragraph && sentenceIn(paragraph.text, paragraph.start, offset);
}

/** The marks before a paragraph's text: quotes and items of lists. */
const marks = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*/;
/** What is no prose: blank lines, headings, tables, rules, fences, indented code, comments, commands of LaTeX. */
const notProse = /^(?:[ \t]*(?:$|#{1,6}(?:[ \t]|$)|\||[-=_*]{3,}[ \t]*$|`{3}|~{3}|<!--|%|\\)|(?: {4}|\t))/;

function paragraphAt(document: vscode.TextDocument, at: number): { text: string; start: number } | undefined {
  const lineOf = (line: number): string => document.lineAt(line).text;
  const isProse = (line: number): boolean => line >= 0 && line < document.lineCount && !notProse.test(lineOf(line));
  const begins = (line: number): boolean => marks.exec(lineOf(line))?.[0].trim() !== '';
  if (!isProse(at)) return undefined;
  let [first, last] = [at, at];
  while (at - first < longestParagraph && !begins(first) && isProse(first - 1)) first--;
  while (last - at < longestParagraph && isProse(last + 1) && !begins(last + 1)) last++;
  const lines = Array.from({ length: last - first + 1 }, (_, i) => lineOf(first + i));
  // Same length as in the document, where a line may end in two characters.
  const end = document.eol === 2 ? '\r\n' : '\n';
  const own = marks.exec(lines[0] ?? '')?.[0].length ?? 0;
  return { text: lines.join(end).slice(own), start: offsetOf(document, first) + own };
}

const offsetOf = (document: vscode.TextDocument, line: number): number =>
  document.offsetAt(document.lineAt(line).range.start);

/** Formulas and code, which are explained in other ways. */
const hasMarkup = /[$`]|\\[([]/;

function sentenceIn(text: string, start: number, offset: number): Sentence | undefined {
  // A line's end does not end a sentence, as the segmenter has it.
  const onOneLine = text.replace(/[\r\n]/g, ' ');
  const parts = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(onOneLine)];
  const found = parts.find(({ index, segment }) => start + index + segment.length >= offset);
  const sentence = found?.segment.trim() ?? '';
  if (!found || !/[\p{L}\p{N}]/u.test(sentence) || hasMarkup.test(sentence)) return undefined;
  const from = start + found.index + found.segment.indexOf(sentence);
  return {
    range: { start: from, end: from + sentence.length },
    alone: /\s/.test(sentence) && sentence === onOneLine.trim(),
  };
}

/** Whether a line is inside fenced code. */
function isFenced(document: vscode.TextDocument, line: number): boolean {
  let open: string | undefined;
  for (let i = 0; i < line; i++) {
    const fence = /^[ \t]*(?:> ?)*(`{3,}|~{3,})/.exec(document.lineAt(i).text)?.[1];
    if (!fence) continue;
    if (open === undefined) open = fence;
    else if (fence.startsWith(open)) open = undefined;
  }
  return open !== undefined;
}
