import type { WasmBuffer, WasmKernels, PooledAttentionResult, BlockStats } from '../backend/wasm/index';
import type { Tensor } from '../../math';
import { matrixShape } from '../tile';
import { broadcastIndex } from '../trace';
import { sliceRectangle } from './rectangle';
import type { FusedChunk, FusedInputs } from './fused-chunk';

/**
 * A function that computes one chunk of attention rows with the fused kernel. Its results are views of the kernels' memory, valid until
 * the next call. Throws in the plain build, which has no such kernel.
 */
export function fusedRunner(
  { q, k, v, scale, mask }: FusedInputs,
  wasm: WasmKernels,
): (part: FusedChunk) => PooledAttentionResult {
  const { pooledAttention: run } = wasm;
  const bufferOf = createBufferCache(wasm);
  const [[m, d], dv] = [matrixShape(k.shape), matrixShape(v.shape)[1]];
  return ({ leading, rows, ...level }) => {
    if (!run) throw new Error('this build has no fused kernel');
    const [n, first] = [rows[1] - rows[0], rows[0]];
    const [keys, values] = [bufferOf(matrixIn(k, leading), 'k'), bufferOf(matrixIn(v, leading), 'v')];
    const queries = matrixIn(q, leading).subarray(rows[0] * d, rows[1] * d);
    return run({ q: queries, k: keys, v: values, n, m, d, dv, scale, first, ...level, ...mask });
  };
}

/** The matrix of a float32 tensor at a leading index (broadcast), without a copy. */
export function matrixIn(tensor: Tensor, leading: readonly number[]): Float32Array {
  const [rows, columns] = matrixShape(tensor.shape);
  const at = { rows: [0, rows], columns: [0, columns] } as const;
  return sliceRectangle(tensor, broadcastIndex(tensor.shape, leading), at).data as Float32Array;
}

type BufferOf = (values: Float32Array, name: string) => WasmBuffer;

/** Keeps the keys and values of the last head in the kernels' memory, so that consecutive chunks of one head copy them only once. */
function createBufferCache(wasm: WasmKernels): BufferOf {
  const entries = new Map<string, { readonly buffer: WasmBuffer; source?: Float32Array }>();
  return (values, name) => {
    const entry = entries.get(`${name} ${values.length}`) ?? { buffer: wasm.allocate(values.length) };
    entries.set(`${name} ${values.length}`, entry);
    const same = entry.source?.buffer === values.buffer && entry.source.byteOffset === values.byteOffset;
    if (!same) entry.buffer.values().set(values);
    entry.source = values;
    return entry.buffer;
  };
}

/** A copy of a result outside the kernels' memory: it stays valid after the next call and can be sent to another thread. */
export function copyResult({
  output,
  rowMaxima: tops,
  rowSums: sums,
  blockStats: tallies,
}: PooledAttentionResult): PooledAttentionResult {
  return {
    output: output.slice(),
    rowMaxima: tops.slice(),
    rowSums: sums.slice(),
    blockStats: copyBlockStats(tallies),
  };
}

/** The three arrays of `BlockStats` are views of the same bytes. */
function copyBlockStats({ limits, sums, counts }: BlockStats): BlockStats {
  const bytes = limits.slice().buffer;
  return {
    limits: new Float32Array(bytes),
    sums: new Float64Array(bytes, 0, sums.length),
    counts: new Uint32Array(bytes, 0, counts.length),
  };
}
