/** The shape of each part of a formula, and where factors do not fit: which, and what would. */
import { type Shape } from '../../program';
import { t } from '../../text';
import { bare, partsOf, type Expression, type SymbolPart } from '../tree';
import { readingWith, shapeOf, type Document, type Reading } from './context';
import { forced, guess, weighing } from './evidence';
import { shapeOfName, vectorOfSize } from './names';
import { isOpen, resolved, resolvedShape, sizeOf, soleName, unify, writtenShape } from './sizes';
import { ofCall } from './calls';
import { ofPower, ofSigma } from './entries';
import { beside, formatted, problem, transposed, withUsual, written } from './fit';
import { ofGroup, ofItem, ofList, ofMatrix, ofNumbers, ofRange } from './grids';
import { asVector, ofProduct } from './products';
import { ofRelation } from './relations';
import { isWrittenOut } from './relevance';

const deepest = 120;

/** The reading of one formula, or of one statement of it. */
export const readingAt = (document: Document, of: Expression): Reading => readingWith(document, of, partShape);

function partShape(r: Reading, of: Expression): Shape | undefined {
  if (++r.depth > deepest) {
    r.depth--;
    return undefined;
  }
  const { found: shape, isUsual } = weighing(r, () => found(r, of));
  r.depth--;
  if (shape) r.shapes.set(of, shape);
  if (isUsual) r.usual.add(of);
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
      return transposed(vectorOfSize(r, of.of) ?? shapeOf(r, of.of));
    case 'root':
      return shapeOf(r, of.of);
    case 'norm':
      return forced(r, () => shapeOf(r, of.of)) && [];
    case 'item':
      return ofItem(r, of.of, of.index);
    case 'call':
      return ofCall(r, of);
    case 'sigma':
      return ofSigma(r, of);
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
  const shape = shapeOfName(r, of);
  return shape && resolvedShape(r.document.sizes, shape);
}

function ofSpace(r: Reading, parts: readonly Expression[]): Shape | undefined {
  const dims = parts.flatMap((part) => sizeOf(r.document.sizes, part) ?? []);
  return dims.length === parts.length ? dims : undefined;
}

/** Entry by entry, as broadcasting does: a number beside anything, a row beside a matrix. */
function together(r: Reading, terms: readonly Expression[], sumOf: boolean): Shape | undefined {
  const start = r.ground.guesses;
  const weighed = terms.map((term) => weighing(r, () => shapeOf(r, term)));
  const own = weighed.map(({ found }) => found);
  const isOfVectors = sumOf && own.some((shape) => shape?.length === 1) && own.every((shape) => shape === undefined || shape.length < 2); // prettier-ignore
  const shapes = own.map((shape, i) => (isOfVectors && shape?.length === 0 ? (asVector(r, terms[i] as Expression) ?? shape) : shape)); // prettier-ignore
  const vector = isOfVectors ? own.find((shape) => shape?.length === 1) : undefined;
  let all: Shape | undefined;
  for (const [i, known] of shapes.entries()) {
    const term = terms[i];
    // `W x + b`: what is added to a vector is a bias.
    const shape = known ?? (term?.kind === 'symbol' && term.name === 'b' && !term.index ? vector : undefined);
    if (shape && shape !== known && term) {
      guess(r);
      r.shapes.set(term, shape);
      shapes[i] = shape;
    }
    if (!shape || !term) continue;
    const before = all;
    all = before === undefined ? shape : beside(r, before, shape);
    if (all) continue;
    const first = terms[i - 1];
    problem(r, term.range, withUsual(r, t('{0} and {1} are added: {2} is not {3}', ...written(r, first, term), formatted(r, before ?? []), formatted(r, shape)), first, term), sumOf ? t('They need the same shape.') : undefined); // prettier-ignore
    return undefined;
  }
  // What is added has one shape: that of the term of which the text says it.
  const isSaid = sumOf && all !== undefined && all.length > 0 && weighed.some(({ found, isUsual }) => !isUsual && found?.length === all?.length); // prettier-ignore
  if (isSaid) r.ground.guesses = start;
  // What is not known may be larger than a number or a vector.
  return sumOf && all && all.length < 2 && shapes.some((shape, i) => !shape && terms[i]?.kind !== 'dots')
    ? undefined
    : all;
}

function ofQuotient(r: Reading, over: Expression, under: Expression): Shape | undefined {
  const start = r.ground.guesses;
  const a = shapeOf(r, over);
  const before = r.ground.guesses;
  const b = shapeOf(r, under);
  scaledBy(r, over, under);
  if (!a || !b) return a;
  if (b.length === 0) r.ground.guesses = a.length === 0 && isWrittenOut(over, under) ? start : before;
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
  // What is divided by is usually the width of keys: no other formula is told so.
  if (r.statedOnly) return;
  // √n of n tokens, √τ of a temperature.
  if (/^[nNτ]$/.test(soleName(size) ?? '')) return;
  const inner = r.shapes.get(product.factors[0] as Expression)?.at(-1);
  if (inner === undefined || !isOpen(resolved(r.document.sizes, inner))) return;
  guess(r);
  for (const part of partsOf(over)) r.usual.add(part);
  unify(r.document.sizes, inner, size);
}
