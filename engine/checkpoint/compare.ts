import type { HeadWeights, HeadPlace, TextRun } from './text-run';
import { pictureOf, type Picture } from './picture';

/** A head of two runs. */
export interface ComparedHead extends HeadPlace {
  /** Absent where the two matrices have different shapes. */
  readonly difference?: WeightsDifference;
}

/** How weights differ (second − first), cell by cell. */
export interface WeightsDifference {
  /** Of the largest magnitude, with its row and column. */
  readonly largest: number;
  readonly row: number;
  readonly column: number;
  readonly picture: Picture;
}

/** Every head that both runs have, in the order of the first. */
export function compareRuns(a: TextRun, b: TextRun): readonly ComparedHead[] {
  return a.heads.flatMap(({ stack, layer, head, crosses }) => {
    const place: HeadPlace = { stack, layer, head, ...(crosses && { crosses }) };
    const [first, second] = [a.weightsAt(place), b.weightsAt(place)];
    if (!first || !second) return [];
    const isSameShape = first.queries === second.queries && first.keys === second.keys;
    return [isSameShape ? { ...place, difference: differenceOf(first, second) } : place];
  });
}

function differenceOf({ weights, queries, keys }: HeadWeights, second: HeadWeights): WeightsDifference {
  const cells = weights.map((weight, i) => (second.weights[i] as number) - weight);
  const at = cells.reduce((best, x, i) => (Math.abs(x) > Math.abs(cells[best] as number) ? i : best), 0);
  return {
    largest: cells[at] ?? 0,
    row: Math.floor(at / keys),
    column: at % keys,
    picture: pictureOf(cells, queries, keys),
  };
}
