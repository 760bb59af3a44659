/** One part of a formula: a name, a number, a fraction, a root, a sum over an index, with all that stands at it. */
import { bare, partsOf, type Expression } from '../tree';
import { readScripts, plainAtom, script, scripts, type Scripts } from './below';
import { bracketed, grouped, norm } from './brackets';
import { called } from './calls';
import { environment } from './environments';
import { deeper, isNext, missing, peek, unbraced, unread, type Parser } from './parser';
import type { Token } from './tokens';

/** An atom with all that stands above, below and behind it. */
export function scriptedAtom(parser: Parser): Expression | undefined {
  const first = peek(parser);
  if (!first) return undefined;
  const base = deeper(parser, () => atom(parser));
  if (!base) return undefined;
  let made = scripts(parser, base);
  // A name with brackets behind it: a call, or cells `[i, j]` in plain text.
  for (let turn = 0; turn < 4; turn++) {
    const next = called(parser, made);
    if (!next) break;
    made = scripts(parser, next);
  }
  return made;
}

export function atom(parser: Parser): Expression | undefined {
  const token = peek(parser);
  if (!token) return undefined;
  switch (token.kind) {
    case 'name':
      return (token.text === 'Σ' && sumOver(parser, token)) || plain(parser, token);
    case 'word':
    case 'number':
    case 'dots':
    case 'infinity':
    case 'rule':
    case 'transpose':
      return plain(parser, token);
    case 'open':
      return bracketed(parser, token);
    case 'begin-group':
      return grouped(parser, token);
    case 'frac':
      return fraction(parser, token);
    case 'root':
      return root(parser, token);
    case 'big':
      return big(parser, token);
    case 'begin':
      return environment(parser, token);
    case 'accent':
      return accented(parser, token);
    case 'unread':
      parser.at++;
      return unread(token);
    case 'sign':
      return signAtom(parser, token);
    case 'sub':
    case 'sup':
    case 'prime':
      parser.at++;
      return unread(token);
    default:
      return undefined;
  }
}

function signAtom(parser: Parser, token: Token): Expression | undefined {
  if (token.text === '√') return root(parser, token);
  if (token.text === '∑' || token.text === 'Σ') return big(parser, { ...token, text: 'sum' });
  if (parser.apart && token.text === '‖') return undefined;
  if (token.text === '|' || token.text === '‖') return norm(parser, token);
  return undefined;
}

function plain(parser: Parser, token: Token): Expression {
  parser.at++;
  return plainAtom(token);
}

/** `y_i = \Sigma_j w_{ij} v_j`: a sum, where what stands behind has the index that stands below, nothing before it has and nothing is multiplied by it. */
function sumOver(parser: Parser, token: Token): Expression | undefined {
  const { at } = parser;
  const before = parser.tokens[at - 1];
  if (parser.sigmaIsName || before?.kind !== 'sign' || !/^[=≈+]$/.test(before.text)) return undefined;
  const of = parser.tokens[at + 1]?.kind === 'sub' ? big(parser, { ...token, text: 'sum' }) : undefined;
  // `\\Sigma_i^{-1} x_i` is of a covariance.
  const isCounted = of?.kind === 'sigma' && !parser.tokens.slice(0, at).some(({ text }) => text === of.index) && !(of.to && bare(of.to).kind === 'sum') && [...partsOf(of.of)].some((part) => part.kind === 'symbol' && part.index?.some((one) => one.kind === 'symbol' && one.name === of.index)); // prettier-ignore
  if (isCounted) return of;
  parser.at = at;
  return undefined;
}

function fraction(parser: Parser, token: Token): Expression {
  parser.at++;
  const over = script(parser) ?? missing(token);
  const under = script(parser) ?? missing(token);
  return {
    kind: 'quotient',
    over: unbraced(over),
    under: unbraced(under),
    range: { start: token.start, end: under.range.end },
  };
}

function root(parser: Parser, token: Token): Expression {
  parser.at++;
  const of = isNext(parser, 'begin-group') || isNext(parser, 'open') ? deeper(parser, () => atom(parser)) : (scriptedAtom(parser) ?? missing(token)); // prettier-ignore
  const inner = of ?? missing(token);
  return { kind: 'root', of: unbraced(inner), range: { start: token.start, end: inner.range.end } };
}

function big(parser: Parser, token: Token): Expression {
  parser.at++;
  const found: Scripts = { transposed: false, primes: 0 };
  readScripts(parser, found);
  const sign = token.text === 'prod' ? 'product' : (token.text as 'sum' | 'max' | 'min');
  const below = found.sub && bare(found.sub);
  const bound = below?.kind === 'relation' ? below.sides[0] : below;
  const set = below?.kind === 'relation' && below.signs[0] === '∈' ? below.sides[1] : undefined;
  // `\sum_{t \in V}`: words or nodes, no number of them.
  const to = found.sup ?? (set?.kind === 'symbol' && /^[V𝒱]$/u.test(set.name) ? undefined : set);
  const of = deeper(parser, () => parser.rules.product(parser)) ?? missing(token);
  const index = bound?.kind === 'symbol' ? bound.name + "'".repeat(bound.primes ?? 0) : undefined;
  return { kind: 'sigma', sign, index, to, of, range: { start: token.start, end: of.range.end } };
}

function accented(parser: Parser, token: Token): Expression | undefined {
  parser.at++;
  const of = script(parser);
  if (of?.kind !== 'symbol') return of ?? unread(token);
  const range = { start: token.start, end: of.range.end };
  // An arrow on a capital says that it is a vector; other letters of vectors say so themselves.
  if (token.text === 'vec')
    return /^[A-VX-Z]$/.test(of.name) ? { ...of, name: `${of.name}\u20d7`, range } : { ...of, vector: true, range };
  return { ...of, name: `${of.name}\u0302`, range };
}
