/** What stands at a place of a formula, for a person: what it says, shapes of its factors and why, and what does not fit. */
import { formatShape, type Shape } from '../program';
import { positionAt, t, type Problem, type TextRange } from '../text';
import { computesAttention } from './attentions';
import type { Formulas } from './formulas';
import { numberOf, sizeOf } from './meaning';
import { reasonOf } from './reason';
import { sentenceOf } from './sentence';
import { bare, childrenOf, partsOf, type Expression } from './tree';
import { writtenPlainly } from './written';

/** A factor with its shape, and where the shape comes from. */
export interface DescribedPart {
  readonly written: string;
  readonly shape: string;
  readonly why: string;
}

export interface DescribedFormula {
  /** The part that is described, and the whole formula with its signs. */
  readonly range: TextRange;
  readonly formula: TextRange;
  readonly written: string;
  /** Undefined where it is refused, or stands for no matrix. */
  readonly shape: string | undefined;
  readonly says: string | undefined;
  /** `Q m×d_k, Kᵀ d_k×n → m×n` */
  readonly product: string | undefined;
  readonly parts: readonly DescribedPart[];
  /** Why it is refused, and where. */
  readonly problem: (Pick<Problem, 'message' | 'hint'> & { readonly line: number; readonly written: string }) | undefined; // prettier-ignore
  /** Whether the formula computes attention, which can be explained. */
  readonly isAttention: boolean;
}

/** The smallest part at an offset that has a shape, else the formula. Undefined outside formulas, and in those that are left alone. */
export function describeAt(text: string, found: Formulas, offset: number): DescribedFormula | undefined {
  const formula = found.formulas.find(({ outer }) => outer.start <= offset && offset < Math.max(outer.end, outer.start + 1)); // prettier-ignore
  if (!formula?.expression || formula.status === 'alone') return undefined;
  const way = signed(wayTo(formula.expression, offset));
  const shapes = new Map(formula.parts.map(({ expression, shape }) => [expression, shape]));
  const usual = new Set(formula.parts.flatMap(({ expression, isUsual }) => (isUsual ? [expression] : [])));
  const at = (formula.status === 'refused' ? undefined : way.find((one) => shapes.has(one))) ?? formula.expression;
  // `n × d_k` alone is a shape, and no product.
  const [own] = formula.parts.length === 0 ? formula.shapes : [];
  const isShape = own !== undefined;
  const product = productOf(text, way.slice(way.indexOf(at)), shapes);
  const [problem] = formula.problems;
  return {
    range: at.range,
    formula: formula.outer,
    written: writtenIn(text, at),
    shape: isShape
      ? inWords(own)
      : shapes.has(at)
        ? asClaimed(inWords(shapes.get(at) ?? []), usual.has(at))
        : undefined,
    says:
      formula.isSize && at.kind !== 'root'
        ? sizeInWords(found, at)
        : isShape
          ? undefined
          : sentenceOf(
              at,
              (part) => writtenIn(text, part),
              (part) => shapes.get(part)?.length === 0,
            ),
    product: product && asClaimed(product.says, usual.has(product.of)),
    parts: partsOfIt(text, found, product?.of ?? at, shapes, usual),
    problem: problem && { message: problem.message, ...(problem.hint === undefined ? {} : { hint: problem.hint }), ...placeOf(text, problem.range ?? formula.range) }, // prettier-ignore
    isAttention: formula.status === 'understood' && computesAttention(formula),
  };
}

const placeOf = (text: string, { start, end }: TextRange): { readonly line: number; readonly written: string } => ({
  line: positionAt(text, start).line,
  written: excerpt(text.slice(start, end)),
});

/** What rests on convention alone is a guess, and says so. */
const asClaimed = (words: string, isUsual: boolean): string =>
  isUsual ? t('usual: {0}, not said here', words) : words;

const inWords = (shape: Shape): string => (shape.length === 0 ? t('a number') : formatShape(shape));

function sizeInWords({ read: { document } }: Formulas, of: Expression): string {
  const size = of.kind === 'relation' ? undefined : sizeOf(document.sizes, bare(of));
  const known = size === undefined ? undefined : numberOf(document.sizes, size);
  return known === undefined ? t('A size.') : t('A size: {0}.', known);
}

/** The parts that contain an offset, the smallest first. */
function wayTo(of: Expression, offset: number): readonly Expression[] {
  const way = [of];
  for (let at: Expression | undefined = of; at;) {
    at = childrenOf(at).find(({ range }) => range.start <= offset && offset < range.end);
    if (at) way.unshift(at);
  }
  return way;
}

/** −0.415 is one number, which its sign belongs to. */
const signed = (way: readonly Expression[]): readonly Expression[] =>
  way[0]?.kind === 'number' && way[1]?.kind === 'sum' && way[1].terms.length === 1 ? way.slice(1) : way;

/** The product around a part, or that which it is, where all factors have shapes. */
function productOf(
  text: string,
  way: readonly Expression[],
  shapes: ReadonlyMap<Expression, Shape>,
): { readonly of: Expression; readonly says: string } | undefined {
  const of = way.map(bare).find((one) => one.kind === 'product' && one.factors.length > 1);
  if (of?.kind !== 'product') return undefined;
  const factors = of.factors.map((factor) => ({ factor, shape: shapeIn(shapes, factor) }));
  const isOfMatrices = factors.filter(({ shape }) => shape && shape.length > 0).length > 1;
  if (!isOfMatrices) return undefined;
  const known = factors.map(({ factor, shape }) => `${writtenIn(text, factor)} ${shape ? inWords(shape) : '?'}`);
  const made = shapes.get(of);
  return { of, says: `${known.join(', ')} → ${made ? inWords(made) : '?'}` };
}

const shapeIn = (shapes: ReadonlyMap<Expression, Shape>, of: Expression): Shape | undefined =>
  shapes.get(of) ?? (of.kind === 'group' ? shapeIn(shapes, of.of) : undefined);

/** Names with shapes, each once, with the reason of each. */
function partsOfIt(
  text: string,
  { read: { document } }: Formulas,
  of: Expression,
  shapes: ReadonlyMap<Expression, Shape>,
  usual: ReadonlySet<Expression>,
): readonly DescribedPart[] {
  const found = new Map<string, DescribedPart>();
  const pending = [of];
  // `k` of `S[i, k]` counts, whatever it is elsewhere.
  const counting = new Set([...partsOf(of)].flatMap((part) => (part.kind === 'item' ? part.index.flatMap((one) => (one.kind === 'symbol' ? [one.name] : [])) : []))); // prettier-ignore
  for (let at = pending.pop(); at && found.size < mostParts; at = pending.pop()) {
    const shape = shapes.get(at);
    if (at.kind === 'symbol' && shape && shape.length > 0 && !counting.has(at.name)) {
      const written = writtenIn(text, at);
      const line = (offset: number): number => positionAt(text, offset).line;
      if (!found.has(written))
        found.set(written, {
          written,
          shape: inWords(shape),
          why: reasonOf(document, at, usual.has(at), line, inWords(shape)),
        });
    }
    if (at.kind !== 'symbol') pending.push(...[...childrenOf(at)].reverse());
  }
  return [...found.values()];
}

const mostParts = 8;

/** In plain signs, else as it stands. */
const writtenIn = (text: string, of: Expression): string =>
  excerpt(writtenPlainly(of, 4 * longest) ?? text.slice(of.range.start, of.range.end));

const longest = 60;

function excerpt(text: string): string {
  const line = text
    .slice(0, 4 * longest)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
