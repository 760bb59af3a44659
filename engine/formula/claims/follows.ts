/** Printed matrices of a document without code for them: what each follows from, among those before it. */
import { t } from '../../text';
import { boundsOf, type Kind, type Printed } from './things';
import {
  causal,
  exactly,
  farthest,
  fits,
  middle,
  product,
  sameSize,
  softmax,
  softmaxOfAll,
  times,
  turned,
  type Bounded,
} from './bounds';
import { written } from './prints';
import type { Mark } from './mark';

/** One way to get a matrix. Of a wrong one `says` tells what was done. */
interface Way {
  readonly m: Bounded | undefined;
  readonly says?: string;
}

interface Ways {
  readonly right: readonly Way[];
  readonly wrong: readonly Way[];
  /** As which it is told. */
  readonly of: string;
}

/** What stands before a matrix, the last of each kind. */
type Before = Partial<Record<Kind, Bounded>>;

export interface Widths {
  /** Numbers that the text writes for d_k. */
  readonly dK: readonly number[];
  /** Divisors that it writes. */
  readonly divisors: readonly number[];
}

/** What may stand before a matrix: as it is printed, to the digits that are written and by as much as these may be off. */
interface Chain {
  readonly wide: Before;
  readonly tight: Before;
}

export function checkFollowing(matrices: readonly Printed[], widths: Widths): readonly Mark[] {
  const marks: Mark[] = [];
  // Behind a matrix that is wrong, what follows may follow from it or from what it would be.
  const [asPrinted, mended]: readonly [Chain, Chain] = [
    { wide: {}, tight: {} },
    { wide: {}, tight: {} },
  ];
  for (const one of matrices) {
    const bounds = boundsOf(one);
    if (!one.kind || !bounds) continue;
    const rows = exactly(bounds.map((row) => row.map(middle)));
    const isGiven = ['q', 'k', 'v', 'x'].includes(one.kind);
    const found = isGiven ? undefined : judgedBy(one, bounds, [mended, asPrinted], widths);
    if (found) marks.push(found.mark);
    // What whole numbers say is all that they say.
    const wide = isGiven && one.numbers.every(({ value }) => Number.isInteger(value)) ? rows : bounds;
    Object.assign(asPrinted.wide, { [one.kind]: wide });
    Object.assign(asPrinted.tight, { [one.kind]: rows });
    Object.assign(mended.wide, { [one.kind]: found?.best ?? wide });
    Object.assign(mended.tight, { [one.kind]: found?.best ?? rows });
  }
  return marks;
}

interface Judged {
  readonly mark: Mark;
  /** What it would be. */
  readonly best: Bounded;
}

function judgedBy(one: Printed, printed: Bounded, chains: readonly Chain[], widths: Widths): Judged | undefined {
  const all = chains.map(({ wide, tight }) => judged(one, printed, wide, tight, widths));
  return all.every((found) => found) ? all[0] : undefined;
}

function judged(one: Printed, printed: Bounded, wide: Before, tight: Before, widths: Widths): Judged | undefined {
  const [loose, close] = [waysTo(one.kind, wide, widths, printed), waysTo(one.kind, tight, widths, printed)];
  if (!loose || !close || loose.right.every(({ m }) => !m || !sameSize(m, printed))) return undefined;
  const done = close.wrong.find(({ m }) => fits(printed, m));
  const isRight = close.right.some(({ m }) => fits(printed, m));
  if (isRight || (!done && loose.right.some(({ m }) => fits(printed, m)))) return undefined;
  if (done && loose.right.some(({ m }) => fits(printed, m)) && !isTelling(one)) return undefined;
  const best = close.right.filter(({ m }) => m && sameSize(m, printed)).map(({ m }) => m as Bounded).reduce((a, b) => (misses(printed, b) < misses(printed, a) ? b : a)); // prettier-ignore
  const [i, j] = farthest(printed, best) ?? [0, 0];
  const told = t('{0} at [{1}, {2}] does not follow from {3}: it would be {4}.', written(middle(printed[i]?.[j] ?? [NaN, NaN])), i, j, close.of, written(rounded(middle(best[i]?.[j] ?? [NaN, NaN])))); // prettier-ignore
  const mark: Mark = {
    rule: 'follows',
    range: one.range,
    message: done?.says === undefined ? told : `${done.says} ${told}`,
    instead: rowWords(best, i),
  };
  return { mark, best };
}

/** So many digits that another way gives them by chance in one of a hundred thousand cases. */
const isTelling = ({ numbers }: Printed): boolean =>
  numbers.length >= 4 && numbers.every(({ slack }) => slack <= 0.005);

const rounded = (x: number): number => Number(x.toFixed(4));

const rowWords = (m: Bounded, i: number): string => t('Row {0} would be {1}.', i, (m[i] ?? []).map((cell) => written(rounded(middle(cell)))).join(' ')); // prettier-ignore

function misses(printed: Bounded, own: Bounded): number {
  return printed.flat().filter((cell, at) => {
    const width = printed[0]?.length ?? 1;
    const other = own[Math.floor(at / width)]?.[at % width];
    return !other || farthest([[cell]], [[other]]) !== undefined;
  }).length;
}

function waysTo(kind: Kind | undefined, before: Before, widths: Widths, printed: Bounded): Ways | undefined {
  switch (kind) {
    case 'scores':
      return scoresOf(before);
    case 'scaled':
      return scaledOf(before, widths);
    case 'weights':
      return weightsOf(before, widths, printed);
    case 'output':
      return outputOf(before);
    default:
      return undefined;
  }
}

function scoresOf({ q, k }: Before): Ways | undefined {
  if (!q || !k) return undefined;
  const [plain, width] = [product(q, turned(k)), q[0]?.length ?? 1];
  const root = 1 / Math.sqrt(width);
  return {
    of: 'QKᵀ',
    right: [{ m: plain }, { m: product(q, k) }, { m: plain && times(plain, root) }, ...(plain ? [{ m: causal(plain) }, { m: causal(times(plain, root)) }] : [])],
    wrong: [{ m: plain && turned(plain), says: t('This is KQᵀ, the transpose: a row for each key.') }],
  };
} // prettier-ignore

function scaledOf({ q, k, scores }: Before, { dK, divisors }: Widths): Ways | undefined {
  const raw = scores ?? (q && k ? product(q, turned(k)) : undefined);
  if (!raw) return undefined;
  const known = k?.[0]?.length;
  const roots = [...(known === undefined ? dK : [known])];
  const said = roots.length > 0 ? roots.map(Math.sqrt) : divisors;
  const others = [...new Set([...roots, ...(known === undefined ? [] : dK), 2, 4, 8, 16])].filter((by) => !said.some((one) => Math.abs(one - by) < 1e-9)); // prettier-ignore
  if (said.length === 0) return undefined;
  return {
    of: t('the scores divided by {0}', said.map((by) => written(Number(by.toFixed(4)))).join(' / ')),
    right: said.flatMap((by) => [{ m: times(raw, 1 / by) }, { m: causal(times(raw, 1 / by)) }]),
    wrong: [
      ...others.map((by) => ({ m: times(raw, 1 / by), says: t('These are the scores divided by {0}.', by) })),
      { m: turned(times(raw, 1 / (said[0] ?? 1))), says: t('This is the transpose.') },
    ],
  };
}

function weightsOf({ scaled, scores, q, k }: Before, { dK, divisors }: Widths, printed: Bounded): Ways | undefined {
  const raw = scores ?? (q && k ? product(q, turned(k)) : undefined);
  const width = k?.[0]?.length;
  const roots = [...(width === undefined ? [] : [width]), ...dK].map(Math.sqrt);
  const inputs = [...(scaled ? [scaled] : []), ...(raw ? [...[...roots, ...divisors].map((by) => times(raw, 1 / by)), raw] : [])]; // prettier-ignore
  const [first] = inputs;
  if (!first) return undefined;
  const all = inputs.flatMap((m) => [m, causal(m)]);
  const isSummed = (printed[0] ?? []).length > 1;
  return {
    of: t('softmax over each row of the scores'),
    right: all.map((m) => ({ m: softmax(m) })),
    wrong: isSummed
      ? [
          ...all.map((m) => ({ m: turned(softmax(turned(m))), says: t('Softmax was taken over columns, not over rows.') })), // prettier-ignore
          ...all.map((m) => ({ m: softmaxOfAll(m), says: t('Softmax was taken over the whole matrix, not over each row.') })), // prettier-ignore
          ...all.map((m) => ({ m: turned(softmax(m)), says: t('This is the transpose.') })),
        ]
      : [],
  };
}

function outputOf({ weights, v }: Before): Ways | undefined {
  if (!weights || !v) return undefined;
  return {
    of: t('the weights times V'),
    right: [{ m: product(weights, v) }],
    wrong: [{ m: product(turned(weights), v), says: t('The weights were transposed before the product with V.') }],
  };
}
