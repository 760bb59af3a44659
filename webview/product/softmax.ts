import {
  shownSoftmax,
  signOf,
  t,
  type CellExplanation,
  type ShownResult,
  type ShownSoftmax,
  type Step,
} from '../../engine/index';
import { css, formatOf, inkOn, scaleOf } from '../draw';
import { areIndices, formatFor, labelWidth, make, readFonts, theme, widestLabel, type Summary } from '../heatmap';
import { labelAt, saysPlaces, shortLabel } from '../trace';

export type Softmax = Extract<CellExplanation, { kind: 'softmax' }>;

export interface SoftmaxTableInput {
  readonly step: Step;
  readonly summary: Summary;
  readonly operand: Step;
  readonly operandSummary: Summary;
  readonly explained: Softmax;
  readonly column: number;
  readonly digits: number;
  /** How many columns fit. Of a longer row the largest weights are shown, and the others in one column. */
  readonly columns: number;
  /** Names the vector over which softmax runs: a row, or a column if tokens are columns. */
  readonly side: (row: string) => string;
}

interface Shown {
  readonly label: string;
  readonly score: string;
  readonly shifted: string;
  readonly exponential: string;
  readonly share: string;
  readonly weight: number;
  readonly at: number | undefined;
}

/** Column widths in CSS pixels: the least for numbers, and the largest for heads (steps.css). */
const [numberRoom, headRoom] = [62, 96];

/** How many columns fit beside the row headers. In a long row each column's head includes its index, and the last counts the others. */
export function columnsFitting(width: number, { columnLabels }: Step): number {
  const fonts = readFonts();
  const others = saysPlaces(columnLabels) ? 16 + labelWidth(t('{0} others', columnLabels.length), fonts) : 0;
  const index =
    saysPlaces(columnLabels) && !areIndices(columnLabels) ? labelWidth(`${columnLabels.length} `, fonts) : 0;
  const each = Math.max(numberRoom, Math.min(headRoom, 18 + index + widestLabel(columnLabels, fonts)));
  const fits = others + 130 < width ? Math.floor((width - 130 - others) / each) + (others ? 1 : 0) : 0;
  return Math.max(3, fits);
}

/** The softmax of one row, line by line: scores, minus the maximum, exp, divided by the sum. */
export function softmaxTable(input: SoftmaxTableInput): HTMLElement {
  const { explained, step, operand } = input;
  const chosen = chosenOf(input);
  const row = shownRow(input, chosen);
  const shown = columnsShown(input, row);
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
      line(t('− max {0}', row.max.text), (s) => s.shifted),
      line('exp', (s) => s.exponential),
      line(t('÷ sum {0}', withSign(row.sum)), (s) => s.share, colour),
    ),
  );
  const heading = input.side(labelAt(step.rowLabels, explained.index.at(-2) ?? 0));
  // The table may be wider than its box. The box is a tab stop, so that it can be scrolled by keyboard.
  const scroll = { tabindex: '0', role: 'region', 'aria-label': heading };
  return make(
    'div',
    { class: 'chain' },
    make('h3', { text: heading }),
    make('div', { class: 'chain-scroll', attributes: scroll }, table),
  );
}

/** Sets a cell's colours from its value. */
type Fill = (node: HTMLElement, weight: number, input: SoftmaxTableInput) => void;

const classOf = ({ at }: Shown, { column }: SoftmaxTableInput): string => (at === column ? 'lit' : '');

function headsOf(shown: readonly Shown[], input: SoftmaxTableInput): HTMLElement {
  const heads = shown.map((s) =>
    make('th', { text: s.label, title: s.label, class: classOf(s, input), attributes: { scope: 'col' } }),
  );
  return make('tr', {}, make('td', {}), ...heads);
}

function lineOf(
  shown: readonly Shown[],
  input: SoftmaxTableInput,
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

/** Indices of the terms that get a column: all of a short row; of a longer one the largest, and always the selected cell's. */
function chosenOf({ explained, columns }: SoftmaxTableInput): readonly number[] {
  const { terms, rest } = explained;
  if (terms.length + (rest?.count ?? 0) <= columns) return terms.map((_, i) => i);
  const at = terms.findIndex(({ operand: { index } }) => index.at(-1) === explained.index.at(-1));
  return largest(
    terms.map((t) => t.weight),
    Math.max(1, columns - 1),
    at,
  );
}

/** The terms as shown, with digits chosen so that each line follows from the one above. */
function shownRow(input: SoftmaxTableInput, chosen: readonly number[]): ShownSoftmax {
  const { explained, step, summary, operand, operandSummary, digits } = input;
  const [scores, weights] = [formatFor(operand, operandSummary, digits), formatFor(step, summary, digits)];
  const share = formatOf({ magnitude: 1, digits, weights: true });
  return shownSoftmax(explained, (id) => (id === step.id ? weights : scores), share, chosen);
}

const withSign = (result: ShownResult): string => (signOf(result) === '≈' ? `≈ ${result.text}` : result.text);

function columnsShown({ explained, step }: SoftmaxTableInput, row: ShownSoftmax): Shown[] {
  const columns = row.terms.flatMap(({ at, score, shifted, exponential, weight }): Shown[] => {
    const term = explained.terms[at];
    if (!term) return [];
    // A long row is explained by some of its terms, so the column comes from the term, not from its position.
    const column = term.operand.index.at(-1) ?? at;
    const texts = { shifted: withSign(shifted), exponential: withSign(exponential), share: withSign(weight) };
    const label = shortLabel(step.columnLabels, column);
    return [{ label, score: score.text, ...texts, weight: term.weight, at: column }];
  });
  return [...columns, ...othersOf(explained, row)];
}

/** One column for all terms that have none of their own. */
function othersOf({ terms, rest }: Softmax, { terms: kept, others }: ShownSoftmax): Shown[] {
  if (!others) return [];
  const count = terms.length - kept.length + (rest?.count ?? 0);
  const own = new Set(kept.map(({ at }) => at));
  return [
    {
      label: count === 1 ? t('1 other') : t('{0} others', count),
      score: '',
      shifted: '',
      exponential: others.exponential.text,
      share: withSign(others.weight),
      weight: terms.reduce((sum, term, i) => (own.has(i) ? sum : sum + term.weight), rest?.weights ?? 0),
      at: undefined,
    },
  ];
}

/** Indices of the `count` largest values, in ascending order of index, always including `always`. */
export function largest(values: readonly number[], count: number, always: number): number[] {
  const order = values.map((_, i) => i).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0));
  const kept = new Set([always, ...order.slice(0, count)].slice(0, Math.max(1, count)));
  for (const i of order) if (kept.size < count) kept.add(i);
  return [...kept].sort((a, b) => a - b);
}

function colour(node: HTMLElement, weight: number, { step, summary }: SoftmaxTableInput): void {
  if (!Number.isFinite(weight)) return;
  const fill = scaleOf(step, summary, theme())(weight);
  node.style.background = css(fill);
  node.style.color = css(inkOn(fill));
}
