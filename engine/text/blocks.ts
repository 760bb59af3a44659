import type { TextRange } from './problems';

/** The beginning of the line above which a comment keeps a place silent. Inside a block it would be printed, or be a part of the formula. */
export function commentedAt(text: string, at: number): number {
  const line = lineStart(text, at);
  return blockAround(blocksOf(text), line)?.start ?? line;
}

const delimiter = /^[ \t]*(`{3,}|~{3,})[^`\n]*$|\$\$|\n[ \t]*\r?(?=\n)/gm;

/** Fenced blocks and formulas between `$$`, from the line that opens them to the sign that closes them. No formula has an empty line. */
export function blocksOf(text: string): readonly TextRange[] {
  const blocks: TextRange[] = [];
  let open: { readonly sign: string; readonly start: number } | undefined;
  for (const { 0: whole, 1: fence, index } of text.matchAll(delimiter)) {
    const sign = fence ?? whole.trim();
    const closes = open?.sign === '$$' ? sign === '$$' : open !== undefined && sign.startsWith(open.sign);
    if (open && closes) blocks.push({ start: open.start, end: index + whole.length });
    if (open && (closes || (open.sign === '$$' && sign === ''))) open = undefined;
    else if (!open && sign !== '') open = { sign, start: lineStart(text, index) };
  }
  return blocks;
}

export const blockAround = (blocks: readonly TextRange[], at: number): TextRange | undefined => blocks.find(({ start, end }) => start <= at && at < end); // prettier-ignore

export const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
