import { ok, type Paced, type Result } from '../text';
import type { AttentionTrace } from '../run';
import type { AttentionSpec } from '../spec';
import { catalogue, parts, type Mistake, type Part } from './catalogue';
import { dropoutIn } from './dropout';
import { inputsOf, inputsOfSpec } from './inputs';
import { sameShape, type Matrix } from './matrices';
import { allowedChance, chanceOf, evidenceOf, halfUnit, type Evidence, type Named, type Printed } from './printed';
import { isLight, matrixOf, settle, walker, type Choice, type Grid, type Inputs, type Walk } from './walk';

export type Answer =
  | { readonly is: 'right'; readonly part: Part; readonly head?: number }
  | { readonly is: 'mistake'; readonly named: Named; readonly chance: number }
  /** Several different computations give these digits, or so few digits that one of them may do so by chance. */
  | { readonly is: 'several'; readonly named: readonly Named[]; readonly chance: number }
  | { readonly is: 'none'; readonly nearest?: { readonly part: Part; readonly evidence: Evidence } };

/** Parts that give a matrix a reader may have printed. */
const printable: readonly Part[] = ['turn', 'scale', 'mask', 'softmax', 'mix', 'merge', 'out', 'sum'];

interface Options {
  /** Whether two mistakes in different parts are tried where one gives not every digit. */
  readonly pairs?: boolean;
}

/**
 * Says which step of a spec a printed result is, and with which mistakes of the catalogue: none, one, then two in different parts. Stops at
 * the first of these that gives every digit. A spec that is not followed is a Problem.
 */
export function* checkNumbers(spec: AttentionSpec, mine: Printed, options: Options = {}): Paced<Result<Answer>> {
  const inputs = yield* inputsOfSpec(spec);
  return inputs.ok ? ok(yield* checkInputs(inputs.value, mine, options)) : inputs;
}

/** The same of a trace. */
export function* checkTrace(trace: AttentionTrace, mine: Printed): Paced<Result<Answer>> {
  const inputs = yield* inputsOf(trace);
  return inputs.ok ? ok(yield* checkInputs(inputs.value, mine, {})) : inputs;
}

function* checkInputs(inputs: Inputs, mine: Printed, { pairs = true }: Options): Paced<Answer> {
  const { walk } = walker(inputs);
  const plain = walk({});
  const right = [...placesOf(plain, 0)];
  for (const { part, g, head } of right)
    if (yield* isMet(g, mine)) return { is: 'right', part, ...(head === undefined ? {} : { head }) };
  const found: Found[] = [];
  let tried = 0;
  /** Parts from `at` on that differ from the right ones. */
  const look = function* (stages: Walk, mistakes: readonly Mistake[], at: number): Paced<void> {
    for (const { g, ...place } of placesOf(stages, at, plain)) {
      tried++;
      if (yield* isMet(g, mine)) found.push({ ...toldAs(place, inputs), m: matrixOf(g), mistakes });
    }
  };
  const alone = ordered.map((one) => ({ one, stages: walk(choiceOf([one]), plain, indexOf(one)) }));
  for (const { one, stages } of alone) yield* look(stages, [one], indexOf(one));
  const drop = found.length === 0 ? dropoutIn(right, mine) : undefined;
  if (drop) return { is: 'mistake', ...drop };
  if (found.length === 0 && pairs)
    for (const { one: a, stages } of alone.filter(({ one, stages: all }) => all[indexOf(one)]))
      for (const { one: b, stages: other } of alone)
        if (indexOf(b) > indexOf(a) && other[indexOf(b)])
          yield* look(walk(choiceOf([a, b]), stages, indexOf(b)), [a, b], indexOf(b));
  const chance = tried * chanceOf(mine);
  if (found.length > 0) return answerOf(found, right, mine, chance);
  return { is: 'none', ...nearestOf(right, mine) };
}

const indexOf = ({ part }: Mistake): number => parts.indexOf(part);
const choiceOf = (mistakes: readonly Mistake[]): Choice =>
  Object.fromEntries(mistakes.map(({ part, id }) => [part, id]));
const ordered: readonly Mistake[] = [...catalogue].sort((a, b) => indexOf(a) - indexOf(b));

interface Place {
  readonly part: Part;
  readonly head?: number;
}
interface Held extends Place {
  readonly g: Grid;
}
interface Found extends Place {
  readonly m: Matrix;
  readonly mistakes: readonly Mistake[];
}

/** Without a block, what has X added to it is taken for the output. */
const toldAs = <P extends Place>(place: P, { block }: Inputs): P =>
  block || place.part !== 'sum' ? place : { ...place, part: 'out' };

/** The matrices of the parts from `at` on, without those that are another walk's own. */
function* placesOf(stages: Walk, at: number, but?: Walk): Generator<Held> {
  for (const part of printable) {
    const index = parts.indexOf(part);
    const stage = stages[index];
    if (index < at || !stage || stage === stages[index - 1] || stage === but?.[index]) continue;
    const { now } = stage;
    for (let head = 0; head < now.length; head++) {
      const g = now[head];
      if (g && g !== but?.[index]?.now[head]) yield { part, g, ...(now.length > 1 ? { head } : {}) };
    }
  }
}

/** Whether a computed matrix is the printed one: a row in the middle is compared first, since most others differ in it. */
function* isMet(g: Grid, { rows, digits }: Printed): Paced<boolean> {
  yield;
  if (g.height !== rows.length || g.width !== rows[0]?.length) return false;
  if (!isLight(g)) yield* settle(g);
  const half = halfUnit(digits);
  const middle = Math.floor(g.height / 2);
  for (let k = 0; k < g.height; k++) {
    const i = (middle + k) % g.height;
    if (!isRowMet(g.row(i), rows[i] ?? [], half)) return false;
    if (k > 0) yield;
  }
  return true;
}

function isRowMet(computed: readonly number[], printed: readonly number[], half: number): boolean {
  for (let j = 0; j < computed.length; j++) {
    const [x, y] = [computed[j] as number, printed[j] as number];
    if (!(Math.abs(x - y) <= half) && !Object.is(x, y)) return false;
  }
  return true;
}

function answerOf(all: readonly Found[], right: readonly Held[], mine: Printed, chance: number): Answer {
  const groups: { place: Place; m: Matrix; mistakes: (readonly Mistake[])[] }[] = [];
  for (const { mistakes, m, ...place } of withoutEchoes(all)) {
    const same = groups.find((g) => g.place.part === place.part && g.place.head === place.head && isEqual(g.m, m));
    if (same) same.mistakes.push(mistakes);
    else groups.push({ place, m, mistakes: [mistakes] });
  }
  const named = groups.map(({ place, mistakes }): Named => {
    const there = right.find((r) => r.part === place.part && r.head === place.head);
    return { ...place, mistakes, evidence: evidenceOf(there ? matrixOf(there.g) : [], mine) };
  });
  const [only] = named;
  return only && named.length === 1 && chance <= allowedChance
    ? { is: 'mistake', named: only, chance }
    : { is: 'several', named, chance };
}

/** With one head the weighted sum, the joined heads and the output are one matrix: the same mistakes there are one finding, in the last of them. */
function withoutEchoes(all: readonly Found[]): readonly Found[] {
  return all.filter((one, i) => !all.some((later, j) => j > i && later.mistakes === one.mistakes && isEqual(one.m, later.m)));
} // prettier-ignore

const isEqual = (a: Matrix, b: Matrix): boolean =>
  sameShape(a, b) &&
  a.every((cells, i) =>
    cells.every(
      (x, j) => Object.is(x, b[i]?.[j]) || Math.abs(x - (b[i]?.[j] ?? NaN)) <= 1e-12 * Math.max(1, Math.abs(x)),
    ),
  );

/** The right step of that shape from which the largest difference is smallest. */
function nearestOf(right: readonly Held[], mine: Printed): { nearest?: { part: Part; evidence: Evidence } } {
  const all = right
    .filter(({ g }) => g.height === mine.rows.length && g.width === mine.rows[0]?.length)
    .map(({ part, g }) => ({ part, evidence: evidenceOf(matrixOf(g), mine) }));
  const far = ({ evidence }: { evidence: Evidence }): number => Math.abs(evidence.mine - evidence.right);
  const [first] = all;
  return first ? { nearest: all.reduce((a, b) => (far(b) < far(a) ? b : a), first) } : {};
}
