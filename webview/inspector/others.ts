import {
  say,
  tokenizerName,
  t,
  type AttentionSpec,
  type CellExplanation,
  type CellValue,
  type Sentence,
} from '../../engine/index';
import { isVocabulary } from '../tokens/cuts';
import { make } from '../heatmap/dom';
import { brief, formatNumber } from '../draw/numbers';
import { columnName, columnOf, formatIn, nameNode, rowName, said, stepOf, walk, written, type Book } from './book';

type Kind = CellExplanation['kind'];
type Of<K extends Kind> = Extract<CellExplanation, { kind: K }>;
type Content = (Node | string)[];

const line = (...content: Content): HTMLElement => make('div', {}, ...content);
const note = (...content: Content): HTMLElement => make('p', { class: 'note' }, ...content);
/** One line of a calculation written out: sign, name, number. An operand's name walks to it. */
type Entry = readonly [sign: string, what: CellValue | string, number?: string];

function ledger(book: Book, cell: CellValue, ...entries: readonly Entry[]): HTMLElement {
  const result: Entry = ['=', nameText(book, cell), written(book, cell.step, cell.value)];
  const rows = [...entries, result].map(([sign, what, number], i) =>
    make(
      'tr',
      i === entries.length ? { class: 'result' } : {},
      make('td', { class: 'sign-cell', text: sign }),
      make('td', {}, typeof what === 'string' ? what : walk(book, what, nameNode(book, what))),
      make('td', { text: number ?? (typeof what === 'string' ? '' : written(book, what.step, what.value)) }),
    ),
  );
  return make('table', { class: 'ledger' }, make('tbody', {}, ...rows));
}

const nameText = (book: Book, cell: CellValue): string => nameNode(book, cell).textContent ?? '';

const equation = (...lines: HTMLElement[]): HTMLElement => make('div', { class: 'equation' }, ...lines);
const bold = (text: string): HTMLElement => make('b', { text });

/** Name and value of an operand, as one button. */
const named = (book: Book, cell: Of<'sum'>['left']): HTMLElement =>
  walk(book, cell, nameNode(book, cell), ' ', written(book, cell.step, cell.value));

/** Explanations of one or two operands: an equation with the numbers in it, and a sentence where it needs one. */
export const explained: {
  readonly [K in Exclude<Kind, 'products' | 'softmax'>]: (book: Book, cell: Of<K>) => HTMLElement[];
} = {
  sum: (book, cell) => [ledger(book, cell, ['', cell.left], ['+', cell.right])],
  quotient: (book, cell) => [ledger(book, cell, ['', cell.operand], ['÷', ...divisorEntry(cell.by)])],
  lookup: (book, cell) => [
    ledger(book, cell, ['', cell.id], ['→', cell.entry]),
    note(
      said(
        book,
        say(
          'The {0} of “{1}” is {2}: [row|column] {2} of the table.',
          columnName(book, cell.id),
          rowName(book, cell),
          cell.id.value,
        ),
      ),
    ),
  ],
  masked: (book, cell) => masked(book, cell),
  unchanged: (book, cell) => [
    ledger(book, cell, ['', cell.operand]),
    note(t('This step is switched off: its numbers pass unchanged.')),
  ],
  given: (book, cell) => [
    note(book.options.origin?.(stepOf(book, cell.step), cell.index) ?? t('Given: a number of your input.')),
  ],
  token: (book, cell) => [note(said(book, tokenNote(book.trace.spec, cell)))],
  drawn: (book, cell) => drawn(book, cell),
  position: (book, cell) => position(book, cell),
  hidden: (book, cell) => [note(`${cell.hidden ? '1' : '0'}: ${visibility(book, cell, cell.hidden)}.`)],
  capped: (book, cell) => [
    equation(
      line(brief(cell.cap), ' · tanh(', named(book, cell.operand), ` ÷ ${brief(cell.cap)})`),
      line(`= ${brief(cell.cap)} · tanh(${brief(cell.ratio)})`),
      line(`= ${brief(cell.cap)} · ${brief(cell.tanh)} = `, bold(written(book, cell.step, cell.value))),
    ),
    note(t('No score can pass ±{0}; small ones hardly change.', brief(cell.cap))),
  ],
  rotated: (book, cell) => rotated(book, cell),
  moved: (book, cell) => [ledger(book, cell, ['', cell.operand]), note(t('The same number at another place.'))],
  distance: (book, cell) => [
    equation(line(`−${brief(cell.slope)} · ${cell.distance} = `, bold(written(book, cell.step, cell.value)))),
    note(
      t(
        '“{0}” and “{1}” are {2} apart; this head’s slope is {3}.',
        rowName(book, cell),
        columnName(book, cell),
        cell.distance,
        brief(cell.slope),
      ),
    ),
  ],
};

/** `key “mat” comes after query “cat”, so it is hidden` */
function visibility(book: Book, cell: CellValue, hidden: boolean): string {
  const [key, query] = [columnName(book, cell), rowName(book, cell)];
  const { mask } = book.trace.spec;
  const causal = mask === 'causal' || (typeof mask === 'object' && mask.kind === 'causal');
  if (causal && hidden) return t('key “{0}” comes after query “{1}”, so it is hidden', key, query);
  return hidden ? t('query “{0}” may not see key “{1}”', query, key) : t('query “{0}” sees key “{1}”', query, key);
}

const isRoot = (by: number): boolean =>
  by > 1 && !Number.isInteger(by) && Math.abs(Math.sqrt(Math.round(by * by)) - by) < 1e-6 * by;

const divisorEntry = (by: number): [string, string] => [isRoot(by) ? `√${Math.round(by * by)}` : '', brief(by)];

/** `√8 (2.828)` where the divisor is the root of a whole number. */
const divisor = (by: number): string => (isRoot(by) ? `√${Math.round(by * by)} (${brief(by)})` : brief(by));

function masked(book: Book, cell: Of<'masked'>): HTMLElement[] {
  const hidden = cell.mask.value === 1;
  const fill = formatNumber(cell.fill, formatIn(book, cell.step));
  return [
    ledger(book, cell, ['', cell.operand], [hidden ? t('hidden') : t('seen'), cell.mask]),
    note(
      hidden
        ? t('{0}: the score is replaced by {1}, and exp makes that 0.', capital(visibility(book, cell, true)), fill)
        : t('{0}: the score stays.', capital(visibility(book, cell, false))),
    ),
  ];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function drawn(book: Book, cell: Of<'drawn'>): HTMLElement[] {
  const value = written(book, cell.step, cell.value);
  const scaled = cell.divideBy !== 1;
  return [
    ...(scaled ? [equation(line(brief(cell.draw), ` ÷ ${divisor(cell.divideBy)} = `, bold(value)))] : []),
    note(
      scaled
        ? t(
            'Drawn from a normal distribution: {0}, seed {1}, divided by {2}. Random, not learned.',
            cell.generator,
            cell.seed,
            divisor(cell.divideBy),
          )
        : t('Drawn from a normal distribution: {0}, seed {1}. Random, not learned.', cell.generator, cell.seed),
    ),
  ];
}

/** One of a pair of columns, turned by the angle of its position: own · cos ± partner · sin. */
function rotated(book: Book, cell: Of<'rotated'>): HTMLElement[] {
  const sign = cell.sign < 0 ? '− ' : '+ ';
  return [
    equation(
      line(named(book, cell.own), ' · cos ', walk(book, cell.cosine)),
      line(sign, named(book, cell.partner), ' · sin ', walk(book, cell.sine)),
      line('= ', bold(written(book, cell.step, cell.value))),
    ),
    note(
      said(book, say('Two [columns|rows] make a point in the plane, turned by an angle that grows with the position.')),
    ),
  ];
}

function position(book: Book, cell: Of<'position'>): HTMLElement[] {
  const step = stepOf(book, cell.step);
  const width = step.shape.at(-1) ?? 0;
  const concatenated = step.call.op === 'sinusoidal' && step.call.layout === 'concatenated';
  const column = columnOf(cell);
  const pair = step.call.op === 'rotations';
  const power = pair
    ? `${2 * column}/${2 * width}`
    : concatenated
      ? `${column % (width / 2)}/${width / 2}`
      : `${2 * Math.floor(column / 2)}/${width}`;
  const up = make('sup', { text: power });
  return [
    equation(
      line(`${cell.fn}(${cell.position} ÷ 10000`, up, ')'),
      line(`= ${cell.fn}(${cell.position} ÷ ${brief(cell.divisor)})`),
      line(`= ${cell.fn}(${brief(cell.angle)})`),
      line('= ', bold(written(book, cell.step, cell.value))),
    ),
    note(
      said(
        book,
        say(
          'Position {0}; [column|row] {1} swings once in {2} positions.',
          cell.position,
          column,
          brief(2 * Math.PI * cell.divisor, 3),
        ),
      ),
    ),
  ];
}

const inOrder = say('distinct tokens are numbered in the order in which they first occur');

/** Where a token's number comes from. */
function tokenNote({ start }: AttentionSpec, { text, value, is }: Of<'token'>): Sentence {
  if (is === 'row') return say('“{0}” is [row|column] {1} of the table: {2}.', text, value, inOrder);
  if (start.from !== 'text') return say('The id {0}, as it was given.', value);
  if (isVocabulary(start.tokenizer))
    return say('“{0}” has the id {1} in the vocabulary of {2}.', text, value, tokenizerName(start.tokenizer));
  return start.tokenizer === 'bytes'
    ? say('“{0}” has the id {1}: the byte itself.', text, value)
    : say('“{0}” has the id {1}: {2}.', text, value, inOrder);
}
