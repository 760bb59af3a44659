/** The state of one formula that is translated to a graph, its sizes as numbers, and what is at its leaves. */
import type { ParsedMatrix } from '../../parse';
import {
  type Graph,
  type Node,
  constant,
  input,
  operate,
  type NodeMaker,
  otherSize,
  sizeNamed,
  usual,
  dimWith,
  type Dim,
  type Shape,
  type Attributes,
  rounding,
  type OperationName,
  type WrittenNumbers,
} from '../../program';
import { t, type TextRange } from '../../text';
import { type Document, resolved, soleName } from '../meaning';
import { bare, keyOf, type Expression } from '../tree';
import { partlyWritten } from './partly';
import { printedDType } from './printed-dtype';

/** Matrices of a document that are written out, by name. */
export type Literals = ReadonlyMap<string, ParsedMatrix>;

export interface Builder {
  readonly document: Document;
  readonly maker: NodeMaker & { here: TextRange };
  readonly leaves: Map<string, Node>;
  readonly named: { readonly name: string; readonly node: Node }[];
  readonly literals: Literals;
  /** Those that the text breaks off. */
  readonly broken: readonly WrittenNumbers[];
  /** Sizes that the written matrices have, by name. */
  readonly counted: ReadonlyMap<string, number>;
  /** One number stands in for all widths. */
  readonly oneWidth: boolean;
  /** Numbers that stand in for sizes, by name. */
  readonly standIns: Map<string, number>;
  /** What parameters of a function stand for. */
  readonly given: ReadonlyMap<string, Node>;
  readonly following: Set<string>;
  /** That in which the document's numbers are printed. */
  readonly dtype: 'float32' | 'float64';
  /** Numbers of matrices that are written in part. */
  readonly written: Map<Node, readonly (number | undefined)[]>;
}

/** Why a formula has no graph: the first cause. */
export class NoGraph extends Error {
  constructor(
    message: string,
    readonly range: TextRange,
  ) {
    super(message);
  }
}

export const newBuilder = (
  document: Document,
  literals: Literals,
  broken: readonly WrittenNumbers[] = [],
  oneWidth = false,
): Builder => ({
  oneWidth,
  document,
  maker: {
    graph: { nodes: [] } satisfies Graph,
    here: { start: 0, end: 0 },
    stack: [],
    via: undefined,
    sampling: false,
  },
  leaves: new Map(),
  named: [],
  literals,
  broken,
  counted: countedIn(document, literals),
  standIns: new Map(),
  given: new Map(),
  following: new Set(),
  written: new Map(),
  dtype: printedDType([...literals.values()].flatMap(({ values }) => [...values])),
});

/** What the axes of names are called that no text declares, as in `meaning/names.ts`. */
const usualSizes: Readonly<Record<string, readonly string[]>> = { Q: ['n_q', 'd_k'], K: ['n_k', 'd_k'], V: ['n_k', 'd_v'] }; // prettier-ignore

/** Q is n×d_k and is written with 4 rows of 8 numbers: n = 4, d_k = 8. Where V is not written, it is as wide as K. */
function countedIn({ declared, sizes }: Document, literals: Literals): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [name, { shape }] of literals)
    (declared.get(name)?.[0]?.shape.map(soleName) ?? usualSizes[name] ?? []).forEach((size, i) => {
      const count = shape[i];
      if (size !== undefined && count !== undefined && !found.has(size)) found.set(size, count);
    });
  const written = ['K', 'Q']
    .map((name) => declared.get(name)?.[0]?.shape.at(-1))
    .find((size) => typeof size === 'number');
  // Beside a K of 4×3 the root is that of 3.
  if (typeof written === 'number' && !found.has('d_k') && !sizes.facts.has('d_k')) found.set('d_k', written);
  const width = found.get('d_k');
  if (width !== undefined && !found.has('d_v') && !literals.has('V')) found.set('d_v', width);
  return found;
}

/** A size as a number: what the text says, else one that stands in. */
export function numberFor(b: Builder, dim: Dim): number {
  const { sizes } = b.document;
  return dimWith(resolved(sizes, dim), (name) => {
    const hint = sizes.hints.get(name) ?? name;
    const counted = b.counted.get(hint);
    if (counted !== undefined) return counted;
    const said = sizes.facts.get(hint);
    if (typeof said === 'number') return said;
    const standIn = b.oneWidth && /^(?:\?|[dD](?:_|$))/.test(hint) ? standInFor('d_k') : standInFor(hint);
    if (!/^\?/.test(hint)) b.standIns.set(hint, standIn);
    return standIn;
  });
}

function standInFor(name: string): number {
  if (name === '?' || name === 'n_q') return usual.queries;
  return name === 'n_k' ? usual.keys : (sizeNamed(name) ?? (/^d_/.test(name) ? usual.width : otherSize));
}

export function op(
  b: Builder,
  of: Expression,
  name: OperationName,
  operands: readonly Node[],
  attributes: Attributes = {},
): Node {
  b.maker.here = of.range;
  const made = operate(b.maker, name, operands, attributes, b.dtype, 'numpy');
  const written = plainly(of);
  if (written !== undefined && written.length <= longestName) b.named.push({ name: written, node: made });
  return made;
}

const longestName = 16;

/** A short part without LaTeX: `QKᵀ`, `QKᵀ/√d_k`. */
function plainly(given: Expression): string | undefined {
  const of = bare(given);
  if (of.kind === 'symbol') return keyOf(of);
  if (of.kind === 'transpose') return withPart(of.of, (one) => `${one}ᵀ`);
  if (of.kind === 'root') return withPart(of.of, (one) => `√${one}`);
  if (of.kind === 'quotient') return withPart(of.over, (over) => withPart(of.under, (under) => `${over}/${under}`));
  if (of.kind !== 'product') return undefined;
  const parts = of.factors.map(plainly);
  return parts.every((part) => part !== undefined && !part.includes('/')) ? parts.join('') : undefined;
}

const withPart = (of: Expression, write: (part: string) => string | undefined): string | undefined => {
  const part = plainly(of);
  return part === undefined ? undefined : write(part);
};

export function number(b: Builder, of: Expression, value: number): Node {
  b.maker.here = of.range;
  return constant(b.maker, [], b.dtype, rounded(b, [value]));
}

const rounded = ({ dtype }: Builder, values: ArrayLike<number>): Float64Array =>
  Float64Array.from(values, rounding[dtype]);

/** A tensor that no formula makes: the document's own numbers, else known in shape only. */
export function leaf(b: Builder, of: Expression, name: string, shape: Shape): Node {
  const known = b.leaves.get(name);
  if (known) return known;
  b.maker.here = of.range;
  const own = b.literals.get(name);
  const rows = own ? undefined : writtenRows(b, name);
  const made = own
    ? constant(b.maker, own.shape, b.dtype, rounded(b, own.values))
    : rows
      ? constant(b.maker, [rows.length, rows[0]?.length ?? 0], b.dtype, rounded(b, rows.flat()))
      : input(
          b.maker,
          shape.map((dim) => numberFor(b, dim)),
          b.dtype,
          { text: t('the text gives no numbers for {0}', name), range: of.range },
        );
  b.leaves.set(name, made);
  // All x_i together are called x.
  b.named.push({ name: name.replace('[]', ''), node: made });
  const part = own || rows ? undefined : partOf(b, of, name, made.shape ?? []);
  if (part) b.written.set(made, part);
  return made;
}

/** The numbers of a matrix that the document writes with dots, or breaks off. */
function partOf(b: Builder, of: Expression, name: string, shape: Shape): readonly (number | undefined)[] | undefined {
  const [rows, columns] = shape;
  if (shape.length !== 2 || typeof rows !== 'number' || typeof columns !== 'number') return undefined;
  const defined = b.document.defined.get(name)?.find((one) => one.of.kind === 'matrix' && one.at !== of.range.start);
  if (defined?.of.kind === 'matrix') return partlyWritten(defined.of, rows, columns);
  const broken = b.broken.find((one) => one.name === name);
  return broken?.shape[1] === columns ? broken.values : undefined;
}

/** x_1, x_2, …, each written as a vector: a row for each. */
function writtenRows({ literals }: Builder, name: string): readonly (readonly number[])[] | undefined {
  if (!name.endsWith('[]')) return undefined;
  const rows: number[][] = [];
  for (let i = 1; ; i++) {
    const one = literals.get(`${name.slice(0, -2)}_${i}`);
    if (
      !one ||
      (one.shape[0] !== 1 && one.shape[1] !== 1) ||
      one.values.length !== (rows[0]?.length ?? one.values.length)
    )
      break;
    rows.push([...one.values]);
  }
  return rows.length > 1 ? rows : undefined;
}
