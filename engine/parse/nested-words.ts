import { t, counted } from '../text';
import { isNewline } from './scanner';

/** The message of a problem, and its hint. */
export type Words = readonly [message: string, hint: string];

/** A row of a different length: its index from 1, its length, and the number and length of the `seen` rows before it. */
export interface RaggedRow {
  readonly index: number;
  readonly count: number;
  readonly expected: number;
  readonly seen: number;
}

/** Messages about an item that is no number. */
export const leafWords = {
  complex: (what: string) => [t('{0} is a complex number', what), t('Attention is over real numbers.')],
  malformed: (what: string) => [t('{0} is not a number', what), t('Write it as 1.5, 1e-3, 0xff, inf or nan.')],
  octal: (what: string) => [
    t('{0} is octal in some languages and decimal in others', what),
    t('Write it without the leading 0.'),
  ],
  string: (what: string) => [t('{0} is a string, expected a number', what), t('Remove the quotes or the text.')],
  null: (what: string) => [t('{0} is not a number', what), t('Put a number or nan in its place.')],
} as const satisfies Record<string, (what: string) => Words>;

/** Messages about other problems between brackets. */
export const placeWords = {
  unknownName: (word: string): Words => [
    t('{0} is not a number', word),
    t('Names are not looked up here: write the number itself.'),
  ],
  elided: (dots: string): Words => [
    t('{0} stands for numbers that were not printed', dots),
    t('Print the whole array: np.set_printoptions(threshold=sys.maxsize), or torch.set_printoptions(profile="full").'),
  ],
  ragged: (row: RaggedRow, ofRows: boolean): Words =>
    ofRows
      ? [raggedMatrix(row), t('Give each matrix {0}.', counted(row.expected, 'row'))]
      : [raggedRow(row), t('Give each row {0}.', counted(row.expected, 'number'))],
  empty: (inner: boolean): Words => [
    inner ? t('a row without numbers') : t('brackets without numbers'),
    t('Give at least one number.'),
  ],
  tooDeep: (): Words => [
    t('more than 4 brackets in each other'),
    t('A matrix has 1 to 4 dimensions: batch, head, row, column.'),
  ],
  unclosed: (open: string, text: string, at: number): Words => [
    t('{0} is never closed', open),
    closing(closerOf(open), text, at),
  ],
  mismatched: (open: string, found: string): Words => [
    t('found {0}, expected {1} to close {2}', found, closerOf(open), open),
    t('Each bracket is closed by its own kind.'),
  ],
  mixedDepth: (found: string, expected: string): Words => [
    t('{0} where {1} was expected', found, expected),
    t('Numbers and rows cannot stand side by side.'),
  ],
  unevenDepth: (): Words => [
    t('this number is nested deeper or less deep than the first'),
    t('All numbers need the same depth.'),
  ],
  missing: (message: string): Words => [message, t('Write a number or remove the comma.')],
  noComma: (): Words => [
    t('some numbers are separated by commas, some are not'),
    t('Use commas everywhere or nowhere.'),
  ],
  unexpected: (found: string): Words => [t('{0} inside of the brackets', found), unexpectedHint(found)],
} as const;

/** `row 3 has 2 numbers, rows 1–2 have 3` */
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

function unexpectedHint(char: string): string {
  if ('*/@%+-−'.includes(char)) return t('Arithmetic is not computed: write its result.');
  return char === ';'
    ? t('Write each row in its own brackets.')
    : t('Expected a number, a comma or a closing bracket.');
}

const closerOf = (open: string): string => (open === '(' ? ')' : ']');

/** Where the closing bracket should be: before the text that stopped the reader. */
function closing(closer: string, text: string, at: number): string {
  let end = at;
  while (end < text.length && end < at + 20 && !isNewline(text.charCodeAt(end))) end++;
  const next = text.slice(at, end).trim();
  return next === '' ? t('Add {0} at the end.', closer) : t('Add {0} before “{1}”.', closer, next);
}
