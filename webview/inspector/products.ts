import { t, type CellExplanation, type ProductTerm } from '../../engine/index';
import { make } from '../heatmap/dom';
import { labelAt } from '../heatmap/state';
import { isTurned } from '../draw/orientation';
import { formatNumber, repr, type NumberFormat } from '../draw/numbers';
import { columnName, formatIn, rowName, stepOf, symbolNode, walkColoured, type Book } from './book';
import { drawRows, firstAndLargest, headed } from './rows';
import { signedBar } from './bars';

type Products = Extract<CellExplanation, { kind: 'products' }>;

/** `q_cat · k_sat`: the row and the column (or, of a transposed operand, the row) that meet. */
export function meetingNames(book: Book, cell: Products): (Node | string)[] {
  const [term] = cell.terms;
  if (!term) return [t('an empty sum')];
  const step = stepOf(book, cell.step);
  const [left, right] = [stepOf(book, term.left.step), stepOf(book, term.right.step)];
  const below = (text: string): HTMLElement => make('sub', { text });
  const row = make('span', {}, symbolNode(left, true), below(rowName(book, term.left)));
  const transposed = step.call.op === 'matmul' && step.call.transposeB;
  const column = transposed
    ? make('span', {}, symbolNode(right, true), below(rowName(book, term.right)))
    : make(
        'span',
        {},
        symbolNode(right),
        isTurned(book.trace.plan, right)
          ? `[${columnName(book, term.right)}, ·]`
          : `[·, ${columnName(book, term.right)}]`,
      );
  return [row, ' · ', column];
}

/** Each product with its sign as a bar, and the sum as it grows. */
export function productTable(book: Book, cell: Products): HTMLElement {
  const { terms } = cell;
  const [first] = terms;
  const [left, right] = [first && stepOf(book, first.left.step), first && stepOf(book, first.right.step)];
  const sums = formatIn(book, cell.step);
  const heads: (HTMLElement | string)[] = [
    '',
    left ? symbolNode(left, true) : '',
    right ? symbolNode(right, true) : '',
    '×',
    '',
    t('sum'),
  ];
  const table = headed(heads);
  const largest = Math.max(...terms.map((t) => Math.abs(t.product)).filter(Number.isFinite), 0);
  const rows = {
    count: terms.length,
    columns: heads.length,
    chosen: firstAndLargest(
      terms.map((t) => Math.abs(t.product)),
      6,
      10,
    ),
    row: (i: number) => termRow(book, terms[i] as ProductTerm, i, sums, largest),
    summary: (hidden: readonly number[]) => othersRow(cell, hidden, sums),
    whole: cell.rest === undefined,
  };
  drawRows(table, rows);
  table.append(make('tfoot', {}, totalRow(cell, sums)));
  return make('div', { class: 'rows' }, table);
}

function termRow(book: Book, term: ProductTerm, i: number, sums: NumberFormat, largest: number): HTMLElement {
  const { left, right, product, partialSum } = term;
  const label = labelAt(stepOf(book, left.step).columnLabels, left.index.at(-1) ?? i);
  return make(
    'tr',
    { attributes: { 'data-term': String(i), 'data-product': repr(product), 'data-sum': repr(partialSum) } },
    make('th', { text: label, title: label, attributes: { scope: 'row' } }),
    make('td', {}, walkColoured(book, left)),
    make('td', {}, walkColoured(book, right)),
    make('td', { text: formatNumber(product, sums) }),
    make('td', { class: 'bar' }, signedBar(product, largest)),
    make('td', { class: 'partial', text: formatNumber(partialSum, sums) }),
  );
}

/** What the rows that are not shown add up to. */
function othersRow({ terms, rest }: Products, hidden: readonly number[], sums: NumberFormat): HTMLElement {
  const sum = hidden.reduce((total, i) => total + (terms[i]?.product ?? 0), rest?.sum ?? 0);
  return make(
    'tr',
    { class: 'others' },
    make('th', {
      text: t('{0} others', hidden.length + (rest?.count ?? 0)),
      attributes: { scope: 'row', colspan: '3' },
    }),
    make('td', { text: formatNumber(sum, sums) }),
    make('td'),
    make('td'),
  );
}

function totalRow(cell: Products, sums: NumberFormat): HTMLElement {
  return make(
    'tr',
    { class: 'total' },
    make('th', { text: 'Σ', attributes: { scope: 'row', colspan: '5' } }),
    make('td', { text: formatNumber(cell.value, sums), attributes: { 'data-total': repr(cell.value) } }),
  );
}
