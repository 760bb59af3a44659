import type { TextRange } from '../../text';

/** What stands in the braces at an offset; at most some thousand characters. */
export function groupAt(text: string, at: number, end: number): TextRange | undefined {
  let start = at;
  while (start < end && /\s/.test(text.charAt(start))) start++;
  if (text.charAt(start) !== '{') return undefined;
  let depth = 0;
  for (let i = start; i < Math.min(end, start + 4000); i++) {
    const c = text.charAt(i);
    if (c === '\\') i++;
    else if (c === '{') depth++;
    else if (c === '}' && --depth === 0) return { start: start + 1, end: i };
  }
  return undefined;
}
