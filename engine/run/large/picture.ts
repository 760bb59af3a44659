import type { Surveyed } from '../backend/wasm/index';
import type { Step } from '../../plan/plan';
import type { Tile, TileRequest } from '../tile';
import type { RoadPart, RoadWork } from './road-work';

/** Whoever computes parts of an overview beside this thread, with the same kernels. */
export interface OverviewHelper {
  /** From now on `go` speaks of this. */
  begin(work: RoadWork): void;
  /** Rejected, or never settled, where the helper is lost. */
  go(part: RoadPart): Promise<Surveyed>;
}

/** Undefined where there is none to be had. */
export type StartHelper = () => OverviewHelper | undefined;

/** Pictures of a trace's deferred steps, in float32, computed from top to bottom: for colours, never for digits. */
export interface Overview {
  /** Rows that are pooled, of all heads together; and how many there are. */
  done(): number;
  readonly total: number;
  /** Computes the next rows: a fraction of a second. True when nothing is left. */
  advance(): boolean;
  /**
   * From now on a helper computes some of the rows, with the same bits; `advance` goes on without it where it is late or lost. It is started only
   * where one kernel goes from the scores to the output, where much is left, and where none is at work.
   */
  share(begin: StartHelper): void;
  /** A tile of what is there, coarser than asked for where need be; undefined of a step that this is no picture of. */
  read(step: Step, lead: readonly number[], request: TileRequest): Tile | undefined;
  /** A tile of the level that was asked for, computed now, whether or not the picture has come so far. */
  fine(step: Step, lead: readonly number[], request: TileRequest): Tile | undefined;
  /** Entropies of a step's rows, some at a time, where one kernel goes from the scores to the output. */
  entropies(step: Step, lead: readonly number[]): Generator<void, Float64Array> | undefined;
  /** Bytes that are held beside the kernels' memory. */
  bytes(): number;
}
