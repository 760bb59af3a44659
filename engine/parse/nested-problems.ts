import { t } from '../l10n';
import { counted } from '../counted';
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
  readonly missing: (at: number, message: string) => void;
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
        t('{0} is not a number', word),
        t('Names are not looked up here: write the number itself.'),
      ),
    elided: (start, end) =>
      put(
        'elided',
        start,
        end,
        t('{0} stands for numbers that were not printed', text.slice(start, end)),
        t(
          'Print the whole array: np.set_printoptions(threshold=sys.maxsize), or torch.set_printoptions(profile="full").',
        ),
      ),
    ragged: (range, row, ofRows) => put('ragged', range.start, range.end, ...raggedWords(row, ofRows)),
    empty: (start, end, inner) =>
      put(
        'empty',
        start,
        end,
        inner ? t('a row without numbers') : t('brackets without numbers'),
        t('Give at least one number.'),
      ),
    tooDeep: (at) =>
      put(
        'too-deep',
        at,
        one(at),
        t('more than 4 brackets in each other'),
        t('A matrix has 1 to 4 dimensions: batch, head, row, column.'),
      ),
    unclosed: (open, at) =>
      put('unbalanced', open, one(open), t('{0} is never closed', char(open)), closing(closerOf(char(open)), text, at)),
    mismatched: (open, at) =>
      put(
        'unbalanced',
        at,
        one(at),
        t('found {0}, expected {1} to close {2}', char(at), closerOf(char(open)), char(open)),
        t('Each bracket is closed by its own kind.'),
      ),
    mixedDepth: (at, what, expected) =>
      put(
        'mixed-depth',
        at,
        one(at),
        t('{0} where {1} was expected', what, expected),
        t('Numbers and rows cannot stand side by side.'),
      ),
    unevenDepth: (at) =>
      put(
        'mixed-depth',
        at,
        one(at),
        t('this number is nested deeper or less deep than the first'),
        t('All numbers need the same depth.'),
      ),
    missing: (at, message) => put('missing-number', at, one(at), message, t('Write a number or remove the comma.')),
    noComma: (at) =>
      put(
        'separator',
        at,
        one(at),
        t('some numbers are separated by commas, some are not'),
        t('Use commas everywhere or nowhere.'),
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
  complex: (what: string) => [t('{0} is a complex number', what), t('Attention is over real numbers.')],
  malformed: (what: string) => [t('{0} is not a number', what), t('Write it as 1.5, 1e-3, 0xff, inf or nan.')],
  string: (what: string) => [t('{0} is a string, expected a number', what), t('Remove the quotes or the text.')],
  null: (what: string) => [t('{0} is not a number', what), t('Put a number or nan in its place.')],
} as const satisfies Record<string, (what: string) => readonly [string, string]>;

/** `row 3 has 2 numbers, rows 1–2 have 3` */
const raggedWords = (row: RaggedRow, ofRows: boolean): [string, string] =>
  ofRows
    ? [raggedMatrix(row), t('Give each matrix {0}.', counted(row.expected, 'row'))]
    : [raggedRow(row), t('Give each row {0}.', counted(row.expected, 'number'))];

function raggedRow({ index, seen, count, expected }: RaggedRow): string {
  const numbers = counted(count, 'number');
  if (index !== seen + 1) return t('row {0} has {1}, the others have {2}', index, numbers, expected);
  return seen > 1
    ? t('row {0} has {1}, rows 1–{2} have {3}', index, numbers, seen, expected)
    : t('row {0} has {1}, row 1 has {2}', index, numbers, expected);
}

function raggedMatrix({ index, seen, count, expected }: RaggedRow): string {
  const rows = counted(count, 'row');
  if (index !== seen + 1) return t('matrix {0} has {1}, the others have {2}', index, rows, expected);
  return seen > 1
    ? t('matrix {0} has {1}, matrices 1–{2} have {3}', index, rows, seen, expected)
    : t('matrix {0} has {1}, matrix 1 has {2}', index, rows, expected);
}

function unexpectedWords(char: string): [string, string] {
  if ('*/@%+-−'.includes(char))
    return [t('{0} inside of the brackets', char), t('Arithmetic is not computed: write its result.')];
  const hint =
    char === ';' ? t('Write each row in its own brackets.') : t('Expected a number, a comma or a closing bracket.');
  return [t('{0} inside of the brackets', char), hint];
}

const closerOf = (open: string): string => (open === '(' ? ')' : ']');

/** Where the closing bracket belongs: before what stopped the reader. */
function closing(closer: string, text: string, at: number): string {
  let end = at;
  while (end < text.length && end < at + 20 && !isNewline(text.charCodeAt(end))) end++;
  const next = text.slice(at, end).trim();
  return next === '' ? t('Add {0} at the end.', closer) : t('Add {0} before “{1}”.', closer, next);
}

const shorten = (text: string, start: number, end: number): string =>
  end - start > 40 ? `${text.slice(start, start + 39)}…` : text.slice(start, end);
