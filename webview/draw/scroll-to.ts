/**
 * Scrolls what scrolls around an element to it, within the page: to its start, or only as far as it takes. `scrollIntoView` also scrolls the editor
 * around the page, by the few pixels that it can, which cuts the page's header.
 */
export function scrollTo(element: Element, to: 'start' | 'nearest'): void {
  const own = scrollerOf(element);
  const around = own ?? document.documentElement;
  const [inner, outer] = [
    element.getBoundingClientRect(),
    own?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight },
  ];
  const margin = parseFloat(getComputedStyle(element).scrollMarginTop) || 0;
  const [above, below] = [inner.top - margin - outer.top, inner.bottom - outer.bottom];
  if (to === 'start' || above < 0) around.scrollTop += above;
  else if (below > 0) around.scrollTop += Math.min(below, above);
}

function scrollerOf(element: Element): Element | undefined {
  for (let around = element.parentElement; around; around = around.parentElement)
    if (/auto|scroll/.test(getComputedStyle(around).overflowY) && around.scrollHeight > around.clientHeight)
      return around;
  return undefined;
}
