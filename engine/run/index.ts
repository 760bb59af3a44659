/** Computes the steps of a plan: traces that are read by tile, the reference backend, previews, budgets and hashes. */
export { type Build, type PooledAttentionResult, type WasmKernels, wasmKernels } from './backend/wasm';
export { type WasmValues, runWasm } from './backend/wasm/run';
export {
  type Difference,
  type GpuHeld,
  type GpuRunOptions,
  type GpuValues,
  type StepDifference,
  type WebGpuDevice,
  type WebGpuRequest,
  comparePart,
  compareWithTrace,
  holdWebGpu,
  measureCrossover,
  readHeldTile,
  releaseWebGpu,
  requestWebGpu,
  runWebGpu,
} from './backend/webgpu';
export { backgroundBudget, bytesHeld, isSmall, memoryLimit, overBudget } from './budget';
export { hashSpec, hashTrace, valuesOf } from './hash';
export { heldLimit } from './large/deferred';
export type { FusedChunk, FusedInputs } from './large/fused-chunk';
export { copyResult, fusedRunner } from './large/fused-kernel';
export type { OverviewHelper } from './large/overview-types';
export { type Packed, hasLargeMatrix, packPaced, unpack } from './pack';
export { explainAttention, recomputed, runReference, runReferencePaced } from './run';
export { sourceValues } from './sources';
export { type Tile, type TileRequest, matrixShape } from './tile';
export { type NestedNumbers, type StepJson, type TraceJson, traceToJson } from './trace-json';
export { type AttentionTrace, broadcastIndex, cellsOf, fullIndex, leadingIndex, offsetOf, traceOf } from './trace';
