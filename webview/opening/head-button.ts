import { h, percent } from '../draw';
import type { Thumbnail } from '../heatmap';
import type { NextToken } from './read';

export interface HeadButton {
  readonly picture: Thumbnail;
  readonly name: string;
  /** What the head does, with its score. */
  readonly kind: string;
  readonly notes?: readonly (HTMLElement | undefined)[];
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** A head as a small picture with its name and what it does. */
export const headButton = ({ picture, name, kind, notes = [], attributes }: HeadButton): HTMLButtonElement =>
  h(
    'button',
    { type: 'button', class: 'opening-head', ...attributes },
    picture.element,
    h('span', { class: 'opening-kind' }, h('span', {}, name), h('strong', {}, kind), ...notes),
  );

/** A row of the likeliest next tokens: the token, a bar, its share, and the share that it had before. */
export function nextToken({ text, share, before }: NextToken): HTMLElement {
  const bar = h('span', { class: 'opening-bar', 'aria-hidden': 'true' });
  bar.style.setProperty('--share', share.toFixed(4));
  if (before !== undefined) bar.style.setProperty('--before', before.toFixed(4));
  const was = before === undefined ? undefined : h('span', { class: 'opening-before' }, percent(before));
  return h('li', {}, h('span', { class: 'opening-next-word' }, text), bar, h('span', {}, percent(share)), was);
}
