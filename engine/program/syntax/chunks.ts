/** Top-level statements as text: they are parsed apart, so that a broken one spoils no other and a long file is read in parts. */
export interface Chunk {
  readonly start: number;
  readonly text: string;
}

/** Where a logical line begins, and with how much white space. */
interface LogicalLine {
  readonly start: number;
  readonly indent: number;
}

/** Words that go on with the statement above. */
const goesOn = /^(?:else|elif|except|finally)\b/;
/** What surely begins a statement at the margin, even if a bracket above was never closed. */
const begins = /^(?:def|class|import|from|for|while|if|with|try|return|@\w|[A-Za-z_][\w.]*\s*=(?!=))/;

/** One walk over the text. */
export function chunksOf(text: string): Chunk[] {
  const starts: number[] = [];
  let decorated = false;
  for (const { start, indent } of logicalLines(text)) {
    if (indent > 0) continue;
    const rest = text.slice(start, start + 40);
    if (goesOn.test(rest) && starts.length > 0) continue;
    if (!decorated) starts.push(start);
    decorated = rest.startsWith('@');
  }
  return starts.map((start, i) => ({ start, text: text.slice(start, starts[i + 1] ?? text.length) }));
}

/** The beginnings of logical lines: not within a string or brackets, not after a backslash, neither blank nor a comment. */
export function* logicalLines(text: string): Generator<LogicalLine> {
  let [at, depth, fresh] = [0, 0, true];
  let lineStart = 0;
  const length = text.length;
  while (at < length) {
    const c = text[at] as string;
    if (c === '\n' || c === '\r') {
      at++;
      lineStart = at;
      if (depth > 0 && begins.test(text.slice(at, at + 40)) && unbalanced(text, at)) depth = 0;
      fresh = depth === 0;
    } else if (c === ' ' || c === '\t' || c === '\f') at++;
    else if (c === '#') at = endOfLine(text, at);
    else if (c === '\\' && /[\r\n]/.test(text[at + 1] ?? ''))
      at = endOfLine(text, at) + (text.startsWith('\r\n', at + 1) ? 2 : 1);
    else {
      if (fresh) yield { start: at, indent: at - lineStart };
      fresh = false;
      if ('([{'.includes(c)) depth++;
      else if (')]}'.includes(c)) depth = Math.max(0, depth - 1);
      if (c === '"' || c === "'") at = endOfString(text, at);
      else at++;
    }
  }
}

/** A word of a statement at the margin within brackets: keyword arguments stand there too (`f(\nx=1)`), definitions do not. */
const unbalanced = (text: string, at: number): boolean =>
  /^(?:def|class|import|from|@\w|return)\b/.test(text.slice(at, at + 12));

function endOfLine(text: string, at: number): number {
  const next = /[\r\n]/g;
  next.lastIndex = at;
  return next.exec(text)?.index ?? text.length;
}

/** Past a string that opens here; one without an end reaches to its line's, a triple-quoted one to the text's. */
function endOfString(text: string, at: number): number {
  const quote = text[at] as string;
  const triple = text.startsWith(quote.repeat(3), at);
  for (let i = at + (triple ? 3 : 1); i < text.length; i++) {
    const c = text[i] as string;
    if (c === '\\') i++;
    else if (triple && c === quote && text.startsWith(quote.repeat(3), i)) return i + 3;
    else if (!triple && c === quote) return i + 1;
    else if (!triple && c === '\n') return i;
  }
  return text.length;
}
