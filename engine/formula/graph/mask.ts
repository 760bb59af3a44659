/** A mask by cases, cell by cell: 0 where a key is seen, −∞ where it is hidden. */
import { type Node, constant } from '../../program';
import { t } from '../../text';
import { asOf } from '../meaning';
import { bare, keyOf, type Expression, type SymbolPart } from '../tree';
import { NoGraph, type Builder } from './builder';
import { numberIn } from './partly';

/** A name of which the document says by cases what stands in row i and column j. Undefined where it does not. */
export function maskByCases(b: Builder, of: SymbolPart, shape: readonly number[]): Node | undefined {
  const { defined } = b.document;
  const all = [...(defined.get(`${keyOf(of)}[][]`) ?? []), ...(defined.get(keyOf(of)) ?? [])];
  const cases = asOf(all.filter((one) => bare(one.of).kind === 'cases'), of.range.end); // prettier-ignore
  const body = cases && bare(cases.of);
  const [rows = 0, columns = 0] = shape;
  if (body?.kind !== 'cases' || shape.length !== 2) return undefined;
  const [row = 'i', column = 'j'] = cases?.index ?? [];
  const data = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      data[i * columns + j] = valueAt(body, [row, column], [i, j]);
    }
  b.maker.here = of.range;
  return constant(b.maker, shape, b.dtype, data);
}

type Cases = Extract<Expression, { kind: 'cases' }>;

function valueAt({ rows, range }: Cases, names: readonly string[], at: readonly number[]): number {
  for (const [value, condition] of rows) {
    const holds = condition === undefined ? true : holdsAt(condition, names, at);
    const number = value && valueOf(value);
    if (holds === undefined || number === undefined) throw new NoGraph(t('this case is not read'), (condition ?? value)?.range ?? range); // prettier-ignore
    if (holds) return number;
  }
  throw new NoGraph(t('these cases leave out row {0}, column {1}', (at[0] ?? 0) + 1, (at[1] ?? 0) + 1), range);
}

/** Undefined also where it matters whether rows are counted from 0 or from 1. */
function holdsAt(condition: Expression, names: readonly string[], at: readonly number[]): boolean | undefined {
  const [from0, from1] = [0, 1].map((first) => isTrue(condition, new Map(names.map((name, i) => [name, (at[i] ?? 0) + first])))); // prettier-ignore
  return from0 === from1 ? from0 : undefined;
}

function valueOf(of: Expression): number | undefined {
  const at = bare(of);
  if (at.kind === 'infinity') return Infinity;
  const [term] = at.kind === 'sum' && at.terms.length === 1 ? at.terms : [];
  const isMinus = at.kind === 'sum' && at.minus[0] === true;
  return term?.kind === 'infinity' ? (isMinus ? -Infinity : Infinity) : numberIn(at);
}

/** `i \ge j`, `if j > i`, `otherwise`. Undefined for anything else. */
function isTrue(given: Expression, places: ReadonlyMap<string, number>): boolean | undefined {
  const of = bare(given);
  if (of.kind === 'symbol' || of.kind === 'words') return /^(?:otherwise|else|sonst)\b/i.test(of.kind === 'words' ? of.text.trim() : of.name) || undefined; // prettier-ignore
  if (of.kind !== 'relation') return undefined;
  let all = true;
  for (const [i, sign] of of.signs.entries()) {
    const [a, b] = [placeOf(of.sides[i], places), placeOf(of.sides[i + 1], places)];
    const compare = comparisons[sign];
    if (a === undefined || b === undefined || !compare) return undefined;
    all &&= compare(a, b);
  }
  return all;
}

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '=': (a, b) => a === b,
  '≠': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '≤': (a, b) => a <= b,
  '≥': (a, b) => a >= b,
};

/** `i`, behind `if` too, with a number added or taken away. Two numbers alone compare too. */
function placeOf(given: Expression | undefined, places: ReadonlyMap<string, number>): number | undefined {
  const of = given && bare(given);
  if (of?.kind === 'symbol') return of.index ? undefined : places.get(of.name);
  if (of?.kind === 'number') return of.value;
  if (of?.kind === 'sum') {
    const terms = of.terms.map((term) => placeOf(term, places));
    return terms.some((term) => term === undefined)
      ? undefined
      : terms.reduce<number>((sum, term, i) => sum + (of.minus[i] ? -(term ?? 0) : (term ?? 0)), 0);
  }
  const [word, rest, more] = of?.kind === 'product' ? of.factors : [];
  const isIf = word?.kind === 'symbol' ? /^(?:if|for|where|falls)$/i.test(word.name) : word?.kind === 'words';
  return isIf && more === undefined ? placeOf(rest, places) : undefined;
}
