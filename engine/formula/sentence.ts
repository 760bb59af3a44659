/** What a part of a formula says, in one sentence. */
import { t } from '../text';
import { bare, keyOf, type Call, type Expression, type Product, type SymbolPart } from './tree';

type Write = (of: Expression) => string;
type Is = (of: Expression) => boolean;

/** Undefined where the signs say it better than words: a name that has no role, a number. `isNumber`: of parts whose shape is known to be none. */
export function sentenceOf(of: Expression, written: Write, isNumber: Is): string | undefined {
  // Brackets around a part are no part of its name in a sentence.
  const write: Write = (part) => written(part.kind === 'group' && part.open === '(' && part.of.kind !== 'list' ? part.of : part); // prettier-ignore
  switch (of.kind) {
    case 'group':
      return sentenceOf(of.of, write, isNumber);
    case 'symbol':
      return ofSymbol(of);
    case 'transpose':
      return t('{0} with its rows as columns.', write(of.of));
    case 'product':
      return ofProduct(of, write, isNumber);
    case 'quotient':
      return ofQuotient(of, write);
    case 'call':
      return ofCall(of, write, isNumber);
    case 'sigma':
      return ofSigma(of, write);
    case 'root':
      return t('The square root of {0}.', write(of.of));
    case 'norm':
      return t('The length of {0}: the root of the sum of its squares.', write(of.of));
    case 'sum':
      return of.terms.length > 1 ? t('Added entry by entry: {0}.', of.terms.map(write).join(', ')) : undefined;
    case 'relation':
      return ofRelation(of, write, isNumber);
    case 'cases':
      return t('A value for each case.');
    case 'matrix':
      return t('Written entry by entry; dots stand for those that are left out.');
    default:
      return undefined;
  }
}

function ofSymbol(of: SymbolPart): string | undefined {
  const one = of.index?.length === 1;
  if (/^[Qq]$/.test(of.name)) return one ? t('One query.') : of.name === 'Q' ? t('The queries: what each token looks for.') : t('A query.'); // prettier-ignore
  if (/^[Kk]$/.test(of.name)) return one ? t('One key.') : of.name === 'K' ? t('The keys: what each token is found by.') : t('A key.'); // prettier-ignore
  if (/^[Vv]$/.test(of.name)) return one ? t('One value.') : of.name === 'V' ? t('The values: what each token passes on.') : t('A value.'); // prettier-ignore
  if (of.name === 'W' && /^[Oo]/.test(of.label ?? '')) return t('The weights of the output projection.');
  return of.name === 'W' && of.label !== undefined ? t('Learned weights of a projection.') : undefined;
}

const isSize = (of: Expression): boolean => of.kind === 'number' || of.kind === 'words' || (of.kind === 'symbol' && !/^[A-Z]/.test(of.name)); // prettier-ignore

const isNamed = (of: Expression | undefined, name: RegExp): boolean => {
  const at = of && bare(of);
  if (at?.kind === 'transpose') return isNamed(at.of, name);
  return at?.kind === 'symbol' && name.test(at.name);
};

/** A vector, not a matrix of them. */
const isOne = (of: Expression, name: RegExp): boolean => {
  const at = bare(of);
  if (at.kind === 'transpose') return isOne(at.of, name);
  return at.kind === 'symbol' && at.index?.length === 1 && name.test(at.name);
};

function ofProduct(of: Product, write: Write, isNumber: Is): string | undefined {
  const { factors } = of;
  const [left, right, third] = factors;
  // `n × d_k` is a shape.
  if (!left || !right || (of.signs.every((sign) => sign === '×') && factors.every((one) => isSize(one))))
    return undefined;
  const isPair = third === undefined;
  if (isPair && isSoftmax(left)) return t('For each query the rows of {0}, weighted and added: the output.', write(right)); // prettier-ignore
  const areQueryAndKey = isNamed(left, /^[QqKk]$/) && isNamed(right, /^[QqKk]$/);
  if (isPair && areQueryAndKey && (isNumber(of) || isOne(left, /^[qk]$/) || isOne(right, /^[qk]$/))) return t('The dot product of {0} and {1}: one score.', write(left), write(right)); // prettier-ignore
  if (isPair && isNamed(left, /^[Qq]$/) && isNamed(right, /^[Kk]$/)) return t('The dot product of each query with each key: the scores.'); // prettier-ignore
  if (isPair && isNamed(left, /^[Kk]$/) && isNamed(right, /^[Qq]$/)) return t('The dot product of each key with each query: the scores.'); // prettier-ignore
  if (isPair && isNamed(right, /^W$/)) return t('{0} projected by {1}.', write(left), write(right));
  if (isPair && isNamed(left, /^W$/)) return t('{0} projected by {1}.', write(right), write(left));
  return t('The product of {0}.', factors.map(write).join(', '));
}

const isSoftmax = (of: Expression): boolean => {
  const at = bare(of);
  return at.kind === 'call' && /soft ?max/i.test(at.name);
};

function ofQuotient({ over, under }: Extract<Expression, { kind: 'quotient' }>, write: Write): string {
  const by = bare(under);
  const isExp = (at: Expression): boolean => {
    const one = bare(at);
    return one.kind === 'call' ? /^exp$/i.test(one.name) : one.kind === 'power' && isNamed(one.base, /^e$/);
  };
  if (isExp(over) && (by.kind === 'sigma' || by.kind === 'sum')) return t('Softmax: a share of the sum of all exponentials, between 0 and 1.'); // prettier-ignore
  // √d, √d_k; not √n of tokens.
  return by.kind === 'root' && isNamed(by.of, /^[dD]$/)
    ? t('{0} divided by {1}, so that the scores do not grow with the width of the keys.', write(over), write(under))
    : t('{0} divided by {1}.', write(over), write(under));
}

function ofCall(call: Call, write: Write, isNumber: Is): string | undefined {
  const { name, args } = call;
  const [first] = args;
  const of = first && bare(first);
  const isScore = of?.kind === 'product' && of.factors.length === 2 && of.factors.every((one) => isOne(one, /^[qk]$/));
  if (/soft ?max/i.test(name) && (isScore || isNumber(call)))
    return t('Softmax: a share of the sum of all exponentials, between 0 and 1.');
  if (/soft ?max/i.test(name) && first) return t('Softmax of {0}: each row becomes weights that are positive and sum to 1.', write(first)); // prettier-ignore
  if (/^concat/i.test(name)) return t('The heads side by side.');
  if (/multi ?head/i.test(name)) return t('Attention in several heads, whose outputs are put side by side and projected.'); // prettier-ignore
  if (/attention|^attn/i.test(name)) return t('Attention: what queries take of values, by how well their keys match.');
  return /^exp$/i.test(name) && first ? t('e to the power of {0}, entry by entry.', write(first)) : undefined;
}

function ofSigma(of: Extract<Expression, { kind: 'sigma' }>, write: Write): string | undefined {
  const body = bare(of.of);
  const [weight, value] = body.kind === 'product' ? body.factors : [];
  if (of.sign === 'sum' && of.index !== undefined && body.kind === 'product' && weight && value && weight.kind === 'symbol' && weight.index?.length === 2) // prettier-ignore
    return t('The sum over {0} of {1}, each weighted by {2}.', of.index, body.factors.slice(1).map(write).join(''), write(weight)); // prettier-ignore
  if (of.sign === 'sum') return of.index === undefined ? t('The sum of {0}.', write(of.of)) : t('The sum over {0} of {1}.', of.index, write(of.of)); // prettier-ignore
  return undefined;
}

function ofRelation(
  { sides, signs }: Extract<Expression, { kind: 'relation' }>,
  write: Write,
  isNumber: Is,
): string | undefined {
  const [left, right] = sides;
  if (!left || !right) return undefined;
  const name = left.kind === 'symbol' ? keyOf(left) : undefined;
  if (signs[0] === '∈' && bare(right).kind === 'space') return t('{0} is said to have this shape.', write(left));
  const inner = sides.length === 2 && signs[0] === '=' ? sentenceOf(right, write, isNumber) : undefined;
  if (inner === undefined) return undefined;
  return name === undefined ? inner : t('Defines {0}. {1}', name, inner);
}
