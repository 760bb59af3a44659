import { setAttribute } from '../draw';

/**
 * Draws the timeline as loosely as fits, with its links, whenever it or the strip in it changes its size; what it gives does so for another
 * reason. The current stop stays in sight.
 */
export function keepFitted(
  timeline: HTMLElement,
  strip: HTMLElement,
  relink: () => void,
  current: () => HTMLElement | undefined,
): () => void {
  const fit = inNextFrame(() => {
    chooseDensity(timeline);
    relink();
    // A panel that becomes narrower would hide where one is.
    const button = current();
    if (button) centre(button, timeline);
  });
  new ResizeObserver(() => {
    relink();
    fit();
  }).observe(strip);
  new ResizeObserver(fit).observe(timeline);
  return fit;
}

/** Once, however often it is asked for before then: what resizes in an observer's own turn is observed again. */
function inNextFrame(act: () => void): () => void {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      act();
    });
  };
}

/** Ways to draw the timeline closer (timeline.css), the loosest first: from the third on what comes before the scores has a row of its own. */
const densities = [undefined, 'close', 'nameless', 'rows', 'small-rows', 'wrapped'] as const;

/** As loose as lets the whole timeline be seen. */
function chooseDensity(timeline: HTMLElement): void {
  for (const way of densities) {
    setAttribute(timeline, 'data-tight', way);
    if (timeline.scrollWidth <= timeline.clientWidth) return;
  }
}

/** The shape below a current step at the edge, where shapes stand alone (timeline.css). */
export function keepShapeInside(timeline: HTMLElement): void {
  for (const shape of timeline.querySelectorAll<HTMLElement>('.timeline-shape')) shape.style.translate = '';
  const shape = timeline.matches('[data-tight=wrapped]')
    ? timeline.querySelector<HTMLElement>('[aria-current] .timeline-shape')
    : undefined;
  if (!shape) return;
  const [inner, outer] = [shape.getBoundingClientRect(), timeline.getBoundingClientRect()];
  const by = Math.max(0, outer.left + 2 - inner.left) - Math.max(0, inner.right - outer.right + 2);
  shape.style.translate = `${by}px`;
}

/** Scrolls the strip alone: `scrollIntoView` would move the page as well. */
export function centre(button: HTMLElement, timeline: HTMLElement): void {
  const [inner, outer] = [button.getBoundingClientRect(), timeline.getBoundingClientRect()];
  if (inner.left >= outer.left + 24 && inner.right <= outer.right - 24) return;
  timeline.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
}
