import type { Step } from '../plan';
import type { Tile, TileRequest } from '../tile';

/** Pictures of a trace's deferred steps, in float32, computed from top to bottom: for colours, never for digits. */
export interface Overview {
  /** Rows that are pooled, of all heads together; and how many there are. */
  done(): number;
  readonly total: number;
  /** Computes the next rows: a fraction of a second. True when nothing is left. */
  advance(): boolean;
  /** A tile of what is there, coarser than asked for where need be; undefined of a step that this is no picture of. */
  read(step: Step, lead: readonly number[], request: TileRequest): Tile | undefined;
  /** A tile of the level that was asked for, computed now, whether or not the picture has come so far. */
  fine(step: Step, lead: readonly number[], request: TileRequest): Tile | undefined;
  /** Entropies of a step's rows, some at a time, where one kernel goes from the scores to the output. */
  entropies(step: Step, lead: readonly number[]): Generator<void, Float64Array> | undefined;
  /** Bytes that are held beside the kernels' memory. */
  bytes(): number;
}
