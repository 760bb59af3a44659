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

/** The effect of shuffling the tokens. The numbers of the shuffled trace are read by `readShuffled`. */
export type Shuffling = Omit<ShuffledTokens, 'again'>;

/**
 * A computed trace as the views see it. Its values can be in this thread, in a worker, or computed on demand; so every read returns a promise,
 * which for a small trace is already fulfilled.
 */
export interface TraceHandle {
  readonly spec: AttentionSpec;
  readonly plan: Plan;
  readonly problems: readonly Problem[];
  /** Whether it is a float32 preview by WebGPU or WebAssembly: its values give colours, never digits. Cells are explained from exact values. */
  readonly preview?: true;
  readonly previewBy?: 'WebGPU' | 'WASM';
  /** Control of the overview's computation, if the n×m steps are not held in memory. */
  readonly overview?: OverviewControl;
  read(step: string, request?: TileRequest): Promise<Tile>;
  /** The rows of weights with the lowest and highest entropy. */
  extremeRows(step: string, request: Pick<TileRequest, 'batch' | 'head'>): Promise<ExtremeRows | undefined>;
  explainCell(step: string, index: readonly number[]): Promise<CellExplanation>;
  whereItGoes(step: string, index: readonly number[]): Promise<readonly CellValue[]>;
  /** Insights about a step, from exact values. If the last one is `more`, ask again for the others. Rejected if another request came first. */
  insights(step: string, index: readonly number[]): Promise<readonly Insight[]>;
  /** Shuffles the tokens by the first seed, from `seed` on, that changes their order; undefined if there is nothing to shuffle. */
  shuffle(seed: number): Promise<Shuffling | undefined>;
  /** Reads the trace of the tokens shuffled by `seed`, which must be the last seed that was requested. */
  readShuffled(seed: number, step: string, request?: TileRequest): Promise<Tile>;
}

/** Reads one step: the whole matrix, or the part of it that the request names. */
export type ReadTile = (request: TileRequest) => Promise<Tile>;

/** Stops and resumes an overview that takes long. */
export interface OverviewControl {
  running(): boolean;
  run(go: boolean): void;
}

/** How the trace was computed, for the badge. */
export interface ComputeReport {
  /** `CPU`; `WebGPU + CPU` or `WASM + CPU` if a preview was compared with the exact values. */
  readonly ran: string;
  /** Why no GPU was used though one was wanted: `no adapter`, `software adapter`, `device lost`, … */
  readonly fallback?: string;
  /** The same in detail, with the adapter's name or the shapes. */
  readonly fallbackDetail?: string;
  /** Largest |preview − exact| over all steps, and the step it is in. */
  readonly difference?: { readonly value: number; readonly step: string };
  readonly milliseconds: number;
}
