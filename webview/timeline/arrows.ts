import type { Plan } from '../../engine/index';
import { roleClass, setAttribute, svgElement } from '../draw';
import { mainSteps, stepOf } from '../trace';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly middle: number;
  readonly bottom: number;
  readonly centre: number;
  /** The index of its element in the strip. The branches of Q, K and V share one element. */
  readonly place: number;
  readonly isBranch: boolean;
  /** The row, counted from the top; a narrow timeline has several. */
  readonly row: number;
}

/** The heights, between two rows, at which longer arrows run: those that stay within the row, and those that go to another row. */
interface Channel {
  readonly within: number;
  readonly across: number;
}

/** The measured positions of all steps. */
interface Layout {
  readonly boxes: ReadonlyMap<string, Box>;
  /** Below each row. */
  readonly channels: readonly Channel[];
  readonly width: number;
}

/**
 * Draws the dataflow: an arrow from each step to every step that takes it as an operand. Neighbours are joined directly. A longer
 * arrow (V to the output, E past P) runs below the steps between them, and between the rows if it goes to another row.
 */
export function drawArrows(strip: HTMLElement, plan: Plan, current: string): void {
  const layout = measure(strip, plan);
  const svg = svgElement('svg', { class: 'timeline-arrows', 'aria-hidden': 'true' });
  svg.append(arrowHead());
  const drawn = new Set<string>();
  for (const step of mainSteps(plan)) {
    for (const id of step.operands) {
      const [from, to] = [layout.boxes.get(id), layout.boxes.get(step.id)];
      // Of steps that are folded together only the arrows into and out of them are drawn, each once.
      if (!from || !to || from === to) continue;
      const d = pathBetween(from, to, layout);
      if (drawn.has(d) && step.id !== current) continue;
      drawn.add(d);
      const path = svgElement('path', { d, 'marker-end': 'url(#arrow)' });
      if (step.id === current) setAttribute(path, 'class', `live ${roleClass(stepOf(plan, id)?.role ?? step.role)}`);
      svg.append(path);
    }
  }
  strip.querySelector('.timeline-arrows')?.remove();
  strip.prepend(svg);
}

function measure(strip: HTMLElement, plan: Plan): Layout {
  const origin = strip.getBoundingClientRect();
  const items = [...strip.querySelectorAll(':scope > .timeline-part > *')];
  const sides = items.map((item) => item.getBoundingClientRect());
  // All elements of a row have the row's height.
  const tops = [...new Set(sides.map(({ top }) => Math.round(top)))];
  const channels = tops.map((_, row) => {
    const bottom = sides.find(({ top }) => Math.round(top) === tops[row])?.bottom ?? 0;
    const next = tops[row + 1] ?? origin.bottom;
    const at = (part: number): number => bottom - origin.top + part * (next - bottom);
    return { within: at(row + 1 < tops.length ? 0.3 : 0.6), across: at(0.65) };
  });
  const boxes = new Map<string, Box>();
  const folded = new Map<string, Box>();
  for (const { id, group } of mainSteps(plan)) {
    const own = strip.querySelector(`[data-step="${id}"]`);
    const button = own ?? (group && strip.querySelector(`[data-group="${group.id}"]`));
    const known = own || !group ? undefined : folded.get(group.id);
    if (known) boxes.set(id, known);
    if (!button || known) continue;
    const box = boxOf(button, { origin, items, sides, tops });
    boxes.set(id, box);
    if (!own && group) folded.set(group.id, box);
  }
  return { boxes, channels, width: origin.width };
}

interface Measured {
  readonly origin: DOMRect;
  readonly items: readonly Element[];
  readonly sides: readonly DOMRect[];
  readonly tops: readonly number[];
}

function boxOf(button: Element, { origin, items, sides, tops }: Measured): Box {
  const own = button.getBoundingClientRect();
  // A step's inputs are to its right, so its arrows start to the right of them.
  const outer = (button.parentElement ?? button).getBoundingClientRect();
  const thumb = (button.querySelector('.thumb') ?? button).getBoundingClientRect();
  const place = items.findIndex((item) => item.contains(button));
  return {
    left: outer.left - origin.left,
    right: outer.right - origin.left,
    top: own.top - origin.top,
    middle: thumb.top + thumb.height / 2 - origin.top,
    bottom: own.bottom - origin.top,
    centre: own.left + own.width / 2 - origin.left,
    place,
    isBranch: items[place]?.classList.contains('timeline-branches') ?? false,
    row: tops.indexOf(Math.round(sides[place]?.top ?? 0)),
  };
}

const gap = 3;

function pathBetween(from: Box, to: Box, layout: Layout): string {
  if (from.row !== to.row) return across(from, to, layout);
  return to.place - from.place <= 1 ? direct(from, to) : below(from, to, layout.channels[from.row]?.within ?? 0);
}

/** A straight line, or one with two bends where the heights differ. */
function direct(from: Box, to: Box): string {
  // In a narrow gap the arrow head is shortened, so that it does not cover the inputs.
  const [x0, x1] = [from.right + 1, to.left - Math.min(gap, Math.max(0, to.left - from.right - 6))];
  if (Math.abs(from.middle - to.middle) < 1) return `M${x0} ${from.middle}H${x1}`;
  const bend = to.left - (to.left - from.right) / 2;
  return `M${x0} ${from.middle}H${bend}V${to.middle}H${x1}`;
}

/** Out of the right side, down to the channel, along it, and up into the step from below. */
function below(from: Box, to: Box, channel: number): string {
  const out = from.right + 4;
  return `M${from.right + 1} ${from.middle}H${out}V${channel}H${to.centre}V${to.bottom + gap}`;
}

/** Down to the channel and along it, past intermediate rows at the right edge, and into the step from above, or into a branch from its left. */
function across(from: Box, to: Box, { channels, width }: Layout): string {
  const down = `M${from.right + 1} ${from.middle}H${Math.min(width - 2, from.right + 4)}V${channels[from.row]?.across ?? 0}`;
  const past = to.row - from.row > 1 ? `H${width - 2}V${channels[to.row - 1]?.across ?? 0}` : '';
  const end = to.isBranch ? `H${to.left - 6}V${to.middle}H${to.left - gap}` : `H${to.centre}V${to.top - gap}`;
  return down + past + end;
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
