import type { Pooled } from '../../pooled';
import { instantiate, supportedBuilds, type Exports } from './module';

/** Cells without gaps: `rows` rows of `count`, pooled 2^level × 2^level with `level` at least 1, all of them into the blocks from `first` on. */
export interface Band {
  readonly data: Float32Array | Float64Array;
  readonly start: number;
  readonly stride: number;
  readonly rows: number;
  readonly count: number;
  readonly level: number;
  readonly first: number;
}

/** An instance of its own, made at first use: its memory is a band, not what the kernels once needed. `false` where there can be none. */
let own: Exports | false | undefined;

function exportsOf(): Exports | undefined {
  if (own === undefined) {
    const [build] = supportedBuilds();
    own = (build !== undefined && build !== 'plain' && instantiate(build)) || false;
  }
  return own || undefined;
}

/** Adds a band to its blocks, with the same bits as plain JavaScript (engine/run/pool.ts); false, and nothing is added, where WebAssembly is missing. */
export function poolBand(into: Pooled, band: Band): boolean {
  const wasm = exportsOf();
  if (!wasm) return false;
  const { data, rows, count, level } = band;
  const tally = align(wasm.base());
  const width = ((count - 1) >> level) + 1;
  const cells = align(tally + 32 * width);
  const buffer = roomFor(wasm, cells + rows * count * data.BYTES_PER_ELEMENT);
  const tallies = talliesAt(buffer, tally, width);
  each(into, band.first, width, (part, name) => tallies[name].set(part));
  copyIn(buffer, cells, band);
  wasm.pool(cells, data.BYTES_PER_ELEMENT === 8 ? 1 : 0, rows, count, level, tally);
  each(into, band.first, width, (part, name) => part.set(tallies[name]));
  return true;
}

type Tallies = Omit<Pooled, 'masked'>;

/** As assembly/pool.as says. */
const talliesAt = (buffer: ArrayBuffer, at: number, width: number): Tallies => ({
  min: new Float64Array(buffer, at, width),
  max: new Float64Array(buffer, at + 8 * width, width),
  sum: new Float64Array(buffer, at + 16 * width, width),
  finite: new Uint32Array(buffer, at + 24 * width, width),
  nan: new Uint32Array(buffer, at + 28 * width, width),
});

const names = ['min', 'max', 'sum', 'finite', 'nan'] as const;

function each(
  into: Pooled,
  first: number,
  width: number,
  run: (part: Float64Array | Uint32Array, name: keyof Tallies) => void,
): void {
  for (const name of names) run(into[name].subarray(first, first + width), name);
}

function copyIn(buffer: ArrayBuffer, at: number, { data, start, stride, rows, count }: Band): void {
  const cells =
    data instanceof Float32Array
      ? new Float32Array(buffer, at, rows * count)
      : new Float64Array(buffer, at, rows * count);
  if (stride === count) return cells.set(data.subarray(start, start + rows * count));
  for (let row = 0; row < rows; row++) {
    const from = start + row * stride;
    cells.set(data.subarray(from, from + count), row * count);
  }
}

const page = 65536;

function roomFor({ memory }: Exports, end: number): ArrayBuffer {
  const missing = Math.ceil((end - memory.buffer.byteLength) / page);
  if (missing > 0) memory.grow(missing);
  return memory.buffer;
}

// Vectors begin at multiples of 16.
const align = (at: number): number => Math.ceil(at / 16) * 16;
