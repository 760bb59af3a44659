import type { Lead } from '../../engine/index';

/*
 * Symbols, tokens and numbers in sentences that lead to their steps and cells. All that stand in one box are one stop of the Tab key; the arrow keys
 * go from one to the next.
 */

const leads = '.leads';

/** Follows what is clicked in the box, and walks in it by keys. Once for a box. */
export function leadable(box: HTMLElement, go: (to: Lead) => void): void {
  box.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>(leads) : null;
    const to = button && leadOf(button);
    if (to) go(to);
  });
  box.addEventListener('keydown', (event) => walkByKey(box, event));
}

/** The first of what leads somewhere is the box's stop of the Tab key. For nodes that are about to be shown. */
export function withStop(nodes: readonly Node[]): readonly Node[] {
  for (const node of nodes) {
    const first = node instanceof Element ? (node.matches(leads) ? node : node.querySelector(leads)) : null;
    if (!first) continue;
    first.setAttribute('tabindex', '0');
    break;
  }
  return nodes;
}

/** The same for what is shown already, where others came or went. */
export function settleStop(box: HTMLElement): void {
  if (!box.querySelector(`${leads}[tabindex="0"]`)) withStop([box]);
}

function leadOf({ dataset }: HTMLElement): Lead | undefined {
  const { to, toRow, toColumn, toLead } = dataset;
  if (to === undefined) return undefined;
  return {
    step: to,
    ...(toRow !== undefined && { row: Number(toRow) }),
    ...(toColumn !== undefined && { column: Number(toColumn) }),
    ...(toLead && { lead: toLead.split(',').map(Number) }),
  };
}

function walkByKey(box: HTMLElement, event: KeyboardEvent): void {
  const all = [...box.querySelectorAll<HTMLElement>(leads)];
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
