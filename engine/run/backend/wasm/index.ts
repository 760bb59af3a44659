import { instantiate, supportedBuilds, type Build, type Exports } from './module';
import type {
  Attended,
  AttentionOperands,
  Held,
  MatmulOperands,
  Operand,
  SoftmaxOperands,
  Surveyed,
  SurveyOperands,
  Tallies,
} from './operands';
import { plain } from './plain';

export { supportedBuilds, type Build } from './module';
export type {
  Attended,
  AttentionOperands,
  Held,
  MatmulOperands,
  SoftmaxOperands,
  Surveyed,
  SurveyOperands,
  Tallies,
} from './operands';

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
  /** Attention that pools what it does not keep; undefined in the plain build. */
  readonly survey?: (operands: SurveyOperands) => Surveyed;
  /** Room for `length` numbers, zeros or what was there before, until `release`. */
  hold(length: number): Held;
  /** Gives back all that is held: its handles are refused from then on. */
  release(): void;
  /** Bytes of memory that are taken; it grows with the largest call and is used again. */
  bytes(): number;
}

/** The fastest kernels that this host allows, or those of `build`; undefined when it does not allow that one. */
export function kernels(): Kernels;
export function kernels(build: Build): Kernels | undefined;
export function kernels(build?: Build): Kernels | undefined {
  for (const candidate of build ? [build] : supportedBuilds()) {
    if (candidate === 'plain') return checked(withoutWasm());
    const exports = instantiate(candidate);
    if (exports) return checked(withSimd(candidate, exports));
  }
  return undefined;
}

/** The same kernels behind a check of the operands: a short one would be read beyond its end. */
function checked(inner: Kernels): Kernels {
  const { survey } = inner;
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
    ...(survey && {
      survey: (o: SurveyOperands) => {
        need('q', o.q, o.n, o.d);
        need('k', o.k, o.m, o.d);
        need('v', o.v, o.m, o.dv);
        return survey(o);
      },
    }),
  };
}

function need(name: string, { length }: { readonly length: number }, rows: number, columns: number): void {
  if (length !== rows * columns)
    throw new RangeError(`wasm: ${name} has ${length} values, ${rows}×${columns} expected`);
}

function withoutWasm(): Kernels {
  const arrayOf = (x: Operand): Float32Array => (x instanceof Float32Array ? x : x.values());
  return {
    build: 'plain',
    matmul: (o) => plain.matmul({ ...o, a: arrayOf(o.a), b: arrayOf(o.b) }),
    softmax: (o) => plain.softmax({ ...o, x: arrayOf(o.x) }),
    attention: (o, weights) => plain.attention({ ...o, q: arrayOf(o.q), k: arrayOf(o.k), v: arrayOf(o.v) }, weights),
    hold: (length) => {
      const values = new Float32Array(length);
      return { length, values: () => values };
    },
    release: () => undefined,
    bytes: () => 0,
  };
}

function withSimd(build: Build, exports: Exports): Kernels {
  const memory = memoryOf(exports);
  return {
    build,
    matmul: ({ a, b, n, k, m, transposed = false }) => {
      const work = exports.matmulWork(n, k, m);
      const [aRoom, bRoom, out, workAt] = memory.reserve([roomOf(a), roomOf(b), 4 * n * m, work]);
      const [aAt, bAt] = [memory.place(a, aRoom), memory.place(b, bRoom)];
      exports.matmul(aAt, bAt, out, n, k, m, transposed ? 1 : 0, workAt);
      return memory.view(out, n * m);
    },
    softmax: ({ x, n, m, scale = 1, mask, fill = -Infinity }) => {
      // What was copied in becomes its softmax where it lies; what is held stays as it is.
      const [out, maskAt] = memory.reserve([4 * n * m, mask?.length ?? 0]);
      const at = memory.place(x, out);
      if (mask) memory.putBytes(maskAt, mask);
      exports.softmax(at, out, n, m, scale, mask ? maskAt : 0, fill);
      return memory.view(out, n * m);
    },
    attention: ({ q, k, v, n, m, d, dv, scale = 1, mask, fill = -Infinity }, weights) => {
      const kept = weights ? 4 * n * m : 0;
      const sizes = [roomOf(q), roomOf(k), roomOf(v), 4 * n * dv, kept, mask?.length ?? 0] as const;
      const [qRoom, kRoom, vRoom, out, weightsAt, maskAt, work] = memory.reserve([
        ...sizes,
        exports.attentionWork(m, d, dv),
      ]);
      const [qAt, kAt, vAt] = [memory.place(q, qRoom), memory.place(k, kRoom), memory.place(v, vRoom)];
      if (mask) memory.putBytes(maskAt, mask);
      // Written out: operands by spread go through an array at every call, which 16 tokens notice.
      const to = weights ? weightsAt : 0;
      exports.attention(qAt, kAt, vAt, out, to, n, m, d, dv, scale, mask ? maskAt : 0, fill, work);
      const output = memory.view(out, n * dv);
      return weights ? { output, weights: memory.view(weightsAt, n * m) } : { output };
    },
    survey: (o) => surveyed(exports, memory, o),
    hold: memory.hold,
    release: memory.release,
    bytes: () => exports.memory.buffer.byteLength,
  };
}

/** Bytes of a tally. */
const tallyBytes = 24;

function surveyed(exports: Exports, memory: Memory, o: SurveyOperands): Surveyed {
  const { q, k, v, n, m, d, dv, scale = 1, slope = 0, first, level } = o;
  const count = level === undefined ? 0 : 3 * Math.ceil(n / (1 << level)) * Math.ceil(m / (1 << level));
  const sizes = [roomOf(q), roomOf(k), roomOf(v), 4 * n * dv, tallyBytes * count, 4 * n, 4 * n] as const;
  const work = exports.surveyWork(m, d, dv);
  const [qRoom, kRoom, vRoom, out, talliesAt, tops, sums, workAt] = memory.reserve([...sizes, work]);
  const tallies = talliesIn(exports.memory.buffer, talliesAt, count);
  const [qAt, kAt, vAt] = [memory.place(q, qRoom), memory.place(k, kRoom), memory.place(v, vRoom)];
  // Counts are unsigned 32-bit there: a bound beyond the matrix is none.
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
  return { output: memory.view(out, n * dv), tallies, tops: memory.view(tops, n), sums: memory.view(sums, n) };
}

/** Tallies of nothing. */
function talliesIn(buffer: ArrayBuffer, at: number, count: number): Tallies {
  const limits = new Float32Array(buffer, at, 6 * count);
  limits.fill(0);
  for (let i = 0; i < limits.length; i += 6) {
    limits[i] = Infinity;
    limits[i + 1] = -Infinity;
  }
  return { limits, sums: new Float64Array(buffer, at, 3 * count), counts: new Uint32Array(buffer, at, 6 * count) };
}

type Places<T extends readonly number[]> = { readonly [I in keyof T]: number };

interface Memory {
  /** Where each of `sizes` bytes begins, after one another. */
  reserve<const T extends readonly number[]>(sizes: T): Places<T>;
  /** Where an operand lies: copied to `at`, or where it is held. */
  place(x: Operand, at: number): number;
  putBytes(at: number, values: Uint8Array): void;
  view(at: number, length: number): Float32Array;
  hold(length: number): Held;
  release(): void;
}

/** Bytes that an operand needs beside what is held. */
const roomOf = (x: Operand): number => (x instanceof Float32Array ? x.byteLength : 0);

const page = 65536;

/** The module's memory: what is held comes first, and each call begins behind it anew. It only grows. */
function memoryOf(exports: Exports): Memory {
  let base = align(exports.base());
  let floats = new Float32Array(exports.memory.buffer);
  const held = new Map<Held, number>();
  const upTo = (end: number): void => {
    if (end <= floats.byteLength) return;
    grow(exports, end);
    floats = new Float32Array(exports.memory.buffer);
  };
  const view = (at: number, length: number): Float32Array => floats.subarray(at / 4, at / 4 + length);
  const placeOf = (x: Held): number => {
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
      return places as Places<typeof sizes>;
    },
    place: (x, at) => {
      if (!(x instanceof Float32Array)) return placeOf(x);
      floats.set(x, at / 4);
      return at;
    },
    putBytes: (at, values) => new Uint8Array(exports.memory.buffer, at, values.length).set(values),
    hold: (length) => {
      const at = base;
      upTo(align(at + 4 * length));
      base = align(at + 4 * length);
      const handle: Held = { length, values: () => view(placeOf(handle), length) };
      held.set(handle, at);
      return handle;
    },
    release: () => {
      held.clear();
      base = align(exports.base());
    },
  };
}

// Lines of the cache begin at multiples of 64.
const align = (at: number): number => Math.ceil(at / 64) * 64;

function grow({ memory }: Exports, bytes: number): void {
  const pages = Math.ceil((bytes - memory.buffer.byteLength) / page);
  if (bytes > 65535 * page) throw new RangeError(`wasm: ${bytes} bytes needed, 4 GiB are the most`);
  memory.grow(pages);
}
