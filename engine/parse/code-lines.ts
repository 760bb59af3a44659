/** A line of code; a call that goes on in the next lines is one line. */
export interface CodeLine {
  /** Without comments, and with blanks for what stands in strings. */
  readonly code: string;
  /** The same with its strings, character for character. */
  readonly shown: string;
  readonly indent: number;
}

/** So many characters are read from a text's beginning, and from its end where it is longer. */
const maxCharacters = 50_000;
const [mostLines, longestLine, longestCall] = [4000, 300, 10];

const quotesAndComments =
  /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|#[^\n]*/g;
const blank = (s: string): string => s.replace(/[^\n]/g, ' ');
const isOpenString = (s: string): boolean => /^("""|''')/.test(s) && (s.length < 6 || !s.endsWith(s.slice(0, 3)));

/** The lines of a selection, of what stands above it and of what stands below it. Of long texts only what is nearest. */
export function codeLines({ before = '', text, after }: { before?: string; text: string; after: string }): {
  readonly lines: readonly CodeLine[];
  /** So many of them stand above the end of the selection. */
  readonly own: number;
} {
  const own = [...endOf(before), ...linesOf(text.slice(0, maxCharacters)), ...endOf(text.slice(maxCharacters))];
  return { lines: [...own, ...linesOf(after.slice(0, maxCharacters))], own: own.length };
}

/** None where it ends in a string: then its beginning may have stood in one. */
function endOf(text: string): readonly CodeLine[] {
  const end = text.length > maxCharacters ? text.slice(-maxCharacters).replace(/^[^\r\n]*/, '') : text;
  const open = (end.match(quotesAndComments) ?? []).some(isOpenString);
  return end === '' || open ? [] : linesOf(end).slice(-mostLines);
}

function linesOf(text: string): CodeLine[] {
  const plain = text.replace(/\r\n?/g, '\n');
  const code = plain.replace(quotesAndComments, blank).split('\n');
  const shown = plain.replace(quotesAndComments, (s) => (s.startsWith('#') ? blank(s) : s)).split('\n');
  const lines: { code: string; shown: string; indent: number }[] = [];
  let [open, joined] = [0, 0];
  for (const [i, whole] of code.entries()) {
    const indent = whole.search(/\S|$/);
    // A long line ends before a word that would be cut: `A_q` of `A_q.T` says something else.
    const cut = whole.length - indent > longestLine ? /\S*$/ : /\s*$/;
    const line = whole.slice(indent, indent + longestLine).replace(cut, '');
    const raw = (shown[i] ?? '').slice(indent, indent + line.length);
    const last = lines.at(-1);
    if (open > 0 && last && joined++ < longestCall) {
      last.code = `${last.code} ${line}`;
      last.shown = `${last.shown} ${raw}`;
    } else {
      lines.push({ code: line, shown: raw, indent });
      [open, joined] = [0, 0];
    }
    for (const char of line) open = Math.max(0, open + ('(['.includes(char) ? 1 : ')]'.includes(char) ? -1 : 0));
  }
  return lines;
}
