import type { Picture, Tile } from '../../engine/index';
import { createThumbnail, type Thumbnail } from '../heatmap';

/** In CSS pixels. */
const side = 60;

/** A picture of weights. */
export const weightsThumb = (picture: Picture): Thumbnail => thumb(picture, 'weights');

/** A picture of differences of weights: its colours end at ±1, so that small differences look small. */
export const differenceThumb = (picture: Picture): Thumbnail => thumb(picture, 'signed', 1);

function thumb(picture: Picture, kind: 'weights' | 'signed', colourLimit?: number): Thumbnail {
  const shape = [picture.rows, picture.columns];
  const tile = tileOf(picture);
  const options = { width: side, height: side, ...(colourLimit !== undefined && { colourLimit }) };
  return createThumbnail({ kind, shape, call: { op: 'identity' } }, () => Promise.resolve(tile), options);
}

function tileOf({ rows, columns, values }: Picture): Tile {
  const numbers = Float64Array.from(values);
  const none = new Uint32Array(numbers.length);
  const nan = Uint32Array.from(numbers, (value) => (value === value ? 0 : 1));
  return { level: 0, row: 0, column: 0, height: rows, width: columns, min: numbers, max: numbers, mean: numbers, nan, masked: none }; // prettier-ignore
}
