import { make } from '../heatmap';

/** A bar from the middle, to the right for a positive number and to the left for a negative one. */
export function signedBar(value: number, largest: number): HTMLElement {
  const share = largest > 0 && Number.isFinite(value) ? Math.min(1, Math.abs(value) / largest) : 0;
  const bar = make('i', { class: value < 0 ? 'negative' : 'positive' });
  bar.style.width = `${50 * share}%`;
  bar.style.marginLeft = `${value < 0 ? 50 - 50 * share : 50}%`;
  return make('span', { class: 'signed-bar', attributes: { 'aria-hidden': 'true' } }, bar);
}

/** A bar from the left in the colour of weights; the row's largest weight has the full length. */
export function shareBar(value: number, largest: number): HTMLElement {
  const bar = make('i');
  bar.style.width = `${largest > 0 && Number.isFinite(value) ? Math.min(1, Math.max(0, value) / largest) * 100 : 0}%`;
  return make('span', { class: 'share-bar', attributes: { 'aria-hidden': 'true' } }, bar);
}
