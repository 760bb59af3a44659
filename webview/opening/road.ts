import { isUnnamed, namesApart, t, type Step } from '../../engine/index';
import { formatNumber, formatOf, h, roleClass } from '../draw';
import { leadingIndex, sliceRequest, stepOf, type TraceHandle } from '../trace';
import { exchangedWith, secondOf, weightsOf } from './focus';
import { drawOf, weightText } from './plain';
import type { Focus } from './question';

/** Opens a cell's arithmetic: a step, the cell, and its batch and head where the step has them. */
export type OpenCell = (step: string, cell: readonly [number, number], lead: readonly number[]) => void;

/** What makes weights of scores, where one word says it. */
const named: ReadonlySet<string> = new Set(['softmax', 'sigmoid']);

/** How many keys are listed. */
const most = 3;

/**
 * The road from the row to its answer, for the keys that it gives most: how well each matches, its share, and what is taken home. Each heading leads to
 * its step, each number to its arithmetic.
 */
export async function roadOf(trace: TraceHandle, focus: Focus, open: OpenCell): Promise<HTMLElement> {
  const { head, row } = focus;
  const names = namesApart(head.step.columnLabels);
  const around = stepsOf(trace, head.step);
  // Where another head's weights are taken, these are not what is taken home by.
  const steps = exchangedWith(trace.spec, head) === undefined ? around : { ...around, output: undefined };
  const scores = steps.scores && (await rowOfStep(trace, steps.scores, focus));
  const scaled = scores && steps.scaled && (await rowOfStep(trace, steps.scaled, focus));
  const divisor = scaled && divisorOf(scores, scaled);
  const format = formatOf({
    magnitude: Math.max(0, ...(scores ?? []).filter(Number.isFinite).map(Math.abs)),
    digits: 2,
  });
  const [shown, others] = largestKeys(focus);
  const to = (step: Step, column: number): void => open(step.id, [row, column], leadOf(trace, step, focus));
  const heading = (step: Step | undefined, name: string, how: string, column: number): HTMLElement | undefined => {
    if (!step) return undefined;
    const button = h('button', { type: 'button', class: 'text-link', 'data-key': `road-${step.id}`, title: step.words.name }, name); // prettier-ignore
    button.addEventListener('click', () => to(step, column));
    return h('th', { scope: 'col' }, button, h('span', { class: 'opening-how' }, how));
  };
  const number = (step: Step, key: number, id: string, text: string): HTMLElement => {
    const button = h('button', { type: 'button', class: 'text-link', 'data-key': `${id}-${key}`, title: t('Show the arithmetic') }, text); // prettier-ignore
    button.addEventListener('click', () => to(step, key));
    return button;
  };
  const keyName = (key: number): string => (isUnnamed(names) ? t('row {0}', key) : (names[key] ?? ''));
  const rowOfKey = (key: number): HTMLElement => {
    const share = shareOf(focus, key);
    const bar = h('span', { class: 'opening-bar', 'aria-hidden': 'true' });
    bar.style.setProperty('--share', share.toFixed(4));
    return h(
      'tr',
      { 'data-is': key === focus.key && drawOf(focus) === undefined },
      h('th', { scope: 'row' }, keyName(key)),
      scores &&
        steps.scores &&
        h('td', {}, number(steps.scores, key, 'score', formatNumber(scores[key] ?? NaN, format))),
      h(
        'td',
        {},
        h('span', { class: 'opening-shared' }, number(head.step, key, 'share', weightText(focus, share)), bar),
      ),
      steps.output && h('td', {}, '× ', h('var', { class: roleClass('value') }, 'v', h('sub', {}, names[key] ?? ''))),
    );
  };
  return h(
    'table',
    { class: 'opening-road', 'aria-label': t('From the match to the answer') },
    h('thead', {}, h('tr', {}, h('td', {}), heading(steps.scores, t('Match'), 'q · k', focus.key), heading(head.step, t('Weight'), [...(divisor === undefined ? [] : [`÷ ${divisor}`]), ...(named.has(head.step.call.op) ? [head.step.call.op] : [])].join(', '), focus.key), heading(steps.output, t('Take home'), t('weight × v'), 0))), // prettier-ignore
    h('tbody', {}, ...shown.map(rowOfKey), others.length > 0 && othersRow(focus, others, steps.scores !== undefined)),
  );
}

/** What the keys that have no row of their own get together. */
function othersRow(focus: Focus, others: readonly number[], hasScores: boolean): HTMLElement {
  const sum = others.reduce((all, key) => all + shareOf(focus, key), 0);
  return h(
    'tr',
    { class: 'opening-others' },
    h('th', { scope: 'row' }, t('{0} others', others.length)),
    hasScores && h('td', {}),
    h('td', {}, h('span', { class: 'opening-shared' }, h('span', {}, weightText(focus, sum)))),
  );
}

const shareOf = (focus: Focus, key: number): number => weightsOf(focus)[key] ?? 0;

/** The keys that are named in the answer or on the road. */
export const toldKeys = (focus: Focus): readonly number[] => [focus.key, secondOf(focus), ...largestKeys(focus)[0]];

/** The keys that get something, largest first: those that are listed, and the others. */
function largestKeys(focus: Focus): readonly [readonly number[], readonly number[]] {
  const keys = [...weightsOf(focus).keys()].filter((key) => shareOf(focus, key) > 0);
  keys.sort((a, b) => shareOf(focus, b) - shareOf(focus, a));
  // One more is listed rather than told as the other one.
  const at = keys.length === most + 1 ? keys.length : most;
  return [keys.slice(0, at), keys.slice(at)];
}

interface StepsAround {
  readonly scores?: Step;
  readonly scaled?: Step;
  readonly output?: Step;
}

/** The steps before and after the weights, of the same layer. */
function stepsOf({ plan }: TraceHandle, { id }: Step): StepsAround {
  const layer = /^layer\d+_/.exec(id)?.[0] ?? '';
  const scores = stepOf(plan, `${layer}scores`);
  const scaled = stepOf(plan, `${layer}scaled`);
  const output = stepOf(plan, `${layer}headOutputs`) ?? stepOf(plan, `${layer}output`);
  return { ...(scores && { scores }), ...(scaled && { scaled }), ...(output && { output }) };
}

/** What scores are divided by before softmax, as a reader writes it (4, √15); undefined where they are not. */
function divisorOf(scores: Float64Array, scaled: Float64Array): string | undefined {
  const at = scores.findIndex((x, i) => Number.isFinite(x) && x !== 0 && Number.isFinite(scaled[i]));
  const by = (scores[at] ?? NaN) / (scaled[at] ?? NaN);
  const near = (x: number): boolean => Math.abs(x - Math.round(x)) < 1e-6 * x;
  if (!(by > 0) || Math.abs(by - 1) < 1e-9) return undefined;
  if (near(by)) return String(Math.round(by));
  return near(by * by) ? `√${Math.round(by * by)}` : formatNumber(by, formatOf({ magnitude: by, digits: 3 }));
}

const leadOf = (trace: TraceHandle, step: Step, { head }: Focus): readonly number[] =>
  leadingIndex(trace, step, { batch: head.batch, head: head.evidence.head });

/** The row that is asked about, of a step. */
async function rowOfStep(trace: TraceHandle, step: Step, focus: Focus): Promise<Float64Array> {
  const { row } = focus;
  const tile = await trace.read(step.id, { rows: [row, row + 1], ...sliceRequest(leadOf(trace, step, focus)) });
  return Float64Array.from(tile.max);
}
