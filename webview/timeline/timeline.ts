import { t, type Slice, type Step } from '../../engine/index';
import { centre, keepFitted, keepShapeInside } from './fit';
import { drawArrows } from './arrows';
import { drawSteps, drawThumb, layoutKey, type OpenGroups, type StepEntries } from './step-buttons';
import { firstSlice, stepOf, type TraceHandle } from '../trace';
import { h, setAttribute } from '../draw';

export interface Timeline {
  readonly element: HTMLElement;
  /** Draws the steps of a trace, or redraws their pictures when the steps are the same. */
  update(trace: TraceHandle, current: string, slice: Slice, hidden: (step: Step) => boolean): void;
  /** Reads the colours again, after a change of theme. */
  redraw(): void;
  /** Focuses the current step. */
  focus(): void;
}

/** The plan's steps from left to right, with arrows for the dataflow. Arrow keys, Home and End move between steps. */
export function createTimeline(onStep: (id: string) => void): Timeline {
  const strip = h('div', { class: 'timeline-strip' });
  const element = h('nav', { class: 'timeline', 'aria-label': t('Steps') }, strip);
  let entries: StepEntries = new Map();
  let drawn: TraceHandle | undefined;
  let [key, current] = ['', ''];
  let slice = firstSlice;
  /** A key of what the arrows and the scroll position depend on, apart from the size. */
  let linked = '';
  /** Groups that the reader has unfolded; that of the current step is unfolded as long as it is current. */
  const unfolded = new Set<string>();
  const openGroups = (trace: TraceHandle, step: string): OpenGroups => {
    const own = stepOf(trace.plan, step)?.group?.id;
    return own === undefined ? unfolded : new Set([...unfolded, own]);
  };
  const redrawArrows = (): void => {
    if (drawn) drawArrows(strip, drawn.plan, current);
    keepShapeInside(element);
  };
  const currentButton = (): HTMLElement | undefined => entries.get(current)?.button;
  const fit = keepFitted(element, strip, redrawArrows, currentButton);
  const drawTrace = (trace: TraceHandle, open: OpenGroups): void => {
    const nextKey = layoutKey(trace.plan, open);
    if (nextKey !== key) {
      entries = drawSteps(strip, trace.plan, open, onStep, fold);
      fit();
    }
    [key, drawn] = [nextKey, trace];
    entries.forEach((entry) => entry.thumb && drawThumb(entry.thumb, trace, slice));
  };
  const fold = (group: string): void => {
    if (!drawn) return;
    const own = stepOf(drawn.plan, current)?.group?.id === group;
    const open = unfolded.has(group) || own;
    if (open) unfolded.delete(group);
    else unfolded.add(group);
    // The current step stays in view: to fold its group is to go back to the attention.
    if (open && own) onStep('weights');
    drawTrace(drawn, openGroups(drawn, open && own ? 'weights' : current));
    markCurrent(entries, current);
    strip.querySelector<HTMLElement>(`[data-group="${group}"]`)?.focus();
    requestAnimationFrame(redrawArrows);
  };
  return {
    element,
    update(trace, step, next, hidden) {
      const other = next.head !== slice.head || next.batch !== slice.batch;
      slice = next;
      const open = openGroups(trace, step);
      if (trace !== drawn || other || layoutKey(trace.plan, open) !== key) drawTrace(trace, open);
      current = step;
      const hiding = trace.plan.steps.filter(hidden).map(({ id }) => id);
      const links = [key, current, ...hiding].join('|');
      if (links === linked) return;
      linked = links;
      for (const [id, { button }] of entries) setAttribute(button, 'data-hidden', hiding.includes(id));
      markCurrent(entries, current);
      // In the next frame, where layout is computed anyway; measuring now would force a layout for the arrows alone.
      requestAnimationFrame(redrawArrows);
    },
    redraw() {
      entries.forEach(({ thumb }) => thumb?.drawn?.redraw());
      redrawArrows();
    },
    focus: () => currentButton()?.focus(),
  };
}

function markCurrent(entries: StepEntries, current: string): void {
  for (const [id, { button }] of entries) {
    setAttribute(button, 'aria-current', id === current ? 'step' : undefined);
    button.tabIndex = id === current ? 0 : -1;
  }
  const button = entries.get(current)?.button;
  const timeline = button?.closest<HTMLElement>('.timeline');
  if (button && timeline) centre(button, timeline);
}
