import type { Surveyed } from '../backend/wasm/index';
import { type Tensor } from '../../math/tensor';
import { matrixOf } from '../tile';
import { alongRoad } from './along';
import type { RoadPart, RoadWork } from './road-work';
import { blockOf, type Blocks } from './blocks';
import { enlarge } from './enlarge';
import { seenKeys } from './pattern';
import { cut, heightOf, widthOf, type Rectangle } from './rectangle';
import type { Road } from './road';
import { tensorOf, type Survey } from './survey';

/**
 * What stays of each row that was gone over once: its largest score, the sum of its exponentials and its output, in float32. Any rectangle of the
 * weights follows from these and the rectangle's own scores.
 */
export interface Kept {
  /** What rows are gone over with, here or elsewhere. */
  readonly work: RoadWork;
  /** Goes over some rows; views of the kernels' memory. */
  go(part: RoadPart): Surveyed;
  /** Keeps what stays of them. */
  keep(part: RoadPart, found: Surveyed): void;
  weights(lead: readonly number[], at: Rectangle): Tensor;
  output(lead: readonly number[], at: Rectangle): Tensor;
  bytes(): number;
}

interface Rows {
  readonly tops: Float32Array;
  readonly sums: Float32Array;
  readonly output: Float32Array;
  readonly there: Uint8Array;
}

export function createKept(survey: Survey, road: Road): Kept {
  const all = new Map<string, Rows>();
  const { scale, mask } = road;
  const [q, k, v] = [tensorOf(survey, road.q), tensorOf(survey, road.k), tensorOf(survey, road.v)];
  const work: RoadWork = { q, k, v, scale, mask };
  const go = alongRoad(work, survey.own);
  const [n, dv] = [matrixOf(road.weights.shape)[0], matrixOf(road.v.shape)[1]];
  const rowsOf = (lead: readonly number[]): Rows => {
    const found = all.get(lead.join()) ?? {
      tops: new Float32Array(n),
      sums: new Float32Array(n),
      output: new Float32Array(n * dv),
      there: new Uint8Array(n),
    };
    all.set(lead.join(), found);
    return found;
  };
  const keep: Kept['keep'] = ({ lead, rows }, found) => {
    const kept = rowsOf(lead);
    kept.tops.set(found.tops, rows[0]);
    kept.sums.set(found.sums, rows[0]);
    kept.output.set(found.output, rows[0] * dv);
    kept.there.fill(1, ...rows);
  };
  const keptRows = (lead: readonly number[], [start, end]: readonly [number, number]): Rows => {
    const kept = rowsOf(lead);
    const first = kept.there.subarray(0, end).indexOf(0, start);
    const last = kept.there.subarray(0, end).lastIndexOf(0);
    const part = { lead, rows: [first, last + 1] } as const;
    if (first >= 0) keep(part, go(part));
    return kept;
  };
  return {
    work,
    go,
    keep,
    weights: (lead, at) => weightsIn(survey.blocks, road, { lead, at, kept: keptRows(lead, at.rows) }),
    output: (lead, at) => cut({ dtype: 'float32', shape: [n, dv], data: keptRows(lead, at.rows).output }, [], at),
    bytes: () => [...all.values()].reduce((sum, { output }) => sum + output.byteLength + 9 * n, 0),
  };
}

interface Wanted {
  readonly lead: readonly number[];
  readonly at: Rectangle;
  readonly kept: Rows;
}

/**
 * exp(score − top) / sum, of a rectangle. Its exponentials come from a softmax over the rectangle alone; that a row's largest weight there is
 * known says what to multiply them by.
 */
function weightsIn({ kernels, ...blocks }: Blocks, road: Road, { lead, at, kept }: Wanted): Tensor {
  const scores = road.open.at(-1)?.step;
  if (!scores) throw new Error('a road without scores');
  const { shape, data } = blockOf({ ...blocks, kernels }, scores, lead, at);
  const scaled = Float32Array.from(data as Float32Array);
  for (let i = 0; i < scaled.length; i++) scaled[i] = (scaled[i] as number) * road.scale;
  const width = widthOf(at);
  for (let y = 0; y < heightOf(at); y++) {
    const [low, high] = seenIn(road, at, y);
    scaled.fill(-Infinity, y * width, y * width + low);
    scaled.fill(-Infinity, y * width + high, (y + 1) * width);
  }
  const operand: Tensor = { dtype: 'float32', shape, data: scaled };
  const shares = kernels.softmax({ op: 'softmax', emptyRow: 'zero' }, [operand], shape, 'float32');
  for (let y = 0; y < heightOf(at); y++) {
    const row = at.rows[0] + y;
    const [from, to] = [y * width, (y + 1) * width];
    // A row that sees nothing is NaN throughout.
    if (Number.isNaN(kept.sums[row])) shares.data.fill(NaN, from, to);
    else enlarge(scaled, shares.data, [from, to], { top: kept.tops[row] as number, sum: kept.sums[row] as number });
  }
  return shares;
}

/** Columns of a rectangle's row y that its query sees, counted within the rectangle. */
function seenIn({ mask }: Road, { rows, columns }: Rectangle, y: number): readonly [number, number] {
  const [low, high] = seenKeys(mask, rows[0] + y, columns[1]);
  const within = (column: number): number => Math.min(columns[1], Math.max(columns[0], column)) - columns[0];
  return [within(low), within(high)];
}
