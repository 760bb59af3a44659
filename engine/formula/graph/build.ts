/** A formula becomes nodes of a graph, part by part: products, quotients, softmax, Concat, and what is written with indices. */
import { type Dim, type Node, Raised } from '../../program';
import { t } from '../../text';
import { asOf, readingAt, indexedKey, resolved, shapeOf, soleName, unprimed, sizeOf } from '../meaning';
import { bare, keyOf, type Call, type Expression, type Product, type SymbolPart } from '../tree';
import { leaf, NoGraph, number, numberFor, op, type Builder } from './builder';
import { cells, indexed, isIndexed } from './indexed';
import { maskByCases } from './mask';

/** Throws `NoGraph` where a part has none. */
export function build(b: Builder, of: Expression): Node {
  try {
    return built(b, of);
  } catch (error) {
    if (error instanceof Raised) throw new NoGraph(error.message, b.maker.here);
    throw error;
  }
}

function built(b: Builder, of: Expression): Node {
  switch (of.kind) {
    case 'number':
      return number(b, of, of.value);
    case 'group':
      return built(b, of.of);
    case 'symbol':
      return symbol(b, of);
    case 'product':
      return product(b, of);
    case 'quotient':
      return quotient(b, of);
    case 'power':
      return power(b, of);
    case 'root':
      return op(b, of, 'sqrt', [built(b, of.of)]);
    case 'transpose':
      return turned(b, of, built(b, of.of));
    case 'sum':
      return sum(b, of);
    case 'call':
      return call(b, of);
    case 'sigma':
      if (isIndexed(of)) return indexed(b, of, built);
      break;
    case 'relation':
      if (saysCells(of)) return cells(b, of.sides[1] as Expression, built);
      return built(b, of.sides.find((side) => hasSoftmax(side)) ?? (of.sides[1] as Expression));
    default:
      break;
  }
  throw new NoGraph(t('this part has no step'), of.range);
}

/** `w_{ij} = exp(s_{ij}) / Σ exp(s_{ij})`: all cells of a matrix. */
function saysCells({ sides }: Extract<Expression, { kind: 'relation' }>): boolean {
  const [left, right] = sides.map(bare);
  const isSoftmax = right?.kind === 'quotient' && bare(right.under).kind === 'sigma';
  const byNames = left?.kind === 'symbol' && left.index?.length === 2 && left.index.every(({ kind }) => kind === 'symbol'); // prettier-ignore
  return isSoftmax && byNames && sides.length === 2;
}

export function hasSoftmax(of: Expression): boolean {
  const pending = [of];
  for (let at = pending.pop(); at; at = pending.pop()) {
    if (at.kind === 'call' && /soft ?max/i.test(at.name)) return true;
    if (at.kind === 'group' || at.kind === 'transpose' || at.kind === 'sigma') pending.push(at.of);
    if (at.kind === 'product') pending.push(...at.factors);
    if (at.kind === 'sum') pending.push(...at.terms);
    if (at.kind === 'quotient') pending.push(at.over);
    if (at.kind === 'call') pending.push(...at.args);
  }
  return false;
}

export const turned = (b: Builder, of: Expression, node: Node): Node =>
  node.shape?.length === 2 ? op(b, of, 'permute', [node], { axes: [1, 0] }) : node;

/** A name: what a function is given, a size, what a formula makes of others, else a leaf. */
function symbol(b: Builder, of: SymbolPart, meets?: Dim): Node {
  const plain = unprimed(readingAt(b.document, of), of);
  if (plain) return turned(b, of, symbol(b, plain));
  const name = nameOf(of);
  const given = b.given.get(name);
  if (given) return given;
  const size = sizeOf(b.document.sizes, of);
  if (size !== undefined && !b.document.declared.has(indexedKey(of))) return number(b, of, numberFor(b, size));
  const isWritten = b.literals.has(name) || (name === 'V' && b.literals.has('K'));
  const made = b.leaves.get(name) ?? (isWritten ? undefined : defined(b, of, name));
  if (made) return made;
  const shape = shapeOf(readingAt(b.document, of), of);
  if (!shape) throw new NoGraph(t('the shape of {0} is not known', name), of.range);
  const [rows, ...rest] = shape;
  // Rows of weights that no text counts: as many as what stands before them has columns.
  const fits = meets !== undefined && rest.length === 1 && rows !== undefined && /^\?/.test(soleName(resolved(b.document.sizes, rows)) ?? ''); // prettier-ignore
  return leaf(b, of, name, fits ? [meets, ...rest] : shape);
}

export const nameOf = (of: SymbolPart): string =>
  keyOf(of) + (of.index ?? []).map((one) => (one.kind === 'symbol' ? `_${one.name}` : one.kind === 'number' ? `_${one.value}` : '')).join(''); // prettier-ignore

function defined(b: Builder, of: SymbolPart, name: string): Node | undefined {
  const key = indexedKey(of);
  const one = asOf(b.document.defined.get(key), of.range.end);
  if (!one || b.following.has(key) || one.of.kind === 'list' || one.of.kind === 'matrix') return undefined;
  b.following.add(key);
  const made = built(b, one.of);
  b.following.delete(key);
  b.leaves.set(name, made);
  b.named.push({ name, node: made });
  return made;
}

const isScalar = ({ shape }: Node): boolean => shape?.length === 0;

function product(b: Builder, of: Product): Node {
  const [first, ...more] = of.factors;
  if (!first) throw new NoGraph(t('this part has no step'), of.range);
  return more.reduce(
    (left, factor, at) => {
      const i = at + 1;
      const right = factor.kind === 'symbol' ? symbol(b, factor, left.shape?.at(-1)) : built(b, factor);
      const name = isScalar(left) || isScalar(right) || of.signs[i - 1] === '∘' ? 'multiply' : 'matmul';
      const range = {
        start: of.factors[0]?.range.start ?? of.range.start,
        end: of.factors[i]?.range.end ?? of.range.end,
      };
      return op(b, { ...of, range }, name, isScalar(left) && name === 'multiply' ? [right, left] : [left, right]);
    },
    built(b, first),
  );
}

function quotient(b: Builder, of: Extract<Expression, { kind: 'quotient' }>): Node {
  return op(b, of, 'divide', [built(b, of.over), built(b, of.under)]);
}

/** `d_k^{-1/2}`, `d_k^{0.5}` and whole powers of a size: a number. */
function power(b: Builder, of: Extract<Expression, { kind: 'power' }>): Node {
  const [base, exponent] = [built(b, of.base), numberIn(of.exponent)];
  if (exponent === undefined || !isScalar(base)) throw new NoGraph(t('this power has no step'), of.range);
  const one = Math.abs(exponent) === 0.5 ? op(b, of, 'sqrt', [base]) : Math.abs(exponent) === 1 ? base : undefined;
  if (!one) throw new NoGraph(t('this power has no step'), of.range);
  return exponent < 0 ? op(b, of, 'divide', [number(b, of, 1), one]) : one;
}

function numberIn(of: Expression): number | undefined {
  const at = bare(of);
  if (at.kind === 'number') return at.value;
  if (at.kind === 'sum' && at.terms.length === 1 && at.terms[0]) {
    const inner = numberIn(at.terms[0]);
    return inner === undefined ? undefined : at.minus[0] ? -inner : inner;
  }
  if (at.kind !== 'quotient') return undefined;
  const [over, under] = [numberIn(at.over), numberIn(at.under)];
  return over === undefined || under === undefined ? undefined : over / under;
}

function sum(b: Builder, of: Extract<Expression, { kind: 'sum' }>): Node {
  // Numbers that stand in for a mask would hide nothing.
  const mask = of.terms.find(
    (term) => term.kind === 'symbol' && /^M$|mask/i.test(term.name) && !b.literals.has(nameOf(term)),
  );
  const first = of.terms.find((term) => term !== mask);
  const scores = mask && first ? built(b, first) : undefined;
  const hidden = mask?.kind === 'symbol' && scores ? maskByCases(b, mask, (scores.shape ?? []).flatMap((dim) => (typeof dim === 'number' ? [dim] : []))) : undefined; // prettier-ignore
  if (mask?.kind === 'symbol' && !hidden)
    throw new NoGraph(t('the text gives no numbers for {0}', mask.name), mask.range);
  const node = (term: Expression): Node => (term === mask && hidden ? hidden : term === first && scores ? scores : built(b, term)); // prettier-ignore
  return of.terms.map(node).reduce((left, right, i) => (i === 0 ? right : op(b, of, of.minus[i] ? 'subtract' : 'add', [left, right]))); // prettier-ignore
}

function call(b: Builder, of: Call): Node {
  const [first] = of.args;
  if (/soft ?max/i.test(of.name) && first && of.args.length === 1 && !of.index) {
    const scores = built(b, first);
    return op(b, of, 'softmax', [scores], { axis: (scores.shape?.length ?? 1) - 1 });
  }
  if (/^exp$/i.test(of.name) && first) return op(b, of, 'exp', [built(b, first)]);
  if (/attention|^attn/i.test(of.name) && of.args.length === 3) return attention(b, of);
  if (/^concat/i.test(of.name)) return concatenated(b, of);
  throw new NoGraph(t('{0} has no step here', of.name), of.range);
}

/** As the document defines it, else scaled dot-product attention (Vaswani et al. 2017, equation 1). */
function attention(b: Builder, of: Call): Node {
  const [q, k, v] = of.args.map((arg) => built(b, arg)) as [Node, Node, Node];
  const scores = op(b, of, 'matmul', [q, turned(b, of, k)]);
  const width = q.shape?.at(-1);
  const scaled = op(b, of, 'divide', [
    scores,
    op(b, of, 'sqrt', [number(b, of, typeof width === 'number' ? width : 1)]),
  ]);
  return op(b, of, 'matmul', [op(b, of, 'softmax', [scaled], { axis: 1 }), v]);
}

/** As many heads as the text says, else two, each with weights of its own. */
function concatenated(b: Builder, of: Call): Node {
  const last = of.args.at(-1);
  const index = last?.kind === 'symbol' ? last.index?.[0] : undefined;
  const size = index && sizeOf(b.document.sizes, index);
  if (!of.args.some(({ kind }) => kind === 'dots') || last?.kind !== 'symbol' || size === undefined)
    return op(b, of, 'concat', of.args.map((arg) => built(b, arg)), { axis: 1 }); // prettier-ignore
  const definition = asOf(b.document.defined.get(indexedKey(last)), of.range.end);
  if (!definition) throw new NoGraph(t('no formula says what {0} is', last.name), last.range);
  const count = Math.min(16, numberFor(b, size));
  const heads = Array.from({ length: count }, (_, i) => {
    const own: Builder = { ...b, leaves: new Map([...b.leaves].filter(([name]) => !/_[a-z]$/.test(name))) };
    const made = built(own, definition.of);
    b.named.push({ name: `${last.name}_${i + 1}`, node: made });
    return made;
  });
  return op(b, of, 'concat', heads, { axis: 1 });
}
