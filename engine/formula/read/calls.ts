/** Functions, and what they are given. */
import { type Expression, type SymbolPart } from '../tree';
import { isMatrixName } from './environments';
import { around, deeper, peek, type Parser } from './parser';

const calledLetters = /^[fghaσφψϕκρ]$/;

/** What stands behind a name in brackets is what a function is given; behind a name in plain text in square brackets a cell. */
export function called(parser: Parser, of: Expression): Expression | undefined {
  const token = peek(parser);
  const base = of.kind === 'symbol' ? of : of.kind === 'item' && of.of.kind === 'symbol' ? of.of : undefined;
  if (!token || !base || base.primes) return undefined;
  const isWord = base.name.length > 1 && !/\u0302/.test(base.name);
  if (isWord && token.kind === 'begin' && isMatrixName(token.text)) return callOf(base, deeper(parser, () => parser.rules.atom(parser))); // prettier-ignore
  if (token.kind !== 'open') return bareArgument(parser, base, isWord);
  if (token.text === '[' && !isFunctionWord(base.name)) {
    const sliced = sliceOf(parser, base);
    if (sliced) return sliced;
  }
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
  const group = deeper(parser, () => parser.rules.atom(parser));
  if (!group) return undefined;
  if (token.text === '[' && !isFunctionWord(base.name) && base.name.includes('_')) return itemOf(base, group);
  return callOf(base, group);
}

const longestSlice = 12;

/** `K[j,:]` is a row, `K[:,j]` a column; another range in brackets is not read. Undefined where there is none. */
function sliceOf(parser: Parser, of: SymbolPart): Expression | undefined {
  const { tokens, at: open } = parser;
  const length = tokens.slice(open + 1, open + longestSlice).findIndex(({ kind }) => kind === 'close');
  const inner = tokens.slice(open + 1, open + 1 + Math.max(0, length));
  const close = tokens[open + 1 + length];
  const colons = inner.flatMap(({ kind, text }, i) => (kind === 'sign' && text === ':' ? [i] : []));
  if (!close || colons.length === 0) return undefined;
  const isComma = (i: number): boolean => inner[i]?.text === ',';
  const range = { start: of.range.start, end: close.end };
  const [colon] = colons;
  const isRow = colon === length - 1 && isComma(length - 2);
  const isColumn = colon === 0 && isComma(1);
  parser.at = open + (isColumn ? 3 : 1);
  const index = colons.length === 1 && (isRow || isColumn) ? deeper(parser, () => parser.rules.sum(parser)) : undefined;
  const ends = parser.at === open + 1 + (isRow ? length - 2 : length);
  parser.at = open + 2 + length;
  if (!index || !ends) return { kind: 'unread', text: '[', range };
  return { kind: 'item', of: isRow ? of : { kind: 'transpose', of, range: of.range }, index: [index], range };
}

const isFunctionWord = (name: string): boolean =>
  /^(?:soft ?max|sparsemax|exp|sin|cos|tanh|log|ln|sigmoid|concat|attention|self ?attention|multi ?head|layer ?norm|rms ?norm|norm|relu|gelu|ffn|rope|head|var|sum|sqrt|diag|tr|masked?.*|.*attention.*|.*softmax.*)$/i.test(name); // prettier-ignore

/** `\exp x`, `\sin pos`: without brackets. */
function bareArgument(parser: Parser, base: SymbolPart, isWord: boolean): Expression | undefined {
  if (!isWord || !/^(?:exp|sin|cos|tanh|log|ln|softmax)$/i.test(base.name) || base.index) return undefined;
  const next = peek(parser);
  if (!next || !/^(?:name|word|frac|root|number|begin-group|accent)$/.test(next.kind)) return undefined;
  const of = deeper(parser, () => parser.rules.product(parser));
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
