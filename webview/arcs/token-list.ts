import { t } from '../../engine/index';
import { attendedBy, attendsTo, columnOf, rowOf, saidName, type Weights } from './weights';
import { indicesByWeight, nonOverlapping, type End, type Side } from './paint';
import { formatNumber, h, setAttribute, type NumberFormat } from '../draw';

/** One side's tokens, each a button. */
export interface SideView {
  readonly element: HTMLElement;
  readonly buttons: readonly HTMLElement[];
  /** Highlights a token's arcs at this side, and the selected token. */
  show(end: End | undefined, values: Float64Array | undefined, selected: number | undefined): void;
}

export function sideOf(side: Side, weights: Weights, pitch: number, format: NumberFormat): SideView {
  const names = side === 'query' ? weights.queries : weights.keys;
  const buttons = names.map((name, at) => {
    const label = sentence(weights, { side, at }, format);
    const button = h(
      'button',
      { type: 'button', class: 'arc-token', 'data-at': at, tabindex: at ? -1 : 0, 'aria-label': label },
      h('span', { class: 'arc-name' }, name),
    );
    button.style.height = `${pitch}px`;
    return button;
  });
  const title = side === 'query' ? t('Queries') : t('Keys');
  const attributes = { class: `arcs-side arcs-${side}`, 'data-side': side, role: 'toolbar', 'aria-label': title };
  const element = h('div', { ...attributes, 'aria-orientation': 'vertical' }, ...buttons);
  const evenly = nonOverlapping([...names.keys()], pitch);
  return {
    element,
    buttons,
    show(end, values, selected) {
      const reached = end && end.side !== side ? values : undefined;
      const most = reached?.reduce((a, b) => (b > a ? b : a), 0) ?? 0;
      const first = end?.side === side ? [end.at] : [];
      const shown = reached
        ? nonOverlapping(indicesByWeight(reached), pitch)
        : nonOverlapping([...first, ...evenly], pitch);
      buttons.forEach((button, at) => {
        const weight = reached?.[at];
        setAttribute(button, 'data-named', shown.has(at));
        setAttribute(button, 'data-on', end?.side === side && end.at === at);
        setAttribute(button, 'aria-pressed', selected === at ? 'true' : undefined);
        button.style.setProperty('--share', String(weight && most > 0 ? weight / most : 0));
        // As data for CSS, not as text: the button's accessible name states the weights from this token's side and would contradict it.
        setAttribute(button, 'data-weight', weight ? formatNumber(weight, format) : undefined);
      });
    },
  };
}

/** The weights of a token in words. */
export function sentence(weights: Weights, end: End | undefined, format: NumberFormat): string {
  if (!end) return t('An arc for each weight, from a query on the left to a key on the right');
  const { queries, keys } = weights;
  return end.side === 'query'
    ? attendsTo(saidName(queries, end.at), rowOf(weights, end.at), keys, format)
    : attendedBy(saidName(keys, end.at), columnOf(weights, end.at), queries, format);
}
