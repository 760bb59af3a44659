import {
  hasColumns,
  naiveSoftmax,
  softmaxJacobian,
  tensor,
  traceOf,
  t,
  type CellExplanation,
  type Step,
} from '../../engine/index';
import { createThumbnail } from '../heatmap/heatmap';
import { brief } from '../draw/numbers';
import type { TraceHandle } from '../compute/trace-handle';
import { h } from '../draw/ui';
import { card, facts, turnWords } from './card';
import { stepOf } from '../page/walk';

type Softmax = Extract<CellExplanation, { kind: 'softmax' }>;

/** The reasons that a row of weights gives by itself, read from the trace: nothing of it is in the engine's insights. */
export async function rowCards(trace: TraceHandle, stepId: string, index: readonly number[]): Promise<HTMLElement[]> {
  const step = stepOf(trace.plan, stepId);
  if (!step || trace.preview) return [];
  const cards = await cardsOf(trace, step, index);
  if (hasColumns(trace.plan)) cards.forEach(turnWords);
  return cards;
}

async function cardsOf(trace: TraceHandle, step: Step, index: readonly number[]): Promise<HTMLElement[]> {
  if (step.id === 'k' && hasOneSource(trace)) return [selfCard(step)];
  if (step.call.op !== 'softmax') return [];
  const cell = await trace.explainCell(step.id, index);
  // A long row is explained with some of its terms: what follows needs them all.
  return cell.kind === 'softmax' && !cell.rest
    ? [naiveCard(trace, step, cell), ...jacobianCard(trace, step, cell)]
    : [];
}

/** Queries, keys and values are made from the same X. */
const hasOneSource = ({ plan }: TraceHandle): boolean =>
  plan.steps.some(({ id }) => id === 'x') && !plan.steps.some(({ id }) => id === 'context');

const selfCard = (step: Step): HTMLElement => {
  const n = step.shape.at(-2) ?? 0;
  return card(
    t('Self-attention, or cross?'),
    t(
      'Here X makes queries, keys and values alike, so the weights are {0}: these rows look at one another.',
      `${n}×${n}`,
    ),
    t('In cross-attention keys and values come from another sequence: with m rows there, the weights are {0}×m.', n),
  );
};

// --- without the maximum --------------------------------------------------------------

/** Rows of the table: more would not make it clearer. */
const mostShown = 6;

function naiveCard({ spec }: TraceHandle, step: Step, { terms, index }: Softmax): HTMLElement {
  const naive = naiveSoftmax(
    terms.map(({ operand }) => operand.value),
    spec.dtype,
  );
  const fails = naive.weights.some(Number.isNaN);
  const row = step.rowLabels[index.at(-2) ?? 0] ?? '';
  const order = terms
    .map((_, i) => i)
    .sort((a, b) => (terms[b]?.operand.value ?? NaN) - (terms[a]?.operand.value ?? NaN))
    .slice(0, mostShown);
  const heads = ['', t('score x'), 'exp(x)', t('share of it'), t('less max')];
  const lines = order.map((i) => {
    const numbers = [terms[i]?.operand.value, naive.exponentials[i], naive.weights[i], terms[i]?.weight];
    const cells = numbers.map((x) => h('td', {}, brief(x ?? NaN, 3)));
    return h('tr', {}, h('th', { scope: 'row' }, step.columnLabels[i] ?? String(i)), ...cells);
  });
  const sum = h('tr', {}, h('th', { scope: 'row' }, t('sum')), h('td', {}), h('td', {}, brief(naive.sum, 3)));
  const table = h(
    'table',
    { class: 'facts naive' },
    h('thead', {}, h('tr', {}, ...heads.map((head) => (head ? h('th', { scope: 'col' }, head) : h('td', {}))))),
    h('tbody', {}, ...lines, sum),
  );
  return card(
    t('What if the maximum stayed?'),
    naiveWords(fails, naive.sum, row, spec.dtype),
    h(
      'div',
      { class: 'facts-scroll', tabindex: '0', role: 'region', 'aria-label': t('What if the maximum stayed?') },
      table,
    ),
  );
}

function naiveWords(fails: boolean, sum: number, row: string, dtype: string): string {
  if (Number.isNaN(sum)) return t('Row “{0}” has NaN among its scores: no way of computing it helps.', row);
  if (!fails)
    return t('Row “{0}” as the formula has it, in {1}: exp(x) over the sum. Here it does no harm.', row, dtype);
  return sum === 0
    ? t('Row “{0}” as the formula has it, in {1}: every exp(x) is 0, so that each weight is 0/0 = NaN.', row, dtype)
    : t(
        'Row “{0}” as the formula has it, in {1}: exp(x) overflows, so that ∞/∞ = NaN is among the weights.',
        row,
        dtype,
      );
}

// --- the Jacobian -----------------------------------------------------------------------

/** Keys beyond this make a picture of more cells than it has pixels. */
const mostKeys = 128;

function jacobianCard(trace: TraceHandle, step: Step, { terms, index }: Softmax): HTMLElement[] {
  const weights = terms.map(({ weight }) => weight);
  const m = weights.length;
  if (m < 2 || m > mostKeys || weights.some(Number.isNaN)) return [];
  const at = index.at(-1) ?? 0;
  const jacobian = softmaxJacobian(weights);
  const [row, key] = [step.rowLabels[index.at(-2) ?? 0] ?? '', step.columnLabels[at] ?? String(at)];
  const others = weights.map((_, j) => j).filter((j) => j !== at);
  const largest = others.reduce((a, b) => ((weights[b] ?? 0) > (weights[a] ?? 0) ? b : a));
  const own = brief(jacobian[at * m + at] ?? NaN, 3);
  const taken = brief(jacobian[at * m + largest] ?? NaN, 3);
  const rival = step.columnLabels[largest] ?? String(largest);
  const label = t(
    'Softmax Jacobian of row {0}, {1} by {1}: {2} at {3}, {3}; {4} at {3}, {5}',
    row,
    m,
    own,
    key,
    taken,
    rival,
  );
  const picture = h('div', { class: 'jacobian', role: 'img', 'aria-label': label }, pictureOf(trace, step, jacobian));
  return [
    card(
      t('What would a change of a score do?'),
      t('J = ∂a/∂s of row “{0}”: on the diagonal a(1 − a), elsewhere −a·a′. {1}', row, wordsOf(weights[at] ?? 0, key)),
      picture,
      facts([t('∂a/∂s: {0} by itself', key), own], [t('{0} by {1}', rival, key), taken]),
    ),
  ];
}

function wordsOf(weight: number, key: string): string {
  if (weight === 0) return t('“{0}” has no weight, so a small change of its score changes nothing.', key);
  return weight === 1
    ? t('“{0}” has all the weight, so that nothing changes: the row is saturated.', key)
    : t('A higher score of “{0}” takes weight from the other keys.', key);
}

function pictureOf(trace: TraceHandle, step: Step, jacobian: Float64Array): HTMLElement {
  const m = step.shape.at(-1) ?? 1;
  const { hiddenBy: _, ...rest } = step;
  const own: Step = { ...rest, id: 'jacobian', kind: 'signed', shape: [m, m], rowLabels: step.columnLabels };
  const values = new Map([['jacobian', tensor('float64', [m, m], jacobian)]]);
  const small = traceOf(trace.spec, { ...trace.plan, steps: [own] }, values, []);
  const read = (request: Parameters<typeof small.read>[1]) => Promise.resolve(small.read('jacobian', request));
  return createThumbnail(own, read, { width: 132, height: 132 }).element;
}
