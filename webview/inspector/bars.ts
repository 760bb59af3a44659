import { make } from '../heatmap';

/** A bar from the middle: to the right where the number adds, to the left where it takes away. Its number stands beside it. */
export function signedBar(value: number, largest: number): HTMLElement {
  const share = largest > 0 && Number.isFinite(value) ? Math.min(1, Math.abs(value) / largest) : 0;
  const bar = make('i', { class: value < 0 ? 'negative' : 'positive' });
  bar.style.width = `${50 * share}%`;
  bar.style.marginLeft = `${value < 0 ? 50 - 50 * share : 50}%`;
  return make('span', { class: 'signed-bar', attributes: { 'aria-hidden': 'true' } }, bar);
}

/** A bar from the left for a weight, in the weights' own colour; the longest is the row's largest. */
export function shareBar(value: number, largest: number): HTMLElement {
  const bar = make('i');
  bar.style.width = `${largest > 0 && Number.isFinite(value) ? Math.min(1, Math.max(0, value) / largest) * 100 : 0}%`;
  return make('span', { class: 'share-bar', attributes: { 'aria-hidden': 'true' } }, bar);
}
