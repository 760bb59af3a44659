import {
  marginOf,
  say,
  shownSoftmax,
  signOf,
  slot,
  t,
  type CellExplanation,
  type CellValue,
  type ShownShare,
  type ShownSoftmax,
  type SoftmaxTerm,
} from '../../engine/index';
import { make } from '../heatmap';
import { shortLabel } from '../trace';
import { formatOf, repr, type NumberFormat } from '../draw';
import {
  columnName,
  inColumn,
  marginNote,
  placesIn,
  resultText,
  stepOf,
  symbolNode,
  pointPadding,
  sentenceNodes,
  colouredValueButton,
  shownValueButton,
  formattedValue,
  type InspectorContext,
} from './layout';
import { drawRows, headed, shownWhole } from './rows';
import { largest } from '../product';
import { shareBar } from './bars';

type Softmax = Extract<CellExplanation, { kind: 'softmax' }>;

/** exp(score − max) / sum with the cell's numbers, and the whole row. */
export function softmaxParts(book: InspectorContext, cell: Softmax): HTMLElement[] {
  if (cell.zeroed) return [zeroedRow(book, cell)];
  const chosen = cell.terms.length > shownWhole ? chosenOf(cell) : undefined;
  const shown = shownSoftmax(cell, placesIn(book), shareFormat(book), chosen);
  return [softmaxEquation(book, cell, shown), ...originsOf(book, cell, shown), ...softmaxTable(book, cell, shown)];
}

/** Indices of the largest weights of a long row, and of the cell's own. */
const chosenOf = (cell: Softmax): number[] =>
  largest(
    cell.terms.map((t) => t.weight),
    16,
    ownTerm(cell),
  );

function softmaxEquation(book: InspectorContext, cell: Softmax, shown: ShownSoftmax): HTMLElement {
  const { dtype } = book.trace.spec;
  const own = shown.terms.find(({ at }) => at === ownTerm(cell));
  if (!own) return make('div', { class: 'equation' });
  const exponential = shown.own ?? own.exponential;
  const margin = marginOf(exponential, dtype);
  return make(
    'div',
    { class: 'equation' },
    make(
      'div',
      {},
      'exp(',
      colouredValueButton(book, cell.operand, own.score.text),
      ` − ${shown.max.text}) ÷ ${shown.sum.text}`,
    ),
    make(
      'div',
      {},
      `${signOf(exponential)} ${exponential.text}${margin} ÷ ${shown.sum.text} ${signOf(own.weight)} `,
      make('b', { text: resultText(book, own.weight) }),
    ),
  );
}

/** Where the numbers of the equation come from. */
function originsOf(book: InspectorContext, cell: Softmax, { terms, max, sum }: ShownSoftmax): HTMLElement[] {
  const own = terms.find(({ at }) => at === ownTerm(cell));
  if (!own) return [];
  const text = (of: string): HTMLElement => make('span', { text: of });
  const says = say('{0} is the score, {1} the largest of its [row|column], {2} the sum of all exponentials.', slot(0), slot(1), slot(2)); // prettier-ignore
  return [make('p', { class: 'origins' }, ...sentenceNodes(book, says, text(own.score.text), text(max.text), text(sum.text)))]; // prettier-ignore
}

/** The note for a row of nothing but −∞, in a spec that defines its weights as zeros. */
const zeroedRow = (book: InspectorContext, cell: Softmax): HTMLElement =>
  make(
    'div',
    { class: 'equation' },
    make(
      'div',
      {},
      ...sentenceNodes(
        book,
        say('Every key of this [row|column] is {0}: softmax gives NaN.', slot()),
        colouredValueButton(book, cell.operand, formattedValue(book, cell.operand.step, cell.operand.value)),
      ),
    ),
    make(
      'div',
      {},
      ...sentenceNodes(
        book,
        say('This spec gives such a [row|column] {0}.', slot()),
        make('b', { text: formattedValue(book, cell.step, cell.value) }),
      ),
    ),
  );

/** The number format of exponentials (0 to 1) and their sum (1 to m): that of the weights suits both. */
const shareFormat = (book: InspectorContext): NumberFormat =>
  formatOf({ magnitude: 1, digits: book.options.digits, weights: true });

/** The row as a table: score, score minus maximum, exponential, weight. */
function softmaxTable(book: InspectorContext, cell: Softmax, few: ShownSoftmax): HTMLElement[] {
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
  const most = Math.max(...terms.map((t) => t.weight).filter(Number.isFinite), 0);
  let shown = few;
  let columns = columnsOf(few);
  drawRows(table, {
    count: terms.length,
    columns: head.length,
    chosen: chosenOf(cell),
    row: (i) => termRow(book, cell, shown.terms.find(({ at }) => at === i) as ShownShare, columns, most),
    summary: (hidden) => othersRow(cell, hidden.length, shown),
    whole: cell.rest === undefined,
    onAll: () => {
      shown = shownSoftmax(cell, placesIn(book), shareFormat(book));
      columns = columnsOf(shown);
    },
  });
  table.append(make('tfoot', {}, totalRow(cell, few)));
  const results = few.terms.flatMap(({ shifted, exponential, weight }) => [shifted, exponential, weight]);
  return [make('div', { class: 'rows' }, table), ...marginNote(book, [...results, few.sum])];
}

/** The texts of each column, from which the padding that aligns decimal points is computed. */
type Columns = Readonly<Record<'score' | 'shifted' | 'exponential' | 'weight', readonly string[]>>;

const columnsOf = ({ terms, others, sum }: ShownSoftmax): Columns => ({
  score: terms.map(({ score }) => score.text),
  shifted: terms.map(({ shifted }) => shifted.text),
  exponential: [...terms.map((of) => of.exponential.text), sum.text, ...(others ? [others.exponential.text] : [])],
  weight: [...terms.map(({ weight }) => weight.text), ...(others ? [others.weight.text] : [])],
});

/** Index of the cell's own term among the terms that are shown. */
const ownTerm = ({ terms, index }: Softmax): number =>
  terms.findIndex(({ operand }) => operand.index.at(-1) === index.at(-1));

function termRow(
  book: InspectorContext,
  cell: Softmax,
  shown: ShownShare,
  columns: Columns,
  most: number,
): HTMLElement {
  const { operand, shifted, exponential, weight } = cell.terms[shown.at] as SoftmaxTerm;
  const column = operand.index.at(-1) ?? shown.at;
  const [label, full] = [shortLabel(stepOf(book, cell.step).columnLabels, column), columnName(book, operand)];
  const whole: CellValue = { step: cell.step, index: operand.index, value: weight };
  return make(
    'tr',
    {
      class: shown.at === ownTerm(cell) ? 'lit' : '',
      attributes: { 'data-term': String(shown.at), 'data-exp': repr(exponential), 'data-weight': repr(weight) },
    },
    make('th', { text: label, title: full, attributes: { scope: 'row' } }),
    make('td', {}, colouredValueButton(book, operand, shown.score.text), pointPadding(shown.score.text, columns.score)),
    make('td', {
      text: `${inColumn(shown.shifted)}${pointPadding(shown.shifted.text, columns.shifted)}`,
      attributes: { 'data-shifted': repr(shifted) },
    }),
    make('td', { text: `${inColumn(shown.exponential)}${pointPadding(shown.exponential.text, columns.exponential)}` }),
    make('td', { class: 'bar' }, shareBar(weight, most)),
    make(
      'td',
      {},
      shownValueButton(book, whole, inColumn(shown.weight)),
      pointPadding(shown.weight.text, columns.weight),
    ),
  );
}

function othersRow({ rest }: Softmax, hidden: number, shown: ShownSoftmax): HTMLElement {
  const columns = columnsOf(shown);
  const [exponential, weight] = [shown.others?.exponential.text ?? '', shown.others?.weight];
  return make(
    'tr',
    { class: 'others' },
    make('th', { text: t('{0} others', hidden + (rest?.count ?? 0)), attributes: { scope: 'row', colspan: '3' } }),
    make('td', { text: `${exponential}${pointPadding(exponential, columns.exponential)}` }),
    make('td'),
    make('td', { text: weight ? `${inColumn(weight)}${pointPadding(weight.text, columns.weight)}` : '' }),
  );
}

function totalRow(cell: Softmax, shown: ShownSoftmax): HTMLElement {
  const max = make('td', {
    text: t('max {0}', shown.max.text),
    attributes: { colspan: '2', 'data-max': repr(cell.max) },
  });
  const sum = make('td', {
    text: `${inColumn(shown.sum)}${pointPadding(shown.sum.text, columnsOf(shown).exponential)}`,
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
