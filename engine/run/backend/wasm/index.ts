/* Computes matrix products, softmax and attention in float32 by WebAssembly, for previews. */
import { instantiate, supportedBuilds, type Build, type Exports } from './module';
import type {
  AttentionResult,
  AttentionOperands,
  WasmBuffer,
  MatmulOperands,
  Operand,
  SoftmaxOperands,
  PooledAttentionResult,
  PooledAttentionOperands,
  BlockStats,
} from './types';
import { plainKernels } from './plain-kernels';

export { supportedBuilds, type Build } from './module';
export type {
  AttentionResult,
  AttentionOperands,
  WasmBuffer,
  MatmulOperands,
  SoftmaxOperands,
  PooledAttentionResult,
  PooledAttentionOperands,
  BlockStats,
} from './types';

/**
 * Matrix product, softmax and attention in float32, on one thread. The SIMD builds return **views** of the kernels' own memory, valid
 * until the next call: `slice()` to keep a result. The order of summation is not fixed and differs between builds, so results are for
 * pixels and previews, never for digits. Error of a sum of k terms: at most k·2⁻²³·Σ|terms|. Softmax of a row that is −∞ throughout, or
 * holds NaN or +∞, is NaN, as in NumPy. Throws a RangeError where an operand does not fit its shape, or where more than 4 GiB are needed.
 */
export interface WasmKernels {
  readonly build: Build;
  /** a·b, n×m. */
  matmul(operands: MatmulOperands): Float32Array;
  /** The softmax of each row of x·scale, n×m. */
  softmax(operands: SoftmaxOperands): Float32Array;
  /** softmax(q·kᵀ·scale)·v (Vaswani et al. 2017, equation 1). Unless `weights` are requested, no n×m matrix is allocated. */
  attention(operands: AttentionOperands, weights: boolean): AttentionResult;
  /** Attention that returns scores and weights pooled into blocks instead of n×m matrices; undefined in the plain build. */
  readonly pooledAttention?: (operands: PooledAttentionOperands) => PooledAttentionResult;
  /** Reserves memory for `length` numbers until `release`. It is not cleared. */
  allocate(length: number): WasmBuffer;
  /** Frees all that was allocated. Its buffers are refused as operands from then on. */
  release(): void;
  /** Bytes of WebAssembly memory. It grows with the largest call, never shrinks, and is reused. */
  bytes(): number;
}

/** The fastest kernels that this host supports, or those of `build`; undefined where the host does not support that build. */
export function wasmKernels(): WasmKernels;
export function wasmKernels(build: Build): WasmKernels | undefined;
export function wasmKernels(build?: Build): WasmKernels | undefined {
  for (const candidate of build ? [build] : supportedBuilds()) {
    if (candidate === 'plain') return withSizeChecks(withoutWasm());
    const exports = instantiate(candidate);
    if (exports) return withSizeChecks(withSimd(candidate, exports));
  }
  return undefined;
}

/** Wraps kernels so that they check the sizes of their operands: of a short one they would read beyond its end. */
function withSizeChecks(inner: WasmKernels): WasmKernels {
  const { pooledAttention } = inner;
  return {
    ...inner,
    matmul: (o) => {
      checkSize('a', o.a, o.n, o.k);
      checkSize('b', o.b, o.k, o.m);
      return inner.matmul(o);
    },
    softmax: (o) => {
      checkSize('x', o.x, o.n, o.m);
      if (o.mask) checkSize('mask', o.mask, o.n, o.m);
      return inner.softmax(o);
    },
    attention: (o, weights) => {
      checkSize('q', o.q, o.n, o.d);
      checkSize('k', o.k, o.m, o.d);
      checkSize('v', o.v, o.m, o.dv);
      if (o.mask) checkSize('mask', o.mask, o.n, o.m);
      return inner.attention(o, weights);
    },
    ...(pooledAttention && {
      pooledAttention: (o: PooledAttentionOperands) => {
        checkSize('q', o.q, o.n, o.d);
        checkSize('k', o.k, o.m, o.d);
        checkSize('v', o.v, o.m, o.dv);
        return pooledAttention(o);
      },
    }),
  };
}

function checkSize(name: string, { length }: { readonly length: number }, rows: number, columns: number): void {
  if (length !== rows * columns)
    throw new RangeError(`wasm: ${name} has ${length} values, ${rows}×${columns} expected`);
}

function withoutWasm(): WasmKernels {
  const arrayOf = (x: Operand): Float32Array => (x instanceof Float32Array ? x : x.values());
  return {
    build: 'plain',
    matmul: (o) => plainKernels.matmul({ ...o, a: arrayOf(o.a), b: arrayOf(o.b) }),
    softmax: (o) => plainKernels.softmax({ ...o, x: arrayOf(o.x) }),
    attention: (o, weights) =>
      plainKernels.attention({ ...o, q: arrayOf(o.q), k: arrayOf(o.k), v: arrayOf(o.v) }, weights),
    allocate: (length) => {
      const values = new Float32Array(length);
      return { length, values: () => values };
    },
    release: () => undefined,
    bytes: () => 0,
  };
}

function withSimd(build: Build, exports: Exports): WasmKernels {
  const memory = memoryOf(exports);
  return {
    build,
    matmul: ({ a, b, n, k, m, transposed = false }) => {
      const work = exports.matmulWork(n, k, m);
      const [aRoom, bRoom, out, workAt] = memory.reserve([copiedBytes(a), copiedBytes(b), 4 * n * m, work]);
      const [aAt, bAt] = [memory.place(a, aRoom), memory.place(b, bRoom)];
      exports.matmul(aAt, bAt, out, n, k, m, transposed ? 1 : 0, workAt);
      return memory.view(out, n * m);
    },
    softmax: ({ x, n, m, scale = 1, mask, fill = -Infinity }) => {
      // An operand that is copied in is overwritten by its softmax; a held buffer stays unchanged.
      const [out, maskAt] = memory.reserve([4 * n * m, mask?.length ?? 0]);
      const at = memory.place(x, out);
      if (mask) memory.putBytes(maskAt, mask);
      exports.softmax(at, out, n, m, scale, mask ? maskAt : 0, fill);
      return memory.view(out, n * m);
    },
    attention: ({ q, k, v, n, m, d, dv, scale = 1, mask, fill = -Infinity }, weights) => {
      const kept = weights ? 4 * n * m : 0;
      const sizes = [copiedBytes(q), copiedBytes(k), copiedBytes(v), 4 * n * dv, kept, mask?.length ?? 0] as const;
      const [qRoom, kRoom, vRoom, out, weightsAt, maskAt, work] = memory.reserve([
        ...sizes,
        exports.attentionWork(m, d, dv),
      ]);
      const [qAt, kAt, vAt] = [memory.place(q, qRoom), memory.place(k, kRoom), memory.place(v, vRoom)];
      if (mask) memory.putBytes(maskAt, mask);
      // No spread here: it would build an array at every call, which is noticeable for 16 tokens.
      const to = weights ? weightsAt : 0;
      exports.attention(qAt, kAt, vAt, out, to, n, m, d, dv, scale, mask ? maskAt : 0, fill, work);
      const output = memory.view(out, n * dv);
      return weights ? { output, weights: memory.view(weightsAt, n * m) } : { output };
    },
    pooledAttention: (o) => runPooledAttention(exports, memory, o),
    allocate: memory.allocate,
    release: memory.release,
    bytes: () => exports.memory.buffer.byteLength,
  };
}

/** Bytes of the statistics of one block. */
const blockStatsBytes = 24;

function runPooledAttention(exports: Exports, memory: Memory, o: PooledAttentionOperands): PooledAttentionResult {
  const { q, k, v, n, m, d, dv, scale = 1, slope = 0, first, level } = o;
  const count = level === undefined ? 0 : 3 * Math.ceil(n / (1 << level)) * Math.ceil(m / (1 << level));
  const sizes = [
    copiedBytes(q),
    copiedBytes(k),
    copiedBytes(v),
    4 * n * dv,
    blockStatsBytes * count,
    4 * n,
    4 * n,
  ] as const;
  const work = exports.surveyWork(m, d, dv);
  const [qRoom, kRoom, vRoom, out, talliesAt, tops, sums, workAt] = memory.reserve([...sizes, work]);
  const tallies = emptyBlockStats(exports.memory.buffer, talliesAt, count);
  const [qAt, kAt, vAt] = [memory.place(q, qRoom), memory.place(k, kRoom), memory.place(v, vRoom)];
  // The kernel takes unsigned 32-bit bounds: clamps infinite ones to the size of the matrix.
  const [before, after, visible] = [o.before, o.after, o.visible].map((x) => Math.max(0, Math.min(x, n + m + first)));
  const seen = [first, before ?? 0, after ?? 0, visible ?? 0] as const;
  exports.survey(
    qAt,
    kAt,
    vAt,
    out,
    n,
    m,
    d,
    dv,
    scale,
    slope,
    ...seen,
    level ?? 16,
    count && talliesAt,
    tops,
    sums,
    workAt,
  );
  return {
    output: memory.view(out, n * dv),
    blockStats: tallies,
    rowMaxima: memory.view(tops, n),
    rowSums: memory.view(sums, n),
  };
}

/** Block statistics before any cell is added. */
function emptyBlockStats(buffer: ArrayBuffer, at: number, count: number): BlockStats {
  const limits = new Float32Array(buffer, at, 6 * count);
  limits.fill(0);
  for (let i = 0; i < limits.length; i += 6) {
    limits[i] = Infinity;
    limits[i + 1] = -Infinity;
  }
  return { limits, sums: new Float64Array(buffer, at, 3 * count), counts: new Uint32Array(buffer, at, 6 * count) };
}

type Offsets<T extends readonly number[]> = { readonly [I in keyof T]: number };

interface Memory {
  /** Reserves consecutive ranges of `sizes` bytes for one call. Returns where each begins. */
  reserve<const T extends readonly number[]>(sizes: T): Offsets<T>;
  /** The address of an operand: `at`, where it is copied to, or that of its buffer. */
  place(x: Operand, at: number): number;
  putBytes(at: number, values: Uint8Array): void;
  view(at: number, length: number): Float32Array;
  allocate(length: number): WasmBuffer;
  release(): void;
}

/** Bytes that have to be reserved to copy an operand; 0 for a buffer of the kernels. */
const copiedBytes = (x: Operand): number => (x instanceof Float32Array ? x.byteLength : 0);

const page = 65536;

/** The module's memory. Allocated buffers come first; each call reuses the memory behind them. It never shrinks. */
function memoryOf(exports: Exports): Memory {
  let base = align(exports.base());
  let floats = new Float32Array(exports.memory.buffer);
  const held = new Map<WasmBuffer, number>();
  const upTo = (end: number): void => {
    if (end <= floats.byteLength) return;
    grow(exports, end);
    floats = new Float32Array(exports.memory.buffer);
  };
  const view = (at: number, length: number): Float32Array => floats.subarray(at / 4, at / 4 + length);
  const placeOf = (x: WasmBuffer): number => {
    const at = held.get(x);
    if (at === undefined) throw new RangeError('wasm: an operand is held by other kernels, or was released');
    return at;
  };
  return {
    view,
    reserve: (sizes) => {
      let end = base;
      const places = sizes.map((size) => {
        const at = end;
        end = align(end + size);
        return at;
      });
      upTo(end);
      return places as Offsets<typeof sizes>;
    },
    place: (x, at) => {
      if (!(x instanceof Float32Array)) return placeOf(x);
      floats.set(x, at / 4);
      return at;
    },
    putBytes: (at, values) => new Uint8Array(exports.memory.buffer, at, values.length).set(values),
    allocate: (length) => {
      const at = base;
      upTo(align(at + 4 * length));
      base = align(at + 4 * length);
      const handle: WasmBuffer = { length, values: () => view(placeOf(handle), length) };
      held.set(handle, at);
      return handle;
    },
    release: () => {
      held.clear();
      base = align(exports.base());
    },
  };
}

// Aligned to cache lines of 64 bytes.
const align = (at: number): number => Math.ceil(at / 64) * 64;

function grow({ memory }: Exports, bytes: number): void {
  const pages = Math.ceil((bytes - memory.buffer.byteLength) / page);
  if (bytes > 65535 * page) throw new RangeError(`wasm: ${bytes} bytes needed, 4 GiB are the most`);
  memory.grow(pages);
}
