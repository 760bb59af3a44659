import type { PooledBlocks } from '../../pooled-blocks';
import { instantiate, supportedBuilds, type Exports } from './module';

/** `rows` rows of `count` cells that belong to one row of blocks, the first of which is `first`. `level` is at least 1. */
export interface CellBand {
  readonly data: Float32Array | Float64Array;
  readonly start: number;
  readonly stride: number;
  readonly rows: number;
  readonly count: number;
  readonly level: number;
  readonly first: number;
}

/** A separate instance, created at first use, so that its memory stays as small as one band. `false` where WebAssembly is not available. */
let instance: Exports | false | undefined;

function exportsOf(): Exports | undefined {
  if (instance === undefined) {
    const [build] = supportedBuilds();
    instance = (build !== undefined && build !== 'plain' && instantiate(build)) || false;
  }
  return instance || undefined;
}

/** Adds a band to its blocks, with the same bits as plain JavaScript (engine/run/pool.ts). False, and nothing is added, where WebAssembly is missing. */
export function poolBand(into: PooledBlocks, band: CellBand): boolean {
  const wasm = exportsOf();
  if (!wasm) return false;
  const { data, rows, count, level } = band;
  const tally = align(wasm.base());
  const width = ((count - 1) >> level) + 1;
  const cells = align(tally + 32 * width);
  const buffer = growTo(wasm, cells + rows * count * data.BYTES_PER_ELEMENT);
  const tallies = blockViews(buffer, tally, width);
  forEachPart(into, band.first, width, (part, name) => tallies[name].set(part));
  copyIn(buffer, cells, band);
  wasm.pool(cells, data.BYTES_PER_ELEMENT === 8 ? 1 : 0, rows, count, level, tally);
  forEachPart(into, band.first, width, (part, name) => part.set(tallies[name]));
  return true;
}

type BlockViews = Omit<PooledBlocks, 'masked'>;

/** The memory layout of assembly/pool.as. */
const blockViews = (buffer: ArrayBuffer, at: number, width: number): BlockViews => ({
  min: new Float64Array(buffer, at, width),
  max: new Float64Array(buffer, at + 8 * width, width),
  sum: new Float64Array(buffer, at + 16 * width, width),
  finite: new Uint32Array(buffer, at + 24 * width, width),
  nan: new Uint32Array(buffer, at + 28 * width, width),
});

const names = ['min', 'max', 'sum', 'finite', 'nan'] as const;

function forEachPart(
  into: PooledBlocks,
  first: number,
  width: number,
  run: (part: Float64Array | Uint32Array, name: keyof BlockViews) => void,
): void {
  for (const name of names) run(into[name].subarray(first, first + width), name);
}

function copyIn(buffer: ArrayBuffer, at: number, { data, start, stride, rows, count }: CellBand): void {
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

function growTo({ memory }: Exports, end: number): ArrayBuffer {
  const missing = Math.ceil((end - memory.buffer.byteLength) / page);
  if (missing > 0) memory.grow(missing);
  return memory.buffer;
}

// Vectors begin at multiples of 16.
const align = (at: number): number => Math.ceil(at / 16) * 16;
