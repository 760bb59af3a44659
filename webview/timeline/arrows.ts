import type { Plan } from '../../engine/index';
import { roleClass, setAttribute, svgElement } from '../draw';
import { mainSteps, stepOf } from '../trace';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly middle: number;
  readonly bottom: number;
  readonly centre: number;
  /** The index of its element in the strip. The branches of Q, K and V share one element. */
  readonly place: number;
}

/** The measured positions of all steps. */
interface Layout {
  readonly boxes: ReadonlyMap<string, Box>;
  /** The lower edge of the steps, and of the strip. Longer arrows run between them. */
  readonly floor: number;
  readonly end: number;
}

interface Arrow {
  readonly from: Box;
  readonly to: Box;
  readonly isLive: boolean;
  readonly role: string;
  /** Of a longer arrow, counted from above. Arrows out of one step are one line that parts; no other runs in it beside them. */
  lane?: number;
}

/**
 * Draws the dataflow: an arrow from each step to every step that takes it as an operand. Neighbours are joined directly. A longer
 * arrow (V to the output, E past P) runs below the steps between them, in its role's colour and its own lane.
 */
export function drawArrows(strip: HTMLElement, plan: Plan, current: string): void {
  const layout = measure(strip, plan);
  const svg = svgElement('svg', { class: 'timeline-arrows', 'aria-hidden': 'true' });
  svg.append(arrowHead());
  const arrows = arrowsOf(layout, plan, current);
  const lanes = giveLanes(arrows);
  for (const { from, to, isLive, role, lane } of arrows) {
    const top = layout.floor + gap + 1;
    const height = top + ((layout.end - top) * ((lane ?? 0) + 0.5)) / (lanes + 0.2);
    const d = lane === undefined ? direct(from, to) : below(from, to, height);
    const path = svgElement('path', { d, 'marker-end': 'url(#arrow)' });
    if (isLive || lane !== undefined) setAttribute(path, 'class', `${role}${isLive ? ' live' : ''}`);
    svg.append(path);
  }
  strip.querySelector('.timeline-arrows')?.remove();
  strip.prepend(svg);
}

function arrowsOf({ boxes }: Layout, plan: Plan, current: string): Arrow[] {
  const arrows: Arrow[] = [];
  for (const step of mainSteps(plan)) {
    for (const id of step.operands) {
      const [from, to] = [boxes.get(id), boxes.get(step.id)];
      // Of steps that are folded together only the arrows into and out of them are drawn, each once.
      if (!from || !to || from === to) continue;
      const isLive = step.id === current;
      if (!isLive && arrows.some((arrow) => arrow.from === from && arrow.to === to)) continue;
      arrows.push({ from, to, isLive, role: roleClass(stepOf(plan, id)?.role ?? step.role) });
    }
  }
  return arrows;
}

/**
 * Gives the longer arrows out of each step a lane, below those of shorter ones that run beside them, so that the fewest cross. Returns how many
 * lanes there are.
 */
function giveLanes(arrows: readonly Arrow[]): number {
  const long = arrows.filter(({ from, to }) => to.place - from.place > 1);
  const ends = new Map<Box, number>();
  for (const { from, to } of long) ends.set(from, Math.max(to.centre, ends.get(from) ?? 0));
  const wires = [...ends].sort(([a, end], [b, other]) => end - a.right - (other - b.right));
  const lanes = new Map<Box, number>();
  for (const [from, end] of wires) {
    const beside = [...lanes].filter(([other]) => other.right < end + 4 && from.right < (ends.get(other) ?? 0) + 4);
    lanes.set(from, Math.max(-1, ...beside.map(([, lane]) => lane)) + 1);
  }
  for (const arrow of long) arrow.lane = lanes.get(arrow.from) ?? 0;
  return Math.max(0, ...lanes.values()) + 1;
}

function measure(strip: HTMLElement, plan: Plan): Layout {
  const origin = strip.getBoundingClientRect();
  const items = [...strip.querySelectorAll(':scope > .timeline-part > *')];
  const floor = Math.max(0, ...items.map((item) => item.getBoundingClientRect().bottom - origin.top));
  const boxes = new Map<string, Box>();
  const folded = new Map<string, Box>();
  for (const { id, group } of mainSteps(plan)) {
    const own = strip.querySelector(`[data-step="${id}"]`);
    const button = own ?? (group && strip.querySelector(`[data-group="${group.id}"]`));
    const known = own || !group ? undefined : folded.get(group.id);
    if (known) boxes.set(id, known);
    if (!button || known) continue;
    const box = boxOf(button, origin, items);
    boxes.set(id, box);
    if (!own && group) folded.set(group.id, box);
  }
  return { boxes, floor, end: origin.height };
}

function boxOf(button: Element, origin: DOMRect, items: readonly Element[]): Box {
  const own = button.getBoundingClientRect();
  // A step's inputs are to its right, so its arrows start to the right of them.
  const outer = (button.parentElement ?? button).getBoundingClientRect();
  const thumb = (button.querySelector('.thumb') ?? button).getBoundingClientRect();
  return {
    left: outer.left - origin.left,
    right: outer.right - origin.left,
    middle: thumb.top + thumb.height / 2 - origin.top,
    bottom: own.bottom - origin.top,
    centre: own.left + own.width / 2 - origin.left,
    place: items.findIndex((item) => item.contains(button)),
  };
}

const gap = 3;

/** A straight line, or one with two bends where the heights differ. */
function direct(from: Box, to: Box): string {
  // In a narrow gap the arrow head is shortened, so that it does not cover the inputs.
  const [x0, x1] = [from.right + 1, to.left - Math.min(gap, Math.max(0, to.left - from.right - 6))];
  if (Math.abs(from.middle - to.middle) < 1) return `M${x0} ${from.middle}H${x1}`;
  const bend = to.left - (to.left - from.right) / 2;
  return `M${x0} ${from.middle}H${bend}V${to.middle}H${x1}`;
}

/** Out of the right side, down to its lane, along it, and up into the step from below. */
function below(from: Box, to: Box, lane: number): string {
  const out = from.right + 4;
  return `M${from.right + 1} ${from.middle}H${out}V${lane}H${to.centre}V${to.bottom + gap}`;
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
