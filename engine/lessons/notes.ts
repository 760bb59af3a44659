/** Notes for the teacher in a lesson's Markdown: HTML comments, and quotations that begin with `note:`. */
import type { TextRange } from '../text';

const comment = /<!--([\s\S]*?)(?:-->|$)/g;
const quoted = /^ {0,3}>[ \t]*note:[^\n]*(?:\n {0,3}>[^\n]*)*/gim;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/** Where the notes stand. What looks like one within fenced code is none. */
export function notesIn(text: string): readonly TextRange[] {
  const found: TextRange[] = [];
  const notes = [...text.matchAll(comment), ...text.matchAll(quoted)].sort((a, b) => a.index - b.index);
  const code = fencedIn(text);
  let fenced = 0;
  let from = 0;
  for (const { 0: note, index: start } of notes) {
    while ((code[fenced]?.end ?? Infinity) <= start) fenced++;
    if (start < from || (code[fenced]?.start ?? Infinity) <= start) continue;
    from = start + note.length;
    found.push({ start, end: from });
  }
  return found;
}

/** A lesson as students get it. */
export function withoutNotes(text: string): string {
  let out = '';
  let from = 0;
  for (const { start, end } of notesIn(text)) {
    out += text.slice(from, start);
    from = end;
  }
  return out + text.slice(from);
}

/** Ranges of fenced code, including the fences, in order. */
function fencedIn(text: string): readonly TextRange[] {
  const found: TextRange[] = [];
  let open = '';
  let start = 0;
  let at = 0;
  for (const line of text.split('\n')) {
    const [, mark = ''] = fence.exec(line) ?? [];
    const end = at + line.length + 1;
    if (open) {
      if (mark.startsWith(open) && line.trim() === mark) {
        found.push({ start, end });
        open = '';
      }
    } else if (mark) [open, start] = [mark, at];
    at = end;
  }
  if (open) found.push({ start, end: text.length });
  return found;
}
