import { roundTo, unitOf, type Half } from '../math';
import { precisions, type Mistake, type Part } from './catalogue';
import { allowedChance, evidenceOf, farthest, halfUnit, type Named, type Printed } from './printed';
import { matrixOf, type Grid } from './walk';

interface Step {
  readonly part: Part;
  readonly head?: number;
  readonly g: Grid;
}

/** By how many units in the last place of its largest number a step may be off: sums of a few hundred terms. */
const mostUnits = 16;

/**
 * A step in half precision. In which order a library rounds is not known, so that its digits are not computed: but every number has to be one that
 * the precision has, and near the right one.
 */
export function halfIn(
  right: readonly Step[],
  mine: Printed,
): { readonly named: Named; readonly chance: number } | undefined {
  for (const [precision, mistake] of Object.entries(precisions) as [Half, Mistake][]) {
    const chance = chanceOfHalf(mine, precision);
    if (chance > allowedChance) continue;
    for (const { part, head, g } of right) {
      if (g.height !== mine.rows.length || g.width !== mine.rows[0]?.length) continue;
      const m = matrixOf(g);
      const largest = m.flat().reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
      if (!(farthest(m, mine) <= mostUnits * apart(largest, precision))) continue;
      const place = head === undefined ? { part } : { part, head };
      return { named: { ...place, mistakes: [[mistake]], evidence: evidenceOf(m, mine) }, chance };
    }
  }
  return undefined;
}

/** How far a precision's numbers are apart at one. */
function apart(x: number, precision: Half): number {
  const round = roundTo(precision);
  const near = round(x);
  return Math.abs(round(near * (1 + 1.2 * unitOf[precision])) - near);
}

/** The chance that numbers with as many digits are all in a precision; 1 where one of them is not. */
function chanceOfHalf({ rows, digits }: Printed, precision: Half): number {
  const printed = Number(`1e${-digits}`);
  let chance = 1;
  for (const x of new Set(rows.flat())) {
    // Multiples of 1/64 have few digits in any precision.
    if (!Number.isFinite(x) || Number.isInteger(x * 64)) continue;
    if (Math.abs(roundTo(precision)(x) - x) > halfUnit(digits)) return 1;
    chance *= Math.min(1, printed / apart(x, precision));
  }
  return chance;
}
