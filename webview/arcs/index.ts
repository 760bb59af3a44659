import { t, type Slice } from '../../engine/index';
import {
  attendedBy,
  attendsTo,
  columnOf,
  mostTokens,
  mostColumns,
  readColumn,
  readRow,
  readWeights,
  rowOf,
  weightFormat,
  weightsStep,
  namesOf,
  type Weights,
} from './data';
import { byWeight, hasAllLabels, paintArcs, pitchOf, placed, weightsAt, type End, type Side } from './paint';
import { nextFrame } from '../frame';
import { formatNumber } from '../numbers';
import type { TraceHandle } from '../trace-handle';
import { h, setAttribute, setText } from '../ui';

export interface ArcsModel {
  readonly trace: TraceHandle;
  readonly slice: Slice;
  readonly digits: number;
  /** The query that is selected, if rows are queries where the reader is; and the key, at the weights. */
  readonly query: number | undefined;
  readonly key: number | undefined;
  readonly open: boolean;
  /** The weights are still to be predicted. */
  readonly hidden: boolean;
}

export interface ArcsActions {
  readonly onToggle: (open: boolean) => void;
  readonly onSelect: (end: End) => void;
  readonly onWeights: () => void;
}

export interface Arcs {
  /** Who attends to whom; hidden where no weights are computed. */
  readonly element: HTMLElement;
  update(model: ArcsModel): void;
  /** Colours anew, after a change of theme. */
  redraw(): void;
}

/** Queries on the left, keys on the right, an arc for each weight. A token under pointer or keyboard keeps its own arcs alone. */
export function createArcs(actions: ArcsActions): Arcs {
  const body = h('div', { class: 'arcs-body' });
  const element = h('details', { class: 'arcs', hidden: true }, h('summary', {}, t('Who attends to whom')), body);
  let model: ArcsModel | undefined;
  let plot: Plot | undefined;
  let turn = 0;
  element.addEventListener('toggle', () => {
    if (model && element.open !== model.open) actions.onToggle(element.open);
  });
  const draw = async (next: ArcsModel): Promise<void> => {
    const mine = ++turn;
    // The step's own picture comes first where arcs are many.
    if (sizeOf(next.trace) > fewArcs) await nextFrame();
    const weights = mine === turn ? await readWeights(next.trace, next.slice) : undefined;
    if (mine !== turn) return;
    plot?.destroy();
    plot = weights && createPlot(weights, next, actions);
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

/** Weights whose arcs are drawn along with the step. */
const fewArcs = 2500;

const sizeOf = ({ plan }: TraceHandle): number => {
  const [queries = 0, keys = 0] = weightsStep(plan)?.shape.slice(-2) ?? [];
  return queries * keys;
};

/** Where a button stands in a sentence. */
const hole = '\u0000';

/** The two sentences of the selected token, and the way to the matrix. */
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
    hole,
  ).split(hole);
  const said = query === undefined ? [] : await saidOf(trace, slice, query, digits);
  return [h('p', {}, before, link, after), ...said.map((line) => h('p', { class: 'arcs-said' }, `${line}.`))];
}

/** Whom a token attends to, and who attends to it, in words; the second only where queries and keys are the same tokens. */
export async function saidOf(trace: TraceHandle, slice: Slice, token: number, digits: number): Promise<string[]> {
  const step = weightsStep(trace.plan);
  if (!step || trace.preview || token >= step.rowLabels.length) return [];
  const format = weightFormat(digits);
  const [queries, keys] = [namesOf(step.rowLabels), namesOf(step.columnLabels)];
  const name = queries[token] ?? '';
  const row = attendsTo(name, await readRow(trace, step, slice, token), keys, format);
  if (trace.plan.keyTokens !== trace.plan.tokens && !sameTokens(trace)) return [row];
  // A column of weights takes every row of scores: of a trace that does not hold them, that is all of its work.
  if (queries.length > mostColumns) return [row];
  return [row, attendedBy(name, await readColumn(trace, step, slice, token), queries, format)];
}

export const sameTokens = ({ plan }: TraceHandle): boolean =>
  !plan.steps.some(({ id }) => id === 'context') &&
  plan.tokens.length === plan.keyTokens.length &&
  plan.tokens.every(({ text }, i) => text === plan.keyTokens[i]?.text);

// --- the picture ------------------------------------------------------------------

interface Plot {
  readonly elements: readonly HTMLElement[];
  select(model: Pick<ArcsModel, 'query' | 'key'>): void;
  redraw(): void;
  destroy(): void;
}

function createPlot(weights: Weights, model: ArcsModel, actions: ArcsActions): Plot {
  const pitch = pitchOf(weights);
  const format = weightFormat(model.digits);
  const all = h('canvas', { class: 'arcs-all role-weights', 'aria-hidden': 'true' });
  const own = h('canvas', { class: 'arcs-own', 'aria-hidden': 'true' });
  const middle = h('div', { class: 'arcs-middle' }, all, own);
  const sides = { query: sideOf('query', weights, pitch, format), key: sideOf('key', weights, pitch, format) };
  const said = h('p', { class: 'arcs-said' });
  const plot = h(
    'div',
    { class: 'arcs-plot', 'data-labels': hasAllLabels(pitch) },
    sides.query.element,
    middle,
    sides.key.element,
  );
  let chosen: Pick<ArcsModel, 'query' | 'key'> = model;
  let pointed: End | undefined;
  const room = (): { width: number; pitch: number } => ({ width: middle.clientWidth, pitch });
  const drawOwn = (): void => {
    const end = pointed ?? endOf(chosen);
    setAttribute(plot, 'data-end', end?.side);
    setAttribute(own, 'class', `arcs-own role-${end?.side ?? 'weights'}`);
    own.hidden = !end;
    if (end) paintArcs(own, weights, room(), end);
    const values = end && weightsAt(weights, end);
    sides.query.show(end, values, chosen.query);
    sides.key.show(end, values, chosen.key);
    setText(said, `${sentence(weights, end, format)}.`);
  };
  let painting = 0;
  let width = -1;
  const redraw = (): void => {
    width = middle.clientWidth;
    if (width > 0) paintOn(paintArcs(all, weights, room()), ++painting);
    drawOwn();
  };
  /** Some arcs a frame: thousands at once would hold everything up for a second. */
  const paintOn = (more: () => boolean, mine: number): void =>
    void requestAnimationFrame(() => {
      if (mine === painting && more()) paintOn(more, mine);
    });
  const point = (end: End | undefined): void => {
    if (end?.side === pointed?.side && end?.at === pointed?.at) return;
    pointed = end;
    drawOwn();
  };
  wire(plot, sides, weights, { point, ...actions });
  const observer = new ResizeObserver(() => {
    if (middle.clientWidth !== width) redraw();
  });
  observer.observe(middle);
  middle.style.height = `${pitch * Math.max(weights.queries.length, weights.keys.length)}px`;
  return {
    elements: [said, plot],
    select(next) {
      chosen = next;
      drawOwn();
    },
    redraw,
    destroy() {
      observer.disconnect();
      painting++;
    },
  };
}

const endOf = ({ query }: Pick<ArcsModel, 'query'>): End | undefined =>
  query === undefined ? undefined : { side: 'query', at: query };

function sentence(weights: Weights, end: End | undefined, format: ReturnType<typeof weightFormat>): string {
  if (!end) return t('An arc for each weight, from a query on the left to a key on the right');
  const { queries, keys } = weights;
  return end.side === 'query'
    ? attendsTo(queries[end.at] ?? '', rowOf(weights, end.at), keys, format)
    : attendedBy(keys[end.at] ?? '', columnOf(weights, end.at), queries, format);
}

interface SideView {
  readonly element: HTMLElement;
  readonly buttons: readonly HTMLElement[];
  /** Marks what an end's arcs reach, and the selected token. */
  show(end: End | undefined, values: Float64Array | undefined, selected: number | undefined): void;
}

function sideOf(side: Side, weights: Weights, pitch: number, format: ReturnType<typeof weightFormat>): SideView {
  const names = side === 'query' ? weights.queries : weights.keys;
  const buttons = names.map((name, at) => {
    const label = sentence(weights, { side, at }, format);
    const button = h(
      'button',
      { type: 'button', class: 'arc-token', 'data-at': at, tabindex: at ? -1 : 0, 'aria-label': label },
      h('span', { class: 'arc-name' }, name),
    );
    button.style.height = `${pitch}px`;
    return button;
  });
  const title = side === 'query' ? t('Queries') : t('Keys');
  const attributes = { class: `arcs-side arcs-${side}`, 'data-side': side, role: 'toolbar', 'aria-label': title };
  const element = h('div', { ...attributes, 'aria-orientation': 'vertical' }, ...buttons);
  const evenly = placed([...names.keys()], pitch);
  return {
    element,
    buttons,
    show(end, values, selected) {
      const reached = end && end.side !== side ? values : undefined;
      const most = reached?.reduce((a, b) => (b > a ? b : a), 0) ?? 0;
      const first = end?.side === side ? [end.at] : [];
      const shown = reached ? placed(byWeight(reached), pitch) : placed([...first, ...evenly], pitch);
      buttons.forEach((button, at) => {
        const weight = reached?.[at];
        setAttribute(button, 'data-named', shown.has(at));
        setAttribute(button, 'data-on', end?.side === side && end.at === at);
        setAttribute(button, 'aria-pressed', selected === at ? 'true' : undefined);
        button.style.setProperty('--share', String(weight !== undefined && most > 0 ? weight / most : 0));
        // Its name says the weights the other way round: a text of its own would contradict it.
        setAttribute(button, 'data-weight', weight ? formatNumber(weight, format) : undefined);
      });
    },
  };
}

type Sides = Readonly<Record<Side, SideView>>;

function wire(
  plot: HTMLElement,
  sides: Sides,
  weights: Weights,
  { point, onSelect }: { point: (end: End | undefined) => void; onSelect: (end: End) => void },
): void {
  const endAt = (target: EventTarget | null): End | undefined => {
    const button = target instanceof Element ? target.closest<HTMLElement>('.arc-token') : null;
    const side = button?.closest<HTMLElement>('[data-side]')?.dataset['side'];
    return button && (side === 'query' || side === 'key') ? { side, at: Number(button.dataset['at']) } : undefined;
  };
  plot.addEventListener('pointerover', ({ target }) => point(endAt(target)));
  plot.addEventListener('pointerleave', () => point(endAt(document.activeElement)));
  plot.addEventListener('focusin', ({ target }) => point(endAt(target)));
  plot.addEventListener('focusout', () => point(undefined));
  plot.addEventListener('click', ({ target }) => {
    const end = endAt(target);
    if (end) onSelect(end);
  });
  plot.addEventListener('keydown', (event) => {
    const end = endAt(event.target);
    const to = end && goal(event.key, end, weights);
    const button = to && sides[to.side].buttons[to.at];
    if (!to || !button) return;
    event.preventDefault();
    event.stopPropagation();
    sides[to.side].buttons.forEach((one) => (one.tabIndex = one === button ? 0 : -1));
    button.focus();
  });
}

/** Up and down within a side; across along the strongest arc. */
function goal(key: string, end: End, weights: Weights): End | undefined {
  const { side, at } = end;
  const size = (side === 'query' ? weights.queries : weights.keys).length;
  const within = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: size - 1 }[key];
  if (within !== undefined) return { side, at: within };
  const across = (side === 'query' ? key === 'ArrowRight' : key === 'ArrowLeft')
    ? byWeight(weightsAt(weights, end))
    : [];
  return across[0] === undefined ? undefined : { side: side === 'query' ? 'key' : 'query', at: across[0] };
}
