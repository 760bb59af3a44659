import { columnOf, rowOf, type Weights } from './weights';

/** A token on one side: a query on the left or a key on the right. */
export interface End {
  readonly side: Side;
  readonly at: number;
}
export type Side = 'query' | 'key';

export interface PlotSize {
  /** CSS pixels: the distance between the two columns of tokens, and from one token to the next. */
  readonly width: number;
  readonly pitch: number;
}

const labelHeight = 12;

/** CSS pixels from one token to the next. Up to 60 tokens leave space for every label; more are set closer, so that all stay in view. */
export function pitchOf({ queries, keys }: Weights): number {
  const most = Math.max(queries.length, keys.length);
  return most <= 60 ? Math.min(22, Math.max(labelHeight, 640 / most)) : Math.max(3, 640 / most);
}

export const hasAllLabels = (pitch: number): boolean => pitch >= labelHeight;

/** All weights of a query, or all weights of a key. */
export const weightsAt = (weights: Weights, { side, at }: End): Float64Array =>
  side === 'query' ? rowOf(weights, at) : columnOf(weights, at);

/** Which tokens get a label if not all can: greedily in the given order, skipping those that would overlap. */
export function nonOverlapping(order: readonly number[], pitch: number): ReadonlySet<number> {
  const kept: number[] = [];
  for (const i of order) if (kept.every((k) => Math.abs(k - i) * pitch >= labelHeight)) kept.push(i);
  return new Set(kept);
}

/** Indices by descending weight; ties in their own order. */
export const indicesByWeight = (values: Float64Array): number[] =>
  [...values.keys()].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);

/** Sizes a canvas for the device's pixels and returns its context, scaled to CSS pixels. */
function cleared(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | undefined {
  const ratio = window.devicePixelRatio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d') ?? undefined;
  context?.scale(ratio, ratio);
  return context;
}

/** Arcs painted per call: each takes 20 to 40 µs, including rasterisation. */
const arcsPerChunk = 400;

/**
 * Paints all arcs, or those of one token: the larger the weight, the wider and more opaque. Paints the first chunk, strongest first, and returns a
 * function that paints the next chunk and returns whether there are more.
 */
export function paintArcs(canvas: HTMLCanvasElement, weights: Weights, room: PlotSize, end?: End): () => boolean {
  const { queries, keys, values } = weights;
  const height = Math.max(queries.length, keys.length) * room.pitch;
  const context = cleared(canvas, room.width, height);
  if (!context) return () => false;
  context.strokeStyle = getComputedStyle(canvas).color;
  context.lineCap = 'butt';
  const most = values.reduce((a, b) => (b > a ? b : a), 0);
  // The minimum opacity is lower for many arcs, since faint overlapping arcs add up to a strong one.
  const floor = Math.min(0.12, 3 / values.length ** 0.5 / 10);
  // With many arcs, weights below 1/64 of the largest are omitted: they would be invisible.
  const order = end ? cellsOf(weights, end) : strongestFirst(values, most / 64, most);
  let next = 0;
  const more = (): boolean => {
    for (const at of order.slice(next, next + arcsPerChunk)) {
      const share = (values[at] ?? 0) / most;
      if (share > 0) arc(context, room, Math.floor(at / keys.length), at % keys.length, share, floor);
    }
    next += arcsPerChunk;
    return next < order.length;
  };
  more();
  return more;
}

/** Row-major indices of one token's weights. */
const cellsOf = ({ queries, keys }: Weights, { side, at }: End): readonly number[] =>
  side === 'query' ? keys.map((_, j) => at * keys.length + j) : queries.map((_, i) => i * keys.length + at);

/** Row-major indices of the weights above `least`, in approximately descending order: bucket-sorted into 33 buckets up to `most`. */
function strongestFirst(values: Float64Array, least: number, most: number): readonly number[] {
  const steps = Array.from({ length: 33 }, (): number[] => []);
  values.forEach((weight, at) => {
    if (weight > least) steps[Math.floor(32 * (1 - weight / most))]?.push(at);
  });
  return steps.flat();
}

function arc(
  context: CanvasRenderingContext2D,
  { width, pitch }: PlotSize,
  i: number,
  j: number,
  share: number,
  floor: number,
): void {
  const [from, to] = [(i + 0.5) * pitch, (j + 0.5) * pitch];
  context.globalAlpha = floor + (1 - floor) * share;
  context.lineWidth = 0.5 + share * Math.min(7, pitch * 0.7);
  context.beginPath();
  context.moveTo(0, from);
  context.bezierCurveTo(width / 2, from, width / 2, to, width, to);
  context.stroke();
}
