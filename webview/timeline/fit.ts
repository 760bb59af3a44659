import { setAttribute } from '../draw';

/**
 * Draws the road as loosely as fits, with its links, whenever it or the strip in it changes its size; what it gives does so for another
 * reason. The current stop stays in sight.
 */
export function keepFitted(
  road: HTMLElement,
  strip: HTMLElement,
  relink: () => void,
  current: () => HTMLElement | undefined,
): () => void {
  const fit = inNextFrame(() => {
    tighten(road);
    relink();
    // A panel that becomes narrower would hide where one is.
    const button = current();
    if (button) centre(button, road);
  });
  new ResizeObserver(() => {
    relink();
    fit();
  }).observe(strip);
  new ResizeObserver(fit).observe(road);
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

/** Ways to draw the road closer (road.css), the loosest first: from the third on what comes before the scores has a row of its own. */
const ways = [undefined, 'close', 'nameless', 'rows', 'small-rows', 'wrapped'] as const;

/** As loose as lets the whole road be seen. */
function tighten(road: HTMLElement): void {
  for (const way of ways) {
    setAttribute(road, 'data-tight', way);
    if (road.scrollWidth <= road.clientWidth) return;
  }
}

/** The shape below a current step at the edge, where shapes stand alone (road.css). */
export function keepShapeInside(road: HTMLElement): void {
  for (const shape of road.querySelectorAll<HTMLElement>('.road-shape')) shape.style.translate = '';
  const shape = road.matches('[data-tight=wrapped]')
    ? road.querySelector<HTMLElement>('[aria-current] .road-shape')
    : undefined;
  if (!shape) return;
  const [inner, outer] = [shape.getBoundingClientRect(), road.getBoundingClientRect()];
  const by = Math.max(0, outer.left + 2 - inner.left) - Math.max(0, inner.right - outer.right + 2);
  shape.style.translate = `${by}px`;
}

/** Scrolls the strip alone: `scrollIntoView` would move the page as well. */
export function centre(button: HTMLElement, road: HTMLElement): void {
  const [inner, outer] = [button.getBoundingClientRect(), road.getBoundingClientRect()];
  if (inner.left >= outer.left + 24 && inner.right <= outer.right - 24) return;
  road.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
}
