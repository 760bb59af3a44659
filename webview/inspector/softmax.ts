import { say, slot, t, type CellExplanation, type CellValue, type SoftmaxTerm } from '../../engine/index';
import { make } from '../heatmap/dom';
import { shortLabel } from '../heatmap/state';
import { formatNumber, formatOf, repr, type NumberFormat } from '../draw/numbers';
import { columnName, formatIn, stepOf, symbolNode, told, walk, walkColoured, written, type Book } from './book';
import { drawRows, headed } from './rows';
import { largest } from '../product/chain';
import { shareBar } from './bars';

type Softmax = Extract<CellExplanation, { kind: 'softmax' }>;

/** exp(score − max) / sum, with the numbers. */
export function softmaxEquation(book: Book, cell: Softmax): HTMLElement {
  if (cell.zeroed) return zeroedRow(book, cell);
  const share = shareFormat(book);
  const term = cell.terms[ownTerm(cell)];
  const max = written(book, cell.operand.step, cell.max);
  return make(
    'div',
    { class: 'equation' },
    make('div', {}, 'exp(', walkColoured(book, cell.operand), ` − ${max}) ÷ `, formatNumber(cell.sum, share)),
    make(
      'div',
      {},
      `= ${formatNumber(term?.exponential ?? NaN, share)} ÷ ${formatNumber(cell.sum, share)} = `,
      make('b', { text: written(book, cell.step, cell.value) }),
    ),
  );
}

/** A row with nothing but −∞, in a spec that gives it zeros. */
const zeroedRow = (book: Book, cell: Softmax): HTMLElement =>
  make(
    'div',
    { class: 'equation' },
    make(
      'div',
      {},
      ...told(
        book,
        say('Every key of this [row|column] is {0}: softmax gives NaN.', slot()),
        walkColoured(book, cell.operand),
      ),
    ),
    make(
      'div',
      {},
      ...told(
        book,
        say('This spec gives such a [row|column] {0}.', slot()),
        make('b', { text: written(book, cell.step, cell.value) }),
      ),
    ),
  );

/** Exponentials lie between 0 and 1 and their sum between 1 and m: weights' digits suit both. */
const shareFormat = (book: Book): NumberFormat =>
  formatOf({ magnitude: 1, digits: book.options.digits, weights: true });

/** The whole row: score, less the maximum, exponential, weight. */
export function softmaxTable(book: Book, cell: Softmax): HTMLElement {
  const { terms } = cell;
  const head = [
    '',
    symbolNode(stepOf(book, cell.operand.step)),
    t('− max'),
    'exp',
    '',
    symbolNode(stepOf(book, cell.step)),
  ];
  const table = headed(head);
  const at = ownTerm(cell);
  const most = Math.max(...terms.map((t) => t.weight).filter(Number.isFinite), 0);
  drawRows(table, {
    count: terms.length,
    columns: head.length,
    chosen: largest(
      terms.map((t) => t.weight),
      16,
      at,
    ),
    row: (i) => termRow(book, cell, terms[i] as SoftmaxTerm, i, most),
    summary: (hidden) => othersRow(book, cell, hidden),
    whole: cell.rest === undefined,
  });
  table.append(make('tfoot', {}, totalRow(book, cell)));
  return make('div', { class: 'rows' }, table);
}

/** Where the cell's own term stands among those that a long row is explained with. */
const ownTerm = ({ terms, index }: Softmax): number =>
  terms.findIndex(({ operand }) => operand.index.at(-1) === index.at(-1));

function termRow(book: Book, cell: Softmax, term: SoftmaxTerm, i: number, most: number): HTMLElement {
  const share = shareFormat(book);
  const { operand, shifted, exponential, weight } = term;
  const [label, full] = [
    shortLabel(stepOf(book, cell.step).columnLabels, operand.index.at(-1) ?? i),
    columnName(book, operand),
  ];
  const whole: CellValue = { step: cell.step, index: operand.index, value: weight };
  return make(
    'tr',
    {
      class: i === ownTerm(cell) ? 'lit' : '',
      attributes: { 'data-term': String(i), 'data-exp': repr(exponential), 'data-weight': repr(weight) },
    },
    make('th', { text: label, title: full, attributes: { scope: 'row' } }),
    make('td', {}, walkColoured(book, operand)),
    make('td', {
      text: formatNumber(shifted, formatIn(book, operand.step)),
      attributes: { 'data-shifted': repr(shifted) },
    }),
    make('td', { text: formatNumber(exponential, share) }),
    make('td', { class: 'bar' }, shareBar(weight, most)),
    make('td', {}, walk(book, whole)),
  );
}

function othersRow(book: Book, cell: Softmax, hidden: readonly number[]): HTMLElement {
  const share = shareFormat(book);
  const { rest = { count: 0, exponentials: 0, weights: 0 } } = cell;
  const sum = (of: (t: SoftmaxTerm) => number, start: number): number =>
    hidden.reduce((total, i) => total + of(cell.terms[i] as SoftmaxTerm), start);
  return make(
    'tr',
    { class: 'others' },
    make('th', { text: t('{0} others', hidden.length + rest.count), attributes: { scope: 'row', colspan: '3' } }),
    make('td', {
      text: formatNumber(
        sum((t) => t.exponential, rest.exponentials),
        share,
      ),
    }),
    make('td'),
    make('td', {
      text: written(
        book,
        cell.step,
        sum((t) => t.weight, rest.weights),
      ),
    }),
  );
}

function totalRow(book: Book, cell: Softmax): HTMLElement {
  const max = make('td', {
    text: t('max {0}', written(book, cell.operand.step, cell.max)),
    attributes: { colspan: '2', 'data-max': repr(cell.max) },
  });
  const sum = make('td', {
    text: formatNumber(cell.sum, shareFormat(book)),
    attributes: { 'data-sum': repr(cell.sum) },
  });
  return make(
    'tr',
    { class: 'total' },
    make('th', { text: 'Σ', attributes: { scope: 'row' } }),
    max,
    sum,
    make('td', { attributes: { colspan: '2' } }),
  );
}
