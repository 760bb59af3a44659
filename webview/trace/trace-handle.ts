import type {
  AttentionSpec,
  CellExplanation,
  CellValue,
  ExtremeRows,
  Insight,
  Plan,
  Problem,
  ShuffledTokens,
  Tile,
  TileRequest,
} from '../../engine/index';

/** What another order of the tokens does; its own numbers are read by `readShuffled`. */
export type Shuffling = Omit<ShuffledTokens, 'again'>;

/**
 * A computed trace as the views see it. Where the values are (this thread, a worker, tiles computed on demand) is not
 * their business, so every read is a promise; for a small trace it is already fulfilled.
 */
export interface TraceHandle {
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  readonly problems: readonly Problem[];
  /** float32 by WebGPU or WebAssembly, for pixels: no digit of it may be shown. Its cells are explained once the exact values are there. */
  readonly preview?: true;
  readonly previewBy?: 'WebGPU' | 'WASM';
  /** Of a trace whose n×m steps are not held: the computation of their overview. */
  readonly overview?: OverviewControl;
  read(step: string, request?: TileRequest): Promise<Tile>;
  /** The rows of weights that are most and least spread out. */
  extremeRows(step: string, request: Pick<TileRequest, 'batch' | 'head'>): Promise<ExtremeRows | undefined>;
  explainCell(step: string, index: readonly number[]): Promise<CellExplanation>;
  whereItGoes(step: string, index: readonly number[]): Promise<readonly CellValue[]>;
  /** Reasons for the step, from the exact values; where the last is `more`, others to whoever asks again. Rejected where others were asked for before they were done. */
  insights(step: string, index: readonly number[]): Promise<readonly Insight[]>;
  /** The tokens in another order, drawn by the first seed from `seed` on that changes it; undefined where there is nothing to shuffle. */
  shuffle(seed: number): Promise<Shuffling | undefined>;
  /** Of what was computed of the tokens in the order of `seed`, the last one that was asked for. */
  readShuffled(seed: number, step: string, request?: TileRequest): Promise<Tile>;
}

/** Reads one step: the whole matrix, or the part of it that the request names. */
export type ReadTile = (request: TileRequest) => Promise<Tile>;

/** A reader may end an overview that takes long, and have it go on. */
export interface OverviewControl {
  running(): boolean;
  run(go: boolean): void;
}

/** What computed the trace, for the badge. */
export interface ComputeReport {
  /** `CPU`, or `WebGPU + CPU`, `WASM + CPU` when a preview was compared with the exact values. */
  readonly ran: string;
  /** Why there was no GPU, when one was wanted: `no adapter`, `software adapter`, `device lost`, … */
  readonly fallback?: string;
  /** The same in full, with the adapter's name or the shapes. */
  readonly fallbackDetail?: string;
  /** Largest |preview − exact| over all steps, and the step it is in. */
  readonly difference?: { readonly value: number; readonly step: string };
  readonly milliseconds: number;
}
