/** A formula as a tree. Each part says where it stands in the text, so that a surface can mark it. */
import type { TextRange } from '../text';

interface Part {
  readonly range: TextRange;
}

/** `·` of `\cdot`, `×` of `\times`, `∘` entry by entry, empty where factors stand side by side. */
export type Sign = '' | '·' | '×' | '@' | '*' | '∘';

export interface SymbolPart extends Part {
  readonly kind: 'symbol';
  /** Without scripts: `W` of `W_i^Q`. */
  readonly name: string;
  /** What is part of the name: `Q` of `W_i^Q`, `k` of `d_k`. */
  readonly label?: string;
  /** What counts: `i` of `W_i^Q`, `i` and `j` of `w_{ij}`. */
  readonly index?: readonly Expression[];
  /** Primes that may mean a transpose or another name: `x'_i`. */
  readonly primes?: number;
  /** `d_k` and `n` of `Q_{d_k \times n}`: the shape, written below. */
  readonly sizes?: readonly Expression[];
  /** An arrow above it says that it is a vector. */
  readonly vector?: true;
  /** One bold letter: where the same letter is a size too, this is not the size. */
  readonly bold?: true;
}

export interface Product extends Part {
  readonly kind: 'product';
  readonly factors: readonly Expression[];
  /** The sign before each factor but the first. */
  readonly signs: readonly Sign[];
}

export interface Call extends Part {
  readonly kind: 'call';
  readonly name: string;
  readonly args: readonly Expression[];
  /** `softmax_j`, or a cell of the result: `softmax(X)_{ij}`. */
  readonly over?: Expression;
  readonly index?: readonly Expression[];
}

export interface Sigma extends Part {
  readonly kind: 'sigma';
  readonly sign: 'sum' | 'product' | 'max' | 'min';
  readonly index: string | undefined;
  readonly to: Expression | undefined;
  readonly of: Expression;
}

export interface Matrix extends Part {
  readonly kind: 'matrix';
  readonly rows: readonly (readonly Expression[])[];
}

export interface Relation extends Part {
  readonly kind: 'relation';
  readonly sides: readonly Expression[];
  readonly signs: readonly string[];
}

export type Expression =
  | SymbolPart
  | Product
  | Call
  | Sigma
  | Matrix
  | Relation
  | (Part & { readonly kind: 'number'; readonly value: number })
  | (Part & { readonly kind: 'sum'; readonly terms: readonly Expression[]; readonly minus: readonly boolean[] })
  | (Part & { readonly kind: 'quotient'; readonly over: Expression; readonly under: Expression })
  | (Part & { readonly kind: 'power'; readonly base: Expression; readonly exponent: Expression })
  /** `small`: written `x^t`, which may also be x of step t. */
  | (Part & { readonly kind: 'transpose'; readonly of: Expression; readonly small?: true })
  | (Part & { readonly kind: 'root'; readonly of: Expression })
  | (Part & { readonly kind: 'norm'; readonly of: Expression })
  | (Part & { readonly kind: 'group'; readonly of: Expression; readonly open: string })
  | (Part & { readonly kind: 'item'; readonly of: Expression; readonly index: readonly Expression[] })
  /** With semicolons in brackets, vectors are put one behind another: `[o_1; …; o_h]`. */
  | (Part & { readonly kind: 'list'; readonly items: readonly Expression[]; readonly joined?: true })
  | (Part & { readonly kind: 'cases'; readonly rows: readonly (readonly Expression[])[] })
  /** `\mathbb{R}^{n \times d}`; of other numbers than the real ones by their letter or their set, `\{0, 1\}^{n \times n}`. */
  | (Part & { readonly kind: 'space'; readonly sizes: readonly Expression[]; readonly numbers?: Expression })
  | (Part & { readonly kind: 'infinity' })
  /** What is left out: `\dots`, `\vdots`; a line before and after the name of a row. */
  | (Part & { readonly kind: 'dots' })
  | (Part & { readonly kind: 'rule' })
  | (Part & { readonly kind: 'words'; readonly text: string })
  /** A sign that has no meaning here. */
  | (Part & { readonly kind: 'unread'; readonly text: string });

export type Kind = Expression['kind'];

export const childrenOf = (of: Expression): readonly Expression[] => {
  switch (of.kind) {
    case 'symbol':
      return of.index ?? [];
    case 'product':
      return of.factors;
    case 'call':
      return [...of.args, ...(of.over ? [of.over] : []), ...(of.index ?? [])];
    case 'sigma':
      return [of.of, ...(of.to ? [of.to] : [])];
    case 'matrix':
    case 'cases':
      return of.rows.flat();
    case 'relation':
      return of.sides;
    case 'sum':
      return of.terms;
    case 'quotient':
      return [of.over, of.under];
    case 'power':
      return [of.base, of.exponent];
    case 'transpose':
    case 'root':
    case 'norm':
    case 'group':
      return [of.of];
    case 'item':
      return [of.of, ...of.index];
    case 'list':
      return of.items;
    case 'space':
      return of.sizes;
    default:
      return [];
  }
};

/** The same tree with each part changed, parts before their whole. Nesting is limited where trees are made. */
export function mapped(of: Expression, change: (of: Expression) => Expression): Expression {
  const one = (part: Expression): Expression => mapped(part, change);
  const all = (parts: readonly Expression[]): readonly Expression[] => parts.map(one);
  const inner = (): Expression => {
    switch (of.kind) {
      case 'product':
        return { ...of, factors: all(of.factors) };
      case 'call':
        return { ...of, args: all(of.args) };
      case 'sigma':
        return { ...of, of: one(of.of) };
      case 'matrix':
      case 'cases':
        return { ...of, rows: of.rows.map(all) };
      case 'relation':
        return { ...of, sides: all(of.sides) };
      case 'sum':
        return { ...of, terms: all(of.terms) };
      case 'quotient':
        return { ...of, over: one(of.over), under: one(of.under) };
      case 'transpose':
      case 'root':
      case 'norm':
      case 'group':
      case 'item':
        return { ...of, of: one(of.of) };
      case 'list':
        return { ...of, items: all(of.items) };
      default:
        return of;
    }
  };
  return change(inner());
}

/** Every part, a whole before its parts. */
export function* partsOf(of: Expression): Generator<Expression, void> {
  const pending = [of];
  for (let at = pending.pop(); at; at = pending.pop()) {
    yield at;
    pending.push(...[...childrenOf(at)].reverse());
  }
}

/** Whether a number is part of a name: `d_1`. */
export const isNumbered = ({ label = '' }: SymbolPart): boolean => /^\d+$/.test(label);

/** What a name is looked up by: `W^Q` of `W_i^Q`, `d_k`, `w'`. */
export const keyOf = ({ name, label, primes = 0 }: SymbolPart): string =>
  name + "'".repeat(primes) + (label === undefined ? '' : `_${label}`);

/** Without brackets around it. */
export const bare = (of: Expression): Expression => (of.kind === 'group' ? bare(of.of) : of);

/** x_1 of `\{x_1, …, x_n\} ⊂ ℝ^d`: what is said is said of each; undefined where it is said of all together, as in `(x_1, …, x_n) ∈ ℝ^{n×d}`. */
export function membersOf({ sides, signs }: Relation): Expression | undefined {
  const [left, right] = sides;
  if (left?.kind !== 'group' || !/^[{(]$/.test(left.open) || left.of.kind !== 'list' || right?.kind !== 'space') return undefined; // prettier-ignore
  const isOfEach = signs[0] === '⊂' || (signs[0] === '∈' && right.sizes.length === 1);
  return isOfEach && left.of.items.some(({ kind }) => kind === 'dots') ? left.of.items[0] : undefined;
}

/** Relations of a formula: the lines of an `align`, what stands between commas. */
export const statements = (of: Expression): readonly Expression[] => {
  const at = of.kind === 'group' && of.open === '' ? of.of : of;
  // Names in braces: a set of them.
  const inner = at.kind === 'group' && at.open === '{' ? at.of : at;
  const isSeveral = inner.kind === 'list' && (inner === at || inner.items.every(({ kind }) => kind === 'symbol'));
  return isSeveral ? inner.items.flatMap(statements) : [bareRound(at)];
};

const bareRound = (of: Expression): Expression =>
  of.kind === 'group' && of.open === '(' && bare(of).kind === 'relation' ? bare(of) : of;
