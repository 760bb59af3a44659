/** Tokens of either notation become a tree. What has no meaning here stays in it as `unread`; nothing is dropped. */
import type { TextRange } from '../../text';
import { bare, type Expression, type Sign, type SymbolPart } from '../tree';
import { scripted } from './scripts';
import type { Token, TokenKind } from './tokens';

/** Brackets and braces within one another. */
const deepest = 48;
/** Quotients and scripts of one another. */
const chained = 24;

interface Parser {
  readonly tokens: readonly Token[];
  at: number;
  depth: number;
  /** In brackets where `‖` puts vectors or heads side by side. */
  apart?: boolean;
}

/** Nothing of a formula that is nested deeper is read. */
class TooDeep extends Error {}

/** The tree; undefined where it is nested too deep or nothing stands there. */
export function parseTokens(tokens: readonly Token[]): Expression | undefined {
  const parser: Parser = { tokens, at: 0, depth: 0 };
  const rows: Expression[] = [];
  try {
    while (parser.at < tokens.length) {
      const one = lines(parser);
      if (one) rows.push(one);
      const left = parser.tokens[parser.at];
      // A bracket that nothing opened.
      if (left) rows.push(unread(left));
      parser.at++;
    }
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
  return joined(rows);
}

const unread = ({ text, start, end }: Token): Expression => ({ kind: 'unread', text, range: { start, end } });

const joined = (items: readonly Expression[]): Expression | undefined =>
  items.length < 2 ? items[0] : { kind: 'list', items: countedAbove(items) ?? items, range: around(items) };

/** `q^1, q^2, …, q^n`: numbers above that count, where a list begins with the first. */
function countedAbove(items: readonly Expression[]): readonly Expression[] | undefined {
  const powers = items.filter((one) => one.kind !== 'dots');
  const [first] = powers;
  if (powers.length === items.length || first?.kind !== 'power' || first.exponent.kind !== 'number' || first.exponent.value !== 1) return undefined; // prettier-ignore
  const base = first.base.kind === 'symbol' ? first.base.name : undefined;
  if (!powers.every((one) => one.kind === 'power' && one.base.kind === 'symbol' && one.base.name === base && !one.base.index)) return undefined; // prettier-ignore
  return items.map((one) => (one.kind === 'power' && one.base.kind === 'symbol' ? { ...one.base, index: [one.exponent], range: one.range } : one)); // prettier-ignore
}

export const around = (parts: readonly { readonly range: TextRange }[]): TextRange => ({
  start: Math.min(...parts.map(({ range }) => range.start)),
  end: Math.max(...parts.map(({ range }) => range.end)),
});

const peek = ({ tokens, at }: Parser): Token | undefined => tokens[at];
const isNext = (parser: Parser, kind: TokenKind, text?: string): boolean => {
  const token = peek(parser);
  return token?.kind === kind && (text === undefined || token.text === text);
};

function take(parser: Parser, kind: TokenKind, text?: string): Token | undefined {
  if (!isNext(parser, kind, text)) return undefined;
  return parser.tokens[parser.at++];
}

function deeper<T>(parser: Parser, read: () => T): T {
  if (++parser.depth > deepest) throw new TooDeep();
  const made = read();
  parser.depth--;
  return made;
}

/** Lines of an `align`, items between commas: each may be a relation. A line that begins with `=` goes on. */
function lines(parser: Parser): Expression | undefined {
  const items: Expression[] = [];
  for (;;) {
    const token = peek(parser);
    if (!token || token.kind === 'end-group' || token.kind === 'close' || token.kind === 'end') break;
    if (isBreak(token) || isBar(parser) || (parser.apart && token.text === '‖')) {
      parser.at++;
      continue;
    }
    const last = items.at(-1);
    const goesOn = last && isRelationSign(token) ? items.pop() : undefined;
    const before = parser.at;
    const item = relation(parser, goesOn);
    if (item) items.push(item);
    if (parser.at === before) {
      items.push(unread(token));
      parser.at++;
    }
  }
  return joined(items);
}

const isBreak = ({ kind, text }: Token): boolean =>
  kind === 'row' || kind === 'cell' || (kind === 'sign' && /^[,;.?!]$/.test(text));

/** `A || B`, each of both bars. */
const isBar = ({ tokens, at }: Parser): boolean => {
  const is = (token: Token | undefined): boolean => token?.kind === 'sign' && token.text === '|';
  return is(tokens[at]) && (is(tokens[at + 1]) || is(tokens[at - 1]));
};

const relationSigns = new Set(['=', '≈', '∈', '<', '>', '≤', '≥', '≠', '∼', '∝', '→', '⇒', '⇔', '≡', '←', '⊂', ':', '∀']); // prettier-ignore
const isRelationSign = ({ kind, text }: Token): boolean => kind === 'sign' && relationSigns.has(text);

function relation(parser: Parser, first?: Expression): Expression | undefined {
  const sides: Expression[] = [];
  const signs: string[] = [];
  const whole = first?.kind === 'relation' ? first : undefined;
  sides.push(...(whole ? whole.sides : first ? [first] : []));
  signs.push(...(whole ? whole.signs : []));
  if (!first) {
    const left = sum(parser);
    if (left) sides.push(left);
  }
  for (;;) {
    // `&=` in aligned lines.
    const ahead = isNext(parser, 'cell') ? parser.tokens[parser.at + 1] : peek(parser);
    if (ahead?.kind === 'word' && /^(?:of )?shape:?$/i.test(ahead.text) && sides.length > 0) {
      const space = shapeBehind(parser, ahead);
      if (!space) break;
      signs.push('∈');
      sides.push(space);
      continue;
    }
    if (!ahead || !isRelationSign(ahead)) break;
    parser.at = parser.tokens.indexOf(ahead, parser.at) + 1;
    const sign = ahead.text === ':' && isNext(parser, 'sign', '=') ? parser.tokens[parser.at++]?.text : ahead.text;
    while (isNext(parser, 'cell')) parser.at++;
    const right = sum(parser);
    if (!right) continue;
    signs.push(sign ?? '=');
    sides.push(sign === '∈' ? asSpace(right) : right);
  }
  const only = sides[0];
  if (!only) return undefined;
  return sides.length === 1
    ? only
    : { kind: 'relation', sides, signs: signs.slice(-(sides.length - 1)), range: around(sides) };
}

/** `x ∈ R^d`, of a plain or a curly R. */
const asSpace = (of: Expression): Expression =>
  of.kind === 'power' && of.base.kind === 'symbol' && of.base.name === 'R' && !of.base.index
    ? { kind: 'space', sizes: [of.exponent], range: of.range }
    : of;

/** `\text{shape } (n, d_k)` behind a formula: the set it is in. */
function shapeBehind(parser: Parser, word: Token): Expression | undefined {
  if (parser.tokens[parser.at + 1]?.kind !== 'open') return undefined;
  parser.at++;
  const group = deeper(parser, () => atom(parser));
  const sizes = group?.kind === 'group' && group.of.kind === 'list' ? group.of.items : undefined;
  return sizes && group ? { kind: 'space', sizes, range: { start: word.start, end: group.range.end } } : undefined;
}

function sum(parser: Parser): Expression | undefined {
  const terms: Expression[] = [];
  const minus: boolean[] = [];
  for (;;) {
    const sign = take(parser, 'sign', '+') ?? take(parser, 'sign', '-') ?? take(parser, 'sign', '±');
    const term = product(parser);
    if (!term) {
      if (sign && terms.length === 0) return unread(sign);
      break;
    }
    terms.push(sign && terms.length === 0 ? { ...term, range: { start: sign.start, end: term.range.end } } : term);
    minus.push(sign?.text === '-');
    const next = peek(parser);
    if (next?.kind !== 'sign' || !/^[-+±]$/.test(next.text)) break;
  }
  const only = terms[0];
  if (terms.length < 2 && !minus[0]) return only;
  return { kind: 'sum', terms, minus, range: around(terms) };
}

const productSigns: ReadonlyMap<string, Sign> = new Map([['·', '·'], ['×', '×'], ['@', '@'], ['*', '*'], ['∘', '∘'], ['⊙', '∘']]); // prettier-ignore

const isProductSign = (token: Token | undefined): boolean => token?.kind === 'sign' && productSigns.has(token.text);

function product(parser: Parser): Expression | undefined {
  let factors: Expression[] = [];
  let signs: Sign[] = [];
  let quotients = 0;
  for (;;) {
    const token = peek(parser);
    const sign = token?.kind === 'sign' ? productSigns.get(token.text) : undefined;
    const divides = token?.kind === 'sign' && token.text === '/';
    if (factors.length > 0 && (sign !== undefined || divides)) parser.at++;
    if (factors.length > 0 && token?.kind === 'word' && /^(?:of )?shape:?$/i.test(token.text)) break;
    // What is left out is no factor.
    if (factors.length > 0 && sign === undefined && !divides && token?.kind === 'dots') break;
    const factor = scriptedAtom(parser);
    if (!factor) break;
    if (factor.kind === 'dots' && factors.length === 0 && !isProductSign(peek(parser))) return factor;
    if (divides && factors.length > 0) {
      if (++quotients > chained) throw new TooDeep();
      const over = productOf(factors, signs);
      factors = [{ kind: 'quotient', over, under: factor, range: around([over, factor]) }];
      signs = [];
      continue;
    }
    if (factors.length > 0) signs.push(sign ?? '');
    factors.push(factor);
  }
  return factors.length > 0 ? productOf(factors, signs) : undefined;
}

function productOf(factors: readonly Expression[], signs: readonly Sign[]): Expression {
  const [only] = factors;
  if (only && factors.length === 1) return only;
  return { kind: 'product', factors, signs, range: around(factors) };
}

/** An atom with all that stands above, below and behind it. */
function scriptedAtom(parser: Parser): Expression | undefined {
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

interface Scripts {
  sub?: Expression | undefined;
  sup?: Expression | undefined;
  transposed: boolean;
  primes: number;
}

function scripts(parser: Parser, base: Expression): Expression {
  let made = base;
  for (let turn = 0; ; turn++) {
    if (turn > chained) throw new TooDeep();
    const found: Scripts = { transposed: false, primes: 0 };
    const end = readScripts(parser, found);
    if (end === undefined) return made;
    made = scripted(made, found, { start: base.range.start, end });
  }
}

/** Until one comes twice: then it belongs to the whole. */
function readScripts(parser: Parser, found: Scripts): number | undefined {
  let end: number | undefined;
  for (;;) {
    const token = peek(parser);
    if (token?.kind === 'prime' && !found.transposed) {
      found.primes++;
      parser.at++;
      end = token.end;
    } else if (token?.kind === 'transpose') {
      if (found.transposed) return end;
      found.transposed = true;
      parser.at++;
      end = token.end;
    } else if (token?.kind === 'sub' && !found.sub) {
      parser.at++;
      found.sub = signBelow(parser) ?? script(parser);
      end = found.sub?.range.end ?? token.end;
    } else if (token?.kind === 'sup' && !found.sup && !found.transposed) {
      parser.at++;
      end = superscript(parser, found) ?? token.end;
    } else return end;
  }
}

function superscript(parser: Parser, found: Scripts): number | undefined {
  const braced = isNext(parser, 'begin-group');
  const inner = parser.tokens[parser.at + (braced ? 1 : 0)];
  const after = parser.tokens[parser.at + (braced ? 2 : 1)];
  const alone = !braced || after?.kind === 'end-group';
  if (inner && alone && (inner.kind === 'transpose' || (/^[Tt]$/.test(inner.text) && inner.kind === 'name'))) {
    found.transposed = true;
    parser.at += braced ? 3 : 1;
    return braced ? after?.end : inner.end;
  }
  if (inner?.kind === 'prime' && alone) {
    found.primes++;
    parser.at += braced ? 3 : 1;
    return inner.end;
  }
  found.sup = script(parser);
  return found.sup?.range.end;
}

/** `x_=`: the token that is written `=`. */
function signBelow(parser: Parser): Expression | undefined {
  const token = take(parser, 'sign', '=');
  return token && symbolOf(token);
}

/** One group in braces or brackets, or one token. */
function script(parser: Parser): Expression | undefined {
  const sign = isNext(parser, 'sign', '-') || isNext(parser, 'sign', '*') ? parser.tokens[parser.at++] : undefined;
  const isWhole = (['begin-group', 'open', 'frac', 'root'] as const).some((kind) => isNext(parser, kind));
  if (isWhole) return deeper(parser, () => atom(parser));
  const token = peek(parser);
  if (!token || !/^(?:name|word|number|big|dots|transpose|infinity)$/.test(token.kind)) return sign && unread(sign);
  parser.at++;
  const made = plainAtom(token);
  const range = { start: sign?.start ?? token.start, end: token.end };
  return sign?.text === '-' ? { kind: 'sum', terms: [made], minus: [true], range } : made;
}

const symbolOf = ({ text, start, end }: Token): SymbolPart => ({ kind: 'symbol', name: text, range: { start, end } });

function plainAtom(token: Token): Expression {
  const range = { start: token.start, end: token.end };
  if (token.kind === 'number') return { kind: 'number', value: Number(token.text.replace(/,(?=\d{3})/g, '')), range };
  if (token.kind === 'dots') return { kind: 'dots', range };
  if (token.kind === 'infinity') return { kind: 'infinity', range };
  if (token.kind === 'rule') return { kind: 'rule', range };
  return symbolOf(token);
}

const closing: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  '⟨': '⟩',
  '⌊': '⌋',
  '|': '|',
  '‖': '‖',
};

function atom(parser: Parser): Expression | undefined {
  const token = peek(parser);
  if (!token) return undefined;
  switch (token.kind) {
    case 'name':
    case 'word':
    case 'number':
    case 'dots':
    case 'infinity':
    case 'rule':
    case 'transpose':
      parser.at++;
      return plainAtom(token);
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
    case 'skip-argument':
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

/** `‖x‖`: up to the next bar, if there is one. */
function norm(parser: Parser, token: Token): Expression | undefined {
  const next = parser.tokens[parser.at + 1];
  // `A || B`: a bar that nothing stands behind.
  if (token.text === '|' && next?.kind === 'sign' && next.text === '|') return undefined;
  parser.at++;
  const from = parser.at;
  const closes = parser.tokens
    .slice(from, from + 40)
    .some((next) => next.text === token.text && next.kind === token.kind);
  if (!closes) return unread(token);
  const of = deeper(parser, () => sum(parser));
  const end = take(parser, 'sign', token.text);
  if (of && end) return { kind: 'norm', of, range: { start: token.start, end: end.end } };
  parser.at = from;
  return unread(token);
}

function bracketed(parser: Parser, token: Token): Expression {
  parser.at++;
  const from = parser.at;
  const before = parser.apart;
  parser.apart = token.text === '[' && hasBarsBetween(parser);
  const inner = deeper(parser, () => lines(parser));
  parser.apart = before ?? false;
  const of =
    inner?.kind === 'list' && token.text === '[' && hasSemicolon(parser, from)
      ? { ...inner, joined: true as const }
      : inner;
  const end = peek(parser);
  const closes = end?.kind === 'close';
  if (closes) parser.at++;
  const range = { start: token.start, end: closes ? end.end : (of?.range.end ?? token.end) };
  const isNorm = closing[token.text] === end?.text && /[‖|]/.test(token.text);
  if (isNorm && of) return { kind: 'norm', of, range };
  return { kind: 'group', of: of ?? { kind: 'list', items: [], range }, open: token.text, range };
}

/** Between the items themselves, not within what they hold. */
function hasSemicolon({ tokens, at }: Parser, from: number): boolean {
  let depth = 0;
  for (let i = from; i < at; i++) {
    const { kind, text } = tokens[i] ?? {};
    if (kind === 'open' || kind === 'begin-group') depth++;
    else if (kind === 'close' || kind === 'end-group') depth--;
    else if (depth === 0 && kind === 'sign' && /^[;‖]$/.test(text ?? '')) return true;
  }
  return false;
}

/** `[a ‖ b]`: bars between, none at an end, where they would be those of a norm. */
function hasBarsBetween({ tokens, at }: Parser): boolean {
  let depth = 0;
  let bars = 0;
  const isBarAt = (i: number): boolean => tokens[i]?.kind === 'sign' && tokens[i]?.text === '‖';
  for (let i = at; i < Math.min(tokens.length, at + 400); i++) {
    const { kind } = tokens[i] ?? {};
    if (kind === 'open' || kind === 'begin-group') depth++;
    else if (kind === 'end-group') depth--;
    else if (kind === 'close' && depth-- === 0) return bars > 0 && !isBarAt(at) && !isBarAt(i - 1);
    else if (depth === 0 && isBarAt(i)) bars++;
  }
  return false;
}

/** Braces are not seen: what stands in them has their range. */
function grouped(parser: Parser, token: Token): Expression {
  parser.at++;
  const of = deeper(parser, () => lines(parser));
  const end = take(parser, 'end-group');
  const range = { start: token.start, end: end?.end ?? of?.range.end ?? token.end };
  if (!of) return { kind: 'list', items: [], range };
  return of.kind === 'symbol' || of.kind === 'number' ? { ...of, range } : { kind: 'group', of, open: '', range };
}

const missing = ({ start, end }: Token): Expression => ({ kind: 'list', items: [], range: { start, end } });

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

const unbraced = (of: Expression): Expression => (of.kind === 'group' && of.open === '' ? of.of : of);

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
  const to = found.sup ?? (below?.kind === 'relation' && below.signs[0] === '∈' ? below.sides[1] : undefined);
  const of = deeper(parser, () => product(parser)) ?? missing(token);
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

const isMatrixName = (name: string): boolean =>
  /^(?:[pbvBV]?matrix\*?|smallmatrix|array|bsmallmatrix|psmallmatrix)$/.test(name);

function environment(parser: Parser, token: Token): Expression {
  parser.at++;
  if (isMatrixName(token.text)) return matrix(parser, token, 'matrix');
  if (/^(?:d|r)?cases$/.test(token.text)) return matrix(parser, token, 'cases');
  const of = deeper(parser, () => lines(parser));
  const end = take(parser, 'end');
  const range = { start: token.start, end: end?.end ?? of?.range.end ?? token.end };
  return of ?? { kind: 'list', items: [], range };
}

function matrix(parser: Parser, token: Token, kind: 'matrix' | 'cases'): Expression {
  const rows: Expression[][] = [];
  let row: Expression[] = [];
  const finish = (): void => {
    if (row.length > 0) rows.push(row);
    row = [];
  };
  for (;;) {
    const next = peek(parser);
    if (!next || next.kind === 'end') break;
    if (next.kind === 'row') finish();
    if (next.kind === 'row' || next.kind === 'cell') {
      parser.at++;
      continue;
    }
    const before = parser.at;
    const cell = deeper(parser, () => cellOf(parser));
    if (cell) row.push(cell);
    if (parser.at === before) {
      row.push(unread(next));
      parser.at++;
    }
  }
  finish();
  const end = take(parser, 'end');
  return { kind, rows, range: { start: token.start, end: end?.end ?? rows.at(-1)?.at(-1)?.range.end ?? token.end } };
}

/** A bar or a dash alone in a cell is a line that goes on: part of the picture of a row or a column. */
function cellOf(parser: Parser): Expression | undefined {
  const [token, next] = [peek(parser), parser.tokens[parser.at + 1]];
  const alone = !next || next.kind === 'cell' || next.kind === 'row' || next.kind === 'end';
  if (token && alone && ((token.kind === 'sign' && /^[-|‖]$/.test(token.text)) || token.kind === 'rule')) {
    parser.at++;
    return { kind: 'rule', range: { start: token.start, end: token.end } };
  }
  const cell = relation(parser);
  // Commas in a cell of conditions: `0, & i \geq j`.
  while (isNext(parser, 'sign', ',')) parser.at++;
  return cell;
}

const calledLetters = /^[fghaσφψϕκρ]$/;

/** What stands behind a name in brackets is what a function is given; behind a name in plain text in square brackets a cell. */
function called(parser: Parser, of: Expression): Expression | undefined {
  const token = peek(parser);
  const base = of.kind === 'symbol' ? of : of.kind === 'item' && of.of.kind === 'symbol' ? of.of : undefined;
  if (!token || !base || base.primes) return undefined;
  const isWord = base.name.length > 1 && !/\u0302/.test(base.name);
  if (isWord && token.kind === 'begin' && isMatrixName(token.text)) return callOf(base, deeper(parser, () => atom(parser))); // prettier-ignore
  if (token.kind !== 'open') return bareArgument(parser, base, isWord);
  const isLetter = calledLetters.test(base.name) && base.label === undefined;
  const isOf = token.text === '[' && /^[A-Z]$/.test(base.name) && parser.tokens[parser.at + 1]?.kind === 'name' && parser.tokens[parser.at + 2]?.kind === 'close'; // prettier-ignore
  const isInput = /^[QKV]$/.test(base.name) && token.text === '(' && holdsOneName(parser);
  const isCost = base.name === 'O' && token.text === '(';
  const isCall =
    isOf ||
    isInput ||
    isCost ||
    ((isWord || isLetter || hasComma(parser)) &&
      (token.text === '(' || token.text === '{' || (token.text === '[' && isWord)));
  if (!isCall || (!isOf && !isInput && !isCost && /^[A-ZΑ-Ω]$/.test(base.name) && !hasComma(parser))) return undefined;
  const group = deeper(parser, () => atom(parser));
  if (!group) return undefined;
  if (token.text === '[' && !isFunctionWord(base.name) && base.name.includes('_')) return itemOf(base, group);
  return callOf(base, group);
}

export const isFunctionWord = (name: string): boolean =>
  /^(?:soft ?max|sparsemax|exp|sin|cos|tanh|log|ln|sigmoid|concat|attention|self ?attention|multi ?head|layer ?norm|rms ?norm|norm|relu|gelu|ffn|rope|head|var|sum|sqrt|diag|tr|masked?.*|.*attention.*|.*softmax.*)$/i.test(name); // prettier-ignore

/** `\exp x`, `\sin pos`: without brackets. */
function bareArgument(parser: Parser, base: SymbolPart, isWord: boolean): Expression | undefined {
  if (!isWord || !/^(?:exp|sin|cos|tanh|log|ln|softmax)$/i.test(base.name) || base.index) return undefined;
  const next = peek(parser);
  if (!next || !/^(?:name|word|frac|root|number|begin-group|accent)$/.test(next.kind)) return undefined;
  const of = deeper(parser, () => product(parser));
  return of && callOf(base, of);
}

/** `Q(h_{1:T})`: one name, whatever stands above and below it. */
function holdsOneName({ tokens, at }: Parser): boolean {
  let names = 0;
  let depth = 0;
  for (let i = at + 1; i < Math.min(tokens.length, at + 24); i++) {
    const { kind } = tokens[i] ?? {};
    if (kind === 'close') return names === 1;
    if (kind === 'begin-group') depth++;
    else if (kind === 'end-group') depth--;
    else if (depth > 0 || kind === 'sub' || kind === 'sup' || kind === 'prime') continue;
    else if (kind === 'name' && !/^[QKV]$/.test(tokens[i]?.text ?? '')) names++;
    else if (kind !== 'number' || names === 0) return false;
  }
  return false;
}

function hasComma(parser: Parser): boolean {
  let depth = 0;
  for (let i = parser.at; i < Math.min(parser.tokens.length, parser.at + 24); i++) {
    const token = parser.tokens[i];
    if (token?.kind === 'open' || token?.kind === 'begin-group') depth++;
    if ((token?.kind === 'close' || token?.kind === 'end-group') && --depth === 0) return false;
    if (depth === 1 && token?.kind === 'sign' && token.text === ',') return true;
  }
  return false;
}

const itemsOf = (of: Expression): readonly Expression[] => {
  const inner = of.kind === 'group' ? of.of : of;
  if (inner.kind === 'group' && inner.open === '' && inner.of.kind === 'list') return inner.of.items;
  return inner.kind === 'list' ? inner.items : [inner];
};

const itemOf = (of: SymbolPart, group: Expression): Expression => ({
  kind: 'item',
  of,
  index: itemsOf(group),
  range: around([of, group]),
});

/** `Q = X` in a call: what is given, by its name. */
const givenAs = (of: Expression): Expression => {
  const [left, right, more] = of.kind === 'relation' && of.signs[0] === '=' ? of.sides : [];
  return left?.kind === 'symbol' && right && !more ? right : of;
};

function callOf(base: SymbolPart, argument: Expression | undefined): Expression {
  if (!argument) return base;
  const range = around([base, argument]);
  const over =
    base.index?.[0] ??
    (base.label === undefined ? undefined : { kind: 'words' as const, text: base.label, range: base.range });
  if (base.name === 'sqrt') return { kind: 'root', of: argument.kind === 'group' ? argument.of : argument, range };
  // A head is counted as it is called; a softmax says over what.
  return { kind: 'call', name: base.name, args: itemsOf(argument).map(givenAs), ...(over && { over }), range };
}
