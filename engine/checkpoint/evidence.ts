/*
 * What a head does, as means of its weights over rows (Olsson et al. 2022, "In-context learning and induction heads"; sink: Xiao et al. 2023). Rows from the
 * third on: before, the first token is also the previous one.
 */

/** Mean weight on the token before, on what followed the same token earlier, on that token itself, on the first, on the own, on the next. */
export interface HeadScores {
  readonly previous: number;
  readonly induction: number;
  readonly duplicate: number;
  readonly sink: number;
  readonly self: number;
  readonly next: number;
}

export type ScoredKind = keyof HeadScores;

/** A head's scores on a text; NaN where no row of the text can show a kind. */
export interface ScoredHead {
  readonly scores: HeadScores;
  /** Rows whose token stood earlier: those that induction and duplicate are means over. */
  readonly repeats: number;
  /** `none`: no score is at least `named`. */
  readonly kind: ScoredKind | 'none';
  /** The cell that shows the kind most: of those that its score is a mean of, the largest weight. */
  readonly shows?: { readonly row: number; readonly key: number; readonly weight: number };
}

/** A head is named by a kind only from this mean weight on. */
export const named = 0.3;

const firstRow = 2;

/** Scores a head of self-attention. `weights`: n×n, row-major; `ids`: its n tokens. */
export function scoreHead(weights: ArrayLike<number>, ids: readonly number[]): ScoredHead {
  const n = ids.length;
  const at = (i: number, j: number): number => weights[i * n + j] as number;
  const rows = Array.from({ length: Math.max(0, n - firstRow) }, (_, i) => i + firstRow);
  const earlier = earlierOf(ids);
  const repeated = rows.filter((i) => followersOf(earlier, i).length > 0);
  const mean = (of: readonly number[], score: (i: number) => number): number =>
    of.length === 0 ? NaN : of.reduce((sum, i) => sum + score(i), 0) / of.length;
  const onAll = (i: number, columns: readonly number[]): number => columns.reduce((sum, j) => sum + at(i, j), 0);
  const scores: HeadScores = {
    previous: mean(rows, (i) => at(i, i - 1)),
    induction: mean(repeated, (i) => onAll(i, followersOf(earlier, i))),
    duplicate: mean(repeated, (i) => onAll(i, earlier[i] ?? [])),
    sink: mean(rows, (i) => at(i, 0)),
    self: mean(rows, (i) => at(i, i)),
    next: mean(rows.slice(0, -1), (i) => at(i, i + 1)),
  };
  const kind = kindOf(scores);
  const columns: Readonly<Record<ScoredKind, (i: number) => readonly number[]>> = {
    previous: (i) => [i - 1],
    induction: (i) => followersOf(earlier, i),
    duplicate: (i) => (followersOf(earlier, i).length > 0 ? (earlier[i] ?? []) : []),
    sink: () => [0],
    self: (i) => [i],
    next: (i) => (i + 1 < n ? [i + 1] : []),
  };
  const cells = kind === 'none' ? [] : rows.flatMap((row) => columns[kind](row).map((key) => ({ row, key, weight: at(row, key) }))); // prettier-ignore
  const [first, ...others] = cells;
  const shows = first && others.reduce((best, one) => (one.weight > best.weight ? one : best), first);
  return { scores, repeats: repeated.length, kind, ...(shows && { shows }) };
}

/** The columns after earlier occurrences of a row's token, but for its own: it follows itself in `a a`. */
const followersOf = (earlier: readonly (readonly number[])[], i: number): readonly number[] =>
  (earlier[i] ?? []).map((j) => j + 1).filter((j) => j < i);

/** The earlier positions of each token. */
function earlierOf(ids: readonly number[]): readonly (readonly number[])[] {
  const seen = new Map<number, number[]>();
  return ids.map((id, i) => {
    const before = seen.get(id) ?? [];
    const found = [...before];
    before.push(i);
    seen.set(id, before);
    return found;
  });
}

/** The largest score that names a head. Many heads rest on the first token where they have nothing to say: that names only those that do nothing else. */
function kindOf(scores: HeadScores): ScoredKind | 'none' {
  const order: readonly ScoredKind[] = ['induction', 'duplicate', 'previous', 'next', 'self'];
  const found = order.filter((kind) => scores[kind] >= named);
  const [best] = found.sort((a, b) => scores[b] - scores[a]);
  return best ?? (scores.sink >= named ? 'sink' : 'none');
}
