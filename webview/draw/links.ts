import type { Lead } from '../../engine/index';

/*
 * Symbols, tokens and numbers in sentences that lead to their steps and cells. All that stand in one box are one stop of the Tab key; the arrow keys
 * go from one to the next.
 */

const linkSelector = '.sentence-link';

/** Follows what is clicked in the box, and walks in it by keys. Once for a box. */
export function enableLinks(box: HTMLElement, go: (to: Lead) => void): void {
  box.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>(linkSelector) : null;
    const to = button && targetOf(button);
    if (to) go(to);
  });
  box.addEventListener('keydown', (event) => moveByKey(box, event));
}

/** The first of what leads somewhere is the box's stop of the Tab key. For nodes that are about to be shown. */
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

/** The same for what is shown already, where others came or went. */
export function ensureTabStop(box: HTMLElement): void {
  if (!box.querySelector(`${linkSelector}[tabindex="0"]`)) withTabStop([box]);
}

function targetOf({ dataset }: HTMLElement): Lead | undefined {
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
  // At its ends too: what the arrow does elsewhere would come as a surprise.
  event.preventDefault();
  const next = all[to];
  if (!next) return;
  all[at]?.setAttribute('tabindex', '-1');
  next.setAttribute('tabindex', '0');
  next.focus();
}
