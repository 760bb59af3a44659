import { setAttribute } from '../draw';

/**
 * Keeps the timeline at the loosest density that fits, whenever it or the strip in it changes its size. The current step stays visible.
 * The returned function does the same on demand.
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
    // In a panel that becomes narrower, the current step might no longer be visible.
    const button = current();
    if (button) centre(button, timeline);
  });
  new ResizeObserver(() => {
    relink();
    fit();
  }).observe(strip);
  new ResizeObserver(fit).observe(timeline);
  // The fonts of symbols come after the first layout: steps move within a strip whose own size stays.
  document.fonts.addEventListener('loadingdone', fit);
  return fit;
}

/** Runs `act` once in the next frame. Resizing inside a ResizeObserver's callback would trigger the observer again. */
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

/** Densities of the timeline (timeline.css), loosest first. The last scrolls. */
const densities = [undefined, 'close', 'nameless', 'low'] as const;

/** Chooses the loosest density at which the whole timeline is visible. In a low window the pictures of the step need the height. */
function chooseDensity(timeline: HTMLElement): void {
  for (const way of densities) {
    setAttribute(timeline, 'data-tight', way);
    if (timeline.scrollWidth <= timeline.clientWidth) return;
  }
}

/** Moves the name and the shape below the current step inwards at the edges, in the density that shows only these (timeline.css). */
export function keepShapeInside(timeline: HTMLElement): void {
  for (const shape of timeline.querySelectorAll<HTMLElement>('.timeline-shape')) shape.style.translate = '';
  const shape = timeline.matches('[data-tight=low]')
    ? timeline.querySelector<HTMLElement>('[aria-current] .timeline-shape')
    : undefined;
  if (!shape) return;
  const [inner, outer] = [shape.getBoundingClientRect(), timeline.getBoundingClientRect()];
  const by = Math.max(0, outer.left + 2 - inner.left) - Math.max(0, inner.right - outer.right + 2);
  shape.style.translate = `${by}px`;
}

/** Scrolls the strip to the button. `scrollIntoView` would scroll the page as well. */
export function centre(button: HTMLElement, timeline: HTMLElement): void {
  const [inner, outer] = [button.getBoundingClientRect(), timeline.getBoundingClientRect()];
  if (inner.left >= outer.left + 24 && inner.right <= outer.right - 24) return;
  timeline.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
}
