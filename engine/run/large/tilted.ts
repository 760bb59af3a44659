import { matrixOf } from '../tile';
import { servedLead } from '../trace';
import { slopeOf } from './blocks';
import type { Rectangle } from './rectangle';
import type { TiltedRoad } from './road';
import { matrixAt, type Survey } from './survey';

/** Goes over some rows and keeps what stays of them, where this is quicker than computing them step by step. */
export type GoOver = (lead: readonly number[], rows: Rectangle['rows']) => void;

/**
 * Rows of weights under linear biases by one kernel: of each its largest operand and the sum of exponentials, which give any rectangle of them.
 * Only keys within reach are computed.
 */
export function overTilted(survey: Survey, road: TiltedRoad): GoOver | undefined {
  const run = survey.own.survey;
  const { q, k, v, bias, weights, scale, mask } = road;
  if (!run) return undefined;
  const [m, d, dv] = [matrixOf(weights.shape)[1], matrixOf(q.shape)[1], matrixOf(v.shape)[1]];
  const longest = new Map<string, number>();
  return (lead, [first, last]) => {
    const queries = matrixAt(survey, q, lead).subarray(first * d, last * d);
    const keys = matrixAt(survey, k, lead);
    const most = longest.get(lead.join()) ?? longestRow(keys, d);
    longest.set(lead.join(), most);
    const slope = slopeOf(bias.shape, servedLead(bias.shape, lead));
    // From a query to the nearest key that it sees, at most.
    const away = Math.max(0, last - Math.min(m, mask.visible));
    const reach = reachOf(longestRow(queries, d) * most * scale, slope) + away;
    const [before, after] = [Math.min(mask.before, reach), Math.min(mask.after, reach)];
    const of = { q: queries, k: keys, v: matrixAt(survey, v, lead), n: last - first, m, d, dv };
    const { tops, sums } = run({ ...of, scale, slope, first, before, after, visible: mask.visible });
    survey.tops.put(weights, lead, first, tops, sums);
  };
}

/** exp(x) is 0 in float32 from here on down. */
const lowest = -104;

/**
 * How far from the nearest key that is seen a key can be whose weight is not 0 in float32, when no score is beyond ±bound: the bias falls
 * with the distance. Infinity where a number is none.
 */
function reachOf(bound: number, slope: number): number {
  const reach = Math.ceil((2.001 * bound + 1 - lowest) / slope);
  return Number.isFinite(reach) ? reach : Infinity;
}

/** The largest Euclidean norm of a row; NaN where one has a NaN. */
function longestRow(values: Float32Array, d: number): number {
  let most = 0;
  for (let row = 0; row < values.length; row += d) {
    let sum = 0;
    for (let c = row; c < row + d; c++) sum += (values[c] as number) * (values[c] as number);
    if (!(sum <= most)) most = sum;
    if (Number.isNaN(sum)) break;
  }
  return Math.sqrt(most);
}
