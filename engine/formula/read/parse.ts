/** Tokens of either notation become a tree. What has no meaning here stays in it as `unread`; nothing is dropped. */
import { type Expression, type Sign } from '../tree';
import { atom, scriptedAtom } from './atoms';
import { around, chained, deeper, isNext, peek, take, TooDeep, unread, type Parser } from './parser';
import { spaceOfNumbers } from './scripts';
import type { Token } from './tokens';

/** The tree; undefined where it is nested too deep or nothing stands there. */
export function parseTokens(tokens: readonly Token[], sigmaIsName = false): Expression | undefined {
  const parser: Parser = { tokens, rules, at: 0, depth: 0, sigmaIsName };
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

const joined = (items: readonly Expression[]): Expression | undefined =>
  items.length < 2
    ? items[0]
    : { kind: 'list', items: countedAbove(items) ?? countedBelow(items), range: around(items) };

/** `q^1, q^2, …, q^n`: numbers above that count, where a list begins with the first. */
function countedAbove(items: readonly Expression[]): readonly Expression[] | undefined {
  const powers = items.filter((one) => one.kind !== 'dots');
  const [first] = powers;
  if (powers.length === items.length || first?.kind !== 'power' || first.exponent.kind !== 'number' || first.exponent.value !== 1) return undefined; // prettier-ignore
  const base = first.base.kind === 'symbol' ? first.base.name : undefined;
  if (!powers.every((one) => one.kind === 'power' && one.base.kind === 'symbol' && one.base.name === base && !one.base.index)) return undefined; // prettier-ignore
  return items.map((one) => (one.kind === 'power' && one.base.kind === 'symbol' ? { ...one.base, index: [one.exponent], range: one.range } : one)); // prettier-ignore
}

/** `O_1, …, O_H`: a capital below that counts, where a list begins with a number. */
function countedBelow(items: readonly Expression[]): readonly Expression[] {
  const [first, last] = [items[0], items.at(-1)];
  if (first?.kind !== 'symbol' || first.index?.length !== 1 || first.index[0]?.kind !== 'number' || !items.some(({ kind }) => kind === 'dots')) return items; // prettier-ignore
  if (last?.kind !== 'symbol' || last.name !== first.name || last.index || !/^[A-Z]$/.test(last.label ?? '')) return items; // prettier-ignore
  const { label = '', ...rest } = last;
  const { end } = last.range;
  return [...items.slice(0, -1), { ...rest, index: [{ kind: 'symbol', name: label, range: { start: end - 1, end } }] }];
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
    // `S = QK^T → A = S/√d_k`: two statements.
    if (sign === '→' && signs.includes('=') && right.kind === 'symbol' && isNext(parser, 'sign', '=')) {
      parser.at = parser.tokens.indexOf(ahead) + 1;
      break;
    }
    signs.push(sign ?? '=');
    const shown = sign === '→' && (signs.length > 1 || /^(?:product|call)$/.test(sides[0]?.kind ?? '')) ? shapeShown(right) : undefined; // prettier-ignore
    if (shown) signs[signs.length - 1] = '∈';
    sides.push(/^[∈⊂]$/.test(sign ?? '') ? asSpace(right) : (shown ?? right));
  }
  // `W(32 \times 6)`, as all that is said.
  const said = sides.length === 1 && sides[0]?.kind === 'product' ? sides[0] : undefined;
  const [name, sizes, more] = said?.signs[0] === '' ? said.factors : [];
  const space = name?.kind === 'symbol' && /^[A-Zqkvxzh]$/.test(name.name) && sizes && !more ? asSpace(sizes) : undefined; // prettier-ignore
  if (name && space?.kind === 'space') return { kind: 'relation', sides: [name, space], signs: ['∈'], range: around([name, space]) }; // prettier-ignore
  const only = sides[0];
  if (!only) return undefined;
  return sides.length === 1
    ? only
    : { kind: 'relation', sides, signs: signs.slice(-(sides.length - 1)), range: around(sides) };
}

/** `A @ v → [2, 16, 512, 64]`, `→ (n, d)`: sizes, where numbers are as large as no values are beside one another. */
function shapeShown(of: Expression): Expression | undefined {
  const items = of.kind === 'group' && /^[[(]$/.test(of.open) && of.of.kind === 'list' ? of.of.items : [];
  const isSize = (one: Expression): boolean => (one.kind === 'number' ? Number.isInteger(one.value) && one.value > 0 : one.kind === 'symbol' && !one.index && /^[a-zNTLSBCHMD]$/.test(one.name)); // prettier-ignore
  const isShape = items.length > 1 && items.every(isSize) && items.some((one) => one.kind === 'symbol' || (one.kind === 'number' && one.value >= 16)); // prettier-ignore
  return isShape ? { kind: 'space', sizes: items, range: of.range } : undefined;
}

/** `x ∈ R^d`, of a plain or a curly R; `\mathcal{M}_{n,d}(\mathbb{R})`; `(n \times d)` behind a wide space. */
function asSpace(of: Expression): Expression {
  if (of.kind === 'power' && of.base.kind === 'symbol' && of.base.name === 'R' && !of.base.index)
    return { kind: 'space', sizes: [of.exponent], range: of.range };
  const ofNumbers = spaceOfNumbers(of);
  if (ofNumbers) return ofNumbers;
  if (of.kind === 'group' && of.open === '(' && of.of.kind === 'product' && of.of.signs.every((sign) => sign === '×'))
    return { kind: 'space', sizes: of.of.factors, range: of.range };
  const [letter, field, more] = of.kind === 'product' ? of.factors : [];
  const isOfReals = field?.kind === 'group' && field.of.kind === 'symbol' && /^[ℝR]$/.test(field.of.name) && !more;
  if (!isOfReals || letter?.kind !== 'symbol' || letter.name !== 'M') return of;
  const [rows, columns = rows] = letter.index ?? [];
  return rows && columns ? { kind: 'space', sizes: [rows, columns], range: of.range } : of;
}

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

const rules: Parser['rules'] = { lines, relation, sum, product, atom };
