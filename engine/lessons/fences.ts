import { frontMatterOf } from './front-matter';
import { t, type Problem, type TextRange } from '../text';

/** A region of Markdown: a fenced block in one of our languages, or the prose between two of them. */
export type Region =
  | { readonly kind: 'prose'; readonly range: TextRange }
  | {
      readonly kind: 'fence';
      readonly language: 'attention' | 'attention-question';
      /** The info string: what follows the language in the opening line. */
      readonly info: TextRange;
      readonly body: TextRange;
      /** Including both fences. */
      readonly range: TextRange;
    };

export interface Regions {
  readonly regions: readonly Region[];
  readonly problems: readonly Problem[];
}

interface Open {
  readonly mark: string;
  readonly length: number;
  readonly language: string;
  readonly info: TextRange;
  readonly line: TextRange;
  readonly bodyStart: number;
}

const fence = /^ {0,3}(`{3,}|~{3,})[ \t]*/;
// Fences in lists, quotations or indented: Markdown renders them, but they are not read.
const nested =
  /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t][ \t>]*)?(?:`{3,}|~{3,})[ \t]*attention(?:-question)?(?![\w-])[^`]*$/;

/** Divides Markdown at its fenced blocks (CommonMark 0.31, section 4.5), line by line; other blocks are prose. Linear time. */
export function regionsOf(text: string): Regions {
  const regions: Region[] = [];
  const problems: Problem[] = [];
  let open: Open | undefined;
  // What holds for the whole lesson is no prose.
  let proseFrom = frontMatterOf(text).range.end;
  const close = (bodyEnd: number, end: number): void => {
    if (open && isOurs(open.language)) {
      if (open.line.start > proseFrom)
        regions.push({ kind: 'prose', range: { start: proseFrom, end: open.line.start } });
      const body = { start: open.bodyStart, end: Math.max(bodyEnd, open.bodyStart) };
      const range = { start: open.line.start, end };
      regions.push({ kind: 'fence', language: open.language, info: open.info, body, range });
      proseFrom = end;
    }
    open = undefined;
  };
  for (const line of linesOf(text)) {
    const written = text.slice(line.start, Math.min(line.end, line.start + 2000));
    if (open) {
      if (closesFence(written, open)) close(line.start, line.next);
      continue;
    }
    open = openingFence(written, line);
    if (!open && nested.test(written)) problems.push(nestedFenceProblem(line));
  }
  if (open && isOurs(open.language)) problems.push(unclosed(open));
  if (open) close(text.length, text.length);
  if (proseFrom < text.length) regions.push({ kind: 'prose', range: { start: proseFrom, end: text.length } });
  return { regions, problems };
}

const isOurs = (language: string): language is 'attention' | 'attention-question' =>
  language === 'attention' || language === 'attention-question';

interface Line extends TextRange {
  /** Offset of the next line. */
  readonly next: number;
}

function* linesOf(text: string): Generator<Line> {
  const ending = /\r\n?|\n/g;
  // A byte order mark is not part of the first line.
  let start = text.startsWith('\ufeff') ? 1 : 0;
  for (let found = ending.exec(text); found; found = ending.exec(text)) {
    yield { start, end: found.index, next: ending.lastIndex };
    start = ending.lastIndex;
  }
  if (start < text.length) yield { start, end: text.length, next: text.length };
}

function openingFence(written: string, line: Line): Open | undefined {
  const [whole, marks] = fence.exec(written) ?? [];
  if (whole === undefined || marks === undefined) return undefined;
  const rest = written.slice(whole.length);
  // The info string of a backtick fence contains no backticks; otherwise this is inline code.
  if (marks.startsWith('`') && rest.includes('`')) return undefined;
  const language = /^\S*/.exec(rest)?.[0] ?? '';
  const info = { start: line.start + whole.length + language.length, end: line.end };
  return { mark: marks.charAt(0), length: marks.length, language, info, line, bodyStart: line.next };
}

function closesFence(written: string, { mark, length }: Open): boolean {
  const [whole, marks] = fence.exec(written) ?? [];
  if (whole === undefined || marks === undefined) return false;
  return marks.startsWith(mark) && marks.length >= length && written.slice(whole.length).trim() === '';
}

const nestedFenceProblem = ({ start, end }: TextRange): Problem => ({
  code: 'nested-fence',
  message: t('an attention block in a list or a quotation, or indented, is not read'),
  hint: t('Begin the line with the fence.'),
  range: { start, end },
});

const unclosed = ({ line, language, mark, length }: Open): Problem => ({
  code: 'unclosed-fence',
  message: t('the block {0} is not closed', language),
  hint: t('End it with a line of {0}.', mark.repeat(length)),
  range: { start: line.start, end: line.end },
});
