/** What a document's formulas say: understood with shapes, refused in words, or left alone. */
import { finish, t, type Paced, type Problem, type TextRange } from '../text';
import type { Shape } from '../program';
import { readingDocument, type ReadDocument } from './document';
import {
  readingAt,
  type Reading,
  inferFrom,
  indexedKey,
  relevanceOf,
  named,
  weighing,
  shapeOf,
  restore,
  sizeOf,
  isRowOfNumbers,
  writtenShape,
} from './meaning';
import { isCondition } from './conditions';
import type { Notation } from './regions';
import { statements, keyOf, partsOf, type Expression } from './tree';

/** A part of a formula and its shape. */
export interface FormulaPart {
  readonly range: TextRange;
  readonly expression: Expression;
  readonly shape: Shape;
  /** It rests on how such names are used, not on what the text says or the formula forces: a guess, shown as one. */
  readonly isUsual: boolean;
}

export interface Formula {
  readonly range: TextRange;
  /** With the signs around it: `$…$`. */
  readonly outer: TextRange;
  readonly notation: Notation;
  readonly display: boolean;
  /** Left alone: it is not attention's mathematics. */
  readonly status: 'understood' | 'refused' | 'alone';
  /** Undefined where it is nested too deep or too long. */
  readonly expression: Expression | undefined;
  /** Of a statement, that of both sides; of several statements that of each. Undefined for what has none, as a name of a size. */
  readonly shapes: readonly (Shape | undefined)[];
  /** What it says is how large something is. */
  readonly isSize: boolean;
  /** Shapes are only usual: they rest on how such names are used, not on what the text says or the formula forces. Nothing is claimed then. */
  readonly assumed: boolean;
  readonly parts: readonly FormulaPart[];
  /** Why it is refused, the first cause first. */
  readonly problems: readonly Problem[];
}

export interface Formulas {
  readonly formulas: readonly Formula[];
  /** Whether any of them computes attention. */
  readonly hasAttention: boolean;
  /** What they were read from. */
  readonly read: ReadDocument;
}

/** Reads a document with places to stop. Never throws for what is in the text. */
export function* readingFormulas(text: string, languageId: string): Paced<Formulas> {
  const read = yield* readingDocument(text, languageId);
  const { parsed, document } = read;
  const { sizes } = document;
  const { isRelevant, any } = relevanceOf(parsed.map(({ expression }) => expression), (key) => sizes.names.has(key)); // prettier-ignore
  for (const [i, { expression }] of parsed.entries()) {
    if (expression && isRelevant[i]) inferFrom(document, expression);
    yield;
  }
  const formulas: Formula[] = [];
  for (const [i, { region, expression }] of parsed.entries()) {
    formulas.push({ ...region, expression, ...understood(read, expression, isRelevant[i] ?? false, any) });
    yield;
  }
  return { formulas, hasAttention: any, read };
}

/** All of it at once; undefined once `stop` says so. */
export function readFormulas(
  text: string,
  languageId: string,
  stop: () => boolean = () => false,
): Formulas | undefined {
  const work = readingFormulas(text, languageId);
  for (;;) {
    const part = work.next();
    if (part.done) return part.value;
    if (stop()) return undefined;
  }
}

type Understood = Pick<Formula, 'status' | 'shapes' | 'isSize' | 'assumed' | 'parts' | 'problems'>;

const alone: Understood = { status: 'alone', shapes: [], isSize: false, assumed: false, parts: [], problems: [] };

function understood(
  { document }: ReadDocument,
  of: Expression | undefined,
  relevant: boolean,
  any: boolean,
): Understood {
  if (!of || !any) return alone;
  const r = readingAt(document, of);
  const isSize = saysSize(r, of);
  if (isSize) return { ...alone, status: 'understood', isSize };
  // `2 × n_h × d_h`: how many numbers, of K and V.
  if (of.kind === 'product' && of.factors.length > 2 && of.factors[0]?.kind === 'number' && of.factors[0].value < 10 && of.factors.slice(1).every(({ kind }) => kind === 'symbol')) return alone; // prettier-ignore
  const shape = isRowOfNumbers(of) ? undefined : writtenShape(document.sizes, of);
  if (shape) return { ...alone, status: 'understood', shapes: [shape] };
  const isKnown = (of.kind === 'symbol' && document.declared.has(indexedKey(of))) || areWeightsInWords(document, of);
  if (!relevant && !isKnown && !isOfSizes(r, of)) return alone;
  if (saysNothing(document, of)) return alone;
  const all = withoutCounting(statements(of)).filter(
    (one, i) =>
      one.kind !== 'dots' &&
      one.kind !== 'words' &&
      !isCost(one) &&
      !isSpoken(one) &&
      !(i > 0 && (isCounter(one) || (one.kind === 'relation' && saysSize(r, one)))),
  );
  const one = of.kind === 'list' && of.items.every(({ kind }) => kind === 'symbol' || kind === 'dots') && all.length < of.items.length ? [of] : all; // prettier-ignore
  // `O(n)` alone.
  if (one.length === 0) return alone;
  const before = document.sizes.order.length;
  const usual: boolean[] = [];
  const shapes = one.map((each) => {
    const count = r.problems.length;
    const { found: shape, isUsual } = weighing(r, () => shapeOf(r, each));
    usual.push(isUsual);
    return r.problems.length > count ? undefined : shape;
  });
  const first = unreadIn(of) ?? r.problems[0] ?? notKnown(r, one, shapes);
  const parts = [...r.shapes].map(([expression, shape]) => ({ expression, shape: named(r, shape, r.usual.has(expression)), range: expression.range, isUsual: r.usual.has(expression) })); // prettier-ignore
  const found = {
    shapes: shapes.map((shape, i) => shape && named(r, shape, usual[i] === true)),
    isSize,
    assumed: usual.some(Boolean),
    parts,
  };
  // Nothing follows from what does not fit, or from a guess.
  if (first || found.assumed) restore(document.sizes, before);
  if (first) return { ...found, status: 'refused', problems: [first, ...r.problems.filter((one) => one !== first)] };
  return { ...found, status: 'understood', problems: [] };
}

/** "weight matrices $W_Q, W_K$", alone: words say what they are. */
const areWeightsInWords = (document: ReadDocument['document'], of: Expression): boolean =>
  of.kind === 'list'
    ? of.items.every((item) => areWeightsInWords(document, item))
    : of.kind === 'symbol' && of.name === 'W' && /^[qkvo]$/i.test(of.label ?? '') && document.axes.has(indexedKey(of));

/** `i = 1, …, h` says which there are, and computes nothing. */
function withoutCounting(all: readonly Expression[]): readonly Expression[] {
  const at = all.findIndex((one, i) => isFirst(one) && all[i + 1]?.kind === 'dots' && /^(?:symbol|number)$/.test(all[i + 2]?.kind ?? '')); // prettier-ignore
  return at < 1 ? all : [...all.slice(0, at), ...withoutCounting(all.slice(at + 3))];
}

/** `i ∈ {1, …, h}`: says which there are. */
const isCounter = (of: Expression): boolean =>
  of.kind === 'relation' && of.signs[0] === '∈' && of.sides.length === 2 && of.sides[0]?.kind === 'symbol' && !of.sides[0].index && /^[a-zℓ]$/.test(of.sides[0].name) && of.sides[1]?.kind === 'group' && of.sides[1].open === '{'; // prettier-ignore

const isFirst = (of: Expression): boolean => {
  const [left, right] = of.kind === 'relation' && of.signs[0] === '=' ? of.sides : [];
  return left?.kind === 'symbol' && !left.index && /^[a-zℓ]$/.test(left.name) && right?.kind === 'number';
};

/** A line of words alone. */
const isSpoken = (of: Expression): boolean => of.kind === 'symbol' && of.name.includes(' ');

/** `O(n²)`: what it costs. */
const isCost = (of: Expression): boolean => of.kind === 'call' && of.name === 'O';

/** `d_k`, `n = 7`, `d_q = d_k = 64`: names and numbers of sizes alone. */
function saysSize({ document: { sizes, declared, defined } }: Reading, of: Expression): boolean {
  return statements(of).every((one) => {
    const sides = one.kind === 'relation' ? one.sides : [one];
    const first = sides[0]?.kind === 'root' ? sides[0].of : sides[0];
    if (first !== sides[0] && sides.length === 1 && first) return sizeOf(sizes, first) !== undefined;
    // $\mathbf{q}$ beside queries of q numbers.
    if (first?.kind === 'symbol' && first.bold && declared.has(indexedKey(first))) return false;
    if (first?.kind !== 'symbol' || !(sizes.names.has(keyOf(first)) || /^[dnN]_(?!\d+$)|^[nd]$/.test(keyOf(first))))
      return false;
    // `n_t`, where a formula makes it of something else than sizes.
    if (sides.length === 1 && defined.get(indexedKey(first))?.some((one) => sizeOf(sizes, one.of) === undefined)) return false; // prettier-ignore
    return sides.every((side) => side.kind !== 'space' && sizeOf(sizes, side) !== undefined);
  });
}

/** A product of shapes that are written out: `(n × d)(d × n) = (n × n)`. */
function isOfSizes({ document: { sizes } }: Reading, of: Expression): boolean {
  let shapes = 0;
  for (const part of partsOf(of)) {
    if (part.kind === 'group' && writtenShape(sizes, part)) shapes++;
    if (part.kind === 'symbol' && sizeOf(sizes, part) === undefined) return false;
  }
  return shapes > 1;
}

/** `x_i` alone, which was last a component of a vector, not a vector: the text does not say which it means. */
function isComponent(document: ReadDocument['document'], of: Expression): boolean {
  if (of.kind === 'list') return of.items.every((item) => isComponent(document, item));
  const { components, declared } = document;
  if (of.kind !== 'symbol' || of.index === undefined) return false;
  if (of.index.map((one) => (one.kind === 'symbol' ? one.name : ' ')).join('') === 'th') return true;
  const before = (at: number): boolean => at < of.range.start;
  const last = components.get(indexedKey(of))?.findLast(before) ?? -1;
  const said = declared.get(indexedKey(of))?.findLast((one) => before(one.at))?.at ?? -1;
  return last > said;
}

/** A letter that no formula introduces, the name of a function, a number of parameters. */
function saysNothing(document: ReadDocument['document'], of: Expression): boolean {
  const { declared, defined, sizes } = document;
  if (of.kind === 'symbol' && !of.index && !/^[QKVXW]$/.test(of.name))
    return !declared.has(keyOf(of)) && !defined.has(keyOf(of));
  if (isComponent(document, of)) return true;
  if (isCondition(document, of)) return true;
  const factors = of.kind === 'product' ? of.factors : [];
  const isOfLetters = of.kind === 'product' && of.signs.every((sign) => sign === '×') && factors.every((one) => one.kind === 'symbol' && /^[A-Z]$/.test(keyOf(one))); // prettier-ignore
  if (
    isOfLetters &&
    factors.some((one) => one.kind === 'symbol' && !declared.has(keyOf(one)) && !defined.has(keyOf(one)))
  )
    return true;
  return factors.some((factor) => factor.kind === 'power' && sizeOf(sizes, factor.base) !== undefined && !/^-/.test(String(factor.exponent.kind === 'sum' && '-'))); // prettier-ignore
}

/** What has no meaning here, as it is written. */
function unreadIn(of: Expression): Problem | undefined {
  for (const part of partsOf(of))
    if (part.kind === 'unread')
      return { code: 'formula-unread', message: t('{0} is not read here', part.text), range: part.range };
  return undefined;
}

/** The first part whose shape the document does not say. */
function notKnown(r: Reading, of: readonly Expression[], shapes: readonly (Shape | undefined)[]): Problem | undefined {
  const at = of[shapes.findIndex((shape) => shape === undefined)];
  if (!at) return undefined;
  const counting = new Set([...partsOf(at)].flatMap((part) => (part.kind === 'symbol' ? (part.index ?? []) : [])));
  const isTitle = (part: Expression): boolean => at.kind === 'relation' && part === at.sides[0] && part.kind === 'call';
  for (const part of partsOf(at))
    if (
      (part.kind === 'symbol' || part.kind === 'call') &&
      !r.shapes.has(part) &&
      !counting.has(part) &&
      !isTitle(part)
    )
      return { code: 'formula-unknown', message: t('the shape of {0} is not known', part.name), range: part.range };
  return { code: 'formula-unknown', message: t('its shape is not known'), range: at.range };
}

export const formulasOf = (text: string, languageId: string): Formulas => finish(readingFormulas(text, languageId));
