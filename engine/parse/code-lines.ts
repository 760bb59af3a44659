/** A logical line of code: a call that continues on the next lines is one line. */
export interface CodeLine {
  /** Comments are removed and the content of strings is replaced by blanks. */
  readonly code: string;
  /** The same line with its strings; offsets are equal. */
  readonly shown: string;
  readonly indent: number;
}

/** Most characters that are read from a text; of a longer one, those nearest to the selection. */
const maxCharacters = 50_000;
const [mostLines, longestLine, longestCall] = [4000, 300, 10];

const quotesAndComments =
  /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|#[^\n]*/g;
const blank = (s: string): string => s.replace(/[^\n]/g, ' ');
const isOpenString = (s: string): boolean => /^("""|''')/.test(s) && (s.length < 6 || !s.endsWith(s.slice(0, 3)));

/** The lines of a selection and of the text above and below it. Of long texts only the part nearest to the selection is read. */
export function codeLines({ before = '', text, after }: { before?: string; text: string; after: string }): {
  readonly lines: readonly CodeLine[];
  /** Number of lines up to the end of the selection. */
  readonly own: number;
} {
  const own = [...endOf(before), ...linesOf(text.slice(0, maxCharacters)), ...endOf(text.slice(maxCharacters))];
  return { lines: [...own, ...linesOf(after.slice(0, maxCharacters))], own: own.length };
}

/** The lines above the selection; none if they end inside a string, as their beginning may then have been inside one too. */
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
    // A long line is cut before a word: `A_q` as the rest of `A_q.T` would mean something else.
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
