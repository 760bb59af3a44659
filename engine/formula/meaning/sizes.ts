/** Sizes in formulas: names and numbers, sizes that are not written, and which are the same. */
import { add, floorDivide, multiply, same, symbol, type Dim, type Shape } from '../../program';
import { bare, keyOf, type Expression } from '../tree';
import { splitAtTimes } from '../read';

export interface Sizes {
  /** What sizes that are not written were found to be. */
  readonly bound: Map<string, Dim>;
  /** Its names in the order in which they were bound. */
  readonly order: string[];
  /** What to call one that stays open. */
  readonly hints: Map<string, string>;
  /** `d_k = 64`, as the text says it. */
  readonly facts: Map<string, Dim>;
  /** Names of which the text says two numbers: none holds. */
  readonly disputed: Set<string>;
  /** Names that stand for sizes. */
  readonly names: Set<string>;
}

export const newSizes = (): Sizes => ({
  bound: new Map(),
  order: [],
  hints: new Map(),
  facts: new Map(),
  disputed: new Set(),
  names: new Set(),
});

/** A size that is not written. */
export function open(sizes: Sizes, hint: string): Dim {
  const name = `?${sizes.hints.size}`;
  sizes.hints.set(name, hint);
  return symbol(name);
}

/** `d_k = 64`, unless another place says another number. */
export function addFact({ facts, disputed }: Sizes, name: string, value: Dim): void {
  const known = facts.get(name);
  if (disputed.has(name)) return;
  if (known === undefined || same(known, value) === true) facts.set(name, value);
  else if ((typeof known === 'number') === (typeof value === 'number')) {
    disputed.add(name);
    facts.delete(name);
  }
}

/** The name of a size that is one name alone. */
export function soleName(dim: Dim): string | undefined {
  if (typeof dim === 'number' || dim.terms.length !== 1) return undefined;
  const [term] = dim.terms;
  const [factor] = term?.factors ?? [];
  return term?.coefficient === 1 && term.factors.length === 1 && factor?.power === 1 ? factor.name : undefined;
}

/** A pair of names, in either order. */
export const pairOf = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** Adds the pairs of names that stand beside each other in a shape: they are two sizes. */
export function addApart(apart: Set<string>, shape: Shape): void {
  const names = shape.slice(0, 6).flatMap((dim) => soleName(dim) ?? []);
  names.forEach((a, i) => names.slice(i + 1).forEach((b) => a !== b && apart.add(pairOf(a, b))));
}

type Table = (name: string) => Dim | undefined;

/** With each name replaced as a table says. */
function replaced(dim: Dim, table: Table, depth = 0): Dim {
  if (typeof dim === 'number' || depth > 8) return dim;
  const sole = soleName(dim);
  const own = sole === undefined ? undefined : table(sole);
  if (own !== undefined) return replaced(own, table, depth + 1);
  if (!dim.terms.some(({ factors }) => factors.some(({ name }) => table(name) !== undefined))) return dim;
  return dim.terms.reduce<Dim>((sum, { coefficient, factors }) => {
    const parts = factors.map((factor): Dim => {
      const known = table(factor.name);
      if (known === undefined || factor.power < 1 || !Number.isInteger(factor.power))
        return { terms: [{ coefficient: 1, factors: [factor] }] };
      const once = replaced(known, table, depth + 1);
      return Array.from({ length: factor.power }, () => once).reduce<Dim>(multiply, 1);
    });
    return add(sum, parts.reduce<Dim>(multiply, coefficient));
  }, 0);
}

export const resolved = ({ bound }: Sizes, dim: Dim): Dim => replaced(dim, (name) => bound.get(name));
export const resolvedShape = (sizes: Sizes, shape: Shape): Shape => shape.map((dim) => resolved(sizes, dim));

/** A size as a number, where the text says it. */
export function numberOf(sizes: Sizes, dim: Dim): number | undefined {
  const found = replaced(resolved(sizes, dim), (name) => sizes.facts.get(name));
  return typeof found === 'number' ? found : undefined;
}

const withFacts = ({ facts }: Sizes, dim: Dim): Dim => replaced(dim, (name) => facts.get(name));

const openName = /^\?\d/;

/** Not written, and found nowhere yet. */
export const isOpen = (dim: Dim): boolean => openName.test(soleName(dim) ?? '');

/** A size of which a part is not written: `2·?`. */
export const hasOpen = (dim: Dim): boolean =>
  typeof dim !== 'number' && dim.terms.some(({ factors }) => factors.some(({ name }) => openName.test(name)));

/** Not one size everywhere: rows of an X that makes m queries and n keys. */
export const undecided: Dim = symbol('?');

const isUndecided = (dim: Dim): boolean => soleName(dim) === '?';

/** Makes two sizes one: false where they are different numbers, undefined where they have different names. */
export function unify(sizes: Sizes, a: Dim, b: Dim): boolean | undefined {
  const [x, y] = [resolved(sizes, a), resolved(sizes, b)];
  const equal = same(x, y);
  if (equal === true || isUndecided(x) || isUndecided(y)) return true;
  const [p, q] = [soleName(x), soleName(y)];
  if (p !== undefined && isOpen(x) && !mentions(y, p)) return set(sizes, p, y);
  if (q !== undefined && isOpen(y) && !mentions(x, q)) return set(sizes, q, x);
  if (equal === false) return false;
  if (solved(sizes, x, y) || solved(sizes, y, x)) return true;
  return same(withFacts(sizes, x), withFacts(sizes, y));
}

/** `?·H = H·d_v`: the open factor of a product. */
function solved(sizes: Sizes, x: Dim, y: Dim): boolean {
  if (typeof x === 'number' || x.terms.length !== 1) return false;
  const [{ coefficient = 1, factors = [] } = {}] = x.terms;
  const own = factors.filter(({ name, power }) => openName.test(name) && power === 1);
  const [factor] = own;
  if (!factor || own.length > 1 || mentions(y, factor.name)) return false;
  const rest: Dim = { terms: [{ coefficient, factors: factors.filter((one) => one !== factor) }] };
  const found = floorDivide(y, factors.length === 1 ? coefficient : rest);
  const isWhole = typeof found === 'number' ? Number.isInteger(found) : found.terms.every((term) => term.factors.every((one) => !one.quotient)); // prettier-ignore
  return isWhole && set(sizes, factor.name, found);
}

/** Whether a usual name may be shown: not where it, or all names of its kind, mean something else in this document. */
function isTold({ names }: Sizes, hint: string): boolean {
  // The sizes of weights are called many things.
  if (/^d_(?:in|out)$/.test(hint))
    return names.has(hint) || ![...names].some((name) => /^d_(?!k$|v$)|^[dDeEhHrC]$/.test(name));
  if (/^d_/.test(hint)) return names.has(hint) || ![...names].some((name) => /^[dDeEhH]$/.test(name));
  return !names.has(hint) && ![...names].some((name) => /^[nNmTLSlt](?:_|$|')|^seq/.test(name));
}

/** Sizes that stay open by what they usually are; `?` where the document has something else of that name. */
export function withHints(sizes: Sizes, dim: Dim): Dim {
  return replaced(resolved(sizes, dim), (name) => {
    const hint = sizes.hints.get(name);
    return hint === undefined ? undefined : symbol(isTold(sizes, hint) ? hint : '?');
  });
}

/** Undoes what was found since. */
export function restore({ bound, order }: Sizes, count: number): void {
  for (const name of order.splice(count)) bound.delete(name);
}

function set({ bound, order }: Sizes, name: string, dim: Dim): true {
  bound.set(name, dim);
  order.push(name);
  return true;
}

const mentions = (dim: Dim, name: string): boolean =>
  typeof dim !== 'number' && dim.terms.some(({ factors }) => factors.some((factor) => factor.name === name));

/** Letters that usually count tokens, and those that usually are widths. */
export const isCount = (name: string): boolean => /^(?:\?|[nNmMtTlLsS](?:_|$|')|seq)/.test(name);

/** Whether a name alone is read as a size. */
const isSizeName = (sizes: Sizes, key: string): boolean =>
  sizes.names.has(key) ||
  /^(?:[nmdthl]|[dnNDhHL]_(?!\d+$)\w+|seq_?len\w*|batch\w*|[\w]*_(?:dim|size|len|model|heads?))$/.test(key);

/** A size; undefined where a part of it is none. */
export function sizeOf(sizes: Sizes, of: Expression): Dim | undefined {
  const at = bare(of);
  switch (at.kind) {
    case 'number':
      return Number.isInteger(at.value) && at.value >= 0 ? at.value : undefined;
    case 'symbol':
      // `F'` of `ℝ^{F' × F}`.
      return !at.index && (!at.primes || sizes.names.has(keyOf(at))) && isSizeName(sizes, keyOf(at)) ? symbol(keyOf(at)) : undefined; // prettier-ignore
    case 'product':
      return at.signs.includes('×') ? undefined : combined(sizes, at.factors, multiply);
    case 'sum':
      return at.minus.some(Boolean) ? undefined : combined(sizes, at.terms, add);
    case 'quotient':
      return combined(sizes, [at.over, at.under], floorDivide);
    // `|V|`: how many words a vocabulary has.
    case 'norm':
      return at.of.kind === 'symbol' && /^[A-Z𝒱]$/u.test(keyOf(at.of)) && !at.of.index
        ? symbol(`|${keyOf(at.of)}|`)
        : undefined;
    // `P^2 C`: pixels of a patch.
    case 'power': {
      const times = at.exponent.kind === 'number' ? at.exponent.value : 0;
      return times === 2 || times === 3 ? combined(sizes, Array.from({ length: times }, () => at.base), multiply) : undefined; // prettier-ignore
    }
    default:
      return undefined;
  }
}

function combined(sizes: Sizes, parts: readonly Expression[], how: (a: Dim, b: Dim) => Dim): Dim | undefined {
  const dims = parts.map((part) => sizeOf(sizes, part));
  const known = dims.flatMap((dim) => (dim === undefined ? [] : [dim]));
  return known.length === dims.length ? known.reduce(how) : undefined;
}

/** A shape that is written out: `n × d_k`, `(6, 64)`. */
export function writtenShape(sizes: Sizes, of: Expression): Shape | undefined {
  const at = bare(of);
  const parts = at.kind === 'product' && at.signs.includes('×') ? splitAtTimes(at.factors, at.signs) : at.kind === 'list' && of.kind === 'group' ? at.items : undefined; // prettier-ignore
  const dims = parts?.map((part) => sizeOf(sizes, part));
  return dims?.every((dim) => dim !== undefined) && dims.length > 1 && !dims.includes(0) ? dims : undefined;
}

/** `[1, 2, 1, 0]`, `(1, 0)`: numbers of a vector. `(512, 64)` may be a shape. */
export const isRowOfNumbers = (of: Expression): boolean =>
  of.kind === 'group' &&
  of.of.kind === 'list' &&
  of.of.items.every(({ kind }) => kind === 'number') &&
  (of.open === '[' || of.of.items.some((item) => item.kind === 'number' && item.value < 2));

/** Names in what is written as a size: from here on they stand for sizes. */
export function learnSizes(sizes: Sizes, of: Expression): void {
  const at = bare(of);
  if (at.kind === 'symbol' && !at.index) sizes.names.add(keyOf(at));
  if (at.kind === 'product') at.factors.forEach((part) => learnSizes(sizes, part));
  if (at.kind === 'sum') at.terms.forEach((part) => learnSizes(sizes, part));
  if (at.kind === 'power') learnSizes(sizes, at.base);
  if (at.kind === 'quotient') [at.over, at.under].forEach((part) => learnSizes(sizes, part));
}
