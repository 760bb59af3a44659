/**
 * The width of an element, observed without forcing a layout; `then` is called after a change, at most once for each frame, and not for changes
 * of height. Before the first layout (width 0) the element itself is measured.
 */
export function watchedWidth(element: HTMLElement, then: () => void): () => number {
  let width = 0;
  let frame = 0;
  new ResizeObserver(() => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(then);
  }).observe(element);
  return () => width || element.clientWidth;
}
