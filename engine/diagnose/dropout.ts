import { pow } from '../math';
import { allowedChance, chanceOf, evidenceOf, halfUnit, type Named, type Printed } from './printed';
import { dropout, type Part } from './catalogue';
import { matrixOf, type Grid } from './walk';

interface Weights {
  readonly part: Part;
  readonly head?: number;
  readonly g: Grid;
}

/** Fewer weights than this in a matrix tell too little. */
const fewest = 6;

/** Weights of which some are 0, and all others larger than the right ones by one factor 1/(1 − p). */
export function dropoutIn(
  right: readonly Weights[],
  mine: Printed,
): { readonly named: Named; readonly chance: number } | undefined {
  for (const { part, head, g } of right) {
    if (part !== 'softmax' || g.height !== mine.rows.length || g.width !== mine.rows[0]?.length) continue;
    const m = matrixOf(g);
    const chance = chanceOfDrop(m, mine);
    if (chance === undefined || chance > allowedChance) continue;
    const named = {
      part,
      mistakes: [[dropout]],
      evidence: evidenceOf(m, mine),
      ...(head === undefined ? {} : { head }),
    };
    return { named, chance };
  }
  return undefined;
}

/** The chance that weights have this signature by accident; undefined where they do not have it. */
function chanceOfDrop(right: readonly (readonly number[])[], mine: Printed): number | undefined {
  const half = halfUnit(mine.digits);
  const pairs = right.flatMap((row, i) => row.map((x, j) => [x, mine.rows[i]?.[j] ?? NaN] as const));
  const shown = pairs.filter(([x]) => x > 4 * half);
  const left = shown.filter(([, y]) => Math.abs(y) > half);
  if (left.length < fewest || left.length === shown.length) return undefined;
  const [x, y] = left.reduce((a, b) => (b[0] > a[0] ? b : a));
  const factor = y / x;
  const slack = (1 + factor) * half;
  const fits = pairs.every(([a, b]) => Math.abs(b) <= half || Math.abs(b - factor * a) <= half + (slack * a) / x);
  if (!(factor > 1.0005) || !fits) return undefined;
  // Each cell may be dropped or not, and the factor is free.
  return chanceOf(mine) * pow(2, pairs.length) * Math.max(1, y / half);
}
