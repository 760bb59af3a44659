import type { Frame, Piece, Story } from './frame';

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly opacity: number;
  readonly turn?: number;
}

/** What is seen at a time. */
export interface Moment {
  /** The nearest frame: its words are said. */
  readonly at: number;
  readonly pieces: readonly (readonly [Piece, Place])[];
}

/** Shares of the way from a frame to the next: what leaves fades, then all moves, then what comes appears. */
const [left, comes] = [0.2, 0.8];

const dimmed = 0.4;
const restOf = (piece: Piece): Place => ({ ...piece, opacity: piece.gone ? 0 : piece.dim ? dimmed : 1 });

/** Starts and ends gently. */
const eased = (share: number): number => share * share * (3 - 2 * share);

/**
 * Time 2.5 is halfway from the third frame to the fourth. Words, digits and looks are those of the nearest frame, and only places, sizes and
 * opacities are in between. A number that becomes another is away while anything moves: it would contradict its bar.
 */
export function momentOf({ frames }: Story, time: number): Moment {
  const at = Math.max(0, Math.min(frames.length - 1, time));
  const [from, to] = [frames[Math.floor(at)], frames[Math.ceil(at)]];
  const nearest = Math.round(at);
  if (!from || !to) return { at: nearest, pieces: [] };
  if (from === to) return { at: nearest, pieces: from.pieces.map((piece) => [piece, restOf(piece)]) };
  const share = at - Math.floor(at);
  const later = nearest > at;
  const shown = later ? Math.max(0, share - comes) / (1 - comes) : Math.max(0, left - share) / left;
  const way = eased(Math.max(0, Math.min(1, (share - left) / (comes - left))));
  const other = piecesOf(later ? from : to);
  return {
    at: nearest,
    pieces: (later ? to : from).pieces.map((piece) => {
      const [own, end] = [restOf(piece), other.get(piece.id)];
      const place = end ? onTheWay(restOf(end), own, later ? way : 1 - way) : own;
      const stays = end !== undefined && Object.is(end.number?.value, piece.number?.value);
      return [piece, stays ? place : { ...place, opacity: own.opacity * shown }];
    }),
  };
}

const known = new WeakMap<Frame, ReadonlyMap<string, Piece>>();

function piecesOf(frame: Frame): ReadonlyMap<string, Piece> {
  const found = known.get(frame) ?? new Map(frame.pieces.map((piece) => [piece.id, piece]));
  known.set(frame, found);
  return found;
}

const onTheWay = (a: Place, b: Place, way: number): Place => {
  const mix = (x: number, y: number): number => x + (y - x) * way;
  return { x: mix(a.x, b.x), y: mix(a.y, b.y), width: mix(a.width, b.width), height: mix(a.height, b.height), opacity: mix(a.opacity, b.opacity), turn: mix(a.turn ?? 0, b.turn ?? 0) }; // prettier-ignore
};
