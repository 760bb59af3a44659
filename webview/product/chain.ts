import { t, type CellExplanation, type Step } from '../../engine/index';
import { css, inkOn, scaleOf } from '../draw/colours';
import { make } from '../heatmap/dom';
import { areIndices, labelWidth, readFonts, widestLabel } from '../heatmap/measure';
import { labelAt, saysPlaces, shortLabel } from '../heatmap/state';
import { formatFor, type Summary } from '../heatmap/summary';
import { theme } from '../heatmap/theme';
import { formatNumber, formatOf, type NumberFormat } from '../draw/numbers';

export type Softmax = Extract<CellExplanation, { kind: 'softmax' }>;

export interface ChainInput {
  readonly step: Step;
  readonly summary: Summary;
  readonly operand: Step;
  readonly operandSummary: Summary;
  readonly explained: Softmax;
  readonly column: number;
  readonly digits: number;
  /** Columns that fit; of a longer row the largest weights are shown, the others in one column. */
  readonly columns: number;
  /** What the scores of one query are: a row, or a column. */
  readonly side: (row: string) => string;
}

interface Shown {
  readonly label: string;
  readonly score: string;
  readonly shifted: string;
  readonly exponential: string;
  readonly weight: number;
  readonly at: number | undefined;
}

/** Room of a column for numbers, and for heads as wide as they get (steps.css). */
const [numberRoom, headRoom] = [62, 96];

/** Columns that fit beside the names of the lines. In a long row each head says where it stands, and the last how many others there are. */
export function columnsFitting(width: number, { columnLabels }: Step): number {
  const fonts = readFonts();
  const others = saysPlaces(columnLabels) ? 16 + labelWidth(t('{0} others', columnLabels.length), fonts) : 0;
  const index =
    saysPlaces(columnLabels) && !areIndices(columnLabels) ? labelWidth(`${columnLabels.length} `, fonts) : 0;
  const each = Math.max(numberRoom, Math.min(headRoom, 18 + index + widestLabel(columnLabels, fonts)));
  const fits = others + 130 < width ? Math.floor((width - 130 - others) / each) + (others ? 1 : 0) : 0;
  return Math.max(3, fits);
}

/** A row of scores becoming a row of weights: less the maximum, through exp, divided by the sum. */
export function softmaxChain(input: ChainInput): HTMLElement {
  const { explained, step, operand, summary, operandSummary, digits } = input;
  const scores = formatFor(operand, operandSummary, digits);
  const shown = columnsShown(input);
  const weights = formatFor(step, summary, digits);
  const sum = formatNumber(explained.sum, formatOf({ magnitude: 1, digits, weights: true }));
  const line = (head: Node | string, text: (s: Shown) => string, fill?: Fill): HTMLElement =>
    lineOf(shown, input, head, text, fill);
  const table = make(
    'table',
    { class: 'chain-table' },
    make('thead', {}, headsOf(shown, input)),
    make(
      'tbody',
      {},
      line(make('var', { class: `role-${operand.role}`, text: operand.symbol }), (s) => s.score),
      line(t('− max {0}', formatNumber(explained.max, scores)), (s) => s.shifted),
      line('exp', (s) => s.exponential),
      line(t('÷ sum {0}', sum), (s) => formatNumber(s.weight, weights), colour),
    ),
  );
  return make(
    'div',
    { class: 'chain' },
    make('h3', { text: input.side(labelAt(step.rowLabels, explained.index.at(-2) ?? 0)) }),
    make('div', { class: 'chain-scroll' }, table),
  );
}

/** Gives a cell the colour of its number. */
type Fill = (node: HTMLElement, weight: number, input: ChainInput) => void;

const classOf = ({ at }: Shown, { column }: ChainInput): string => (at === column ? 'lit' : '');

function headsOf(shown: readonly Shown[], input: ChainInput): HTMLElement {
  const heads = shown.map((s) =>
    make('th', { text: s.label, title: s.label, class: classOf(s, input), attributes: { scope: 'col' } }),
  );
  return make('tr', {}, make('td', {}), ...heads);
}

function lineOf(
  shown: readonly Shown[],
  input: ChainInput,
  head: Node | string,
  text: (s: Shown) => string,
  fill: Fill | undefined,
): HTMLElement {
  const cells = shown.map((s) => {
    const node = make('td', { text: text(s), class: classOf(s, input) });
    fill?.(node, s.weight, input);
    return node;
  });
  return make('tr', {}, make('th', { attributes: { scope: 'row' } }, head), ...cells);
}

function columnsShown({ explained, step, operand, operandSummary, digits, columns }: ChainInput): Shown[] {
  const { terms, rest: beyond = { count: 0, exponentials: 0, weights: 0 } } = explained;
  const scores = formatFor(operand, operandSummary, digits);
  const share = formatOf({ magnitude: 1, digits, weights: true });
  // A long row is explained with some of its terms: each says where it stands.
  const at = terms.findIndex(({ operand: { index } }) => index.at(-1) === explained.index.at(-1));
  const one = (i: number): Shown[] => {
    const term = terms[i];
    if (!term) return [];
    const column = term.operand.index.at(-1) ?? i;
    return [
      {
        label: shortLabel(step.columnLabels, column),
        score: formatNumber(term.operand.value, scores),
        shifted: formatNumber(term.shifted, scores),
        exponential: formatNumber(term.exponential, share),
        weight: term.weight,
        at: column,
      },
    ];
  };
  if (terms.length + beyond.count <= columns) return terms.flatMap((_, i) => one(i));
  const kept = largest(
    terms.map((t) => t.weight),
    Math.max(1, columns - 1),
    at,
  );
  const rest = terms.filter((_, i) => !kept.includes(i));
  return [...kept.flatMap(one), othersOf(rest, beyond, share)];
}

/** The terms that have no column of their own, in one. */
function othersOf(terms: Softmax['terms'], beyond: NonNullable<Softmax['rest']>, share: NumberFormat): Shown {
  const count = terms.length + beyond.count;
  const exponentials = terms.reduce((sum, term) => sum + term.exponential, beyond.exponentials);
  return {
    label: count === 1 ? t('1 other') : t('{0} others', count),
    score: '',
    shifted: '',
    exponential: formatNumber(exponentials, share),
    weight: terms.reduce((sum, term) => sum + term.weight, beyond.weights),
    at: undefined,
  };
}

/** Indices of the `count` largest values, in their own order, with `always` among them. */
export function largest(values: readonly number[], count: number, always: number): number[] {
  const order = values.map((_, i) => i).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0));
  const kept = new Set([always, ...order.slice(0, count)].slice(0, Math.max(1, count)));
  for (const i of order) if (kept.size < count) kept.add(i);
  return [...kept].sort((a, b) => a - b);
}

function colour(node: HTMLElement, weight: number, { step, summary }: ChainInput): void {
  if (!Number.isFinite(weight)) return;
  const fill = scaleOf(step, summary, theme())(weight);
  node.style.background = css(fill);
  node.style.color = css(inkOn(fill));
}
