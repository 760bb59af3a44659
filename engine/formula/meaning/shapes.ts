/** The shape of each part of a formula, and where factors do not fit: which, and what would. */
import { add as plus, formatShape, same, type Dim, type Shape, multiply } from '../../program';
import { t, type TextRange } from '../../text';
import { bare, type Call, type Expression, type Matrix, type Product, type SymbolPart } from '../tree';
import { add, type Reading } from './context';
import { indexedKey, shapeOfName } from './names';
import {
  isCount,
  isOpen,
  numberOf,
  open,
  resolved,
  resolvedShape,
  sizeOf,
  soleName,
  undecided,
  unify,
  withHints,
  writtenShape,
} from './sizes';

const deepest = 120;

/** Undefined where it is not known; then a problem says why, unless it stands for nothing of a shape. */
export function shapeOf(r: Reading, of: Expression): Shape | undefined {
  if (++r.depth > deepest) {
    r.depth--;
    return undefined;
  }
  const shape = found(r, of);
  r.depth--;
  if (shape) r.shapes.set(of, shape);
  return shape;
}

function found(r: Reading, of: Expression): Shape | undefined {
  switch (of.kind) {
    case 'number':
    case 'infinity':
      return [];
    case 'symbol':
      return ofSymbol(r, of);
    case 'group':
      return ofNumbers(of.of) ?? writtenShape(r.document.sizes, of) ?? ofGroup(r, of.of, of.open);
    case 'product':
      return writtenShape(r.document.sizes, of) ?? ofProduct(r, of);
    case 'sum':
      return together(r, of.terms, true);
    case 'quotient':
      return ofQuotient(r, of.over, of.under);
    case 'power':
      return ofPower(r, of.base, of.exponent);
    case 'transpose':
      return transposed(shapeOf(r, of.of));
    case 'root':
      return shapeOf(r, of.of);
    case 'norm':
      return shapeOf(r, of.of) && [];
    case 'item':
      return ofItem(shapeOf(r, of.of), of.index);
    case 'call':
      return ofCall(r, of);
    case 'sigma':
      return ofSigma(r, of.of, of.index);
    case 'relation':
      return ofRelation(r, of);
    case 'matrix':
      return ofMatrix(r, of);
    case 'cases':
      return together(r, of.rows.flatMap((row) => row.slice(0, 1)), false); // prettier-ignore
    case 'list':
      return ofList(r, of.items);
    case 'space':
      return ofSpace(r, of.sizes);
    default:
      return undefined;
  }
}

/** `x'_i` is a transpose, unless the document defines `w'_{ij}` as a name. */
export function unprimed(r: Reading, of: SymbolPart): SymbolPart | undefined {
  if (!of.primes || r.document.primed.has(of.name)) return undefined;
  const { primes: _, ...rest } = of;
  return rest;
}

function ofSymbol(r: Reading, of: SymbolPart): Shape | undefined {
  const written = of.sizes?.flatMap((size) => sizeOf(r.document.sizes, size) ?? []);
  if (written) return written.length === of.sizes?.length ? written : undefined;
  const turned = unprimed(r, of);
  if (turned) return transposed(ofSymbol(r, turned));
  const [only] = of.index ?? [];
  if (only?.kind === 'relation' && only.signs[0] === ':' && of.index?.length === 1) return ofRange(r, of, only.sides);
  const shape = shapeOfName(r, of, shapeOf);
  return shape && resolvedShape(r.document.sizes, shape);
}

/** `h_{1:T}`: T of them. */
function ofRange(r: Reading, of: SymbolPart, [from, to]: readonly Expression[]): Shape | undefined {
  if (!from || !to) return undefined;
  const one = shapeOfName(r, { ...of, index: [from] }, shapeOf);
  // Components of a vector, or vectors: the text has both.
  if (one?.length === 0) return undefined;
  const count = sizeIn(r, to) ?? open(r.document.sizes, 'n');
  return one && resolvedShape(r.document.sizes, r.document.vectors === 'columns' ? [...one, count] : [count, ...one]);
}

function ofGroup(r: Reading, of: Expression, open: string): Shape | undefined {
  if (of.kind === 'list' && of.joined) return joinedVectors(r, of.items) ?? stackedAny(r, of.items);
  const joined = of.kind === 'list' && open === '[' ? joinedMatrices(r, of.items) : undefined;
  if (joined) return joined;
  return of.kind === 'list' ? (ofList(r, of.items, true) ?? stacked(r, of.items)) : shapeOf(r, of);
}

/** A vector that is transposed is a row. */
const transposed = (shape: Shape | undefined): Shape | undefined =>
  shape?.length === 1 ? [1, ...shape] : shape && [...shape.slice(0, -2), ...shape.slice(-2).reverse()];

function ofItem(shape: Shape | undefined, index: readonly Expression[]): Shape | undefined {
  if (!shape) return index.length > 1 ? [] : undefined;
  return index.length > shape.length ? undefined : shape.slice(index.length);
}

function ofSpace(r: Reading, parts: readonly Expression[]): Shape | undefined {
  const dims = parts.flatMap((part) => sizeOf(r.document.sizes, part) ?? []);
  return dims.length === parts.length ? dims : undefined;
}

/** `[o_1; …; o_h]`: one long vector. */
function joinedVectors(r: Reading, items: readonly Expression[]): Shape | undefined {
  const shapes = items.map((item) => (isDots(item) ? undefined : shapeOf(r, item)));
  const known = shapes.flatMap((shape) => (shape ? [shape] : []));
  const dims = known.map((shape) => (shape.length === 1 ? resolved(r.document.sizes, shape[0] as Dim) : undefined));
  const [first] = dims;
  if (first === undefined || dims.some((dim) => dim === undefined)) return undefined;
  if (!items.some(isDots))
    return known.length === items.length ? [dims.reduce<Dim>((sum, dim) => plus(sum, dim as Dim), 0)] : undefined;
  const count = countOf(r, items.at(-1) as Expression);
  return [count === undefined ? open(r.document.sizes, '?') : multiply(count, first)];
}

const stackedAny = (r: Reading, items: readonly Expression[]): Shape | undefined =>
  items.filter((item) => !isDots(item)).every((item) => r.shapes.get(item)?.length === 2) ? [undecided, undecided] : undefined; // prettier-ignore

/** `[head_1, …, head_h]`, `[QW_1, …, QW_h]`: heads side by side. */
function joinedMatrices(r: Reading, items: readonly Expression[]): Shape | undefined {
  const written = items.filter((item) => !isDots(item));
  const shapes = written.map((item) => shapeOf(r, item));
  const [first, one] = [written[0], shapes[0]];
  if (!first || !one || written.length === items.length || !shapes.every((shape) => shape?.length === 2))
    return undefined;
  if (!isOfHead(first)) return undefined;
  const count = countOf(r, items.at(-1) as Expression);
  return [one[0] as Dim, count === undefined ? undecided : multiply(count, resolved(r.document.sizes, one[1] as Dim))];
}

function isOfHead(of: Expression): boolean {
  const at = bare(of);
  if (at.kind === 'call') return isAttended(at) || /^head/i.test(at.name);
  if (at.kind === 'symbol') return at.name === 'head' || /^[HOZW]$/.test(at.name);
  const last = at.kind === 'product' ? at.factors.at(-1) : undefined;
  return last?.kind === 'symbol' && last.name === 'W';
}

/** `[K_1; K_2]`, `[A, B]`: below one another, or side by side. Which of them is not told apart. */
function stacked(r: Reading, items: readonly Expression[]): Shape | undefined {
  const shapes = items.map((item) => r.shapes.get(item));
  return shapes.length > 1 && shapes.every((shape) => shape?.length === 2) ? [undecided, undecided] : undefined;
}

const isDots = ({ kind }: Expression): boolean => kind === 'dots';

/** Items of one kind in a row: `(w_{i1}, …, w_{in})` has n of them. Others are separate statements. */
function ofList(r: Reading, items: readonly Expression[], inBrackets = false): Shape | undefined {
  const shapes = items.map((item) => (isDots(item) ? undefined : shapeOf(r, item)));
  const last = items.at(-1);
  if (!items.some(isDots) || !last) return items.length === 1 ? shapes[0] : undefined;
  const one = shapes.find((shape) => shape !== undefined);
  const count = countOf(r, last);
  const many = count ?? open(r.document.sizes, 'n');
  return one && (inBrackets && one.length === 1 && r.document.vectors === 'columns' ? [...one, many] : [many, ...one]);
}

/** How many there are, by the index of the last: n of `x_n`, of `w_{in}`, of `exp(q_i·k_n)`. */
function countOf(r: Reading, of: Expression, along: 'last' | 'first' = 'last'): Dim | undefined {
  const index = lastIndex(of, along);
  return index && sizeIn(r, index);
}

const sizeIn = (r: Reading, of: Expression): Dim | undefined => {
  if (of.kind === 'symbol' && !of.index) r.document.sizes.names.add(of.name);
  return sizeOf(r.document.sizes, of);
};

function lastIndex(of: Expression, along: 'last' | 'first'): Expression | undefined {
  switch (of.kind) {
    case 'symbol':
      return along === 'last' ? of.index?.at(-1) : of.index?.[0];
    case 'product': {
      const order = along === 'last' ? [...of.factors].reverse() : of.factors;
      return order.map((factor) => lastIndex(factor, along)).find((index) => index !== undefined);
    }
    case 'quotient':
      return lastIndex(of.over, along);
    case 'call':
      return of.args[0] && lastIndex(of.args[0], along);
    case 'group':
    case 'transpose':
    case 'item':
      return lastIndex(of.of, along);
    case 'sigma':
      return lastIndex(of.of, along === 'first' ? 'first' : 'last');
    default:
      return undefined;
  }
}

function ofSigma(r: Reading, of: Expression, index: string | undefined): Shape | undefined {
  const body = bare(of);
  // q_i k_i under a sum over i: components of two vectors.
  if (index !== undefined && body.kind === 'product' && body.factors.length > 1 && !weighsVectors(r, body) && body.factors.every((f) => isComponent(f, index))) return components(r, body); // prettier-ignore
  return shapeOf(r, of);
}

/** Σ α_i v_i: weights of vectors, where Σ w_i x_i may be components of two. */
function weighsVectors(r: Reading, { factors }: Product): boolean {
  const [weight, vector] = factors.map((one) => (one.kind === 'symbol' ? one : undefined));
  if (!weight || !vector || factors.length !== 2 || !/^[αβλabpsw]$/.test(weight.name)) return false;
  const isSaid = r.document.declared.get(indexedKey(vector))?.some(({ shape }) => shape.length === 1) === true;
  return isSaid || vector.name === 'v' || (/^[αβa]$/.test(weight.name) && /^[xhyzk]$/.test(vector.name));
}

const isComponent = (of: Expression, index: string): boolean =>
  of.kind === 'symbol' && of.index?.length === 1 && of.index[0]?.kind === 'symbol' && of.index[0].name === index && /^[a-zα-ω]$/.test(of.name); // prettier-ignore

function components(r: Reading, { factors }: Product): Shape {
  for (const factor of factors) component(r, factor);
  return [];
}

function component(r: Reading, of: Expression): Shape {
  r.shapes.set(of, []);
  if (of.kind === 'symbol') add(r.document.components, indexedKey(of), of.range.start);
  return [];
}

function ofPower(r: Reading, base: Expression, exponent: Expression): Shape | undefined {
  // Queries are not multiplied by themselves: the number counts something that the text does not name.
  if (base.kind === 'symbol' && /^[QKV]$/.test(base.name) && exponent.kind === 'number') return undefined;
  const isExp = base.kind === 'symbol' && base.name === 'e';
  if (!isExp) return shapeOf(r, base);
  if (base.index) return [];
  return ofExponent(r, exponent);
}

/** `e^{x_i}`: a component; other exponents have the shape that they have. */
function ofExponent(r: Reading, exponent: Expression): Shape | undefined {
  const of = bare(exponent);
  const isEntry = (at: Expression): boolean =>
    at.kind === 'symbol' && at.index?.length === 1 && /^[a-zα-ω]$/.test(at.name);
  const parts = of.kind === 'sum' ? of.terms : [of];
  const entry = parts.find(isEntry);
  if (!entry) return shapeOf(r, exponent);
  return component(r, entry);
}

/** Entry by entry, as broadcasting does: a number beside anything, a row beside a matrix. */
function together(r: Reading, terms: readonly Expression[], sumOf: boolean): Shape | undefined {
  const own = terms.map((term) => shapeOf(r, term));
  const isOfVectors = sumOf && own.some((shape) => shape?.length === 1) && own.every((shape) => shape === undefined || shape.length < 2); // prettier-ignore
  const shapes = own.map((shape, i) => (isOfVectors && shape?.length === 0 ? (asVector(r, terms[i] as Expression) ?? shape) : shape)); // prettier-ignore
  let all: Shape | undefined;
  for (const [i, shape] of shapes.entries()) {
    const term = terms[i];
    if (!shape || !term) continue;
    const before = all;
    all = before === undefined ? shape : beside(r, before, shape);
    if (all) continue;
    const first = terms[i - 1];
    problem(r, term.range, t('{0} and {1} are added: {2} is not {3}', ...written(r, first, term), formatted(r, before ?? []), formatted(r, shape)), sumOf ? t('They need the same shape.') : undefined); // prettier-ignore
    return undefined;
  }
  // What is not known may be larger than a number or a vector.
  return sumOf && all && all.length < 2 && shapes.some((shape) => !shape) ? undefined : all;
}

const written = (r: Reading, ...parts: readonly (Expression | undefined)[]): string[] => parts.map((part) => (part ? nameOf(r, part) : '')); // prettier-ignore

function beside(r: Reading, a: Shape, b: Shape): Shape | undefined {
  const { sizes } = r.document;
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  const from = long.length - short.length;
  const isColumn = long.length === 2 && short.length === 1 && r.document.vectors === 'columns';
  for (const [i, dim] of short.entries()) {
    const other = long[isColumn ? 0 : from + i] as Dim;
    if (dim === 1 || other === 1) continue;
    const equal = unify(sizes, dim, other);
    if (equal === false || (equal === undefined && !alike(resolved(sizes, dim), resolved(sizes, other))))
      return undefined;
  }
  return resolvedShape(sizes, long.map((dim, i) => (dim === 1 && i >= from ? (short[i - from] ?? dim) : dim))); // prettier-ignore
}

function ofQuotient(r: Reading, over: Expression, under: Expression): Shape | undefined {
  const [a, b] = [shapeOf(r, over), shapeOf(r, under)];
  scaledBy(r, over, under);
  if (!a || !b) return a;
  return b.length === 0 ? resolvedShape(r.document.sizes, a) : beside(r, a, b);
}

/** QKᵀ/√d: the size under the root is that of the keys, where the text does not say what they have. */
function scaledBy(r: Reading, over: Expression, under: Expression): void {
  const root = bare(under);
  const of = root.kind === 'root' ? root.of : root.kind === 'power' ? root.base : undefined;
  if (of?.kind === 'symbol' && !of.index)
    r.document.sizes.names.add(of.name + (of.label === undefined ? '' : `_${of.label}`));
  const size = of && sizeOf(r.document.sizes, of);
  const product = bare(over);
  if (size === undefined || typeof size === 'number' || product.kind !== 'product') return;
  const inner = r.shapes.get(product.factors[0] as Expression)?.at(-1);
  if (inner !== undefined && isOpen(resolved(r.document.sizes, inner))) unify(r.document.sizes, inner, size);
}

function ofProduct(r: Reading, of: Product): Shape | undefined {
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
    const right = shapeOf(r, factor);
    unknown ||= right === undefined;
    if (unknown || !right) return;
    left = left === undefined ? right : times(r, of, i, left, right);
    unknown ||= left === undefined;
  });
  return unknown || !left ? undefined : resolvedShape(r.document.sizes, left);
}

/** QKᵀ where the document defines Q = W_q X. */
function hasColumns({ document: { defined, vectors, declared } }: Reading, { factors }: Product): boolean {
  const [q, k] = factors.slice(-2).map(bare);
  if (vectors !== 'columns' || q?.kind !== 'symbol' || q.name !== 'Q' || declared.has('Q')) return false;
  const isK = k?.kind === 'transpose' && bare(k.of).kind === 'symbol' && (bare(k.of) as SymbolPart).name === 'K';
  return isK && defined.has('K') && !isWeightLast(defined.get('Q')?.at(-1)?.of);
}

/** X W_q. */
const isWeightLast = (of: Expression | undefined): boolean => {
  const [first, second] = of?.kind === 'product' ? of.factors : [];
  return (
    first?.kind === 'symbol' && /^[XHY]$/.test(first.name) && second?.kind === 'symbol' && /^[WA]$/.test(second.name)
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
  if (numbers(a).length === 0) return left && right && isWeight(right) ? (beforeWeight(r, left, right, b) ?? b) : b;
  if (numbers(b).length === 0) return left && right && isWeight(left) ? (behindWeight(r, left, right, a) ?? a) : a;
  if (!left || !right) return undefined;
  if (sign === '∘') return beside(r, a, b) ?? misfit(r, left, right, a, b);
  if (a.length === 1 && b.length === 1) return dot(r, sign, left, right, a, b);
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

function asVector(r: Reading, of: Expression): Shape | undefined {
  const key = maybeVector(r, of);
  if (key === undefined) return undefined;
  const shape: Shape = [open(r.document.sizes, 'd')];
  const at = bare(of);
  r.local.set(key, shape);
  r.shapes.set(at.kind === 'transpose' ? bare(at.of) : at, shape);
  r.assumed = true;
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

/** Two vectors: their dot product, where a dot says so. */
function dot(r: Reading, sign: string, left: Expression, right: Expression, a: Shape, b: Shape): Shape | undefined {
  if (sign === '·' || sign === '@') return fits(r, a[0] as Dim, b[0] as Dim) ? [] : misfit(r, left, right, a, b);
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
  const asRows = r.document.vectors === 'rows' || (r.document.vectors === undefined && areQueryAndKey(left, right));
  if (!asRows) return [a[0] as Dim, b[1] as Dim];
  return fits(r, a[0] as Dim, b[1] as Dim) ? [] : misfit(r, left, right, a, b);
}

const areQueryAndKey = (left: Expression, right: Expression): boolean => {
  const names = [left, right].map((of) => (of.kind === 'transpose' ? of.of : of));
  const [q, k] = names.map((of) => (of.kind === 'symbol' ? of.name : ''));
  return (q === 'q' && k === 'k') || (q === 'Q\u20d7' && k === 'K\u20d7');
};

const alike = (a: Dim, b: Dim): boolean => {
  const [p, q] = [soleName(a), soleName(b)];
  return (
    p !== undefined && q !== undefined && isCount(p) === isCount(q) && /^[dDeEhHC]/.test(p) === /^[dDeEhHC]/.test(q)
  );
};

function fits(r: Reading, a: Dim, b: Dim): boolean {
  const { sizes } = r.document;
  const equal = unify(sizes, a, b);
  if (equal !== undefined) return equal;
  const [x, y] = [resolved(sizes, a), resolved(sizes, b)];
  const known = numberOf(sizes, x) === undefined || numberOf(sizes, y) === undefined;
  // `d × d` and `4 × 1`: the text writes a number for a name.
  if (known && (typeof x === 'number' || typeof y === 'number')) return true;
  // Two widths with different names may be the same: d_q and d_k.
  return known && alike(x, y) && !isCount(soleName(x) ?? '');
}

function misfit(r: Reading, left: Expression, right: Expression, a: Shape, b: Shape): undefined {
  const [x, y] = [nameOf(r, left), nameOf(r, right)];
  const [from, to] = [formatted(r, a), formatted(r, b)];
  const inner = formatted(r, a.slice(-1));
  const meets = formatted(r, b.length === 1 ? b : b.slice(-2, -1));
  const turned = transposed(b);
  const fitting = turned && b.length === 2 && same(resolved(r.document.sizes, a.at(-1) as Dim), resolved(r.document.sizes, turned.at(-2) as Dim)) === true; // prettier-ignore
  const hint = fitting ? t('{0} transposed, {1}, would fit.', y, formatted(r, turned)) : t('A right factor with {0} rows would fit.', inner); // prettier-ignore
  problem(r, right.range, t('{0} {1} and {2} {3} do not fit: {4} is not {5}', x, from, y, to, inner, meets), hint);
  return undefined;
}

export const formatted = (r: Reading, shape: Shape): string => formatShape(named(r, shape));

/** Sizes that stay open get a name that says what they usually are. */
export function named(r: Reading, shape: Shape): Shape {
  const { sizes } = r.document;
  const known = resolvedShape(sizes, shape);
  const opens = known.map(isOpen);
  // Where rows are known and columns are not, they may be rows of columns: convention does not say what the columns are.
  return known.map((dim, i) => (i > 0 && opens[i] && !opens[i - 1] && !r.columns ? undecided : withHints(sizes, dim)));
}

/** How a part is called in a message: as it is written, where that is short. */
function nameOf(r: Reading, of: Expression): string {
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

/** All sides of `=` have one shape. */
function ofRelation(r: Reading, of: Extract<Expression, { kind: 'relation' }>): Shape | undefined {
  const end = of.signs.indexOf('∀');
  const sides = end < 0 ? of.sides : of.sides.slice(0, end + 1);
  // `SRA: Attn(Q, K, V) = …`: a title.
  const from = sides.length > 2 && of.signs[0] === ':' && bare(sides[0] as Expression).kind === 'symbol' ? 1 : 0;
  let all: Shape | undefined;
  let isSaid = false;
  let unknown = false;
  const assumed = r.assumed;
  for (const [i, side] of sides.entries()) {
    if (i < from) continue;
    if (i > from && !/^[=≈→∈≡∝]$/.test(of.signs[i - 1] ?? '')) break;
    r.assumed = false;
    const shape = componentOfSoftmax(r, side, sides) ?? shapeOf(r, side);
    isSaid ||= shape !== undefined && (!r.assumed || bare(side).kind !== 'symbol');
    unknown ||= shape === undefined && i > from && hasUnknownName(side);
    r.assumed ||= assumed;
    if (!shape) continue;
    if (all && batched(r, sides[0] as Expression, all, shape)) all = shape;
    else if (
      all &&
      !equal(r, all, shape) &&
      !isExampleOf(r, side, all, shape) &&
      !isBatched(r, side, all, shape) &&
      !otherWayRound(r, sides, i, all, shape)
    ) {
      problem(r, side.range, t('the two sides do not have one shape: {0} and {1}', formatted(r, all), formatted(r, shape))); // prettier-ignore
      return undefined;
    }
    all ??= shape;
  }
  // A name whose shape is only usual, beside what is not known: it may be used otherwise here.
  if (unknown && !isSaid) return undefined;
  // Numbers that are written say more than a name of their count.
  const counted = sides.find((side) => side.kind === 'matrix' && side.rows.flat().every(isWritten));
  return (counted && r.shapes.get(counted)) ?? (all && resolvedShape(r.document.sizes, all));
}

/** Numbers for a matrix whose sizes are names: where the text says how many they stand for, as many. */
const isExampleOf = (r: Reading, side: Expression, named: Shape, shape: Shape): boolean =>
  side.kind === 'matrix' &&
  side.rows.flat().every(isWritten) &&
  named.length === shape.length &&
  named.every((dim, i) => {
    const count = numberOf(r.document.sizes, dim);
    return count === undefined ? soleName(resolved(r.document.sizes, dim)) !== undefined : count === shape[i];
  });

/** `[1, 0]`, `(2, -3)`: a vector of numbers. */
const ofNumbers = (of: Expression): Shape | undefined =>
  of.kind === 'list' && !of.joined && of.items.length > 1 && of.items.every(isWritten) ? [of.items.length] : undefined;

const isWritten = (of: Expression): boolean => of.kind === 'number' || (of.kind === 'sum' && of.terms.every(isWritten));

/** `X = (x_1, …, x_n)`: whether vectors stand below one another or side by side is said by the other side. */
function otherWayRound(r: Reading, sides: readonly Expression[], i: number, a: Shape, b: Shape): boolean {
  const isRow = (of: Expression | undefined): boolean =>
    of?.kind === 'group' && of.of.kind === 'list' && of.of.items.some(isDots);
  return b.length === 2 && isRow(sides[i]) && equal(r, a, [...b].reverse());
}

/** The other way round: Q with axes for a batch is XW, where no text says which axes X has. */
function isBatched(r: Reading, side: Expression, a: Shape, b: Shape): boolean {
  const first = side.kind === 'product' ? side.factors[0] : undefined;
  const key = first?.kind === 'symbol' ? indexedKey(first) : undefined;
  const isUsual =
    key !== undefined && (r.local.has(key) || r.document.declared.get(key)?.every(({ inferred }) => inferred) === true);
  return isUsual && a.length > 2 && b.length === 2 && equal(r, a.slice(-2), b);
}

/** A name that no formula says anything of, as `E_i` in `Q_i = E_i W`. */
const hasUnknownName = (of: Expression): boolean => {
  const at = bare(of);
  return /^(?:product|sum|call|symbol|transpose)$/.test(at.kind);
};

/** softmax(x_i) = e^{x_i}/Σ_j e^{x_j}: one component. */
function componentOfSoftmax(r: Reading, side: Expression, sides: readonly Expression[]): Shape | undefined {
  const [argument] = side.kind === 'call' && /soft ?max/i.test(side.name) ? side.args : [];
  const isEntry = argument?.kind === 'symbol' && argument.index?.length === 1 && /^[a-zα-ω]$/.test(argument.name);
  const isWrittenOut = sides.some(
    (other) => other.kind === 'quotient' && /^(?:power|call)$/.test(bare(other.over).kind),
  );
  return isEntry && isWrittenOut ? component(r, argument) : undefined;
}

/** A name whose usual shape has no axes for a batch, and what it is said to be has. */
function batched(r: Reading, left: Expression, a: Shape, b: Shape): boolean {
  const key = left.kind === 'symbol' ? indexedKey(left) : undefined;
  if (key === undefined || !r.local.has(key) || a.length !== 2 || b.length < 3) return false;
  const fit = equal(r, a, b.slice(-2));
  if (fit) r.local.set(key, b);
  return fit;
}

const numbers = (shape: Shape): Shape => (shape.length === 2 && shape[0] === 1 && shape[1] === 1 ? [] : shape);

/** A vector is a row or a column of a matrix that is one wide. */
function equal(r: Reading, a: Shape, b: Shape): boolean {
  const [x, y] = [numbers(a), numbers(b)];
  const long = x.length > y.length ? x : y;
  const short = x.length > y.length ? y : x;
  if (long.length === 2 && short.length === 1) {
    const own = long[0] === 1 ? long[1] : long[1] === 1 ? long[0] : undefined;
    return own !== undefined && fits(r, own, short[0] as Dim);
  }
  return x.length === y.length && x.every((dim, i) => unify(r.document.sizes, dim, y[i] as Dim) ?? alike(resolved(r.document.sizes, dim), resolved(r.document.sizes, y[i] as Dim))); // prettier-ignore
}

function ofMatrix(r: Reading, { rows }: Matrix): Shape | undefined {
  const lines = rows.filter((row) => !(row.every(isLine) && row.some(({ kind }) => kind === 'rule')));
  const cells = lines.flat().filter((cell) => !isDots(cell) && cell.kind !== 'rule');
  const entries = cells.map((cell) => shapeOf(r, cell));
  const one = entries.find((shape) => shape !== undefined);
  const isPicture = rows.some((row) => row.some(({ kind }) => kind === 'rule'));
  const wide = Math.max(...lines.map((row) => row.filter(({ kind }) => kind !== 'rule').length));
  const across = extent(r, lines.find((row) => !row.every(isDots)) ?? [], 'last');
  const down = extent(r, lines.map((row) => row.find(({ kind }) => kind !== 'rule') as Expression), 'first'); // prettier-ignore
  if (one?.length === 1) {
    // Rows drawn with lines before and after them, or vectors one below another; with lines above and below they are columns.
    const columns = isPicture && rows.length > lines.length;
    return columns || (wide > 1 && lines.length === 1) ? [one[0] as Dim, across] : [down, one[0] as Dim];
  }
  if (one && one.length > 1) return undefined;
  return [down, across];
}

const isLine = ({ kind }: Expression): boolean => kind === 'rule' || kind === 'dots';

/** Rows or columns: those that are written, or as many as the last index says where some are left out. */
function extent(r: Reading, cells: readonly Expression[], along: 'first' | 'last'): Dim {
  const own = cells.filter((cell) => cell.kind !== 'rule');
  const left = own.filter(isDots).length;
  if (left === 0) return own.length;
  if (left > 1) return open(r.document.sizes, '?');
  const last = own.findLast((cell) => !isDots(cell));
  const of = last && (last.kind === 'sum' || last.kind === 'number' ? undefined : last);
  const first = own.find((cell) => !isDots(cell));
  const count = (of && (first && first !== of ? counted(r, first, of) : undefined)) ?? (of && countOf(r, of, along));
  return count ?? open(r.document.sizes, '?');
}

/** `α_{1,1} … α_{n,1}`: what differs from the first to the last counts, whichever it is. */
function counted(r: Reading, first: Expression, last: Expression): Dim | undefined {
  const [from, to] = [first, last].map((of) => (of.kind === 'symbol' && of.index?.length === 2 ? of.index : undefined));
  if (!from || !to) return undefined;
  const differ = to.filter((one, i) => plainIndex(one) !== plainIndex(from[i]));
  return differ.length === 1 && differ[0] ? sizeIn(r, differ[0]) : undefined;
}

const plainIndex = (of: Expression | undefined): string | number | undefined =>
  of?.kind === 'symbol' ? of.name : of?.kind === 'number' ? of.value : undefined;

function ofCall(r: Reading, of: Call): Shape | undefined {
  const shapes = of.args.map((arg) => (isDots(arg) ? undefined : shapeOf(r, arg)));
  const whole = ofFunction(r, of, shapes);
  if (!of.index) return whole;
  // `Concat(…)_{i=1}^{h}`: as many as the number above says, side by side.
  if (/^concat/i.test(of.name) && of.index.some(({ kind }) => kind === 'relation'))
    return whole && [...whole.slice(0, -1), undecided];
  return whole ? ofItem(whole, of.index) : of.index.length > 1 ? [] : undefined;
}

const elementwise = /^(?:soft ?max|sparsemax|exp|sin|cos|tanh|log|ln|sigmoid|relu|gelu|dropout|layer ?norm\w*|rms ?norm|norm|mask\w*|causal ?mask|rope|sqrt|σ|φ|ϕ|sg|stop ?gradient|rowsoftmax|.*softmax.*)$/i; // prettier-ignore

function ofFunction(r: Reading, of: Call, shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const [first] = of.args;
  if (/^concat/i.test(of.name)) return concatenated(r, of, shapes);
  if (elementwise.test(of.name)) {
    if (of.args.some(isDots)) return ofList(r, of.args);
    if (first && /^exp$/i.test(of.name)) return ofExponent(r, first);
    // softmax(q, k_i): what is done with both is not said.
    if (shapes.slice(1).some((shape) => shape && shape.length > 0)) return undefined;
    return shapes[0];
  }
  if (isAttended(of)) return attended(r, of, shapes);
  // Q(X): the queries that X makes.
  if (/^[QKV]$/.test(of.name) && of.args.length === 1)
    return shapeOf(r, { kind: 'symbol', name: of.name, range: of.range });
  if (
    /^(?:a|α|s|score|sim|align)$/i.test(of.name) &&
    shapes.length === 2 &&
    shapes.some((shape) => shape?.length === 1) &&
    shapes.every((shape) => shape && shape.length < 2)
  )
    return [];
  return undefined;
}

/** `Attention(Q, K, V)`, with a mask behind them, and what is called otherwise: `A(QW_i^Q, KW_i^K, VW_i^V)`. */
function isAttended({ name, args }: Call): boolean {
  if (/attention|^attn/i.test(name) && !/multi ?head/i.test(name)) return args.length === 3 || args.length === 4;
  const first = args.map((arg) => (arg.kind === 'product' ? arg.factors[0] : undefined));
  return args.length === 3 && first.every((one, i) => one?.kind === 'symbol' && one.name === 'QKV'[i]);
}

/** Attention of queries, keys and values, whatever it is called and in whichever order. */
function attended(r: Reading, of: Call, shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const order = of.args.slice(0, 3).map((arg) => 'QKV'.indexOf(roleOf(arg)));
  const byName = order.every((at, i) => at >= 0 && order.indexOf(at) === i);
  const [q, k, v] = byName ? [0, 1, 2].map((at) => shapes[order.indexOf(at)]) : shapes;
  if (!q || !k || !v || q.length < 2 || k.length !== q.length || v.length !== q.length) return undefined;
  const [left, right] = [of.args[0], of.args[1]] as readonly Expression[];
  if (!fits(r, q.at(-1) as Dim, k.at(-1) as Dim) && left && right) return misfit(r, left, right, q, transposed(k) ?? k);
  unify(r.document.sizes, k.at(-2) as Dim, v.at(-2) as Dim);
  return [...q.slice(0, -1), v.at(-1) as Dim];
}

/** What an argument is called: K of `K`, of `KW_i^K` and of `K_i`. */
function roleOf(of: Expression): string {
  const at = bare(of);
  const first = at.kind === 'product' ? at.factors[0] : at;
  return first?.kind === 'symbol' && /^[QKV]$/.test(first.name) ? first.name : ' ';
}

/** Side by side: rows stay, columns add up. */
function concatenated(r: Reading, of: Call, shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const one = shapes.find((shape) => shape !== undefined);
  const last = of.args.at(-1);
  if (!one || !last) return undefined;
  const count = of.args.some(isDots) ? countOf(r, last) : of.args.length;
  if (count === undefined) return undefined;
  const all = one.slice(0, -1);
  return [...all, multiply(count, resolved(r.document.sizes, one.at(-1) as Dim))];
}
