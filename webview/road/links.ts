import type { Plan } from '../../engine/index';
import { roleClass } from '../prose';
import { setAttribute, svgElement } from '../ui';
import { roadOf, stepOf } from '../walk';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly middle: number;
  readonly bottom: number;
  readonly centre: number;
  /** Which element of the strip it is in: lanes share one. */
  readonly place: number;
}

/**
 * Draws what flows where: a line from each step to the steps that take it as an operand. Neighbours are joined
 * directly; a longer way (V to the output, E past P) runs below the steps between.
 */
export function drawLinks(strip: HTMLElement, plan: Plan, current: string): void {
  const boxes = measure(strip, plan);
  const svg = svgElement('svg', { class: 'road-links', 'aria-hidden': 'true' });
  svg.append(arrowHead());
  const floor = strip.clientHeight - 7;
  for (const step of roadOf(plan)) {
    for (const id of step.operands) {
      const [from, to] = [boxes.get(id), boxes.get(step.id)];
      if (!from || !to) continue;
      const near = to.place - from.place <= 1;
      const path = svgElement('path', {
        d: near ? direct(from, to) : below(from, to, floor),
        'marker-end': 'url(#arrow)',
      });
      if (step.id === current) setAttribute(path, 'class', `live ${roleClass(stepOf(plan, id)?.role ?? step.role)}`);
      svg.append(path);
    }
  }
  strip.querySelector('.road-links')?.remove();
  strip.prepend(svg);
}

function measure(strip: HTMLElement, plan: Plan): ReadonlyMap<string, Box> {
  const origin = strip.getBoundingClientRect();
  const items = [...strip.children].filter((child) => child instanceof HTMLElement);
  const boxes = new Map<string, Box>();
  for (const { id } of roadOf(plan)) {
    const button = strip.querySelector(`[data-step="${id}"]`);
    if (!button) continue;
    const own = button.getBoundingClientRect();
    // Its side rooms stand to the right of a step: what leaves the step leaves from behind them.
    const outer = (button.parentElement ?? button).getBoundingClientRect();
    const thumb = (button.querySelector('.thumb') ?? button).getBoundingClientRect();
    boxes.set(id, {
      left: outer.left - origin.left,
      right: outer.right - origin.left,
      middle: thumb.top + thumb.height / 2 - origin.top,
      bottom: own.bottom - origin.top,
      centre: own.left + own.width / 2 - origin.left,
      place: items.findIndex((item) => item.contains(button)),
    });
  }
  return boxes;
}

const gap = 3;

/** A straight line, or one with a step in the middle where the heights differ. */
function direct(from: Box, to: Box): string {
  const [x0, x1] = [from.right + 1, to.left - gap];
  if (Math.abs(from.middle - to.middle) < 1) return `M${x0} ${from.middle}H${x1}`;
  const bend = to.left - (to.left - from.right) / 2;
  return `M${x0} ${from.middle}H${bend}V${to.middle}H${x1}`;
}

/** Out of the side, down to the floor, along it, and up into the step from below. */
function below(from: Box, to: Box, floor: number): string {
  const out = from.right + 4;
  return `M${from.right + 1} ${from.middle}H${out}V${floor}H${to.centre}V${to.bottom + gap}`;
}

function arrowHead(): SVGElement {
  const marker = svgElement('marker', {
    id: 'arrow',
    viewBox: '0 0 6 6',
    refX: 5,
    refY: 3,
    markerWidth: 6,
    markerHeight: 6,
    orient: 'auto',
  });
  marker.append(svgElement('path', { d: 'M1 0.5 5 3 1 5.5' }));
  return marker;
}
