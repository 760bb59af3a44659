import { ok, type Paced, type Result } from '../text';
import type { AttentionSpec } from '../spec';
import { catalogue, parts, type Mistake, type Part } from './catalogue';
import { inputsOf } from './inputs';
import { sameShape, type Matrix } from './matrices';
import { walker, type Choice } from './walk';

/** A result as somebody printed it. */
export interface Printed {
  readonly rows: Matrix;
  /** Digits after the point. */
  readonly digits: number;
}

/** Numbers side by side at the cell that differs most from what is right. */
export interface Evidence {
  readonly cells: number;
  readonly differing: number;
  readonly row: number;
  readonly column: number;
  readonly mine: number;
  readonly right: number;
}

/** One computation that gives every printed digit: the sets of mistakes that lead to it. */
export interface Named {
  readonly part: Part;
  /** The head, where there are several and one was printed. */
  readonly head?: number;
  /** More than one where different mistakes give equal numbers here. */
  readonly mistakes: readonly (readonly Mistake[])[];
  readonly evidence: Evidence;
}

export type Answer =
  | { readonly is: 'right'; readonly part: Part; readonly head?: number }
  | { readonly is: 'mistake'; readonly named: Named; readonly chance: number }
  /** Several different computations give these digits, or so few digits that one of them may do so by chance. */
  | { readonly is: 'several'; readonly named: readonly Named[]; readonly chance: number }
  | { readonly is: 'none'; readonly nearest?: { readonly part: Part; readonly evidence: Evidence } };

/** Above this chance that any candidate meets the digits by accident, nothing is named alone. */
const allowedChance = 1e-4;

/** Parts that give a matrix a reader may have printed. */
const printable: readonly Part[] = ['cut', 'scale', 'mask', 'softmax', 'mix', 'merge', 'out'];

/**
 * Says which step of a spec a printed result is, and with which mistakes of the catalogue: none, one, then two in different parts. Stops at
 * the first of these that gives every digit. A spec that is not followed is a Problem.
 */
export function* checkNumbers(
  spec: AttentionSpec,
  mine: Printed,
  options: { pairs?: boolean } = {},
): Paced<Result<Answer>> {
  const inputs = inputsOf(spec);
  if (!inputs.ok) return inputs;
  const walk = walker(inputs.value);
  const places = (choice: Choice) =>
    printable.flatMap((part) =>
      (walk(choice, part)?.now ?? []).map((m, head, all) => ({ part, m, ...(all.length > 1 ? { head } : {}) })),
    );
  const right = places({});
  const meets = right.find(({ m }) => isPrinted(m, mine));
  if (meets) return ok({ is: 'right', part: meets.part, ...(meets.head === undefined ? {} : { head: meets.head }) });
  let tried = 0;
  for (const sets of options.pairs === false ? [singles] : [singles, pairs()]) {
    const found: { mistakes: readonly Mistake[]; part: Part; m: Matrix; head?: number }[] = [];
    for (const mistakes of sets) {
      const choice: Choice = Object.fromEntries(mistakes.map(({ part, id }) => [part, id]));
      const first = Math.min(...mistakes.map(({ part }) => parts.indexOf(part)));
      for (const place of places(choice)) {
        if (parts.indexOf(place.part) < first) continue;
        tried++;
        if (isPrinted(place.m, mine)) found.push({ ...place, mistakes });
      }
      yield;
    }
    if (found.length > 0) return ok(answerOf(found, right, mine, tried * chanceOf(mine)));
  }
  return ok({ is: 'none', ...nearestOf(right, mine) });
}

const singles: readonly (readonly Mistake[])[] = catalogue.map((mistake) => [mistake]);

function pairs(): (readonly Mistake[])[] {
  return catalogue.flatMap((a, i) => catalogue.slice(i + 1).flatMap((b) => (a.part === b.part ? [] : [[a, b]])));
}

/** Rounded to the printed digits; a printed NaN or infinity is met by the same only. */
export function isPrinted(m: Matrix, { rows, digits }: Printed): boolean {
  const half = 0.5001 * Number(`1e${-digits}`);
  return (
    sameShape(m, rows) &&
    m.every((cells, i) =>
      cells.every((x, j) => {
        const y = rows[i]?.[j] ?? NaN;
        return Object.is(x, y) || Math.abs(x - y) <= half;
      }),
    )
  );
}

/** The chance that one candidate meets all digits, were its different numbers anywhere in the range of the printed ones. */
export function chanceOf({ rows, digits }: Printed): number {
  const different = [...new Set(rows.flat().filter(Number.isFinite))];
  const range =
    different.reduce((a, x) => Math.max(a, x), -Infinity) - different.reduce((a, x) => Math.min(a, x), Infinity);
  const unit = Number(`1e${-digits}`);
  return different.reduce((chance) => chance * Math.min(1, unit / Math.max(range, unit)), 1);
}

interface Place {
  readonly part: Part;
  readonly m: Matrix;
  readonly head?: number;
}

function answerOf(
  found: readonly (Place & { mistakes: readonly Mistake[] })[],
  right: readonly Place[],
  mine: Printed,
  chance: number,
): Answer {
  const groups: { place: Place; mistakes: (readonly Mistake[])[] }[] = [];
  for (const { mistakes, ...place } of found) {
    const same = groups.find(
      (g) => g.place.part === place.part && g.place.head === place.head && isEqual(g.place.m, place.m),
    );
    if (same) same.mistakes.push(mistakes);
    else groups.push({ place, mistakes: [mistakes] });
  }
  const named = groups.map(({ place: { part, head, m }, mistakes }): Named => {
    const there = right.find((r) => r.part === part && r.head === head && sameShape(r.m, m))?.m ?? [];
    return { part, mistakes, evidence: evidenceOf(there, mine), ...(head === undefined ? {} : { head }) };
  });
  const [only] = named;
  return only && named.length === 1 && chance <= allowedChance
    ? { is: 'mistake', named: only, chance }
    : { is: 'several', named, chance };
}

const isEqual = (a: Matrix, b: Matrix): boolean =>
  a.every((cells, i) =>
    cells.every(
      (x, j) => Object.is(x, b[i]?.[j]) || Math.abs(x - (b[i]?.[j] ?? NaN)) <= 1e-12 * Math.max(1, Math.abs(x)),
    ),
  );

export function evidenceOf(right: Matrix, mine: Printed): Evidence {
  const half = 0.5001 * Number(`1e${-mine.digits}`);
  const cells = mine.rows.flatMap((row, i) =>
    row.map((x, j) => ({ row: i, column: j, mine: x, right: right[i]?.[j] ?? NaN })),
  );
  const off = (c: { mine: number; right: number }): number =>
    Object.is(c.mine, c.right) ? 0 : Math.abs(c.mine - c.right);
  const differing = cells.filter((c) => !(off(c) <= half));
  const most = differing.reduce(
    (a, b) => (off(b) > off(a) ? b : a),
    differing[0] ?? { row: 0, column: 0, mine: NaN, right: NaN },
  );
  return { cells: cells.length, differing: differing.length, ...most };
}

/** The right step of that shape from which the largest difference is smallest. */
function nearestOf(right: readonly Place[], mine: Printed): { nearest?: { part: Part; evidence: Evidence } } {
  const all = right
    .filter(({ m }) => sameShape(m, mine.rows))
    .map(({ part, m }) => ({ part, evidence: evidenceOf(m, mine) }));
  const far = ({ evidence }: { evidence: Evidence }): number => Math.abs(evidence.mine - evidence.right);
  const [first] = all;
  return first ? { nearest: all.reduce((a, b) => (far(b) < far(a) ? b : a), first) } : {};
}
