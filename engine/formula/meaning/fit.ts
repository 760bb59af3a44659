/** Whether sizes and shapes are one, and what is said where they are not. */
import { guess } from './evidence';
import { formatShape, same, symbol, type Dim, type Shape } from '../../program';
import { t, type TextRange } from '../../text';
import { partsOf, type Expression } from '../tree';
import { type Reading } from './context';
import {
  hasOpen,
  isCount,
  isOpen,
  numberOf,
  resolved,
  pairOf,
  resolvedShape,
  soleName,
  undecided,
  unify,
  withHints,
} from './sizes';

/** A vector that is transposed is a row. */
export const transposed = (shape: Shape | undefined): Shape | undefined =>
  shape?.length === 1 ? [1, ...shape] : shape && [...shape.slice(0, -2), ...shape.slice(-2).reverse()];

export const written = (r: Reading, ...parts: readonly (Expression | undefined)[]): string[] => parts.map((part) => (part ? nameOf(r, part) : '')); // prettier-ignore

export function beside(r: Reading, a: Shape, b: Shape): Shape | undefined {
  const { sizes } = r.document;
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  const from = long.length - short.length;
  const isColumn = long.length === 2 && short.length === 1 && r.document.vectors === 'columns';
  for (const [i, dim] of short.entries()) {
    const other = long[isColumn ? 0 : from + i] as Dim;
    if (dim === 1 || other === 1) continue;
    const equal = unify(sizes, dim, other);
    if (equal === false || (equal === undefined && !alike(r, resolved(sizes, dim), resolved(sizes, other))))
      return undefined;
  }
  return resolvedShape(sizes, long.map((dim, i) => (dim === 1 && i >= from ? (short[i - from] ?? dim) : dim))); // prettier-ignore
}

/** Two sizes with different names that may be one: d_q and d_k. Not those that stand beside each other in one shape. */
function alike({ document: { apart } }: Reading, a: Dim, b: Dim): boolean {
  const [p, q] = [soleName(a), soleName(b)];
  if (p === undefined || q === undefined || apart.has(pairOf(p, q))) return false;
  return isCount(p) === isCount(q) && /^[dDeEhHC]/.test(p) === /^[dDeEhHC]/.test(q);
}

const usualCounts = ({ document: { sizes } }: Reading, dim: Dim): boolean => isCount(sizes.hints.get(soleName(resolved(sizes, dim)) ?? '') ?? ''); // prettier-ignore

/** Both are only usual, and one counts tokens where the other is a width: V·A. */
function isOtherKind({ document: { sizes } }: Reading, a: Dim, b: Dim): boolean {
  const [x, y] = [resolved(sizes, a), resolved(sizes, b)].map((dim) => (isOpen(dim) ? sizes.hints.get(soleName(dim) ?? '') : undefined)); // prettier-ignore
  return x !== undefined && y !== undefined && x !== '?' && y !== '?' && isCount(x) !== isCount(y);
}

export function fits(r: Reading, a: Dim, b: Dim): boolean {
  const { sizes } = r.document;
  if (isOtherKind(r, a, b)) return false;
  const equal = unify(sizes, a, b);
  if (equal !== undefined) return equal;
  const [x, y] = [resolved(sizes, a), resolved(sizes, b)];
  // `?·h`: what is not known yet may make it fit.
  if (hasOpen(x) !== hasOpen(y) && typeof x !== 'number' && typeof y !== 'number') {
    guess(r);
    return true;
  }
  const known = numberOf(sizes, x) === undefined || numberOf(sizes, y) === undefined;
  // `d × d` and `4 × 1`: the text writes a number for a name.
  if (known && (typeof x === 'number' || typeof y === 'number')) {
    guess(r);
    return true;
  }
  // Two widths with different names may be the same: d_q and d_k.
  return known && alike(r, x, y) && !isCount(soleName(x) ?? '');
}

export function misfit(r: Reading, left: Expression, right: Expression, a: Shape, b: Shape): undefined {
  const [x, y] = [nameOf(r, left), nameOf(r, right)];
  const [own, other] = [a.at(-1) as Dim, (b.length === 1 ? b[0] : b.at(-2)) as Dim];
  if (isOtherKind(r, own, other)) {
    problem(r, right.range, usualCounts(r, own) ? t('usually the columns of {0} count tokens, and the rows of {1} are a width; neither is said here', x, y) : t('usually the columns of {0} are a width, and the rows of {1} count tokens; neither is said here', x, y)); // prettier-ignore
    return undefined;
  }
  const [from, to] = [formatted(r, a), formatted(r, b)];
  const inner = formatted(r, a.slice(-1));
  const meets = formatted(r, b.length === 1 ? b : b.slice(-2, -1));
  const turned = transposed(b);
  const fitting = turned && b.length === 2 && same(resolved(r.document.sizes, a.at(-1) as Dim), resolved(r.document.sizes, turned.at(-2) as Dim)) === true; // prettier-ignore
  const hint = fitting ? t('{0} transposed, {1}, would fit.', y, formatted(r, turned)) : t('A right factor with {0} rows would fit.', inner); // prettier-ignore
  problem(r, right.range, withUsual(r, t('{0} {1} and {2} {3} do not fit: {4} is not {5}', x, from, y, to, inner, meets), left, right), hint); // prettier-ignore
  return undefined;
}

/** Where names have only their usual shapes, it may be these that are wrong, and not the formula. */
export function withUsual(r: Reading, message: string, ...parts: readonly (Expression | undefined)[]): string {
  const names = parts.flatMap((part) => (part && r.usual.has(part) ? [...partsOf(part)] : [])).flatMap((part) => (part.kind === 'symbol' && r.usual.has(part) ? [nameOf(r, part)] : [])); // prettier-ignore
  const [first, ...more] = new Set(names);
  return first === undefined ? message : t('with the usual shapes of {0}, which are not said here: {1}', [first, ...more].slice(0, 3).join(', '), message); // prettier-ignore
}

export const formatted = (r: Reading, shape: Shape): string => formatShape(named(r, shape));

/** Sizes that stay open get a name that says what they usually are: `n_q`, and `n_q?` in what is claimed. */
export function named(r: Reading, shape: Shape, isUsual = true): Shape {
  const { sizes } = r.document;
  const known = resolvedShape(sizes, shape);
  const opens = known.map(isOpen);
  // Where rows are known and columns are not, they may be rows of columns: convention does not say what the columns are.
  const isAny = (i: number): boolean => i > 0 && opens[i] === true && !opens[i - 1] && !r.columns;
  return known.map((dim, i) => (isAny(i) ? undecided : isUsual || !hasOpen(dim) ? withHints(sizes, dim) : unsure(withHints(sizes, dim)))); // prettier-ignore
}

const unsure = (dim: Dim): Dim => {
  const name = soleName(dim);
  return name === undefined || /^\?/.test(name) ? undecided : symbol(`${name}?`);
};

/** How a part is called in a message: as it is written, where that is short. */
export function nameOf(r: Reading, of: Expression): string {
  switch (of.kind) {
    case 'symbol':
      return of.name + "'".repeat(of.primes ?? 0) + (of.label === undefined ? '' : `_${of.label}`) + (of.index ? `_${of.index.map((i) => nameOf(r, i)).join('')}` : ''); // prettier-ignore
    case 'number':
      return String(of.value);
    case 'transpose':
      return `${nameOf(r, of.of)}ᵀ`;
    case 'call':
      return `${of.name}(…)`;
    case 'product':
      return of.factors.map((factor) => nameOf(r, factor)).join(' ');
    case 'group':
      return `(${nameOf(r, of.of)})`;
    default:
      return t('this part');
  }
}

export function problem(r: Reading, range: TextRange, message: string, hint?: string, code = 'formula-shape'): void {
  if (r.problems.length < 8) r.problems.push({ code, message, range, ...(hint !== undefined && { hint }) });
}

export const numbers = (shape: Shape): Shape => (shape.length < 3 && shape.every((dim) => dim === 1) ? [] : shape);

/** A vector is a row or a column of a matrix that is one wide. */
export function equal(r: Reading, a: Shape, b: Shape): boolean {
  const [x, y] = [numbers(a), numbers(b)];
  const long = x.length > y.length ? x : y;
  const short = x.length > y.length ? y : x;
  if (long.length === 2 && short.length === 1) {
    const own = long[0] === 1 ? long[1] : long[1] === 1 ? long[0] : undefined;
    return own !== undefined && fits(r, own, short[0] as Dim);
  }
  const { sizes } = r.document;
  return (
    x.length === y.length &&
    x.every((dim, i) => {
      const other = y[i] as Dim;
      const [p, q] = [resolved(sizes, dim), resolved(sizes, other)];
      return unify(sizes, dim, other) ?? (alike(r, p, q) && !isCount(soleName(p) ?? ''));
    })
  );
}
