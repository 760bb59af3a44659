import type { LinkTarget } from '../../engine/index';

/*
 * Links in sentences: symbols, tokens and numbers that lead to their steps and cells. All links of one box share one tab stop; the arrow keys move
 * between them (a roving tabindex).
 */

const linkSelector = '.sentence-link';

/** Handles clicks and arrow keys on the links within an element. To be called once per element. */
export function enableLinks(box: HTMLElement, go: (to: LinkTarget) => void): void {
  box.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>(linkSelector) : null;
    const to = button && targetOf(button);
    if (to) go(to);
  });
  box.addEventListener('keydown', (event) => moveByKey(box, event));
}

/** Makes the first link in the nodes the tab stop. For nodes that are not in the page yet. */
export function withTabStop(nodes: readonly Node[]): readonly Node[] {
  for (const node of nodes) {
    const first =
      node instanceof Element ? (node.matches(linkSelector) ? node : node.querySelector(linkSelector)) : null;
    if (!first) continue;
    first.setAttribute('tabindex', '0');
    break;
  }
  return nodes;
}

/** Ensures that an element in the page has a tab stop, after its links changed. */
export function ensureTabStop(box: HTMLElement): void {
  if (!box.querySelector(`${linkSelector}[tabindex="0"]`)) withTabStop([box]);
}

function targetOf({ dataset }: HTMLElement): LinkTarget | undefined {
  const { to, toRow, toColumn, toLead } = dataset;
  if (to === undefined) return undefined;
  return {
    step: to,
    ...(toRow !== undefined && { row: Number(toRow) }),
    ...(toColumn !== undefined && { column: Number(toColumn) }),
    ...(toLead && { lead: toLead.split(',').map(Number) }),
  };
}

function moveByKey(box: HTMLElement, event: KeyboardEvent): void {
  const all = [...box.querySelectorAll<HTMLElement>(linkSelector)];
  const at = all.findIndex((one) => one === event.target);
  if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined) return;
  // Also at the first and last link, so that the key does not reach a handler further out.
  event.preventDefault();
  const next = all[to];
  if (!next) return;
  all[at]?.setAttribute('tabindex', '-1');
  next.setAttribute('tabindex', '0');
  next.focus();
}
