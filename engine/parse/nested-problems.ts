import type { Problem, TextRange } from '../problems';
import { isNewline } from './scanner';

/** A row whose length differs: its number (from 1), what it has, and what the `seen` rows before it have. */
export interface RaggedRow {
  readonly index: number;
  readonly count: number;
  readonly expected: number;
  readonly seen: number;
}

/** Collects what is wrong inside of one literal: the first place of each kind, in the order of the text. */
export interface NestedProblems {
  readonly list: () => readonly Problem[];
  readonly leaf: (kind: 'complex' | 'malformed' | 'string' | 'null', start: number, end: number) => void;
  readonly unknownName: (start: number, end: number, word: string) => void;
  readonly elided: (start: number, end: number) => void;
  readonly ragged: (range: TextRange, row: RaggedRow, ofRows: boolean) => void;
  readonly empty: (start: number, end: number, inner: boolean) => void;
  readonly tooDeep: (at: number) => void;
  readonly unclosed: (open: number, at: number) => void;
  readonly mismatched: (open: number, at: number) => void;
  readonly mixedDepth: (at: number, found: string, expected: string) => void;
  readonly unevenDepth: (at: number) => void;
  readonly missing: (at: number, where: string) => void;
  readonly noComma: (at: number) => void;
  readonly joined: (at: number) => void;
  readonly unexpected: (at: number) => void;
}

export function problemsOf(text: string): NestedProblems {
  const found = new Map<string, Problem>();
  const put = (code: string, start: number, end: number, message: string, hint: string): void => {
    if (!found.has(code)) found.set(code, { code, message, hint, range: { start, end } });
  };
  const char = (at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 32);
  const one = (at: number): number => at + (at < text.length ? char(at).length : 0);
  return {
    list: () => inOrder(found),
    leaf: (kind, start, end) => put(kind, start, end, ...leafWords[kind](shorten(text, start, end))),
    unknownName: (start, end, word) =>
      put(
        'unknown-name',
        start,
        end,
        `${word} is not a number`,
        'Names are not looked up here: write the number itself.',
      ),
    elided: (start, end) =>
      put(
        'elided',
        start,
        end,
        `${text.slice(start, end)} stands for numbers that were not printed`,
        'Print the whole array: np.set_printoptions(threshold=sys.maxsize), or torch.set_printoptions(profile="full").',
      ),
    ragged: (range, row, ofRows) => put('ragged', range.start, range.end, ...raggedWords(row, ofRows)),
    empty: (start, end, inner) =>
      put(
        'empty',
        start,
        end,
        inner ? 'a row without numbers' : 'brackets without numbers',
        'Give at least one number.',
      ),
    tooDeep: (at) =>
      put(
        'too-deep',
        at,
        one(at),
        'more than 4 brackets in each other',
        'A matrix has 1 to 4 dimensions: batch, head, row, column.',
      ),
    unclosed: (open, at) =>
      put(
        'unbalanced',
        open,
        one(open),
        `${char(open)} is never closed`,
        `Add ${closerOf(char(open))} ${before(text, at)}.`,
      ),
    mismatched: (open, at) =>
      put(
        'unbalanced',
        at,
        one(at),
        `found ${char(at)}, expected ${closerOf(char(open))} to close ${char(open)}`,
        'Each bracket is closed by its own kind.',
      ),
    mixedDepth: (at, what, expected) =>
      put(
        'mixed-depth',
        at,
        one(at),
        `${what} where ${expected} was expected`,
        'Numbers and rows cannot stand side by side.',
      ),
    unevenDepth: (at) =>
      put(
        'mixed-depth',
        at,
        one(at),
        'this number is nested deeper or less deep than the first',
        'All numbers need the same depth.',
      ),
    missing: (at, where) =>
      put('missing-number', at, one(at), `no number ${where}`, 'Write a number or remove the comma.'),
    noComma: (at) =>
      put(
        'separator',
        at,
        one(at),
        'some numbers are separated by commas, some are not',
        'Use commas everywhere or nowhere.',
      ),
    joined: (at) => put('unexpected', at, one(at), ...unexpectedWords(char(at))),
    unexpected: (at) => put('unexpected', at, one(at), ...unexpectedWords(char(at))),
  };
}

/** By place. Row lengths and depths say nothing where numbers were left out, nor does the end where the reader gave up. */
function inOrder(found: ReadonlyMap<string, Problem>): Problem[] {
  const [elided, mixed] = [found.has('elided'), found.has('mixed-depth')];
  return [...found.values()]
    .filter((p) => !(elided && p.code === 'mixed-depth') && !((elided || mixed) && p.code === 'ragged'))
    .sort((a, b) => (a.range?.start ?? 0) - (b.range?.start ?? 0));
}

const leafWords = {
  complex: (what: string) => [`${what} is a complex number`, 'Attention is over real numbers.'],
  malformed: (what: string) => [`${what} is not a number`, 'Write it as 1.5, 1e-3, 0xff, inf or nan.'],
  string: (what: string) => [`${what} is a string, expected a number`, 'Remove the quotes or the text.'],
  null: (what: string) => [`${what} is not a number`, 'Put a number or nan in its place.'],
} as const satisfies Record<string, (what: string) => readonly [string, string]>;

/** `row 3 has 2 numbers, rows 1–2 have 3` */
function raggedWords(row: RaggedRow, ofRows: boolean): [string, string] {
  const [unit, item] = ofRows ? ['matrix', 'row'] : ['row', 'number'];
  const others =
    row.index === row.seen + 1 && row.seen > 1
      ? `${unit === 'row' ? 'rows' : 'matrices'} 1–${row.seen} have`
      : row.index === row.seen + 1
        ? `${unit} 1 has`
        : 'the others have';
  const message = `${unit} ${row.index} has ${row.count} ${item}${row.count === 1 ? '' : 's'}, ${others} ${row.expected}`;
  return [message, `Give each ${unit} ${row.expected} ${item}${row.expected === 1 ? '' : 's'}.`];
}

function unexpectedWords(char: string): [string, string] {
  if ('*/@%+-−'.includes(char))
    return [`${char} inside of the brackets`, 'Arithmetic is not computed: write its result.'];
  const hint =
    char === ';' ? 'Write each row in its own brackets.' : 'Expected a number, a comma or a closing bracket.';
  return [`${char} inside of the brackets`, hint];
}

const closerOf = (open: string): string => (open === '(' ? ')' : ']');

/** Where the closing bracket belongs: before what stopped the reader. */
function before(text: string, at: number): string {
  let end = at;
  while (end < text.length && end < at + 20 && !isNewline(text.charCodeAt(end))) end++;
  const next = text.slice(at, end).trim();
  return next === '' ? 'at the end' : `before “${next}”`;
}

const shorten = (text: string, start: number, end: number): string =>
  end - start > 40 ? `${text.slice(start, start + 39)}…` : text.slice(start, end);
