import { t, counted } from '../../text';
import { formatShape } from '../../math';

/** A matrix with its name and role. Roles are those of `engine/parse`, as text so that this file need not know them all. */
export interface NamedMatrix {
  readonly name?: string | undefined;
  readonly role?: string | undefined;
  readonly shape: readonly number[];
}

/** Whether a matrix can be multiplied or combined with another one. */
export interface Fit {
  /** Index of the other matrix. */
  readonly with: number;
  readonly fits: boolean;
  /** The result, or why there is none: `QKᵀ is 4×4`, `K has 6 columns, Q has 8`. */
  readonly words: string;
}

type Rule = (a: NamedMatrix, b: NamedMatrix) => Omit<Fit, 'with'> | undefined;

const rows = ({ shape }: NamedMatrix): number => (shape.length > 1 ? (shape.at(-2) ?? 1) : 1);
const columns = ({ shape }: NamedMatrix): number => shape.at(-1) ?? 0;
const leadingDims = ({ shape }: NamedMatrix): readonly number[] => shape.slice(0, -2);
const nameOf = ({ name, role }: NamedMatrix): string => name ?? role ?? t('the matrix');
const fitting = (words: string): Omit<Fit, 'with'> => ({ fits: true, words });
const no = (words: string): Omit<Fit, 'with'> => ({ fits: false, words });

/** Queries with keys: QKᵀ needs rows of one length. */
const scores: Rule = (q, k) => {
  if (columns(q) !== columns(k)) return no(mismatch(k, columns(k), q, columns(q), 'column'));
  const batch = productLead(q, k);
  if (!batch) return no(t('{0} is {1}, {2} is {3}', nameOf(k), formatShape(k.shape), nameOf(q), formatShape(q.shape)));
  // `QKᵀ` for names of one letter, else `query·keyᵀ`.
  const key = nameOf(q).length > 1 || nameOf(k).length > 1 ? `·${nameOf(k)}` : nameOf(k);
  return fitting(t('{0}{1}ᵀ is {2}', nameOf(q), key, formatShape([...batch, rows(q), rows(k)])));
};

/** Keys with values: one value for each key. */
const values: Rule = (k, v) =>
  rows(k) === rows(v)
    ? fitting(t('one row of {0} for each row of {1}', nameOf(v), nameOf(k)))
    : no(mismatch(v, rows(v), k, rows(k), 'row'));

/** Weights with values: the output. */
const output: Rule = (w, v) => {
  if (columns(w) !== rows(v))
    return no(
      t('{0} has {1}, {2} has {3}', nameOf(v), counted(rows(v), 'row'), nameOf(w), counted(columns(w), 'column')),
    );
  const batch = productLead(w, v);
  return batch && fitting(t('{0}·{1} is {2}', nameOf(w), nameOf(v), formatShape([...batch, rows(w), columns(v)])));
};

/** X with a projection: X·W or, as linear layers keep it, X·Wᵀ. */
const projection: Rule = (x, w) => {
  const [plain, transposed] = [columns(x) === rows(w), columns(x) === columns(w)];
  const productShape = (width: number): string => formatShape([...leadingDims(x), rows(x), width]);
  const [xw, xwt] = [`${nameOf(x)}·${nameOf(w)}`, `${nameOf(x)}·${nameOf(w)}ᵀ`];
  if (plain && transposed) return fitting(t('{0} and {1} are {2}', xw, xwt, productShape(columns(w))));
  if (plain) return fitting(t('{0} is {1}', xw, productShape(columns(w))));
  if (transposed) return fitting(t('{0} is {1}', xwt, productShape(rows(w))));
  return no(t('{0} is {1}, {2} has {3}', nameOf(w), formatShape(w.shape), nameOf(x), counted(columns(x), 'column')));
};

/** A mask with scores or weights: the same rows and columns. */
const masking: Rule = (mask, scored) =>
  columns(mask) === columns(scored) && (rows(mask) === rows(scored) || rows(mask) === 1)
    ? fitting(t('it masks {0}', nameOf(scored)))
    : no(t('{0} is {1}, {2} is {3}', nameOf(mask), formatShape(mask.shape), nameOf(scored), formatShape(scored.shape)));

const maskOfQueries: Rule = (mask, q) =>
  rows(mask) === rows(q) || rows(mask) === 1
    ? fitting(t('one row for each query'))
    : no(mismatch(mask, rows(mask), q, rows(q), 'row'));

const maskOfKeys: Rule = (mask, k) =>
  columns(mask) === rows(k)
    ? fitting(t('one column for each key'))
    : no(
        t(
          '{0} has {1}, {2} has {3}',
          nameOf(mask),
          counted(columns(mask), 'column'),
          nameOf(k),
          counted(rows(k), 'row'),
        ),
      );

const swapped =
  (rule: Rule): Rule =>
  (a, b) =>
    rule(b, a);

/** The rule for a pair of roles: first role, then second role. */
const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  q: { k: scores, mask: swapped(maskOfQueries) },
  k: { q: swapped(scores), v: values, mask: swapped(maskOfKeys) },
  v: { k: swapped(values), weights: swapped(output) },
  x: { wq: projection, wk: projection, wv: projection },
  wq: { x: swapped(projection) },
  wk: { x: swapped(projection) },
  wv: { x: swapped(projection) },
  mask: { q: maskOfQueries, k: maskOfKeys, scores: masking, weights: masking },
  scores: { mask: swapped(masking) },
  weights: { v: output, mask: swapped(masking) },
};

/** What a matrix fits with among others, by their roles (Q with K, X with W_q, …), in the others' order. */
export function fitsOf(matrix: NamedMatrix, others: readonly NamedMatrix[]): Fit[] {
  const mine = rules[matrix.role ?? ''];
  if (!mine) return [];
  return others.flatMap((other, i) => {
    const found = mine[other.role ?? '']?.(matrix, other);
    return found ? [{ with: i, ...found }] : [];
  });
}

/** Leading dimensions of a product: equal ones, those of one side, or query heads divisible by key heads; undefined if they do not fit. */
function productLead(a: NamedMatrix, b: NamedMatrix): readonly number[] | undefined {
  const [mine, theirs] = [leadingDims(a), leadingDims(b)];
  if (theirs.length === 0) return mine;
  if (mine.length === 0) return theirs;
  const fits = mine.length === theirs.length && mine.every((n, i) => n === theirs[i] || isGroup(mine, theirs, i));
  return fits ? mine : undefined;
}

/** Grouped queries: only the head dimension (the last before rows) may differ. */
const isGroup = (a: readonly number[], b: readonly number[], i: number): boolean =>
  i === a.length - 1 && (a[i] ?? 0) % (b[i] ?? 1) === 0;

const mismatch = (a: NamedMatrix, inA: number, b: NamedMatrix, inB: number, what: 'row' | 'column'): string =>
  t('{0} has {1}, {2} has {3}', nameOf(a), counted(inA, what), nameOf(b), inB);

const axes: Readonly<Record<string, readonly [rows: string, columns: string]>> = {
  q: ['queries', 'd_k'],
  k: ['keys', 'd_k'],
  v: ['keys', 'd_v'],
  x: ['tokens', 'd_model'],
  mask: ['queries', 'keys'],
  scores: ['queries', 'keys'],
  weights: ['queries', 'keys'],
};

/**
 * The meaning of each dimension, by role: `tokens × d_model`, preceded by `heads` and `batch`. A three-dimensional X has a batch, no heads.
 * Undefined for unknown roles, and for vectors unless they are one token's.
 */
export function axesOf({ role = '', shape }: NamedMatrix): readonly string[] | undefined {
  if (role === 'xi') return shape.length === 1 ? ['d_model'] : undefined;
  const last = axes[role];
  if (!last || shape.length < 2 || shape.length > 4) return undefined;
  const before = role === 'x' ? ['batch'] : ['batch', 'heads'];
  const missing = shape.length - 2;
  return missing > before.length ? undefined : [...before.slice(before.length - missing), ...last];
}
