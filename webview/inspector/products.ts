import {
  shownProducts,
  t,
  type CellExplanation,
  type ProductTerm,
  type ShownProducts,
  type ShownTerm,
} from '../../engine/index';
import { make } from '../heatmap';
import { isTransposed, labelAt } from '../trace';
import { repr } from '../draw';
import {
  columnName,
  inColumn,
  marginNote,
  placesIn,
  rowName,
  stepOf,
  symbolNode,
  pointPadding,
  colouredValueButton,
  type InspectorContext,
} from './layout';
import { drawRows, firstAndLargest, headed, shownWhole } from './rows';
import { signedBar } from './bars';

type Products = Extract<CellExplanation, { kind: 'products' }>;

/** `q_cat · k_sat`: the names of the row and the column (of a transposed operand, the row) that are multiplied. */
export function meetingNames(book: InspectorContext, cell: Products): (Node | string)[] {
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
        isTransposed(book.trace.plan, right)
          ? `[${columnName(book, term.right)}, ·]`
          : `[·, ${columnName(book, term.right)}]`,
      );
  return [row, ' · ', column];
}

/** A table of the products with a signed bar for each, and the running sum. */
export function productTable(book: InspectorContext, cell: Products): HTMLElement[] {
  const { terms } = cell;
  const [first] = terms;
  const [left, right] = [first && stepOf(book, first.left.step), first && stepOf(book, first.right.step)];
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
  const chosen = firstAndLargest(
    terms.map((t) => Math.abs(t.product)),
    6,
    10,
  );
  const isLong = terms.length > shownWhole;
  let shown = shownProducts(cell, placesIn(book), isLong ? chosen : undefined);
  let columns = columnsOf(shown);
  drawRows(table, {
    count: terms.length,
    columns: heads.length,
    chosen,
    row: (i) => {
      const row = shown.terms.find(({ at }) => at === i);
      return termRow(book, terms[i] as ProductTerm, row as ShownTerm, columns, largest);
    },
    summary: (hidden) => othersRow(cell, hidden.length, shown),
    whole: cell.rest === undefined,
    onAll: () => {
      shown = shownProducts(cell, placesIn(book));
      columns = columnsOf(shown);
    },
  });
  table.append(make('tfoot', {}, totalRow(cell, shown)));
  const results = shown.terms.flatMap(({ product, sum }) => [product, sum]);
  return [make('div', { class: 'rows' }, table), ...marginNote(book, results)];
}

/** The texts of each column, from which the padding that aligns decimal points is computed. */
type Columns = Readonly<Record<'left' | 'right' | 'product' | 'sum', readonly string[]>>;

const columnsOf = ({ terms, others, total }: ShownProducts): Columns => ({
  left: terms.map(({ left }) => left.text),
  right: terms.map(({ right }) => right.text),
  product: [...terms.map(({ product }) => product.text), ...(others ? [others.text] : [])],
  sum: [...terms.map(({ sum }) => sum.text), total.text],
});

function termRow(
  book: InspectorContext,
  term: ProductTerm,
  shown: ShownTerm,
  columns: Columns,
  largest: number,
): HTMLElement {
  const { left, right, product, partialSum } = term;
  const label = labelAt(stepOf(book, left.step).columnLabels, left.index.at(-1) ?? shown.at);
  const sum = `${shown.afterGap ? '… ' : ''}${inColumn(shown.sum)}`;
  return make(
    'tr',
    { attributes: { 'data-term': String(shown.at), 'data-product': repr(product), 'data-sum': repr(partialSum) } },
    make('th', { text: label, title: label, attributes: { scope: 'row' } }),
    make('td', {}, colouredValueButton(book, left, shown.left.text), pointPadding(shown.left.text, columns.left)),
    make('td', {}, colouredValueButton(book, right, shown.right.text), pointPadding(shown.right.text, columns.right)),
    make('td', { text: `${inColumn(shown.product)}${pointPadding(shown.product.text, columns.product)}` }),
    make('td', { class: 'bar' }, signedBar(product, largest)),
    make('td', { class: 'partial', text: `${sum}${pointPadding(shown.sum.text, columns.sum)}` }),
  );
}

/** The row with the sum of the terms that are not shown. */
function othersRow({ rest }: Products, hidden: number, shown: ShownProducts): HTMLElement {
  const text = shown.others?.text ?? '';
  return make(
    'tr',
    { class: 'others' },
    make('th', {
      text: t('{0} others', hidden + (rest?.count ?? 0)),
      attributes: { scope: 'row', colspan: '3' },
    }),
    make('td', { text: `${text}${pointPadding(text, columnsOf(shown).product)}` }),
    make('td'),
    make('td'),
  );
}

function totalRow(cell: Products, shown: ShownProducts): HTMLElement {
  const { total } = shown;
  const name = total.inMatrix === undefined ? 'Σ' : `Σ (${t('{0} in the matrix', total.inMatrix)})`;
  return make(
    'tr',
    { class: 'total' },
    make('th', { text: name, attributes: { scope: 'row', colspan: '5' } }),
    make('td', {
      text: `${inColumn(total)}${pointPadding(total.text, columnsOf(shown).sum)}`,
      attributes: { 'data-total': repr(cell.value) },
    }),
  );
}
