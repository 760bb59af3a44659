import type { TileRequest } from '../../engine/index';
import { Stopped } from '../compute';
import { blocksOf, covers, indexAt, paste, spread, type Blocks } from './blocks';
import { levelOf, visibleCells, widened } from './geometry';
import { isWhole, regime, toStep, type RefinedPicture, type Place, type State } from './state';
import { formatFor, summarise } from './summary';

interface Wanted {
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
  readonly down: number;
  readonly across: number;
  /** Whether cells are wide enough for numbers, which float32 values cannot supply. */
  readonly digits: boolean;
}

/** Matrices with at most this many cells are read at once. */
const readAtOnce = 16384;

/**
 * Reads the viewport and its surroundings unless they have been read; calls `arrived` when new blocks are there. Meanwhile the old blocks are
 * drawn, stretched if necessary, so that nothing flickers.
 */
export function ensureBlocks(state: State, arrived: () => void): void {
  const visible = visibleWindow(state);
  const wanted = wantedWindow(state, visible);
  const { blocks } = state;
  const level = levelsOf(wanted);
  const same = state.answered === level && !state.stale;
  if (same && blocks && covers(blocks, visible.rows, visible.columns) && (!wanted.digits || !isRough(state))) return;
  if (same && state.coarse && covers(state.coarse, visible.rows, visible.columns))
    return refinePicture(state, wanted, arrived);
  const key = JSON.stringify(wanted);
  if (state.reading === key) return;
  state.reading = key;
  state.stale = false;
  void readBlocks(state, wanted).then((fresh) => {
    // A later request makes this answer obsolete: it would be visible for a moment only.
    if (!state.alive || (state.reading !== key && state.blocks)) return;
    state.reading = undefined;
    state.answered = level;
    take(state, fresh, wanted, arrived);
    if (fresh.pending) window.setTimeout(() => readAgain(state, arrived), growingInterval);
    arrived();
  });
}

/** Takes an answer. One that is coarser than requested, or in float32 where digits are needed, is drawn, and the rest requested. */
function take(state: State, fresh: Blocks, wanted: Wanted, arrived: () => void): void {
  const coarser = fresh.cellsDown > 2 ** wanted.down || fresh.cellsAcross > 2 ** wanted.across;
  const rough = fresh.float32 && (coarser || wanted.digits);
  state.coarse = rough ? fresh : undefined;
  if (rough) return refinePicture(state, wanted, arrived);
  state.blocks = fresh;
  state.fine = undefined;
}

/** Milliseconds between two reads of a picture that is still being computed. */
export const growingInterval = 500;

function readAgain(state: State, arrived: () => void): void {
  if (!state.alive) return;
  // The reader stopped this computation and may resume it.
  if (state.options.growth?.running() === false)
    return void window.setTimeout(() => readAgain(state, arrived), growingInterval);
  state.stale = true;
  void updateColours(state).then(arrived);
}

/** Updates the colours to the limits of the values computed so far. */
async function updateColours(state: State): Promise<void> {
  const { step, read, digits } = state.options;
  state.summary = await summarise(step, read);
  state.format = formatFor(step, state.summary, digits);
}

const levelsOf = ({ down, across }: Wanted): string => `${down} ${across}`;

function visibleWindow(state: State): Pick<Wanted, 'rows' | 'columns'> {
  const { scroll, window, cell } = state;
  return {
    rows: visibleCells(scroll.top, window.height, cell.height, state.rows),
    columns: visibleCells(scroll.left, window.width, cell.width, state.columns),
  };
}

function wantedWindow(state: State, visible: Pick<Wanted, 'rows' | 'columns'>): Wanted {
  const [down, across] = [levelOf(state.cell.height), levelOf(state.cell.width)];
  const digits = regime(state) === 'numbers';
  if (state.rows * state.columns <= readAtOnce) {
    return { rows: [0, state.rows], columns: [0, state.columns], down, across, digits };
  }
  return {
    rows: widened(visible.rows, state.rows, 2 ** down),
    columns: widened(visible.columns, state.columns, 2 ** across),
    down,
    across,
    digits,
  };
}

async function readBlocks(
  state: State,
  { rows, columns, down, across }: Omit<Wanted, 'digits'>,
  pixels: TileRequest['pixels'] = true,
): Promise<Blocks> {
  const { options } = state;
  const transposed = options.transposed ?? false;
  const level = Math.min(down, across);
  const how = pixels ? { level, pixels } : { level };
  const request: TileRequest = transposed ? { rows: columns, columns: rows, ...how } : { rows, columns, ...how };
  const tile = await options.read(request);
  return blocksOf(tile, {
    down: Math.max(0, down - tile.level),
    across: Math.max(0, across - tile.level),
    transposed,
  });
}

const isRough = ({ blocks, fine }: State): boolean => blocks?.float32 === true && !fine?.digits;

/**
 * Draws the coarse picture of the viewport as blocks of the requested size, includes those that have been read, and replaces the rest band by
 * band. When the viewport changes, no further band is requested.
 */
function refinePicture(state: State, { down, across, digits }: Wanted, arrived: () => void): void {
  if (!state.coarse) return;
  const { rows, columns } = visibleWindow(state);
  const size = { cellsDown: 2 ** down, cellsAcross: 2 ** across };
  const blocks = spread(state.coarse, rows, columns, size);
  const sharp = new Uint8Array(blocks.min.length);
  const before = state.fine;
  const markSharp = (at: number): unknown => (sharp[at] = 1);
  const alike =
    before?.digits === digits &&
    before.blocks.cellsDown === size.cellsDown &&
    before.blocks.cellsAcross === size.cellsAcross;
  if (alike) paste(blocks, before.blocks, markSharp, before.sharp);
  state.fine = { blocks, sharp, digits, done: false };
  state.blocks = blocks;
  void fill(state, state.fine, { down, across }, arrived).catch((error: unknown) => {
    // The worker was stopped: keep what was drawn.
    if (!(error instanceof Stopped)) throw error;
  });
  arrived();
}

/** Bands are sized to take about this many milliseconds, so that other requests are answered in between. */
const [shortBand, longBand] = [25, 60];

async function fill(
  state: State,
  fine: RefinedPicture,
  { down, across }: Pick<Wanted, 'down' | 'across'>,
  arrived: () => void,
): Promise<void> {
  const { blocks, sharp } = fine;
  const turned = state.options.transposed ?? false;
  const bottom = Math.min(state.rows, blocks.row + blocks.height * blocks.cellsDown);
  const right = Math.min(state.columns, blocks.column + blocks.width * blocks.cellsAcross);
  // Bands follow the step's own rows: computing a row of weights takes only its row of scores, a column takes all rows.
  const [first, end] = turned ? [blocks.column, right] : [blocks.row, bottom];
  const unit = turned ? blocks.cellsAcross : blocks.cellsDown;
  for (let at = first, height = unit; at < end;) {
    const band = [at, Math.min(end, at + height)] as const;
    at = band[1];
    const part = turned
      ? { rows: [blocks.row, bottom] as const, columns: band }
      : { rows: band, columns: [blocks.column, right] as const };
    if (isSharp(fine, part)) continue;
    const begin = performance.now();
    const fresh = await readBlocks(state, { ...part, down, across }, fine.digits ? false : 'fine');
    if (!state.alive || state.fine !== fine) return;
    paste(blocks, fresh, (i) => (sharp[i] = 1));
    const took = performance.now() - begin;
    if (took < shortBand) height *= 2;
    else if (took > longBand) height = Math.max(unit, height / 2);
    arrived();
  }
  fine.done = true;
  if (fine.digits) state.blocks = exactly(blocks);
  arrived();
}

/** Blocks in which every cell was read exactly. */
function exactly({ float32: _, pending: __, ...blocks }: Blocks): Blocks {
  return blocks;
}

function isSharp({ blocks, sharp }: RefinedPicture, { rows, columns }: Pick<Wanted, 'rows' | 'columns'>): boolean {
  const from = indexAt(blocks, rows[0], columns[0]) ?? 0;
  const wide = Math.ceil((columns[1] - columns[0]) / blocks.cellsAcross);
  const high = Math.ceil((rows[1] - rows[0]) / blocks.cellsDown);
  for (let y = 0; y < high; y++) for (let x = 0; x < wide; x++) if (!sharp[from + y * blocks.width + x]) return false;
  return true;
}

/** Reads all cells of a matrix that has all of them in the DOM. */
export async function readValues(state: State): Promise<void> {
  if (!isWhole(state.rows, state.columns)) return;
  const { rows, columns } = state;
  state.values = await readBlocks(state, { rows: [0, rows], columns: [0, columns], down: 0, across: 0 }, false);
}

/** Reads one cell exactly. */
export async function readCell(state: State, at: Place): Promise<{ readonly value: number; readonly hidden: boolean }> {
  const [row, column] = toStep(state, at);
  const tile = await state.options.read({ rows: [row, row + 1], columns: [column, column + 1] });
  return cellOf(tile.nan[0] ?? 0, tile.max[0] as number, tile.masked[0] ?? 0);
}

export const cellOf = (nan: number, value: number, masked: number): { value: number; hidden: boolean } => ({
  value: nan > 0 ? NaN : value,
  hidden: masked > 0,
});

/** For a block with too many cells to read: the most conspicuous part of it, at the finest level that can be read. */
async function standoutPart(
  state: State,
  rows: readonly [number, number],
  columns: readonly [number, number],
): Promise<Pick<Wanted, 'rows' | 'columns'>> {
  const blocks = await readBlocks(state, { rows, columns, down: 0, across: 0 });
  const { row, column } = farthestFromZero(blocks);
  const within = (start: number, size: number, [from, to]: readonly [number, number]): [number, number] => [
    Math.max(from, start),
    Math.min(to, start + size),
  ];
  return { rows: within(row, blocks.cellsDown, rows), columns: within(column, blocks.cellsAcross, columns) };
}

/** The cell that gives a pooled block its colour, which is the one a click on the block means. */
export async function cellOfBlock(state: State, rows: [number, number], columns: [number, number]): Promise<Place> {
  const part = await standoutPart(state, rows, columns);
  const blocks = await readBlocks(state, { ...part, down: 0, across: 0 }, 'fine');
  return farthestFromZero(blocks);
}

/** The first cell farthest from zero, among those that are computed and not all hidden. */
function farthestFromZero(blocks: Blocks): Place {
  const cells = blocks.cellsDown * blocks.cellsAcross;
  let [best, far] = [0, -1];
  for (let i = 0; i < blocks.max.length; i++) {
    if ((blocks.masked[i] ?? 0) >= cells) continue;
    // The minimum of a partly hidden block may be the mask's fill.
    const open = cells > 1 && (blocks.masked[i] ?? 0) === 0;
    const size = Math.max(Math.abs(blocks.max[i] as number), open ? Math.abs(blocks.min[i] as number) : 0);
    const distance = (blocks.nan[i] ?? 0) > 0 ? Infinity : size;
    if (distance > far) [best, far] = [i, distance];
  }
  const [y, x] = [Math.floor(best / blocks.width), best % blocks.width];
  return { row: blocks.row + y * blocks.cellsDown, column: blocks.column + x * blocks.cellsAcross };
}
