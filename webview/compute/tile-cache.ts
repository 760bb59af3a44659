import type { Plan, Tile, TileRequest } from '../../engine/index';
import { stepOf } from '../trace';

type Read = (step: string, request?: TileRequest) => Promise<Tile>;

/** Maximum number of cached tiles: about as many as a page shows thumbnails and figures. Each is at most a few hundred kilobytes. */
const cacheSize = 64;

/**
 * Caches the pooled tiles of whole matrices, each of which takes a pass over all cells: a thumbnail, a figure and its colour range request
 * the same tile. Unpooled tiles and parts of a matrix are not cached.
 */
export function cacheWholeMatrices(plan: Plan, read: Read): Read {
  const cache = new Map<string, Promise<Tile>>();
  return (id, request = {}) => {
    const { level = 0, batch = 0, head = 0 } = request;
    const step = stepOf(plan, id);
    if (level === 0 || !step || !isWhole(step.shape, request)) return read(id, request);
    const key = `${id} ${batch} ${head} ${level} ${request.pixels ?? false}`;
    const tile = cache.get(key) ?? read(id, request);
    // Moves it to the end: the cache drops the least recently used tile.
    cache.delete(key);
    cache.set(key, tile);
    // A tile that is still incomplete is read again next time.
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
