import { namesApart } from '../../engine/index';

/** From more tokens on, many are equal: each is named with its index. */
const longText = 40;

export const saysPlaces = (labels: readonly unknown[]): boolean => labels.length > longText;

/** The name of one label, the same wherever a cell is named: `cat` and `the (4)` in a sentence, `cat (57)` in a long text. */
export function labelAt(labels: readonly string[], i: number): string {
  const label = labels[i] ?? String(i);
  return saysPlaces(labels) && label !== String(i) ? `${label} (${i})` : (namesApart(labels)[i] ?? label);
}

/** The same for a narrow list that truncates at the end: in a long text `57 the`. */
export function shortLabel(labels: readonly string[], i: number): string {
  const label = labels[i] ?? String(i);
  return saysPlaces(labels) && label !== String(i) ? `${i} ${label}` : labelAt(labels, i);
}
