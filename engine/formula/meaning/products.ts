/** Products: rows by columns, vectors as rows or columns, weights beside letters. */
import { type Dim, type Shape } from '../../program';
import { t } from '../../text';
import { bare, type Expression, type Product, type SymbolPart } from '../tree';
import { type Reading, shapeOf } from './context';
import { guess } from './evidence';
import { indexedKey, vectorOfSize } from './names';
import { isOpen, open, resolved, resolvedShape } from './sizes';
import { beside, fits, misfit, nameOf, numbers, problem, transposed } from './fit';

export function ofProduct(r: Reading, of: Product): Shape | undefined {
  const columns = of.factors.filter(
    (factor) => factor.kind === 'matrix' && factor.rows.length > 1 && factor.rows.every((row) => row.length === 1),
  );
  if (columns.length === of.factors.length && of.signs.every((sign) => sign === '')) {
    problem(r, of.range, t('columns side by side have no product: a comma between them would say that they are several')); // prettier-ignore
    return undefined;
  }
  if (standsLeft(of)) {
    problem(r, of.range, t('V stands left of softmax(QKᵀ)'), t('With a query in each row, softmax(QKᵀ)V fits; with a query in each column, V softmax(KᵀQ).'), 'values-first'); // prettier-ignore
    return undefined;
  }
  if (hasColumns(r, of)) {
    problem(r, of.range, t('Q and K have a column for each token here: QKᵀ has no row for each query'), t('KᵀQ would have a column for each query.')); // prettier-ignore
    return undefined;
  }
  let left: Shape | undefined;
  let unknown = false;
  of.factors.forEach((factor, i) => {
    const isTurned = of.factors[i - 1]?.kind === 'transpose';
    const right = (isTurned ? vectorOfSize(r, factor) : undefined) ?? shapeOf(r, factor);
    // `q^T k`, where k counts something: it may be a vector that no word calls one.
    if (isTurned && right?.length === 0 && factor.kind === 'symbol' && /^[qkvxh]$/.test(factor.name)) guess(r);
    unknown ||= right === undefined;
    if (unknown || !right) return;
    left = left === undefined ? right : times(r, of, i, left, right);
    unknown ||= left === undefined;
  });
  return unknown || !left ? undefined : resolvedShape(r.document.sizes, left);
}

/** QKᵀ where the document defines Q = W_q X. */
function hasColumns({ document: { defined, vectors, declared, columnsOf } }: Reading, { factors }: Product): boolean {
  const [q, k] = factors.slice(-2).map(bare);
  const isTurnedKey = k?.kind === 'transpose' && bare(k.of).kind === 'symbol' && (bare(k.of) as SymbolPart).name === 'K'; // prettier-ignore
  if (q?.kind === 'symbol' && q.name === 'Q' && isTurnedKey && columnsOf.has('Q')) return true;
  if (vectors !== 'columns' || q?.kind !== 'symbol' || q.name !== 'Q' || declared.has('Q')) return false;
  return isTurnedKey && defined.has('K') && !isWeightLast(defined.get('Q')?.at(-1)?.of);
}

/** X W_q, c W^{UQ}. */
const isWeightLast = (of: Expression | undefined): boolean => {
  const [first, second] = of?.kind === 'product' ? of.factors : [];
  return (
    first?.kind === 'symbol' && !/^[WA]$/.test(first.name) && second?.kind === 'symbol' && /^[WA]$/.test(second.name)
  );
};

/** V·softmax(QKᵀ), which mixes rows and columns. */
function standsLeft({ factors }: Product): boolean {
  return factors.some((factor, i) => {
    const before = factors[i - 1];
    const scores = factor.kind === 'call' && /soft ?max/i.test(factor.name) ? factor.args[0] : undefined;
    const inner = scores && bare(scores);
    const product = inner?.kind === 'quotient' ? bare(inner.over) : inner;
    if (product?.kind !== 'product' || !before) return false;
    const [q, k] = product.factors;
    const isV = (before.kind === 'symbol' || before.kind === 'call') && before.name === 'V';
    return isV && q?.kind === 'symbol' && /^Q/.test(q.name) && k?.kind === 'transpose';
  });
}

function times(r: Reading, of: Product, at: number, a: Shape, b: Shape): Shape | undefined {
  const sign = of.signs[at - 1] ?? '';
  const [left, right] = [of.factors[at - 1], of.factors[at]] as const;
  if ([left, right].some((one) => one?.kind === 'symbol' && /^[a-z]$/.test(one.name) && !one.bold && !one.index && r.document.sizes.names.has(one.name)) && [left, right].some((one) => one && isWeight(one))) guess(r); // prettier-ignore
  if (numbers(a).length === 0) return left && right && isWeight(right) ? (beforeWeight(r, left, right, b) ?? b) : b;
  if (numbers(b).length === 0) return left && right && isWeight(left) ? (behindWeight(r, left, right, a) ?? a) : a;
  if (!left || !right) return undefined;
  if (sign === '∘') return beside(r, a, b) ?? misfit(r, left, right, a, b);
  if (a.length === 1 && b.length === 1) return dot(r, sign, left, right, a, b);
  // Two rows, or two columns, with a dot between them.
  const along = sign !== '·' || a.length !== 2 || b.length !== 2 ? -1 : a[0] === 1 && b[0] === 1 ? 1 : a[1] === 1 && b[1] === 1 ? 0 : -1; // prettier-ignore
  if (along >= 0) return fits(r, a[along] as Dim, b[along] as Dim) ? [] : misfit(r, left, right, a, b);
  return matrixProduct(r, left, right, a, b);
}

const isWeight = (of: Expression): boolean =>
  of.kind === 'symbol' && (of.name === 'W' || (of.name === 'U' && of.label !== undefined));

/** A letter that is usually a number, of which the document says nothing: beside weights, or added to a vector, it is a vector. */
function maybeVector(r: Reading, of: Expression): string | undefined {
  const inner = bare(of);
  const at = inner.kind === 'transpose' ? bare(inner.of) : inner;
  if (at.kind !== 'symbol' || at.index?.length !== 1 || !(/^[aeszpclh]$/.test(at.name) || at.name.length > 1))
    return undefined;
  const key = indexedKey(at);
  const isDefined = r.document.defined.has(key) && at.name !== 'PE';
  return r.document.declared.has(key) || isDefined ? undefined : key;
}

export function asVector(r: Reading, of: Expression): Shape | undefined {
  const key = maybeVector(r, of);
  if (key === undefined) return undefined;
  const shape: Shape = [open(r.document.sizes, 'd')];
  const at = bare(of);
  r.local.set(key, shape);
  r.shapes.set(at.kind === 'transpose' ? bare(at.of) : at, shape);
  guess(r);
  r.guessed.add(key);
  const own = at.kind === 'transpose' ? transposed(shape) : shape;
  if (own) r.shapes.set(at, own);
  return own;
}

function beforeWeight(r: Reading, left: Expression, right: Expression, b: Shape): Shape | undefined {
  const a = asVector(r, left);
  return a && matrixProduct(r, left, right, a, b);
}

function behindWeight(r: Reading, left: Expression, right: Expression, a: Shape): Shape | undefined {
  const b = asVector(r, right);
  return b && matrixProduct(r, left, right, a, b);
}

const isQueryByKey = (left: Expression, right: Expression): boolean => {
  const [q, k] = [left, right].map((of) => (of.kind === 'symbol' && of.index?.[0]?.kind === 'symbol' ? of.index[0].name : undefined)); // prettier-ignore
  return left.kind === 'symbol' && right.kind === 'symbol' && left.name + right.name === 'qk' && q !== undefined && k !== undefined && q !== k; // prettier-ignore
};

/** Two vectors: their dot product, where a dot says so. */
function dot(r: Reading, sign: string, left: Expression, right: Expression, a: Shape, b: Shape): Shape | undefined {
  if (sign === '·' || sign === '@') return fits(r, a[0] as Dim, b[0] as Dim) ? [] : misfit(r, left, right, a, b);
  // `q_i * k_j` of a query and of another token's key: usually its score.
  if (sign === '*' && isQueryByKey(left, right)) {
    guess(r);
    return [];
  }
  problem(r, right.range, t('{0} and {1} are vectors: a dot or a transpose says which product is meant', nameOf(r, left), nameOf(r, right))); // prettier-ignore
  return undefined;
}

/** A vector before a matrix is a row, behind it a column. */
function matrixProduct(r: Reading, left: Expression, right: Expression, a: Shape, b: Shape): Shape | undefined {
  if (a.length === 1 && b.length === 2 && b[0] === 1) return outer(r, left, right, a, b);
  if (isTurnedRow(r, right) && a.length === 2 && b[0] === 1 && a[1] !== 1)
    return matrixProduct(r, left, right, a, [...b].reverse());
  const inner = a.at(-1) as Dim;
  const meets = (b.length === 1 ? b[0] : b.at(-2)) as Dim;
  // A vector on its side has one row: it does not make a matrix one wide.
  const isRow = b.length === 2 && b[0] === 1 && a.length === 2 && isOpen(resolved(r.document.sizes, inner));
  if (isRow || !fits(r, inner, meets)) return misfit(r, left, right, a, b);
  const rows = a.length === 1 ? [] : a.slice(0, -1);
  const columns = b.length === 1 ? [] : b.slice(-1);
  // A row of numbers times a column of them is a number.
  return (a.length === 1 && b.length === 2 && b[1] === 1) ||
    (a.length === 2 && a[0] === 1 && (b.length === 1 || b[1] === 1))
    ? []
    : [...rows, ...columns];
}

/** xᵀ where vectors are rows: a column. */
const isTurnedRow = (r: Reading, of: Expression): boolean =>
  r.document.vectors === 'rows' && of.kind === 'transpose' && r.shapes.get(of.of)?.length === 1;

/** q kᵀ of two vectors: a number where vectors are rows; with columns the table of all products. */
function outer(r: Reading, left: Expression, right: Expression, a: Shape, b: Shape): Shape | undefined {
  const { vectors } = r.document;
  const asRows = vectors === 'rows' || areQueryAndKey(left, right);
  if (vectors === undefined || (asRows && vectors === 'columns')) guess(r);
  if (!asRows) return [a[0] as Dim, b[1] as Dim];
  return fits(r, a[0] as Dim, b[1] as Dim) ? [] : misfit(r, left, right, a, b);
}

const areQueryAndKey = (left: Expression, right: Expression): boolean => {
  const names = [left, right].map((of) => (of.kind === 'transpose' ? of.of : of));
  return /^(?:qk|QK|Q\u20d7K\u20d7)$/.test(names.map((of) => (of.kind === 'symbol' ? of.name : ' ')).join(''));
};
