import type {
  AttentionSpec,
  CellExplanation,
  CellValue,
  Insight,
  Plan,
  Problem,
  Tile,
  TileRequest,
} from '../engine/index';

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
  read(step: string, request?: TileRequest): Promise<Tile>;
  explainCell(step: string, index: readonly number[]): Promise<CellExplanation>;
  whereItGoes(step: string, index: readonly number[]): Promise<readonly CellValue[]>;
  /** Reasons for the step, from the exact values. */
  insights(step: string, index: readonly number[]): Promise<readonly Insight[]>;
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
