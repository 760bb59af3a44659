import { namesApart } from '../../engine/index';

/** From more tokens on, many are equal: each is named with its index. */
const longText = 40;

export const saysPlaces = (labels: readonly unknown[]): boolean => labels.length > longText;

/**
 * The name of one label in pictures, headings and the inspector: `cat` and `the (4)` in a sentence, `cat (57)` in a long text. What is said in words
 * (sentences, cards, arcs, a prediction's choices) has namesApart, also of a long text: there `cat` has no number if it comes once.
 */
export function labelAt(labels: readonly string[], i: number): string {
  const label = labels[i] ?? String(i);
  return saysPlaces(labels) && label !== String(i) ? `${label} (${i})` : (namesApart(labels)[i] ?? label);
}

/** The same for a narrow list that truncates at the end: in a long text `57 the`. */
export function shortLabel(labels: readonly string[], i: number): string {
  const label = labels[i] ?? String(i);
  return saysPlaces(labels) && label !== String(i) ? `${i} ${label}` : labelAt(labels, i);
}
