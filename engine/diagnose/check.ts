import { ok, type Paced, type Result } from '../text';
import type { AttentionTrace } from '../run';
import type { AttentionSpec } from '../spec';
import { catalogue, parts, type Mistake, type Part } from './catalogue';
import { dropoutIn } from './dropout';
import { halfIn } from './precision';
import { inputsOf, inputsOfSpec } from './inputs';
import { sameShape, type Matrix } from './matrices';
import { allowedChance, chanceOf, evidenceOf, halfUnit, isPrinted, type Named, type Printed } from './printed';
import {
  complete,
  isLight,
  matrixOf,
  settle,
  walker,
  type Choice,
  type Grid,
  type Inputs,
  type Stage,
  type Walk,
} from './walk';

export type Answer =
  | { readonly is: 'right'; readonly part: Part; readonly head?: number }
  | { readonly is: 'mistake'; readonly named: Named; readonly chance: number; readonly digits: number }
  /** Several different computations give these digits, or so few digits that one of them may do so by chance. */
  | { readonly is: 'several'; readonly named: readonly Named[]; readonly chance: number; readonly digits: number }
  | { readonly is: 'none' };

/** Parts that give a matrix a reader may have printed. */
const printable: ReadonlySet<Part | undefined> = new Set<Part>(['turn', 'scale', 'mask', 'softmax', 'mix', 'merge', 'out', 'sum']); // prettier-ignore

interface Options {
  /** Whether two mistakes in different parts are tried where one gives not every digit. */
  readonly pairs?: boolean;
  /** Fewer digits, which are compared where nothing gives all of them. */
  readonly fewer?: number;
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
export function* checkTrace(trace: AttentionTrace, mine: Printed, options: Options = {}): Paced<Result<Answer>> {
  const inputs = yield* inputsOf(trace);
  return inputs.ok ? ok(yield* checkInputs(inputs.value, mine, options)) : inputs;
}

function* checkInputs(inputs: Inputs, asked: Printed, { pairs = true, fewer = asked.digits }: Options): Paced<Answer> {
  const mine = { ...asked, digits: fewer };
  const { walk } = walker(inputs);
  const plain = walk({});
  const rows = rowsFrom(inputs, mine);
  const right = [...placesOf(plain)];
  for (const { part, g, head } of right)
    if (yield* isMet(g, mine, rows)) return { is: 'right', part, ...(head === undefined ? {} : { head }) };
  const found: Found[] = [];
  let tried = 0;
  /** Parts from `at` on that differ from the right ones. */
  const look = function* (stages: Walk, mistakes: readonly Mistake[], at: number): Paced<void> {
    for (let index = at; index < stages.length; index++) {
      const now = printable.has(parts[index]) && stages[index] !== stages[index - 1] ? stages[index]?.now : undefined;
      for (let head = 0; now && head < now.length; head++) {
        const g = now[head];
        if (!g || g === plain[index]?.now[head]) continue;
        tried++;
        if (yield* isMet(g, mine, rows))
          found.push({ ...toldAs({ part: parts[index] as Part, ...(now.length > 1 ? { head } : {}) }, inputs), m: matrixOf(g), mistakes });
      }
    }
    yield;
  }; // prettier-ignore
  const alone: Alone[] = [];
  for (const one of ordered) {
    const at = indexOf(one);
    const stages = walk(choiceOf([one]), plain, at);
    if (!stages[at]) continue;
    // What many go on from is computed whole once; for one candidate less is needed.
    for (const g of projectionsOf(stages[at])) yield* complete(g);
    yield* look(stages, [one], at);
    alone.push({ one, at, stages });
  }
  const isExact = ({ m }: Found): boolean => fewer === asked.digits || isPrinted(m, asked);
  const drop = found.length === 0 ? (dropoutIn(right, asked) ?? dropoutIn(right, mine)) : undefined;
  if (drop) return { is: 'mistake', ...drop, digits: fewer };
  const half = found.length === 0 ? halfIn(right, asked) : undefined;
  if (half) return { is: 'mistake', ...half, digits: asked.digits };
  const single = found.splice(0);
  if (pairs && !single.some(isExact))
    for (let a = alone.shift(); a; a = alone.shift())
      for (const b of alone)
        if (b.at > a.at) {
          // Where the first mistake has changed nothing that the second one sees, only its norm of the sum may still differ.
          const isSame = a.stages[b.at - 1] === plain[b.at - 1];
          const [from, at] = isSame ? [b.stages, parts.length - 1] : [a.stages, b.at];
          yield* look(walk(choiceOf([a.one, b.one]), from, at, false), [a.one, b.one], at);
        }
  for (const of of [asked, mine])
    for (const all of [single, found]) {
      const met = of === mine ? all : all.filter(isExact);
      if (met.length > 0) return { ...answerOf(met, right, of, tried * chanceOf(of)), digits: of.digits };
    }
  return { is: 'none' };
}

interface Alone {
  readonly one: Mistake;
  readonly at: number;
  readonly stages: Walk;
}

const projectionsOf = ({ q, k, v }: Stage): readonly Grid[] => [...q, ...k, ...v].filter((g) => g.linear);

/**
 * The order in which rows are compared. The first one rejects nearly every candidate: one that sees few keys, but some, is the least work; without a
 * mask one in the middle.
 */
function rowsFrom({ hidden }: Inputs, { rows }: Printed): readonly number[] {
  const all = rows.map((_, i) => i);
  const seen = (i: number): number => hidden?.row(i).reduce((count, x) => count + (x === 1 ? 0 : 1), 0) ?? 0;
  const few = hidden?.height === rows.length ? all.filter((i) => seen(i) >= fewestKeys) : [];
  const first = few.reduce((best, i) => (seen(i) < seen(best) ? i : best), few[0] ?? Math.floor(rows.length / 2));
  return [first, ...all.slice(first + 1), ...all.slice(0, first)];
}
const fewestKeys = 4;

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

/** The matrices of attention without a mistake. */
function* placesOf(stages: Walk): Generator<Held> {
  for (const [index, part] of parts.entries()) {
    const stage = stages[index];
    if (!printable.has(part) || !stage || stage === stages[index - 1]) continue;
    const { now } = stage;
    for (const [head, g] of now.entries()) yield { part, g, ...(now.length > 1 ? { head } : {}) };
  }
}

/** Whether a computed matrix is the printed one. */
function* isMet(g: Grid, { rows, digits }: Printed, order: readonly number[]): Paced<boolean> {
  if (g.height !== rows.length || g.width !== rows[0]?.length) return false;
  if (!isLight(g)) yield* settle(g);
  const half = halfUnit(digits);
  for (const i of order) {
    if (!isRowMet(g.row(i), rows[i] ?? [], half)) return false;
    yield;
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

function answerOf(
  all: readonly Found[],
  right: readonly Held[],
  mine: Printed,
  chance: number,
):
  | { readonly is: 'mistake'; readonly named: Named; readonly chance: number }
  | { readonly is: 'several'; readonly named: readonly Named[]; readonly chance: number } {
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
