import type { Weights } from './weights';
import { indicesByWeight, hasAllLabels, paintArcs, pitchOf, weightsAt, type End, type Side } from './paint';
import { sentence, sideOf, type SideView } from './token-list';
import { h, setAttribute, setText, type NumberFormat } from '../draw';

/** The selected query and key. */
export interface Chosen {
  readonly query: number | undefined;
  readonly key: number | undefined;
}

export interface Plot {
  readonly elements: readonly HTMLElement[];
  select(chosen: Chosen): void;
  redraw(): void;
  destroy(): void;
}

/** Draws all arcs faintly, and over them those of the token that has the pointer or the focus, or else of the selected query. */
export function createPlot(weights: Weights, format: NumberFormat, first: Chosen, onSelect: (end: End) => void): Plot {
  const figure = createFigure(weights, format);
  let chosen = first;
  let pointed: End | undefined;
  let width = -1;
  const drawOwn = (): void => figure.show(pointed ?? endOf(chosen), chosen);
  const redraw = (): void => {
    width = figure.width();
    if (width > 0) figure.paint();
    drawOwn();
  };
  const point = (end: End | undefined): void => {
    if (end?.side === pointed?.side && end?.at === pointed?.at) return;
    pointed = end;
    drawOwn();
  };
  addListeners(figure.plot, figure.sides, weights, { point, onSelect });
  const observer = new ResizeObserver(() => {
    if (figure.width() !== width) redraw();
  });
  observer.observe(figure.middle);
  return {
    elements: [figure.said, figure.plot],
    select(next) {
      chosen = next;
      drawOwn();
    },
    redraw,
    destroy() {
      observer.disconnect();
      figure.stop();
    },
  };
}

type Sides = Readonly<Record<Side, SideView>>;

/** The elements of the plot. Holds no selection. */
interface Figure {
  readonly said: HTMLElement;
  readonly plot: HTMLElement;
  readonly middle: HTMLElement;
  readonly sides: Sides;
  /** Width between the sides, in CSS pixels. */
  width(): number;
  /** Paints all arcs for the current width, a chunk per frame. */
  paint(): void;
  /** Cancels the remaining chunks. */
  stop(): void;
  /** Paints a token's arcs and describes them in words. */
  show(end: End | undefined, chosen: Chosen): void;
}

function createFigure(weights: Weights, format: NumberFormat): Figure {
  const pitch = pitchOf(weights);
  const all = h('canvas', { class: 'arcs-all role-weights', 'aria-hidden': 'true' });
  const own = h('canvas', { class: 'arcs-own', 'aria-hidden': 'true' });
  const middle = h('div', { class: 'arcs-middle' }, all, own);
  middle.style.height = `${pitch * Math.max(weights.queries.length, weights.keys.length)}px`;
  const sides = { query: sideOf('query', weights, pitch, format), key: sideOf('key', weights, pitch, format) };
  const said = h('p', { class: 'arcs-said' });
  const attributes = { class: 'arcs-plot', 'data-labels': hasAllLabels(pitch) };
  const plot = h('div', attributes, sides.query.element, middle, sides.key.element);
  const room = (): { width: number; pitch: number } => ({ width: middle.clientWidth, pitch });
  const painter = createPainter();
  return {
    said,
    plot,
    middle,
    sides,
    width: () => middle.clientWidth,
    paint: () => painter.paint(paintArcs(all, weights, room())),
    stop: painter.stop,
    show(end, chosen) {
      setAttribute(plot, 'data-end', end?.side);
      setAttribute(own, 'class', `arcs-own role-${end?.side ?? 'weights'}`);
      own.hidden = !end;
      if (end) paintArcs(own, weights, room(), end);
      const values = end && weightsAt(weights, end);
      sides.query.show(end, values, chosen.query);
      sides.key.show(end, values, chosen.key);
      setText(said, `${sentence(weights, end, format)}.`);
    },
  };
}

/** Paints a chunk of arcs per frame, as thousands at once would block the page for a second. A new painting cancels the previous one. */
function createPainter(): { paint(more: () => boolean): void; stop(): void } {
  let painting = 0;
  const paintOn = (more: () => boolean, mine: number): void =>
    void requestAnimationFrame(() => {
      if (mine === painting && more()) paintOn(more, mine);
    });
  return { paint: (more) => paintOn(more, ++painting), stop: () => void painting++ };
}

const endOf = ({ query }: Pick<Chosen, 'query'>): End | undefined =>
  query === undefined ? undefined : { side: 'query', at: query };

function addListeners(
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
    const to = end && destinationOf(event.key, end, weights);
    const button = to && sides[to.side].buttons[to.at];
    if (!to || !button) return;
    event.preventDefault();
    event.stopPropagation();
    sides[to.side].buttons.forEach((one) => (one.tabIndex = one === button ? 0 : -1));
    button.focus();
  });
}

/** The token that a key moves to: up and down within a side, left and right along the largest weight. */
function destinationOf(key: string, end: End, weights: Weights): End | undefined {
  const { side, at } = end;
  const size = (side === 'query' ? weights.queries : weights.keys).length;
  const within = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: size - 1 }[key];
  if (within !== undefined) return { side, at: within };
  const across = (side === 'query' ? key === 'ArrowRight' : key === 'ArrowLeft')
    ? indicesByWeight(weightsAt(weights, end))
    : [];
  return across[0] === undefined ? undefined : { side: side === 'query' ? 'key' : 'query', at: across[0] };
}
