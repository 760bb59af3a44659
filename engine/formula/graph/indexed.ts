/** Formulas with indices as products of matrices: y_i = Σ_j w_{ij} v_j is W·V, q_i·k_j is QKᵀ, softmax over j runs along rows. */
import type { Dim, Node } from '../../program';
import { t } from '../../text';
import { asOf, readingAt, indexedKey, shapeOf, unprimed, open } from '../meaning';
import { bare, keyOf, type Expression, type Sigma, type SymbolPart } from '../tree';
import { leaf, NoGraph, op, type Builder } from './builder';

type Build = (b: Builder, of: Expression) => Node;

/** A sum over j of weights with two indices and vectors with one. */
export function isIndexed({ of, index, sign }: Sigma): boolean {
  const { factors } = of.kind === 'product' ? of : { factors: [] };
  const [weight] = factors;
  return (
    sign === 'sum' &&
    index !== undefined &&
    factors.length > 1 &&
    weight?.kind === 'symbol' &&
    weight.index?.length === 2
  );
}

export function indexed(b: Builder, of: Sigma, build: Build): Node {
  const { factors } = of.of.kind === 'product' ? of.of : { factors: [] };
  const [weight, ...rest] = factors;
  if (weight?.kind !== 'symbol') throw new NoGraph(t('this part has no step'), of.range);
  const weights = table(b, weight, build);
  const values = rest.length === 1 && rest[0] ? vectors(b, rest[0], build) : transformed(b, rest, of, build);
  return op(b, of, 'matmul', [weights, values]);
}

/** W x_j for all j: the rows of X Wᵀ. */
function transformed(b: Builder, factors: readonly Expression[], of: Expression, build: Build): Node {
  const [matrix, vector] = factors;
  if (!matrix || !vector || factors.length !== 2) throw new NoGraph(t('this part has no step'), of.range);
  const rows = vectors(b, vector, build);
  const weights = build(b, matrix);
  return op(b, of, 'matmul', [rows, op(b, matrix, 'permute', [weights], { axes: [1, 0] })]);
}

/** A row for each token: of a name with one index as a formula makes it, else as a leaf. */
function vectors(b: Builder, given: Expression, build: Build): Node {
  const of = bare(given);
  if (of.kind === 'transpose') return vectors(b, of.of, build);
  if (of.kind === 'product') return transformed(b, of.factors, of, build);
  if (of.kind === 'sum') return of.terms.map((term) => (isVector(term) || term.kind === 'product' ? vectors(b, term, build) : build(b, term))).reduce((x, y) => op(b, of, 'add', [x, y])); // prettier-ignore
  if (of.kind !== 'symbol') throw new NoGraph(t('this part has no step'), of.range);
  const plain = unprimed(readingAt(b.document, of), of) ?? of;
  const name = keyOf(plain);
  const known = b.leaves.get(`${name}[]`);
  if (known) return known;
  const key = indexedKey(plain);
  const one = asOf(b.document.defined.get(key), of.range.end);
  if (one && !b.following.has(key) && one.of.kind !== 'matrix') {
    b.following.add(key);
    const made = vectors(b, one.of, build);
    b.following.delete(key);
    b.leaves.set(`${name}[]`, made);
    b.named.push({ name, node: made });
    return made;
  }
  const shape = shapeOf(readingAt(b.document, of), plain);
  const width = shape?.find((dim) => dim !== 1);
  if (width === undefined) throw new NoGraph(t('the shape of {0} is not known', name), of.range);
  const made = leaf(b, of, `${name}[]`, [tokens(b), width]);
  b.named.push({ name, node: made });
  return made;
}

const isVector = (of: Expression): boolean => of.kind === 'symbol' && of.index?.length === 1;

/** As many tokens as vectors are counted to. */
const tokens = ({ document: { sizes } }: Builder): Dim =>
  sizes.facts.get('t') ?? sizes.facts.get('N') ?? sizes.facts.get('n') ?? open(sizes, 'n');

/** Weights or scores w_{ij} for all i and j. */
function table(b: Builder, of: SymbolPart, build: Build): Node {
  const key = indexedKey(of);
  const all = b.document.defined.get(key);
  const one = all?.findLast((each) => each.at <= of.range.end && !isOwn(each.of)) ?? asOf(all, of.range.end);
  if (!one || b.following.has(key)) throw new NoGraph(t('no formula says what {0} is', keyOf(of)), of.range);
  b.following.add(key);
  const made = cells(b, one.of, build);
  b.following.delete(key);
  b.named.push({ name: keyOf(of), node: made });
  return made;
}

/** Of the cells of one query alone: `w_{21} = …`. */
const isOwn = (of: Expression): boolean => {
  const at = bare(of);
  return at.kind === 'quotient' && at.under.kind === 'sum';
};

/** All cells of what a formula says of one, in row i and column j. */
export function cells(b: Builder, given: Expression, build: Build): Node {
  const of = bare(given);
  if (of.kind === 'symbol') return table(b, of, build);
  if (of.kind === 'call' && /soft ?max/i.test(of.name) && of.args[0]) return op(b, of, 'softmax', [cells(b, of.args[0], build)], { axis: 1 }); // prettier-ignore
  if (of.kind === 'quotient') return quotient(b, of, build);
  if (of.kind === 'product' && of.factors.length === 2)
    return scores(b, of.factors as [Expression, Expression], of, build);
  if (of.kind === 'product') return scores(b, [of.factors[0] as Expression, { ...of, factors: of.factors.slice(1), signs: of.signs.slice(1) }], of, build); // prettier-ignore
  throw new NoGraph(t('this part has no step'), of.range);
}

/** q_i · k_j for all i and j. */
function scores(b: Builder, [left, right]: readonly [Expression, Expression], of: Expression, build: Build): Node {
  const keys = vectors(b, right, build);
  return op(b, of, 'matmul', [vectors(b, left, build), op(b, right, 'permute', [keys], { axes: [1, 0] })]);
}

function quotient(b: Builder, of: Extract<Expression, { kind: 'quotient' }>, build: Build): Node {
  const over = bare(of.over);
  const isExp =
    over.kind === 'call' && /^exp$/i.test(over.name) ? over.args[0] : over.kind === 'power' ? over.exponent : undefined;
  if (isExp && bare(of.under).kind === 'sigma') return op(b, of, 'softmax', [cells(b, isExp, build)], { axis: 1 });
  if (isExp) throw new NoGraph(t('this part has no step'), of.range);
  return op(b, of, 'divide', [cells(b, of.over, build), build(b, of.under)]);
}
