import type { TileRequest } from '../../engine/index';
import { blocksOf, covers, type Blocks } from './blocks';
import { levelOf, visibleCells, widened } from './geometry';
import { isWhole, regime, toStep, type Place, type State } from './state';
import { formatFor, summarise } from './summary';

interface Wanted {
  readonly rows: readonly [number, number];
  readonly columns: readonly [number, number];
  readonly down: number;
  readonly across: number;
}

/** Matrices up to this many cells are read in one piece. */
const readAtOnce = 16384;

/**
 * Reads what the window shows and a window's length around it, unless it is there already; calls `arrived` when new
 * blocks are in. Until then the old ones stay on screen, stretched if need be: nothing flickers.
 */
export function ensureBlocks(state: State, arrived: () => void): void {
  const visible = visibleWindow(state);
  const wanted = wantedWindow(state, visible);
  const { blocks } = state;
  const level = levelsOf(wanted);
  const right = state.answered === level && blocks && covers(blocks, visible.rows, visible.columns);
  if (right && !state.stale) return;
  const key = JSON.stringify(wanted);
  if (state.reading === key) return;
  state.reading = key;
  state.stale = false;
  void readBlocks(state, wanted).then((fresh) => {
    // An answer that another question has overtaken would only be seen for a moment.
    if (!state.alive || (state.reading !== key && state.blocks)) return;
    state.reading = undefined;
    state.blocks = fresh;
    state.answered = level;
    if (fresh.pending) window.setTimeout(() => readAgain(state, arrived), growing);
    arrived();
  });
}

/** Milliseconds between two looks at a picture that is still being computed. */
export const growing = 500;

function readAgain(state: State, arrived: () => void): void {
  if (!state.alive) return;
  state.stale = true;
  void regrown(state).then(arrived);
}

/** The limits of what has been computed so far decide its colours. */
async function regrown(state: State): Promise<void> {
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
  if (state.rows * state.columns <= readAtOnce) {
    return { rows: [0, state.rows], columns: [0, state.columns], down, across };
  }
  return {
    rows: widened(visible.rows, state.rows, 2 ** down),
    columns: widened(visible.columns, state.columns, 2 ** across),
    down,
    across,
  };
}

async function readBlocks(state: State, { rows, columns, down, across }: Wanted): Promise<Blocks> {
  const { options } = state;
  const transposed = options.transposed ?? false;
  const level = Math.min(down, across);
  // Digits need the cells themselves.
  const how = { level, pixels: regime(state) !== 'numbers' };
  const request: TileRequest = transposed ? { rows: columns, columns: rows, ...how } : { rows, columns, ...how };
  const tile = await options.read(request);
  return blocksOf(tile, {
    down: Math.max(0, down - tile.level),
    across: Math.max(0, across - tile.level),
    transposed,
  });
}

/** All cells of a matrix whose every cell is in the DOM. */
export async function readValues(state: State): Promise<void> {
  if (!isWhole(state.rows, state.columns)) return;
  const { rows, columns } = state;
  state.values = await readBlocks(state, { rows: [0, rows], columns: [0, columns], down: 0, across: 0 });
}

/** One cell, exactly. */
export async function readCell(state: State, at: Place): Promise<{ readonly value: number; readonly hidden: boolean }> {
  const [row, column] = toStep(state, at);
  const tile = await state.options.read({ rows: [row, row + 1], columns: [column, column + 1] });
  return cellOf(tile.nan[0] ?? 0, tile.max[0] as number, tile.masked[0] ?? 0);
}

export const cellOf = (nan: number, value: number, masked: number): { value: number; hidden: boolean } => ({
  value: nan > 0 ? NaN : value,
  hidden: masked > 0,
});

/** The cell of a pooled block that gives it its colour: the one a reader means by clicking on it. */
export async function standout(state: State, rows: [number, number], columns: [number, number]): Promise<Place> {
  const own = state.options.transposed ? { rows: columns, columns: rows } : { rows, columns };
  const blocks = blocksOf(await state.options.read(own), {
    down: 0,
    across: 0,
    transposed: state.options.transposed ?? false,
  });
  let [best, far] = [0, -1];
  for (let i = 0; i < blocks.max.length; i++) {
    if ((blocks.masked[i] ?? 0) > 0) continue;
    const distance = (blocks.nan[i] ?? 0) > 0 ? Infinity : Math.abs(blocks.max[i] as number);
    if (distance > far) [best, far] = [i, distance];
  }
  return { row: blocks.row + Math.floor(best / blocks.width), column: blocks.column + (best % blocks.width) };
}
