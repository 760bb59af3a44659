/** A formula in one line of plain signs: `softmax(QKᵀ/√d_k)V`. */
import { bare, keyOf, type Expression, type SymbolPart } from './tree';

/** Undefined where it would be longer, or has what one line cannot show. Of matrices and cases only that they are there. */
export function writtenPlainly(of: Expression, longest = 60): string | undefined {
  const written = write(of, 0);
  return written === undefined || written.length > longest ? undefined : written;
}

const deepest = 24;

function write(of: Expression, depth: number): string | undefined {
  if (depth > deepest) return undefined;
  const inner = (part: Expression): string | undefined => write(part, depth + 1);
  switch (of.kind) {
    case 'symbol':
      return symbol(of, depth);
    case 'number':
      return String(of.value);
    case 'infinity':
      return '∞';
    case 'dots':
      return '…';
    case 'product':
      return joined(of.factors.map((factor, i) => around(signBefore(of, i), of.signs[i - 1] === '∘' ? inner(factor) : closed(factor, inner(factor)))), ''); // prettier-ignore
    case 'sum':
      return sum(of, inner);
    case 'quotient':
      return both(closed(bare(of.over), inner(bare(of.over))), closed(bare(of.under), inner(bare(of.under)), true), (over, under) => `${over}/${under}`); // prettier-ignore
    case 'transpose':
      return around('', closed(of.of, inner(of.of), true), 'ᵀ');
    case 'root':
      return around('√', closed(bare(of.of), inner(bare(of.of)), true));
    case 'power':
      return both(closed(of.base, inner(of.base), true), inner(of.exponent), (base, to) => `${base}^${to.length > 1 ? `(${to})` : to}`); // prettier-ignore
    case 'group':
      return of.open === '' ? inner(of.of) : around('(', inner(of.of), ')');
    case 'call':
      return around(`${of.name}(`, joined(of.args.map((arg) => inner(arg.kind === 'group' ? arg.of : arg)), ', '), ')'); // prettier-ignore
    case 'sigma':
      return around(`${signs[of.sign]}${of.index === undefined ? '' : `_${of.index}`} `, inner(of.of));
    case 'list':
      return joined(of.items.map(inner), ', ');
    case 'matrix':
    case 'cases':
      return '[…]';
    case 'relation':
      return of.sides.map(inner).reduce((left, right, i) => both(left, right, (a, b) => `${a} ${of.signs[i - 1] ?? '='} ${b}`)); // prettier-ignore
    case 'space':
      return both(of.numbers ? inner(of.numbers) : 'ℝ', joined(of.sizes.map(inner), '×'), (a, b) => `${a}^${b}`);
    default:
      return undefined;
  }
}

/** `n × d`: between sizes, numbers and words the sign is not left out. */
function signBefore({ factors, signs }: Extract<Expression, { kind: 'product' }>, i: number): string {
  const sign = signs[i - 1];
  const isLoose = [factors[i - 1], factors[i]].some((one) => one?.kind === 'number' || (one?.kind === 'symbol' && (one.name.includes(' ') || /^[a-zDN]$/.test(one.name) && !one.index))); // prettier-ignore
  return sign === '∘' ? '∘' : sign === '×' && isLoose ? '×' : '';
}

const signs = { sum: 'Σ', product: 'Π', max: 'max', min: 'min' };

function symbol(of: SymbolPart, depth: number): string | undefined {
  const parts = (of.index ?? []).map((one) => write(one, depth + 1));
  // `PE_(pos,2i)`.
  const isLong = parts.length > 1 && parts.some((part) => part !== undefined && part.length > 1);
  const index = isLong ? around('(', joined(parts, ','), ')') : joined(parts, '');
  return index === undefined ? undefined : keyOf(of) + (index === '' ? '' : `_${index}`);
}

function sum(
  { terms, minus }: Extract<Expression, { kind: 'sum' }>,
  inner: (of: Expression) => string | undefined,
): string | undefined {
  return terms.map(inner).reduce<string | undefined>((left, right, i) => {
    if (left === undefined || right === undefined) return undefined;
    if (i === 0) return minus[0] ? `−${right}` : right;
    return `${left} ${minus[i] ? '−' : '+'} ${right}`;
  }, '');
}

/** In brackets where what stands beside it would bind tighter. */
function closed(of: Expression, written: string | undefined, isTight = false): string | undefined {
  const isOpen = of.kind === 'sum' || of.kind === 'relation' || of.kind === 'list' || (isTight && (of.kind === 'product' || of.kind === 'quotient')); // prettier-ignore
  return isOpen ? around('(', written, ')') : written;
}

const around = (before: string, written: string | undefined, after = ''): string | undefined =>
  written === undefined ? undefined : before + written + after;

const both = (
  a: string | undefined,
  b: string | undefined,
  join: (a: string, b: string) => string,
): string | undefined => (a === undefined || b === undefined ? undefined : join(a, b));

const joined = (parts: readonly (string | undefined)[], by: string): string | undefined =>
  parts.every((part) => part !== undefined) ? parts.join(by) : undefined;
