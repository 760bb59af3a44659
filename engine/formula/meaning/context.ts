/** What a document says of the names in its formulas: which shapes, by which formulas, as of where. */
import type { Shape } from '../../program';
import type { Problem, TextRange } from '../../text';
import type { Region } from '../regions';
import { bare, partsOf, type Expression } from '../tree';
import type { Sizes } from './sizes';

export interface Declared {
  readonly at: number;
  readonly shape: Shape;
  /** From an equation, not said. */
  readonly inferred?: boolean;
  /** From an equation in which more than this name has only a usual shape. */
  readonly isGuessed?: boolean;
  /** Said of a bold letter. */
  readonly bold?: true;
}

/** How many axes words give a name. */
export interface Axes {
  readonly at: number;
  readonly count: number;
}

export interface Defined {
  readonly at: number;
  readonly of: Expression;
  /** Which formula of the document. */
  readonly formula: number;
  /** Numbers of one of several, as `x_1 = (1, 0)`: they say nothing of x_i. */
  readonly isExample?: boolean;
  /** What its entries are counted by, where these are names: `i` and `j` of `M_{ij}`. */
  readonly index?: readonly string[];
}

export interface Document {
  readonly sizes: Sizes;
  /** By key, with `[]` for each index: `x[]` of `x_i`. */
  readonly declared: Map<string, Declared[]>;
  readonly defined: Map<string, Defined[]>;
  /** Where a name with an index is a component of a vector: `x_i` of `e^{x_i}`. */
  readonly components: Map<string, number[]>;
  /** Keys with primes that the document defines as names of their own. */
  readonly primed: ReadonlySet<string>;
  /** Small letters that stand for all tokens: x of Q = xW. */
  readonly wholes: ReadonlySet<string>;
  /** Vectors stand as rows before their weights (`xW`), or as columns behind them (`Wx`). */
  readonly vectors: 'rows' | 'columns' | undefined;
  /** Names whose columns are tokens, by its words: "each column of $X$ is a token". */
  readonly columnsOf: Map<string, number>;
  /** By key: "the matrix $Q$", "vectors $x_i$". */
  readonly axes: Map<string, Axes[]>;
  /** By key: names that words call tensors, and those of components (`q_1^2`). How they are used says nothing of their axes. */
  readonly notByUse: Set<string>;
  /** Sizes that stand beside each other in a shape of the document (`pairOf`): they are two. */
  readonly apart: Set<string>;
  /** Keys of which a set says a shape that is not read. */
  readonly unread: ReadonlySet<string>;
  /** It speaks of μ, so that σ may be a standard deviation. */
  readonly hasMean: boolean;
  /** `3:x`: in section 3 stands `p(y | x)`, where x is a text or a token. */
  readonly given: Set<string>;
  /** Where headings begin. */
  readonly sections: readonly number[];
}

export interface Parsed {
  readonly region: Region;
  /** Undefined where it is nested too deep, too long, or empty. */
  readonly expression: Expression | undefined;
}

/** The reading of one formula. */
export interface Reading {
  readonly document: Document;
  readonly at: number;
  /** Where it stands. */
  readonly range: TextRange;
  readonly shapes: Map<Expression, Shape>;
  readonly problems: Problem[];
  /** Shapes of names that only convention gives. */
  readonly local: Map<string, Shape>;
  /** Names whose definitions are being followed. */
  readonly following: Set<string>;
  /** KᵀQ, WX: a token in each column. */
  readonly columns: boolean;
  /** What only follows from other equations is not asked. */
  readonly statedOnly?: boolean;
  /** `shapes.ts`, which all that reads a kind of part asks for the parts of it. */
  readonly partShape: (r: Reading, of: Expression) => Shape | undefined;
  depth: number;
  /** How often this reading, and what it asks, relied on how such names are used and not on what the text says. */
  readonly ground: { guesses: number };
  /** Parts whose shape rests on that. */
  readonly usual: Set<Expression>;
  /** Keys of `local` whose shape does. */
  readonly guessed: Set<string>;
}

/** Undefined where it is not known; then a problem says why, unless it stands for nothing of a shape. */
export const shapeOf = (r: Reading, of: Expression): Shape | undefined => r.partShape(r, of);

export const readingWith = (document: Document, of: Expression, partShape: Reading['partShape']): Reading => ({
  partShape,
  document,
  at: of.range.end,
  range: of.range,
  columns: hasKeysFirst(of),
  shapes: new Map(),
  problems: [],
  local: new Map(),
  following: new Set(),
  depth: 0,
  ground: { guesses: 0 },
  usual: new Set(),
  guessed: new Set(),
});

const isNamedWeight = (of: Expression | undefined): boolean => of?.kind === 'symbol' && of.name === 'W';

function hasKeysFirst(of: Expression): boolean {
  for (const part of partsOf(of)) {
    const factors = part.kind === 'product' ? part.factors.map(bare) : [];
    const at = factors.findIndex((one) => one.kind === 'symbol' && one.name === 'Q');
    const before = factors[at - 1];
    if (before?.kind === 'transpose' && before.of.kind === 'symbol' && before.of.name === 'K') return true;
    // W X: what is projected stands behind its weights, a token in each column.
    if (factors.some((one, i) => one.kind === 'symbol' && /^[XH]$/.test(one.name) && !one.index && isNamedWeight(factors[i - 1]))) return true; // prettier-ignore
  }
  return false;
}

export function add<T>(table: Map<string, T[]>, key: string, value: T): void {
  const known = table.get(key);
  if (known) known.push(value);
  else table.set(key, [value]);
}

/** How many of a rising row are not behind a place. */
export function countBefore<T>(all: readonly T[], place: number, at: (one: T) => number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(all[middle] as T) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last that was said before a place, else the first behind it. What is said of a name stands in reading order. */
export const asOf = <T extends { readonly at: number }>(all: readonly T[] | undefined, place: number): T | undefined =>
  all?.[Math.max(0, countBefore(all, place, ({ at }) => at) - 1)];
