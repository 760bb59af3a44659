import type { Plan, Tile, TileRequest } from '../../engine/index';
import { stepOf } from '../trace';

type Read = (step: string, request?: TileRequest) => Promise<Tile>;

/** As many pooled pictures of whole matrices as a page has thumbnails and figures at once; each is a few hundred kilobytes at most. */
const cacheSize = 64;

/**
 * Remembers the pooled pictures of whole matrices: a thumbnail, a figure and what decides its colours ask for the same ones, and each of them is
 * a pass over all cells. Cells themselves and parts are read anew.
 */
export function cacheWholeMatrices(plan: Plan, read: Read): Read {
  const cache = new Map<string, Promise<Tile>>();
  return (id, request = {}) => {
    const { level = 0, batch = 0, head = 0 } = request;
    const step = stepOf(plan, id);
    if (level === 0 || !step || !isWhole(step.shape, request)) return read(id, request);
    const key = `${id} ${batch} ${head} ${level} ${request.pixels ?? false}`;
    const tile = cache.get(key) ?? read(id, request);
    // What was asked for last stands last.
    cache.delete(key);
    cache.set(key, tile);
    // A picture that is still growing is read anew.
    tile.then(
      ({ pending }) => pending && cache.delete(key),
      () => cache.delete(key),
    );
    const [oldest] = cache.keys();
    if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest);
    return tile;
  };
}

function isWhole(shape: readonly number[], { rows, columns }: TileRequest): boolean {
  const [down = 1, across = 1] = shape.slice(-2);
  const all = (range: TileRequest['rows'], size: number): boolean => !range || (range[0] === 0 && range[1] >= size);
  return all(rows, down) && all(columns, across);
}
