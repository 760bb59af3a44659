/** Statements: all sides of = have one shape. */
import { type Shape } from '../../program';
import { t } from '../../text';
import { bare, membersOf, type Expression } from '../tree';
import { type Reading, shapeOf } from './context';
import { indexedKey } from './names';
import { numberOf, resolved, resolvedShape, soleName } from './sizes';
import { component } from './entries';
import { guess, weighing } from './evidence';
import { equal, formatted, problem, withUsual } from './fit';
import { isDots, isWritten } from './grids';

/** All sides of `=` have one shape. */
export function ofRelation(r: Reading, of: Extract<Expression, { kind: 'relation' }>): Shape | undefined {
  const end = of.signs.indexOf('∀');
  const member = membersOf(of);
  const own = end < 0 ? of.sides : of.sides.slice(0, end + 1);
  const sides = member ? [member, ...own.slice(1)] : own;
  // `SRA: Attn(Q, K, V) = …`: a title.
  const from = sides.length > 2 && of.signs[0] === ':' && bare(sides[0] as Expression).kind === 'symbol' ? 1 : 0;
  let all: Shape | undefined;
  let isSaid = false;
  let unknown = false;
  const start = r.ground.guesses;
  let sound = false;
  let leans = false;
  const equals = of.signs.slice(0, sides.length - 1).every((sign) => sign !== '→');
  for (const [i, side] of sides.entries()) {
    if (i < from || (i === 0 && sides.length > 1 && spellsName(r, side))) continue;
    if (i > from && !/^[=≈→∈≡∝]$/.test(of.signs[i - 1] ?? '') && !member) break;
    const isSet = of.signs[i - 1] === '∈' && side.kind === 'symbol' && /^[ℝRℤℕℂ𝔽]$/u.test(side.name) && !side.index;
    // `v ∈ V`: a set, which may have the letter of a matrix, and of which v may be anything.
    if (i > from && of.signs[i - 1] === '∈' && side.kind === 'symbol' && !isSet) {
      if (all && all.length > 0) guess(r);
      sound = false;
      break;
    }
    const { found: shape, isUsual } = weighing(r, () => (isSet ? [] : (componentOfSoftmax(r, side, sides) ?? shapeOf(r, side)))); // prettier-ignore
    // `A W = 0`: a matrix of zeros.
    if (all && side.kind === 'number' && side.value === 0) continue;
    sound ||= shape !== undefined && !isUsual;
    isSaid ||= shape !== undefined && (!isUsual || bare(side).kind !== 'symbol');
    unknown ||= shape === undefined && i > from && hasUnknownName(side);
    if (!shape && side.kind === 'space') problem(r, side.range, t('a size of this set is not read'));
    if (!shape) continue;
    // What is said here is what is meant; so is what an equation makes of a name that is only usual, or said elsewhere.
    const isNew = i === from + 1 && bare(sides[from] as Expression).kind === 'symbol';
    if (isNew && all && !isUsual && (side.kind === 'space' || leans) && formatted(r, all) !== formatted(r, shape)) all = equal(r, all, shape) || side.kind === 'space' || all.length === shape.length ? shape : all; // prettier-ignore
    leans = isUsual;
    if (all && batched(r, sides[0] as Expression, all, shape)) all = shape;
    else if (
      all &&
      !equal(r, all, shape) &&
      !isExampleOf(r, side, all, shape) &&
      !isBatched(r, side, all, shape) &&
      !otherWayRound(r, sides, i, all, shape)
    ) {
      problem(r, side.range, withUsual(r, t('the two sides do not have one shape: {0} and {1}', formatted(r, all), formatted(r, shape)), ...sides.slice(0, i + 1))); // prettier-ignore
      return undefined;
    }
    all ??= shape;
  }
  // One side of which the text says it says it of all.
  if (sound && equals) {
    r.ground.guesses = start;
    for (const side of sides) if (side.kind === 'symbol') r.usual.delete(side);
  }
  // A name whose shape is only usual, beside what is not known: it may be used otherwise here.
  if (unknown && !isSaid) return undefined;
  // Numbers that are written say more than a name of their count.
  const counted = sides.find((side) => side.kind === 'matrix' && side.rows.flat().every(isWritten));
  return (counted && r.shapes.get(counted)) ?? (all && resolvedShape(r.document.sizes, all));
}

/** `Scores = …`, `MHA(X) = …`: letters that stand for nothing else in the document spell what is defined. */
function spellsName(r: Reading, of: Expression): boolean {
  if (of.kind !== 'product' || of.factors.length < 3 || !of.signs.every((sign) => sign === '')) return false;
  const letters = of.factors.at(-1)?.kind === 'group' ? of.factors.slice(0, -1) : of.factors;
  const { declared, defined } = r.document;
  return letters.length > 2 && letters.every((one) => one.kind === 'symbol' && /^[A-Za-z]$/.test(one.name) && !one.index && one.label === undefined && !declared.has(one.name) && !defined.has(one.name)); // prettier-ignore
}

/** Numbers for a matrix whose sizes are names: where the text says how many they stand for, as many. */
const isExampleOf = (r: Reading, side: Expression, named: Shape, shape: Shape): boolean =>
  side.kind === 'matrix' &&
  side.rows.flat().every(isWritten) &&
  named.length === shape.length &&
  named.every((dim, i) => {
    const count = numberOf(r.document.sizes, dim);
    return count === undefined ? soleName(resolved(r.document.sizes, dim)) !== undefined : count === shape[i];
  });

/** `X = (x_1, …, x_n)`: whether vectors stand below one another or side by side is said by the other side. */
function otherWayRound(r: Reading, sides: readonly Expression[], i: number, a: Shape, b: Shape): boolean {
  const isRow = (of: Expression | undefined): boolean =>
    of?.kind === 'group' && of.of.kind === 'list' && of.of.items.some(isDots);
  return b.length === 2 && isRow(sides[i]) && equal(r, a, [...b].reverse());
}

/** The other way round: Q with axes for a batch is XW, where no text says which axes X has. */
function isBatched(r: Reading, side: Expression, a: Shape, b: Shape): boolean {
  const first = side.kind === 'product' ? side.factors[0] : undefined;
  const key = first?.kind === 'symbol' ? indexedKey(first) : undefined;
  const isUsual =
    key !== undefined && (r.local.has(key) || r.document.declared.get(key)?.every(({ inferred }) => inferred) === true);
  return isUsual && a.length > 2 && b.length === 2 && equal(r, a.slice(-2), b);
}

/** A name that no formula says anything of, as `E_i` in `Q_i = E_i W`. */
const hasUnknownName = (of: Expression): boolean => {
  const at = bare(of);
  return /^(?:product|sum|call|symbol|transpose)$/.test(at.kind);
};

/** softmax(x_i) = e^{x_i}/Σ_j e^{x_j}: one component. */
function componentOfSoftmax(r: Reading, side: Expression, sides: readonly Expression[]): Shape | undefined {
  const [inner] = side.kind === 'call' && /soft ?max/i.test(side.name) ? side.args : [];
  const argument = inner?.kind === 'quotient' ? bare(inner.over) : inner;
  const isEntry = argument?.kind === 'symbol' && argument.index?.length === 1 && /^[a-zα-ω]$/.test(argument.name);
  const isWrittenOut = sides.some(
    (other) => other.kind === 'quotient' && /^(?:power|call)$/.test(bare(other.over).kind),
  );
  return isEntry && isWrittenOut ? component(r, argument) : undefined;
}

/** A name whose usual shape has no axes for a batch, and what it is said to be has. */
function batched(r: Reading, left: Expression, a: Shape, b: Shape): boolean {
  const key = left.kind === 'symbol' ? indexedKey(left) : undefined;
  if (key === undefined || !r.local.has(key) || a.length !== 2 || b.length < 3) return false;
  const fit = equal(r, a, b.slice(-2));
  if (fit) r.local.set(key, b);
  return fit;
}
