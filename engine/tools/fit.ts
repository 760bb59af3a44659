/* Whether shapes fit together in attention, as NumPy and PyTorch broadcast them; where they do not, the first place, and what would. */
import { formatShape } from '../math';
import { t } from '../text';

export type Shape = readonly number[];

export interface Shapes {
  readonly q: Shape;
  readonly k: Shape;
  readonly v?: Shape;
  readonly mask?: Shape;
}

export interface Fit {
  readonly fits: boolean;
  /** One for each product, as far as they fit; the last says what does not. */
  readonly lines: readonly string[];
}

/** `axis` counts from the end, as −3 does in code. */
type Broadcast = { readonly shape: Shape } | { readonly axis: number; readonly sizes: readonly [number, number] };

function broadcast(a: Shape, b: Shape): Broadcast {
  const shape: number[] = [];
  for (let back = 1; back <= Math.max(a.length, b.length); back++) {
    const [x, y] = [a.at(-back) ?? 1, b.at(-back) ?? 1];
    if (x !== y && x !== 1 && y !== 1) return { axis: back, sizes: [x, y] };
    shape.unshift(x === 1 ? y : x);
  }
  return { shape };
}

const lead = (shape: Shape): Shape => shape.slice(0, -2);
const rows = (shape: Shape): number => shape.at(-2) ?? 0;
const columns = (shape: Shape): number => shape.at(-1) ?? 0;
const turned = (shape: Shape): Shape => [...lead(shape), columns(shape), rows(shape)];
const by = (shape: Shape): string => formatShape(shape);

export function fitOf({ q, k, v, mask }: Shapes): Fit {
  const said: string[] = [];
  const end = (...lines: string[]): Fit => ({ fits: false, lines: [...said, ...lines] });
  if (columns(q) !== columns(k)) return end(...widthMisfit(q, k));
  const scores = broadcast(lead(q), lead(k));
  if ('axis' in scores) return end(...leadMisfit('Q', q, 'K', k, scores.axis, scores.sizes));
  const s = [...scores.shape, rows(q), rows(k)];
  said.push(t('S = Q Kᵀ: {0} · {1} → {2}', by(q), by(turned(k)), by(s)));
  if (mask) {
    const filled = broadcast(s, mask);
    if ('axis' in filled || filled.shape.length > s.length || filled.shape.some((size, i) => size !== s[i]))
      return end(...maskMisfit(mask, s, 'axis' in filled ? filled.axis : undefined));
    said.push(t('The mask {0} is spread over the scores {1}.', by(mask), by(s)), ...maskDoubt(mask, s));
  }
  said.push(t('A = softmax over the last axis of S: {0}', by(s)));
  if (!v) return { fits: true, lines: said };
  if (rows(v) !== rows(k)) return end(...valueMisfit(k, v));
  const output = broadcast(scores.shape, lead(v));
  if ('axis' in output) return end(...leadMisfit('Q', [...scores.shape, rows(q), columns(q)], 'V', v, output.axis, output.sizes)); // prettier-ignore
  said.push(t('O = A V: {0} · {1} → {2}', by(s), by(v), by([...output.shape, rows(q), columns(v)])));
  return { fits: true, lines: said };
}

function widthMisfit(q: Shape, k: Shape): readonly string[] {
  const says = t('K {0} does not fit Q {1}: each dot product needs as many columns in K ({2}) as in Q ({3}).', by(k), by(q), columns(k), columns(q)); // prettier-ignore
  return rows(k) === columns(q)
    ? [says, t('With its last two axes exchanged K would fit: {0}. It may have been transposed already.', by(turned(k)))] // prettier-ignore
    : [says];
}

function valueMisfit(k: Shape, v: Shape): readonly string[] {
  const says = t('V {0} does not fit K {1}: each key needs its own row of V; K has {2} rows, V {3}.', by(v), by(k), rows(k), rows(v)); // prettier-ignore
  return columns(v) === rows(k)
    ? [says, t('With its last two axes exchanged V would fit: {0}.', by(turned(v)))]
    : [says];
}

function leadMisfit(left: string, a: Shape, right: string, b: Shape, back: number, [x, y]: readonly [number, number]): readonly string[] {
  const axis = `−${back + 2}`;
  const says = t('{0} {1} does not fit {2} {3}: axis {4} is {5} in the one and {6} in the other.', right, by(b), left, by(a), axis, y, x);
  if (back === 1 && x > y && x % y === 0)
    return [says, t('{0} = {1}·{2}: if these are heads that share their keys and values (grouped queries), repeat each head of K and V {1} times: repeat_interleave({1}, dim=-3), or enable_gqa=True.', x, x / y, y)];
  const moved = b.length >= 3 ? [...b.slice(0, -3), rows(b), b.at(-3) ?? 1, columns(b)] : b;
  const other = broadcast(lead(a), lead(moved));
  return b.length >= 3 && 'shape' in other && columns(moved) === columns(a)
    ? [says, t('With axes −3 and −2 exchanged {0} would fit: {1}, heads before rows.', right, by(moved))]
    : [says];
} // prettier-ignore

function maskMisfit(mask: Shape, s: Shape, back: number | undefined): readonly string[] {
  const at = back === undefined ? '' : ` ${t('axis {0} is {1} in the mask and {2} in the scores', `−${back}`, mask.at(-back) ?? 1, s.at(-back) ?? 1)}`;
  const says = `${t('The mask {0} cannot be spread over the scores {1}.', by(mask), by(s))}${at}`;
  const [batch] = s;
  if (mask.length === 2 && s.length > 2 && mask[0] === batch && mask[1] === columns(s)) {
    const dims = Array.from({ length: s.length - 2 }, () => 'None').join(', ');
    return [says, t('If its rows are inputs of the batch and its columns keys, mask[:, {0}, :] fits.', dims)];
  }
  return mask.length >= 2 && rows(mask) === columns(s) && columns(mask) === rows(s)
    ? [says, t('With its last two axes exchanged the mask would fit: {0}.', by(turned(mask)))]
    : [says];
} // prettier-ignore

/** A mask of inputs × keys fits by accident where there are as many inputs as queries. */
function maskDoubt(mask: Shape, s: Shape): readonly string[] {
  const isDoubtful = mask.length === 2 && s.length > 2 && s[0] === rows(s) && rows(mask) === rows(s);
  return isDoubtful ? [t('Its rows count as queries. There are as many inputs in the batch: if they are meant, mask[:, None, :] or more axes are needed.')] : []; // prettier-ignore
}
