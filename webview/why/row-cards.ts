import { naiveSoftmax, softmaxJacobian, tensor, traceOf, type CellExplanation, type Step } from '../../engine/index';
import { createThumbnail } from '../heatmap';
import { brief } from '../numbers';
import type { TraceHandle } from '../trace-handle';
import { h } from '../ui';
import { card, facts } from './cards';

type Softmax = Extract<CellExplanation, { kind: 'softmax' }>;

/** The reasons that a row of weights gives by itself, read from the trace: nothing of it is in the engine's insights. */
export async function rowCards(trace: TraceHandle, stepId: string, index: readonly number[]): Promise<HTMLElement[]> {
  const step = trace.plan.steps.find(({ id }) => id === stepId);
  if (!step || trace.preview) return [];
  if (stepId === 'k' && hasOneSource(trace)) return [selfCard(step)];
  if (step.call.op !== 'softmax') return [];
  const cell = await trace.explainCell(stepId, index);
  return cell.kind === 'softmax' ? [naiveCard(trace, step, cell), ...jacobianCard(trace, step, cell)] : [];
}

/** Queries, keys and values are made from the same X. */
const hasOneSource = ({ plan }: TraceHandle): boolean =>
  plan.steps.some(({ id }) => id === 'x') && !plan.steps.some(({ id }) => id === 'context');

const selfCard = (step: Step): HTMLElement => {
  const n = step.shape.at(-2) ?? 0;
  return card(
    'Self-attention, or cross?',
    `Here X makes queries, keys and values alike, so the weights are ${n}×${n}: these rows look at one another.`,
    `In cross-attention keys and values come from another sequence: with m rows there, the weights are ${n}×m.`,
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
  const heads = ['', 'score x', 'exp(x)', 'share of it', 'less max'];
  const lines = order.map((i) => {
    const numbers = [terms[i]?.operand.value, naive.exponentials[i], naive.weights[i], terms[i]?.weight];
    const cells = numbers.map((x) => h('td', {}, brief(x ?? NaN, 3)));
    return h('tr', {}, h('th', { scope: 'row' }, step.columnLabels[i] ?? String(i)), ...cells);
  });
  const sum = h('tr', {}, h('th', { scope: 'row' }, 'sum'), h('td', {}), h('td', {}, brief(naive.sum, 3)));
  const table = h(
    'table',
    { class: 'facts naive' },
    h('thead', {}, h('tr', {}, ...heads.map((head) => (head ? h('th', { scope: 'col' }, head) : h('td', {}))))),
    h('tbody', {}, ...lines, sum),
  );
  return card(
    'What if the maximum stayed?',
    naiveWords(fails, naive.sum, row, spec.dtype),
    h('div', { class: 'facts-scroll' }, table),
  );
}

function naiveWords(fails: boolean, sum: number, row: string, dtype: string): string {
  if (Number.isNaN(sum)) return `Row “${row}” has NaN among its scores: no way of computing it helps.`;
  if (!fails) return `Row “${row}” as the formula has it, in ${dtype}: exp(x) over the sum. Here it does no harm.`;
  return sum === 0
    ? `Row “${row}” as the formula has it, in ${dtype}: every exp(x) is 0, so that each weight is 0/0 = NaN.`
    : `Row “${row}” as the formula has it, in ${dtype}: exp(x) overflows, so that ∞/∞ = NaN is among the weights.`;
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
  const label = `Softmax Jacobian of row ${row}, ${m} by ${m}: ${own} at ${key}, ${key}; ${taken} at ${key}, ${rival}`;
  const picture = h('div', { class: 'jacobian', role: 'img', 'aria-label': label }, pictureOf(trace, step, jacobian));
  return [
    card(
      'What would a change of a score do?',
      `J = ∂a/∂s of row “${row}”: on the diagonal a(1 − a), elsewhere −a·a′. ${wordsOf(weights[at] ?? 0, key)}`,
      picture,
      facts([`∂a/∂s: ${key} by itself`, own], [`${rival} by ${key}`, taken]),
    ),
  ];
}

function wordsOf(weight: number, key: string): string {
  if (weight === 0) return `“${key}” has no weight, so a small change of its score changes nothing.`;
  return weight === 1
    ? `“${key}” has all the weight, so that nothing changes: the row is saturated.`
    : `A higher score of “${key}” takes weight from the other keys.`;
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
