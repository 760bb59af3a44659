import {
  namesApart,
  naiveSoftmax,
  number,
  say,
  shapeMark,
  signs,
  softmaxJacobian,
  tensor,
  isUnnamed,
  traceOf,
  t,
  type CellExplanation,
  type LinkTarget,
  type Sentence,
  type Step,
  type TokenMark,
} from '../../engine/index';
import { createThumbnail } from '../heatmap';
import { brief, h, prose } from '../draw';
import { shownText, stepOf, type TraceHandle } from '../trace';
import { card, cellAt, facts, scrollBox, type About } from './card';

type Softmax = Extract<CellExplanation, { kind: 'softmax' }>;

/** Cards about one row of weights, computed from the trace here, not by the engine's insights. */
export async function rowCards(trace: TraceHandle, stepId: string, index: readonly number[]): Promise<HTMLElement[]> {
  const step = stepOf(trace.plan, stepId);
  if (!step || trace.preview) return [];
  const about: About = { trace, index, plan: trace.plan, currentStep: step };
  if (step.id === 'k' && hasOneSource(trace)) return [selfCard(about, step)];
  if (step.call.op !== 'softmax') return [];
  const cell = await trace.explainCell(step.id, index);
  // A long row's explanation contains only some of its terms, while these cards need all of them.
  return cell.kind === 'softmax' && !cell.rest
    ? [naiveCard(about, step, cell), ...jacobianCard(about, step, cell)]
    : [];
}

/** Whether queries, keys and values are all computed from X. */
const hasOneSource = ({ plan }: TraceHandle): boolean =>
  plan.steps.some(({ id }) => id === 'x') && !plan.steps.some(({ id }) => id === 'context' || id === 'valueSource');

const selfCard = (about: About, step: Step): HTMLElement => {
  const n = step.shape.at(-2) ?? 0;
  return card(
    about,
    say('Self-attention, or cross?'),
    say(
      'Here queries, keys and values are all made from {X}, so the weights are {0}: these [rows|columns] attend to one another.',
      shapeMark([n, n]),
    ),
    say(
      'In cross-attention keys and values come from another sequence: with m [rows|columns] there, the weights are [{0}×m|m×{0}].',
      n,
    ),
  );
};

// --- softmax without subtracting the maximum ---------------------------------------------

/** Most rows of the table. */
const maxRows = 6;

function naiveCard(about: About, step: Step, { terms, index }: Softmax): HTMLElement {
  const { spec } = about.trace;
  const naive = naiveSoftmax(
    terms.map(({ operand }) => operand.value),
    spec.dtype,
  );
  const fails = naive.weights.some(Number.isNaN);
  const order = terms
    .map((_, i) => i)
    .sort((a, b) => (terms[b]?.operand.value ?? NaN) - (terms[a]?.operand.value ?? NaN))
    .slice(0, maxRows);
  const heads = ['', t('score x'), 'exp(x)', t('exp(x) / sum'), t('with max subtracted')];
  const [row = 0] = index.slice(-2);
  const lines = order.map((i) => {
    const at = (id: string): LinkTarget => cellAt(about, id, row, i);
    const numbers = [
      number(brief(terms[i]?.operand.value ?? NaN, 3), at(step.operands[0] ?? '')),
      brief(naive.exponentials[i] ?? NaN, 3),
      brief(naive.weights[i] ?? NaN, 3),
      number(brief(terms[i]?.weight ?? NaN, 3), at(step.id)),
    ];
    const cells = numbers.map((x) => h('td', {}, ...prose(signs('{0}', x), about)));
    return h('tr', {}, h('th', { scope: 'row' }, namesApart(step.columnLabels)[i] ?? String(i)), ...cells);
  });
  const sum = h('tr', {}, h('th', { scope: 'row' }, t('sum')), h('td', {}), h('td', {}, brief(naive.sum, 3)));
  const table = h(
    'table',
    { class: 'facts naive' },
    h('thead', {}, h('tr', {}, ...heads.map((head) => (head ? h('th', { scope: 'col' }, head) : h('td', {}))))),
    h('tbody', {}, ...lines, sum),
  );
  return card(
    about,
    say('What if the maximum were not subtracted?'),
    naiveWords(fails, naive.sum, rowToken(step, row), spec.dtype),
    scrollBox(t('What if the maximum were not subtracted?'), table),
  );
}

/** The query token of a row of weights, as a mark in a sentence. */
const rowToken = (step: Step, row: number): TokenMark => ({
  kind: 'token',
  token: namesApart(step.rowLabels)[row] ?? '',
  unnamed: isUnnamed(step.rowLabels),
  role: 'query',
  axis: 'row',
});

function naiveWords(fails: boolean, sum: number, row: TokenMark, dtype: string): Sentence {
  if (Number.isNaN(sum))
    return say('[Row|Column] {0} has NaN among its scores, so its weights are NaN however they are computed.', row);
  if (!fails)
    return say(
      '[Row|Column] {0} computed as exp(x) / sum in {1}, without subtracting the maximum. Here that is harmless.',
      row,
      dtype,
    );
  return sum === 0
    ? say(
        '[Row|Column] {0} computed as exp(x) / sum in {1}, without subtracting the maximum: every exp(x) is 0, so each weight is 0/0 = NaN.',
        row,
        dtype,
      )
    : say(
        '[Row|Column] {0} computed as exp(x) / sum in {1}, without subtracting the maximum: exp(x) overflows, so ∞/∞ = NaN is among the weights.',
        row,
        dtype,
      );
}

// --- the Jacobian -----------------------------------------------------------------------

/** With more keys the picture would have more cells than pixels. */
const maxKeys = 128;

function jacobianCard(about: About, step: Step, { terms, index }: Softmax): HTMLElement[] {
  const { trace } = about;
  const weights = terms.map(({ weight }) => weight);
  const m = weights.length;
  if (m < 2 || m > maxKeys || weights.some(Number.isNaN)) return [];
  const [row = 0, at = 0] = index.slice(-2);
  const jacobian = softmaxJacobian(weights);
  const others = weights.map((_, j) => j).filter((j) => j !== at);
  const largest = others.reduce((a, b) => ((weights[b] ?? 0) > (weights[a] ?? 0) ? b : a));
  const own = brief(jacobian[at * m + at] ?? NaN, 3);
  const taken = brief(jacobian[at * m + largest] ?? NaN, 3);
  const [key, rival] = [keyToken(about, step, at), keyToken(about, step, largest)];
  const label = shownText(
    trace.plan,
    say(
      'Softmax Jacobian of [row|column] {0}, {1} by {1}: {2} at {3}, {3}; {4} at {3}, {5}',
      namesApart(step.rowLabels)[row] ?? '',
      m,
      own,
      key.token,
      taken,
      rival.token,
    ),
  );
  const picture = h('div', { class: 'jacobian', role: 'img', 'aria-label': label }, pictureOf(trace, step, jacobian));
  return [
    card(
      about,
      say('What would a change of a score do?'),
      say(
        'J = ∂a/∂s of [row|column] {0}: on the diagonal a(1 − a), elsewhere −a·a′. {1}',
        rowToken(step, row),
        changeOf(weights[at] ?? 0, key),
      ),
      picture,
      facts(about, [say('∂a/∂s: {0:alone} by itself', key), own], [say('{0:alone} by {1:alone}', rival, key), taken]),
    ),
  ];
}

/** The key token of a column of weights, linked to its weight in the current row. */
const keyToken = (about: About, step: Step, column: number): TokenMark => ({
  kind: 'token',
  token: namesApart(step.columnLabels)[column] ?? String(column),
  unnamed: isUnnamed(step.columnLabels),
  role: 'key',
  axis: 'column',
  to: cellAt(about, step.id, about.index.at(-2) ?? 0, column),
});

function changeOf(weight: number, key: TokenMark): Sentence {
  if (weight === 0) return say('{0:alone} has no weight, so a small change of its score changes nothing.', key);
  return weight === 1
    ? say('{0:alone} has all the weight, so that nothing changes: the [row|column] is saturated.', key)
    : say('A higher score of {0:alone} takes weight from the other keys.', key);
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
