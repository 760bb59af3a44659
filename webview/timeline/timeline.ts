import { t, type Slice, type Step } from '../../engine/index';
import { centre, keepFitted, keepShapeInside } from './fit';
import { drawLinks } from './arrows';
import { drawStops, drawThumb, keyOf, type Stops } from './step-buttons';
import { firstSlice, type TraceHandle } from '../trace';
import { h, setAttribute } from '../draw';

export interface Road {
  readonly element: HTMLElement;
  /** Draws the steps of a trace, or redraws their pictures when the steps are the same. */
  update(trace: TraceHandle, current: string, slice: Slice, hidden: (step: Step) => boolean): void;
  /** Colours anew, after a change of theme. */
  redraw(): void;
  /** Puts the keyboard on the current step. */
  focus(): void;
}

/** The plan's steps as a map, left to right: where one is, what flows where. Arrow keys walk, Home and End jump. */
export function createRoad(onStep: (id: string) => void): Road {
  const strip = h('div', { class: 'road-strip' });
  const element = h('nav', { class: 'road', 'aria-label': t('Steps') }, strip);
  let stops: Stops = new Map();
  let drawn: TraceHandle | undefined;
  let [key, current] = ['', ''];
  let slice = firstSlice;
  /** What the links and the strip's place depend on, beside its size. */
  let linked = '';
  const relink = (): void => {
    if (drawn) drawLinks(strip, drawn.plan, current);
    keepShapeInside(element);
  };
  const currentButton = (): HTMLElement | undefined => stops.get(current)?.button;
  const fit = keepFitted(element, strip, relink, currentButton);
  const drawTrace = (trace: TraceHandle): void => {
    const nextKey = keyOf(trace.plan);
    if (nextKey !== key) {
      stops = drawStops(strip, trace.plan, onStep);
      fit();
    }
    [key, drawn] = [nextKey, trace];
    stops.forEach((stop) => stop.thumb && drawThumb(stop.thumb, trace, slice));
  };
  return {
    element,
    update(trace, step, next, hidden) {
      const other = next.head !== slice.head || next.batch !== slice.batch;
      slice = next;
      if (trace !== drawn || other) drawTrace(trace);
      current = step;
      const hiding = trace.plan.steps.filter(hidden).map(({ id }) => id);
      const links = [key, current, ...hiding].join('|');
      if (links === linked) return;
      linked = links;
      for (const [id, { button }] of stops) setAttribute(button, 'data-hidden', hiding.includes(id));
      markCurrent(stops, current);
      // In the frame's own layout: here it would be computed for the links alone, before the stage is drawn.
      requestAnimationFrame(relink);
    },
    redraw() {
      stops.forEach(({ thumb }) => thumb?.drawn?.redraw());
      relink();
    },
    focus: () => currentButton()?.focus(),
  };
}

function markCurrent(stops: Stops, current: string): void {
  for (const [id, { button }] of stops) {
    setAttribute(button, 'aria-current', id === current ? 'step' : undefined);
    button.tabIndex = id === current ? 0 : -1;
  }
  const button = stops.get(current)?.button;
  const road = button?.closest<HTMLElement>('.road');
  if (button && road) centre(button, road);
}
