import { instantiate, supportedBuilds, type Build, type Exports } from './module';
import { plain } from './plain';

export { supportedBuilds, type Build } from './module';

export interface MatmulOperands {
  /** n×k. */
  readonly a: Float32Array;
  /** k×m; m×k when `transposed`. */
  readonly b: Float32Array;
  readonly n: number;
  readonly k: number;
  readonly m: number;
  /** a·bᵀ: no transpose is made. */
  readonly transposed?: boolean;
}

interface Softened {
  /** What scores are multiplied by; 1 when left out. */
  readonly scale?: number;
  /** n×m; what is not 0 hides: the cell is `fill` before the softmax. */
  readonly mask?: Uint8Array;
  /** −∞ when left out. */
  readonly fill?: number;
}

export interface SoftmaxOperands extends Softened {
  /** n×m. */
  readonly x: Float32Array;
  readonly n: number;
  readonly m: number;
}

export interface AttentionOperands extends Softened {
  /** n×d. */
  readonly q: Float32Array;
  /** m×d. */
  readonly k: Float32Array;
  /** m×dv. */
  readonly v: Float32Array;
  readonly n: number;
  readonly m: number;
  readonly d: number;
  readonly dv: number;
}

export interface Attended {
  /** n×dv. */
  readonly output: Float32Array;
  /** n×m. */
  readonly weights?: Float32Array;
}

/**
 * Matrix product, softmax and attention in float32, one thread. Results of SIMD are **views** of the kernels' own memory, good until
 * the next call: `slice()` what is to stay. Sums are in no fixed order, and differ between builds: for pixels and previews, never for digits.
 * Error of a sum of k terms: at most k·2⁻²³·Σ|terms|. A row that is −∞ throughout, or holds NaN or +∞, becomes NaN, as in NumPy.
 * Operands that are shorter than their shape, and sizes beyond 4 GiB in all, throw a RangeError.
 */
export interface Kernels {
  readonly build: Build;
  /** a·b, n×m. */
  matmul(operands: MatmulOperands): Float32Array;
  /** Softmax of each row of x·scale, n×m. */
  softmax(operands: SoftmaxOperands): Float32Array;
  /** softmax(q·kᵀ·scale)·v (Vaswani et al. 2017, equation 1); without `weights` no n×m matrix is ever held. */
  attention(operands: AttentionOperands, weights: boolean): Attended;
  /** Bytes of memory that are held; it grows with the largest call and is used again. */
  bytes(): number;
}

/** The fastest kernels that this host allows, or those of `build`; undefined when it does not allow that one. */
export function kernels(): Kernels;
export function kernels(build: Build): Kernels | undefined;
export function kernels(build?: Build): Kernels | undefined {
  for (const candidate of build ? [build] : supportedBuilds()) {
    if (candidate === 'plain') return checked({ build: candidate, ...plain, bytes: () => 0 });
    const exports = instantiate(candidate);
    if (exports) return checked(withSimd(candidate, exports));
  }
  return undefined;
}

/** The same kernels behind a check of the operands: a short one would be read beyond its end. */
function checked(inner: Kernels): Kernels {
  return {
    ...inner,
    matmul: (o) => {
      need('a', o.a, o.n, o.k);
      need('b', o.b, o.k, o.m);
      return inner.matmul(o);
    },
    softmax: (o) => {
      need('x', o.x, o.n, o.m);
      if (o.mask) need('mask', o.mask, o.n, o.m);
      return inner.softmax(o);
    },
    attention: (o, weights) => {
      need('q', o.q, o.n, o.d);
      need('k', o.k, o.m, o.d);
      need('v', o.v, o.m, o.dv);
      if (o.mask) need('mask', o.mask, o.n, o.m);
      return inner.attention(o, weights);
    },
  };
}

function need(name: string, { length }: { readonly length: number }, rows: number, columns: number): void {
  if (length !== rows * columns)
    throw new RangeError(`wasm: ${name} has ${length} values, ${rows}×${columns} expected`);
}

function withSimd(build: Build, exports: Exports): Kernels {
  const memory = memoryOf(exports);
  return {
    build,
    matmul: ({ a, b, n, k, m, transposed = false }) => {
      const work = exports.matmulWork(n, k, m);
      const [aAt, bAt, out, workAt] = memory.reserve([a.byteLength, b.byteLength, 4 * n * m, work]);
      memory.put(aAt, a);
      memory.put(bAt, b);
      exports.matmul(aAt, bAt, out, n, k, m, transposed ? 1 : 0, workAt);
      return memory.view(out, n * m);
    },
    softmax: ({ x, n, m, scale = 1, mask, fill = -Infinity }) => {
      const [at, maskAt] = memory.reserve([x.byteLength, mask?.length ?? 0]);
      memory.put(at, x);
      if (mask) memory.putBytes(maskAt, mask);
      exports.softmax(at, at, n, m, scale, mask ? maskAt : 0, fill);
      return memory.view(at, n * m);
    },
    attention: ({ q, k, v, n, m, d, dv, scale = 1, mask, fill = -Infinity }, weights) => {
      const kept = weights ? 4 * n * m : 0;
      const sizes = [q.byteLength, k.byteLength, v.byteLength, 4 * n * dv, kept, mask?.length ?? 0] as const;
      const [qAt, kAt, vAt, out, weightsAt, maskAt, work] = memory.reserve([...sizes, exports.attentionWork(m, d, dv)]);
      memory.put(qAt, q);
      memory.put(kAt, k);
      memory.put(vAt, v);
      if (mask) memory.putBytes(maskAt, mask);
      const pointers = [qAt, kAt, vAt, out, weights ? weightsAt : 0] as const;
      exports.attention(...pointers, n, m, d, dv, scale, mask ? maskAt : 0, fill, work);
      const output = memory.view(out, n * dv);
      return weights ? { output, weights: memory.view(weightsAt, n * m) } : { output };
    },
    bytes: () => exports.memory.buffer.byteLength,
  };
}

type Places<T extends readonly number[]> = { readonly [I in keyof T]: number };

interface Memory {
  /** Where each of `sizes` bytes begins, after one another. */
  reserve<const T extends readonly number[]>(sizes: T): Places<T>;
  put(at: number, values: Float32Array): void;
  putBytes(at: number, values: Uint8Array): void;
  view(at: number, length: number): Float32Array;
}

const page = 65536;

/** The module's memory: each call begins at its start anew, and it only grows. */
function memoryOf(exports: Exports): Memory {
  const base = exports.base();
  let floats = new Float32Array(exports.memory.buffer);
  return {
    reserve: (sizes) => {
      let end = align(base);
      const places = sizes.map((size) => {
        const at = end;
        end = align(end + size);
        return at;
      });
      if (end > floats.byteLength) {
        grow(exports, end);
        floats = new Float32Array(exports.memory.buffer);
      }
      return places as Places<typeof sizes>;
    },
    put: (at, values) => floats.set(values, at / 4),
    putBytes: (at, values) => new Uint8Array(exports.memory.buffer, at, values.length).set(values),
    view: (at, length) => floats.subarray(at / 4, at / 4 + length),
  };
}

// Lines of the cache begin at multiples of 64.
const align = (at: number): number => Math.ceil(at / 64) * 64;

function grow({ memory }: Exports, bytes: number): void {
  const pages = Math.ceil((bytes - memory.buffer.byteLength) / page);
  if (bytes > 65535 * page) throw new RangeError(`wasm: ${bytes} bytes needed, 4 GiB are the most`);
  memory.grow(pages);
}
