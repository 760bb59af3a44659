/**
 * Sizes that are known by name only: `B`, `T*C`, `C//n_head`. A dimension is a number or a sum of products with whole coefficients. A
 * quotient that does not cancel is a factor of its own; that it divides without rest is assumed only where two sizes are compared.
 */
export type Dim = number | Symbolic;
export type Shape = readonly Dim[];

interface Factor {
  readonly name: string;
  readonly power: number;
  /** What a name such as `C//h` is made of. */
  readonly quotient?: readonly [Dim, Dim];
}

interface Term {
  readonly coefficient: number;
  readonly factors: readonly Factor[];
}

export interface Symbolic {
  readonly terms: readonly Term[];
}

export const symbol = (name: string): Symbolic => ({ terms: [{ coefficient: 1, factors: [{ name, power: 1 }] }] });

const termsOf = (dim: Dim): readonly Term[] =>
  typeof dim === 'number' ? (dim === 0 ? [] : [{ coefficient: dim, factors: [] }]) : dim.terms;

const keyOf = ({ factors }: Term): string => factors.map(({ name, power }) => `${name}^${power}`).join('*');

/** Like terms together, in a fixed order; a number where nothing else is left. */
function collected(terms: Iterable<Term>): Dim {
  const byKey = new Map<string, Term>();
  for (const term of terms) {
    const key = keyOf(term);
    const coefficient = (byKey.get(key)?.coefficient ?? 0) + term.coefficient;
    byKey.set(key, { ...term, coefficient });
  }
  const kept = [...byKey.entries()].filter(([, { coefficient }]) => coefficient !== 0);
  if (kept.length === 0) return 0;
  if (kept.length === 1 && kept[0]?.[0] === '') return kept[0][1].coefficient;
  return { terms: kept.map(([, term]) => term) };
}

export const add = (a: Dim, b: Dim): Dim =>
  typeof a === 'number' && typeof b === 'number' ? a + b : collected([...termsOf(a), ...termsOf(b)]);

export const negative = (a: Dim): Dim => multiply(a, -1);
export const subtract = (a: Dim, b: Dim): Dim => add(a, negative(b));

export function multiply(a: Dim, b: Dim): Dim {
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  return collected(termsOf(a).flatMap((x) => termsOf(b).map((y) => product(x, y))));
}

function product(x: Term, y: Term): Term {
  const powers = new Map<string, Factor>();
  for (const factor of [...x.factors, ...y.factors]) {
    const power = (powers.get(factor.name)?.power ?? 0) + factor.power;
    powers.set(factor.name, { ...factor, power });
  }
  const factors = [...powers.values()].filter(({ power }) => power !== 0);
  return {
    coefficient: x.coefficient * y.coefficient,
    factors: factors.sort((p, q) => (p.name < q.name ? -1 : p.name > q.name ? 1 : 0)),
  };
}

/** The quotient if `b` is one product that divides each term of `a`; undefined where it does not. */
function exactQuotient(a: Dim, b: Dim, powersBelowOne = false): Dim | undefined {
  const [divisor, ...more] = termsOf(b);
  if (!divisor || more.length > 0) return undefined;
  const inverse: Term = { coefficient: 1, factors: divisor.factors.map((f) => ({ ...f, power: -f.power })) };
  const terms = termsOf(a).map((term) => product(term, inverse));
  const whole = terms.every(
    ({ coefficient, factors }) =>
      coefficient % divisor.coefficient === 0 && (powersBelowOne || factors.every(({ power }) => power > 0)),
  );
  if (!whole && !powersBelowOne) return undefined;
  return collected(terms.map((term) => ({ ...term, coefficient: term.coefficient / divisor.coefficient })));
}

/** `a // b`. */
export function floorDivide(a: Dim, b: Dim): Dim {
  if (typeof a === 'number' && typeof b === 'number') return Math.floor(a / b);
  const exact = exactQuotient(a, b);
  if (exact !== undefined) return exact;
  const name = `${inBrackets(a)}//${inBrackets(b)}`;
  return { terms: [{ coefficient: 1, factors: [{ name, power: 1, quotient: [a, b] }] }] };
}

/** Quotients written out as fractions, as if each divided without rest. */
function expanded(dim: Dim): Dim {
  if (typeof dim === 'number') return dim;
  return dim.terms.reduce<Dim>((sum, { coefficient, factors }) => {
    const parts = factors.map((factor): Dim => {
      const fraction =
        factor.quotient && exactQuotient(expanded(factor.quotient[0]), expanded(factor.quotient[1]), true);
      return fraction === undefined || factor.power !== 1
        ? { terms: [{ coefficient: 1, factors: [factor] }] }
        : fraction;
    });
    return add(sum, parts.reduce<Dim>(multiply, coefficient));
  }, 0);
}

/** Whether two sizes are the same: true or false where that follows, undefined where it depends on the names. */
export function same(a: Dim, b: Dim): boolean | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  const difference = subtract(expanded(a), expanded(b));
  return typeof difference === 'number' ? Math.abs(difference) < 1e-9 : undefined;
}

export const sizeOf = (shape: Shape): Dim => shape.reduce<Dim>(multiply, 1);

/** What is left of a product of sizes when others are taken out of it: the `-1` of a reshape. */
export function remaining(total: Dim, taken: Dim): Dim {
  const [all, rest] = [expanded(total), expanded(taken)];
  const exact = rest === 0 ? undefined : exactQuotient(all, rest, true);
  const clean = (dim: Dim): boolean =>
    typeof dim === 'number' ||
    dim.terms.every((x) => Number.isInteger(x.coefficient) && x.factors.every(({ power }) => power > 0));
  return exact !== undefined && clean(exact) ? exact : floorDivide(total, taken);
}

/** A size with a number for each name. */
export const dimWith = (dim: Dim, number: (name: string) => number): number =>
  typeof dim === 'number'
    ? dim
    : dim.terms.reduce((sum, { coefficient, factors }) => sum + factors.reduce((all, factor) => all * factorWith(factor, number), coefficient), 0); // prettier-ignore

function factorWith({ name, power, quotient }: Factor, number: (name: string) => number): number {
  const once = quotient ? Math.floor(dimWith(quotient[0], number) / dimWith(quotient[1], number)) : number(name);
  const many = Array.from({ length: Math.abs(power) }, () => once).reduce((all, x) => all * x, 1);
  return power < 0 ? 1 / many : many;
}

export const isKnownShape = (shape: Shape): shape is readonly number[] => shape.every((dim) => typeof dim === 'number');

const inBrackets = (dim: Dim): string => {
  const text = formatDim(dim);
  return /[+\-*/ ]/.test(text) ? `(${text})` : text;
};

export function formatDim(dim: Dim): string {
  if (typeof dim === 'number') return String(dim);
  const words = dim.terms.map(({ coefficient, factors }) => {
    const names = factors.flatMap(({ name, power }) => Array.from({ length: Math.abs(power) }, () => name));
    return [...(Math.abs(coefficient) === 1 && names.length > 0 ? [] : [String(Math.abs(coefficient))]), ...names].join(
      '*',
    );
  });
  return words.map((word, i) => ((dim.terms[i]?.coefficient ?? 1) < 0 ? '-' : i > 0 ? '+' : '') + word).join('');
}

export const formatShape = (shape: Shape): string => (shape.length === 0 ? '()' : shape.map(formatDim).join('×'));

/** Whether each size is a number or has a name of the code: not `?`, nor `[2]` for the third size of an argument. */
export const isNamedShape = (shape: Shape | undefined): boolean =>
  shape?.every((dim) => typeof dim === 'number' || !/\?|\[\d+\]/.test(formatDim(dim))) ?? false;
