import { t, type CellExplanation, type Step } from '../../engine/index';
import { css, inkOn, scaleOf } from '../colours';
import { make } from '../heatmap/dom';
import { formatFor, type Summary } from '../heatmap/summary';
import { theme } from '../heatmap/theme';
import { formatNumber, formatOf } from '../numbers';

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

/** A row of scores becoming a row of weights: less the maximum, through exp, divided by the sum. */
export function softmaxChain(input: ChainInput): HTMLElement {
  const { explained, step, operand, summary, operandSummary, digits } = input;
  const scores = formatFor(operand, operandSummary, digits);
  const share = formatOf({ magnitude: 1, digits, weights: true });
  const shown = columnsShown(input);
  const weights = formatFor(step, summary, digits);
  const line = (
    head: (Node | string)[],
    text: (s: Shown) => string,
    cell?: (s: Shown, node: HTMLElement) => void,
  ): HTMLElement => {
    const cells = shown.map((s) => {
      const node = make('td', { text: text(s), class: s.at === input.column ? 'lit' : '' });
      cell?.(s, node);
      return node;
    });
    return make('tr', {}, make('th', { attributes: { scope: 'row' } }, ...head), ...cells);
  };
  const number = (x: number): string => formatNumber(x, share);
  const heads = shown.map((s) =>
    make('th', {
      text: s.label,
      title: s.label,
      class: s.at === input.column ? 'lit' : '',
      attributes: { scope: 'col' },
    }),
  );
  const table = make(
    'table',
    { class: 'chain-table' },
    make('thead', {}, make('tr', {}, make('td', {}), ...heads)),
    make(
      'tbody',
      {},
      line([make('var', { class: `role-${operand.role}`, text: operand.symbol })], (s) => s.score),
      line([t('− max {0}', formatNumber(explained.max, scores))], (s) => s.shifted),
      line(['exp'], (s) => s.exponential),
      line(
        [t('÷ sum {0}', number(explained.sum))],
        (s) => formatNumber(s.weight, weights),
        (s, node) => colour(node, s.weight, input),
      ),
    ),
  );
  return make(
    'div',
    { class: 'chain' },
    make('h3', { text: input.side(step.rowLabels[explained.index.at(-2) ?? 0] ?? '') }),
    make('div', { class: 'chain-scroll' }, table),
  );
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
        label: step.columnLabels[column] ?? String(column),
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
  const sum = (of: (t: (typeof terms)[number]) => number, start: number): number =>
    rest.reduce((total, t) => total + of(t), start);
  const count = rest.length + beyond.count;
  const others: Shown = {
    label: count === 1 ? t('1 other') : t('{0} others', count),
    score: '',
    shifted: '',
    exponential: formatNumber(
      sum((t) => t.exponential, beyond.exponentials),
      share,
    ),
    weight: sum((t) => t.weight, beyond.weights),
    at: undefined,
  };
  return [...kept.flatMap(one), others];
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
  const fill = scaleOf(step.kind, summary, theme())(weight);
  node.style.background = css(fill);
  node.style.color = css(inkOn(fill));
}
