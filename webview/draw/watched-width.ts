/**
 * The width of an element, observed without forcing a layout; `then` is called after a change, at most once for each frame, and not for changes
 * of height. Before the first layout (width 0) the element itself is measured.
 */
export function watchedWidth(element: HTMLElement, then: () => void): () => number {
  const size = watched(element, then, (before, now) => before.width === now.width);
  return () => size().width;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The same of both. */
export const watchedSize = (element: HTMLElement, then: () => void): (() => Size) =>
  watched(element, then, (before, now) => before.width === now.width && before.height === now.height);

function watched(element: HTMLElement, then: () => void, same: (before: Size, now: Size) => boolean): () => Size {
  const measured = (): Size => ({ width: element.clientWidth, height: element.clientHeight });
  let size: Size = { width: 0, height: 0 };
  let frame = 0;
  new ResizeObserver(() => {
    const now = measured();
    if (same(size, now)) return;
    size = now;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(then);
  }).observe(element);
  return () => (size.width ? size : measured());
}
