import { namesApart, t, type Slice } from '../../engine/index';
import {
  attendedBy,
  attendsTo,
  mostTokens,
  mostColumns,
  readColumn,
  readRow,
  readWeights,
  saidName,
  weightFormat,
  weightsStep,
} from './weights';
import type { End } from './paint';
import { createPlot, type Plot } from './plot';
import { h, nextFrame } from '../draw';
import type { TraceHandle } from '../trace';

export interface ArcsModel {
  readonly trace: TraceHandle;
  readonly slice: Slice;
  readonly digits: number;
  /** The selected query, if the rows of the current step are queries; and the selected key, if it is the weights. */
  readonly query: number | undefined;
  readonly key: number | undefined;
  readonly open: boolean;
  /** Whether the weights are still hidden, to be predicted. */
  readonly hidden: boolean;
}

export interface ArcsActions {
  readonly onToggle: (open: boolean) => void;
  readonly onSelect: (end: End) => void;
  readonly onWeights: () => void;
}

export interface Arcs {
  /** Hidden if the plan has no weights. */
  readonly element: HTMLElement;
  update(model: ArcsModel): void;
  /** Updates the colours after a change of theme. */
  redraw(): void;
}

/** Queries on the left, keys on the right, an arc for each weight. While a token has the pointer or the focus, its arcs are emphasised. */
export function createArcs(actions: ArcsActions): Arcs {
  const body = h('div', { class: 'arcs-body' });
  const element = h('details', { class: 'arcs', hidden: true }, h('summary', {}, t('Who attends to whom')), body);
  let model: ArcsModel | undefined;
  let plot: Plot | undefined;
  let latestRequest = 0;
  element.addEventListener('toggle', () => {
    if (model && element.open !== model.open) actions.onToggle(element.open);
  });
  const draw = async (next: ArcsModel): Promise<void> => {
    const request = ++latestRequest;
    // With many arcs, lets the step's own picture be painted first.
    if (sizeOf(next.trace) > maxArcsInFrame) await nextFrame();
    const weights = request === latestRequest ? await readWeights(next.trace, next.slice) : undefined;
    if (request !== latestRequest) return;
    plot?.destroy();
    plot = weights && createPlot(weights, weightFormat(next.digits), next, actions.onSelect);
    body.replaceChildren(...(plot ? plot.elements : await tooMany(next, actions.onWeights)));
  };
  const same = (a: ArcsModel, b: ArcsModel): boolean =>
    a.trace === b.trace && a.digits === b.digits && a.slice.head === b.slice.head && a.slice.batch === b.slice.batch;
  return {
    element,
    update(next) {
      const before = model;
      model = next;
      element.hidden = next.hidden || weightsStep(next.trace.plan) === undefined || next.trace.preview === true;
      element.open = next.open;
      if (element.hidden || !next.open) return;
      const stays = before && before.open && !before.hidden && same(before, next);
      if (!stays || (!plot && before.query !== next.query)) void draw(next).catch(() => undefined);
      else plot?.select(next);
    },
    redraw: () => plot?.redraw(),
  };
}

/** Up to this many weights, arcs are drawn in the same frame as the step. */
const maxArcsInFrame = 2500;

const sizeOf = ({ plan }: TraceHandle): number => {
  const [queries = 0, keys = 0] = weightsStep(plan)?.shape.slice(-2) ?? [];
  return queries * keys;
};

/** Placeholder in a translated sentence, replaced by a button. */
const linkPlaceholder = '\u0000';

/** What is shown for too many tokens: a link to the matrix, and the selected token's attention in words. */
async function tooMany({ trace, slice, digits, query }: ArcsModel, onWeights: () => void): Promise<HTMLElement[]> {
  const step = weightsStep(trace.plan);
  if (!step) return [];
  const link = h('button', { type: 'button', class: 'text-link' }, t('the matrix'));
  link.addEventListener('click', onWeights);
  const most = Math.max(...step.shape.slice(-2));
  const [before = '', after = ''] = t(
    '{0} tokens: arcs are drawn for up to {1}. All weights are in {2}.',
    most,
    mostTokens,
    linkPlaceholder,
  ).split(linkPlaceholder);
  const sentences = query === undefined ? [] : await attentionText(trace, slice, query, digits);
  return [h('p', {}, before, link, after), ...sentences.map((line) => h('p', { class: 'arcs-said' }, `${line}.`))];
}

/** In words, to which keys a token attends, and by which queries it is attended to. The latter only if queries and keys are the same tokens. */
export async function attentionText(
  trace: TraceHandle,
  slice: Slice,
  token: number,
  digits: number,
): Promise<string[]> {
  const step = weightsStep(trace.plan);
  if (!step || trace.preview || token >= step.rowLabels.length) return [];
  const format = weightFormat(digits);
  const [queries, keys] = [namesApart(step.rowLabels), namesApart(step.columnLabels)];
  const name = saidName(queries, token);
  const row = attendsTo(name, await readRow(trace, step, slice, token), keys, format);
  if (trace.plan.keyTokens !== trace.plan.tokens && !sameTokens(trace)) return [row];
  // A column of weights depends on all rows of scores: a trace that does not hold its values would compute nearly all of them.
  if (queries.length > mostColumns) return [row];
  return [row, attendedBy(name, await readColumn(trace, step, slice, token), queries, format)];
}

export const sameTokens = ({ plan }: TraceHandle): boolean =>
  !plan.steps.some(({ id }) => id === 'context') &&
  plan.tokens.length === plan.keyTokens.length &&
  plan.tokens.every(({ text }, i) => text === plan.keyTokens[i]?.text);
