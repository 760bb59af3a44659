/** All formulas of a document, read, and what it says of their names: sets, sizes, definitions, in prose and in formulas. */
import { same, type Shape } from '../program';
import { macrosOf, latexTokens, parseTokens, plainTokens } from './read';
import {
  add,
  addFact,
  type Declared,
  type Defined,
  type Document,
  type Parsed,
  indexedKey,
  isRowOfNumbers,
  learnSizes,
  newSizes,
  sizeOf,
  writtenShape,
  type Sizes,
  fromProse,
  fromUse,
  headingsOf,
  readGiven,
} from './meaning';
import { readCountedAbove } from './counted-above';
import { regionsOf } from './regions';
import {
  bare,
  isNumbered,
  keyOf,
  membersOf,
  partsOf,
  statements,
  type Expression,
  type Relation,
  type SymbolPart,
} from './tree';

export interface ReadDocument {
  readonly parsed: readonly Parsed[];
  readonly document: Document;
}

/** Σ is no sum where it is introduced as a name, or a text speaks of what is called so. */
const namesSigma = /covarian|kovarian|singul|\bSVD\b|eigen|cholesky|协方差|奇异|\$\s*(?:\\Sigma|Σ)(?:_\{?\w+\}?)?\s*(?:\$|\\in|∈|,|=)/i; // prettier-ignore

export function* readingDocument(text: string, languageId: string): Generator<undefined, ReadDocument> {
  const macros = macrosOf(text);
  const { formulas } = regionsOf(text, languageId);
  const sigmaIsName = namesSigma.test(text);
  const parsed: Parsed[] = [];
  for (const region of formulas) {
    const tokens =
      region.notation === 'latex' ? latexTokens(text, region.range, macros) : plainTokens(text, region.range);
    parsed.push({ region, expression: tokens && parseTokens(tokens, sigmaIsName) });
    yield;
  }
  readCountedAbove(text, parsed);
  const document = documentOf(parsed, headingsOf(text));
  readGiven(text, parsed, document);
  fromProse(text, parsed, document);
  fromUse(text, parsed, document);
  return { parsed, document };
}

interface Building {
  readonly sizes: Sizes;
  readonly declared: Map<string, Declared[]>;
  readonly defined: Map<string, Defined[]>;
  readonly primed: Set<string>;
  readonly wholes: Set<string>;
  readonly unread: Set<string>;
  rows: number;
  columns: number;
  hasMean: boolean;
  /** `d_1`, `d_2`: sizes where there are several. */
  readonly numbered: Set<string>;
}

function documentOf(parsed: readonly Parsed[], sections: readonly number[]): Document {
  const b: Building = {
    sizes: newSizes(),
    declared: new Map(),
    defined: new Map(),
    primed: new Set(),
    wholes: new Set(),
    unread: new Set(),
    rows: 0,
    columns: 0,
    hasMean: false,
    numbered: new Set(),
  };
  for (const { expression } of parsed) if (expression) learn(b, expression);
  // `d_1` alone may be d × 1 that was not typed.
  if (b.numbered.size > 1) for (const name of b.numbered) b.sizes.names.add(name);
  parsed.forEach(({ expression }, i) => {
    if (!expression) return;
    for (const part of partsOf(expression)) if (part.kind === 'symbol' && part.sizes) declareBelow(b, part, part.sizes);
    const all = statements(expression);
    all.forEach((one, at) => state(b, one, i, namesBefore(all, at)));
  });
  const vectors = b.rows > b.columns ? 'rows' : b.columns > b.rows ? 'columns' : undefined;
  return { sizes: b.sizes, declared: b.declared, defined: b.defined, components: new Map(), primed: b.primed, wholes: b.wholes, vectors, columnsOf: new Map(), axes: new Map(), apart: new Set(), given: new Set(), notByUse: new Set(), unread: b.unread, hasMean: b.hasMean, sections }; // prettier-ignore
}

/** Names of sizes, and on which side of weights vectors stand. */
function learn(b: Building, expression: Expression): void {
  for (const part of partsOf(expression)) {
    if (part.kind === 'space') part.sizes.forEach((size) => learnSizes(b.sizes, size));
    if (part.kind === 'symbol') part.sizes?.forEach((size) => learnSizes(b.sizes, size));
    if (part.kind === 'sigma' && part.to) learnSizes(b.sizes, part.to);
    if (part.kind === 'symbol' && part.name === 'd' && part.label !== undefined && !part.index) {
      if (isNumbered(part)) b.numbered.add(keyOf(part));
      else b.sizes.names.add(keyOf(part));
    }
    // Not `\sqrt{\sigma^2 + \epsilon}`.
    if (part.kind === 'root' && !/^(?:sum|power)$/.test(bare(part.of).kind)) learnSizes(b.sizes, part.of);
    b.hasMean ||= (part.kind === 'symbol' || part.kind === 'call') && part.name === 'μ';
    learnWholes(b, part);
    if (part.kind !== 'product') continue;
    part.factors.forEach((right, i) => {
      const left = part.factors[i - 1];
      if (!left) return;
      if (isWeight(left) && isVector(right)) b.columns++;
      if (isVector(left) && isWeight(right)) b.rows++;
      // Wᵀxᵀ: what is turned to stand behind its weights is a row.
      if (left.kind === 'transpose' && isWeight(left.of) && right.kind === 'transpose' && isVector(right.of)) b.rows++;
    });
  }
}

/** `Q = xW^Q`, `Q = K = V = x`, `Attention(xW_i^Q, xW_i^K, xW_i^V)`: a small letter for all tokens. */
function learnWholes({ wholes }: Building, part: Expression): void {
  const given =
    part.kind === 'call' && part.args.length === 3
      ? part.args.map((arg) => beforeWeight(arg))
      : part.kind === 'relation' && part.sides.slice(0, -1).every(isOfAll)
        ? part.sides.slice(1).map((side) => beforeWeight(side) ?? (side.kind === 'symbol' ? side : undefined))
        : [];
  for (const one of given) if (one && !one.index && one.label === undefined && /^[a-z]$/.test(one.name)) wholes.add(one.name); // prettier-ignore
}

const isOfAll = (of: Expression): boolean => of.kind === 'symbol' && /^[QKV]$/.test(of.name);

/** x of `xW^Q`. */
function beforeWeight(of: Expression): SymbolPart | undefined {
  // `xW + b`.
  const product = of.kind === 'sum' && of.terms[0] ? of.terms[0] : of;
  const [first, second, more] = product.kind === 'product' ? product.factors : [];
  return first?.kind === 'symbol' && second && isWeight(second) && !more ? first : undefined;
}

const isWeight = (of: Expression): boolean => of.kind === 'symbol' && /^[WA]$/.test(of.name) && of.label !== undefined;
const isVector = (of: Expression): boolean => {
  const at = bare(of);
  if (at.kind === 'sum') return at.terms.every((term) => term.kind === 'symbol') && at.terms.some(isVector);
  return at.kind === 'symbol' && /^[xqkvhyz]$/.test(at.name);
};

/** Names in a row before `W_V ∈ …` of "W_Q, W_K, W_V ∈ …". */
function namesBefore(all: readonly Expression[], at: number): readonly SymbolPart[] {
  const found: SymbolPart[] = [];
  for (let i = at - 1; i >= 0; i--) {
    const one = all[i];
    if (one?.kind !== 'symbol') break;
    found.push(one);
  }
  return found;
}

function state(b: Building, of: Expression, formula: number, before: readonly SymbolPart[]): void {
  if (of.kind !== 'relation') return;
  const [left] = of.sides;
  if (!left) return;
  notePrimes(b, left);
  const isOfMembers = membersOf(of) !== undefined;
  if (isOfMembers || of.signs[0] === '∈' || (of.signs[0] === ':' && of.sides.length === 2)) declareIn(b, of, before);
  else if (of.signs[0] === '=') {
    // `Q = XW ∈ ℝ^{n×d}`.
    if (/^[∈:]$/.test(of.signs.at(-1) ?? '')) declareIn(b, { ...of, sides: [left, ...of.sides.slice(-1)] }, []);
    equate(b, of, formula);
  }
}

/** A primed name on the left is a name. */
function notePrimes(b: Building, left: Expression): void {
  if (left.kind === 'symbol' && left.primes) b.primed.add(left.name);
}

function declareBelow(b: Building, of: SymbolPart, sizes: readonly Expression[]): void {
  const shape = sizes.flatMap((size) => sizeOf(b.sizes, size) ?? []);
  if (shape.length === sizes.length) declare(b, of, shape);
}

function declareIn(b: Building, of: Relation, before: readonly SymbolPart[]): void {
  const { sides, signs } = of;
  const [left, right] = sides;
  // `(x_1, …, x_n) ∈ ℝ^{n×d}` is said of all together.
  if (left?.kind === 'group' && left.of.kind === 'list' && left.of.items.some(({ kind }) => kind === 'dots') && !membersOf(of)) return; // prettier-ignore
  const space = right && bare(right);
  const said =
    left && right?.kind === 'group'
      ? (sizesInBrackets(b, right, signs.includes(':')) ?? timesInBrackets(b, right))
      : undefined;
  if (!left || (space?.kind !== 'space' && !said)) return;
  const sizes = space?.kind === 'space' ? space.sizes : [];
  const shape = said ?? sizes.flatMap((size) => sizeOf(b.sizes, size) ?? []);
  if (!said && shape.length !== sizes.length)
    return namesIn(left).forEach((name) => void b.unread.add(indexedKey(name)));
  [...before, ...namesIn(left)].forEach((name) => declare(b, name, ofOne(b, name, shape)));
}

/** `(s, d_k)` or `[s, d_k]` behind a colon; behind ∈, `[1, N]` is an interval. */
function sizesInBrackets({ sizes }: Building, of: Expression, isColon: boolean): Shape | undefined {
  const items =
    of.kind === 'group' && (of.open === '(' || (isColon && of.open === '[')) && of.of.kind === 'list'
      ? of.of.items
      : [];
  if (items.length < 2 || !items.every((item) => isSizeLike(item))) return undefined;
  items.forEach((item) => learnSizes(sizes, item));
  return writtenShape(sizes, of);
}

/** `(N \times d_k)` behind a colon. */
function timesInBrackets({ sizes }: Building, { of }: Extract<Expression, { kind: 'group' }>): Shape | undefined {
  const isOfSizes = of.kind === 'product' && of.signs.every((sign) => sign === '×') && of.factors.every((one) => isSizeLike(one)); // prettier-ignore
  if (!isOfSizes) return undefined;
  of.factors.forEach((one) => learnSizes(sizes, one));
  return writtenShape(sizes, of);
}

/** A small letter, `N`, or a number. */
const isSizeLike = (of: Expression): boolean =>
  of.kind === 'number' || (of.kind === 'symbol' && !of.index && /^[a-zNTLSBCHMD]$/.test(of.name));

/** `x_{1:L} ∈ ℝ^{d×L}` says that x_i has d. */
function ofOne({ sizes }: Building, { index }: SymbolPart, shape: Shape): Shape {
  const [only] = index ?? [];
  const to = only?.kind === 'relation' && only.signs[0] === ':' ? only.sides[1] : undefined;
  const count = to && sizeOf(sizes, to);
  const at = count === undefined ? -1 : shape.findIndex((dim) => same(dim, count) === true);
  return at < 0 ? shape : shape.filter((_, i) => i !== at);
}

export const namesIn = (of: Expression): readonly SymbolPart[] => {
  const at = bare(of);
  if (at.kind === 'symbol') return [at];
  // `[a; s] ∈ ℝ^{2h}` is said of both together.
  if (of.kind === 'group' && of.open === '[') return [];
  return at.kind === 'list' ? at.items.flatMap(namesIn) : [];
};

export function declare(
  { declared }: Pick<Document, 'declared'>,
  name: SymbolPart,
  shape: Shape,
  at = name.range.start,
): void {
  add(declared, indexedKey(name), { at, shape, ...(name.bold && { bold: true }) });
}

function equate(b: Building, of: Relation, formula: number): void {
  const [left, right] = of.sides;
  if (!left || !right) return;
  const shape = of.sides.slice(1).map((side) => (side.kind === 'group' && !isOfNumbers(left, side) ? writtenShape(b.sizes, side) : undefined)).find((one) => one); // prettier-ignore
  if (shape && left.kind === 'symbol') return declare(b, left, shape);
  // `shape(Q) = (n, d_k)`.
  const [asked] = left.kind === 'call' && /^(?:shape|size|dim)$/i.test(left.name) && left.args.length === 1 ? left.args : []; // prettier-ignore
  if (asked?.kind === 'symbol') {
    const sizes = sizesInBrackets(b, right, true) ?? writtenShape(b.sizes, right);
    if (sizes) declare(b, asked, sizes);
    return;
  }
  const size = left.kind === 'symbol' && !left.index ? keyOf(left) : undefined;
  const dims = of.sides.map((side) => sizeOf(b.sizes, side));
  const last = dims.findLast((dim) => dim !== undefined);
  if (size !== undefined && isSmall(size) && dims.every((dim) => dim !== undefined) && last !== undefined) {
    of.sides.forEach((side) => {
      const name = side.kind === 'symbol' ? keyOf(side) : undefined;
      if (name !== undefined && dims.at(-1) !== undefined && side !== of.sides.at(-1) && last !== 1)
        addFact(b.sizes, name, last);
    });
    if (b.sizes.facts.has(size)) b.sizes.names.add(size);
    return;
  }
  // `x_{1:L} = [x_1, …, x_L]` says nothing of one x_i.
  if (left.kind === 'symbol' && left.index?.some(({ kind }) => kind === 'relation')) return;
  if (left.kind === 'symbol')
    add(b.defined, indexedKey(left), { at: left.range.start, of: right, formula, ...countedBy(left), ...(isExample(left, right) && { isExample: true }) }); // prettier-ignore
  // `W_q x_i = q_i`: the name stands on the right.
  else if (right.kind === 'symbol' && left.kind === 'product')
    add(b.defined, indexedKey(right), { at: left.range.start, of: left, formula });
}

/** `x_1 = (1, 0)`, `x = 1.75`: numbers of an example for what is a vector elsewhere. */
const isExample = ({ name, index }: SymbolPart, right: Expression): boolean => {
  if (right.kind === 'number') return /^[xqkvhyz]$/.test(name);
  const isNumbers = right.kind === 'matrix' || (right.kind === 'group' && right.of.kind === 'list' && right.of.items.every((item) => item.kind === 'number' || item.kind === 'sum')); // prettier-ignore
  return isNumbers && index?.some(({ kind }) => kind === 'number') === true;
};

/** `x_1 = (1, 0)`: numbers of a vector, and no shape. Of a capital, `(3, 4)` may be one. */
function isOfNumbers(left: Expression, side: Extract<Expression, { kind: 'group' }>): boolean {
  const { of } = side;
  if (of.kind !== 'list') return false;
  if (isRowOfNumbers(side)) return true;
  const isVector = left.kind === 'symbol' && /^[a-zα-ω]/.test(left.name);
  return isVector || of.items.every((item) => item.kind === 'number' && item.value < 2);
}

const countedBy = ({ index }: SymbolPart): { readonly index?: readonly string[] } => {
  const names = (index ?? []).flatMap((one) => (one.kind === 'symbol' && !one.index ? [one.name] : []));
  return names.length > 0 && names.length === index?.length ? { index: names } : {};
};

const isSmall = (key: string): boolean => /^[a-zN-NDTLHC]/.test(key);
