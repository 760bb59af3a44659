import type { PooledAttentionResult } from '../backend/wasm/index';
import type { Step } from '../../plan';
import type { Tile, TileRequest } from '../tile';
import type { FusedChunk, FusedInputs } from './fused-chunk';

/** A second thread that computes chunks of an overview, with the same kernels. */
export interface OverviewHelper {
  /** Sets the inputs of the following calls of `compute`. */
  begin(work: FusedInputs): void;
  /** Computes a chunk. The promise is rejected, or never settled, where the helper is lost. */
  compute(part: FusedChunk): Promise<PooledAttentionResult>;
}

/** Starts a helper; undefined where none is available. */
export type StartHelper = () => OverviewHelper | undefined;

/** Pooled values of a trace's deferred steps, in float32, computed from the first row to the last: for colours, never for digits. */
export interface Overview {
  /** Rows that are computed, over all heads; `total` is their number in the end. */
  done(): number;
  readonly total: number;
  /** Computes the next rows, in a fraction of a second. Returns true when nothing is left. */
  advance(): boolean;
  /**
   * Lets a helper compute some of the rows, with the same bits. `advance` never waits for it. The helper is started only for a fused path
   * with enough rows left, and only if none is running.
   */
  share(begin: StartHelper): void;
  /** A tile of what is computed so far, coarser than requested if need be; undefined for a step that is not in the overview. */
  read(step: Step, leading: readonly number[], request: TileRequest): Tile | undefined;
  /** A tile at the requested level, computed now, however far the overview is. */
  fine(step: Step, leading: readonly number[], request: TileRequest): Tile | undefined;
  /** Entropies of a step's rows, as a generator; undefined for all steps but the weights of a fused path. */
  entropies(step: Step, leading: readonly number[]): Generator<void, Float64Array> | undefined;
  /** Bytes that are held, not counting the kernels' own memory. */
  bytes(): number;
}
