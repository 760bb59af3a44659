import { t, type Picture, type Tile } from '../../engine/index';
import { h } from '../draw';
import { createThumbnail, theme, unitBar, type Thumbnail } from '../heatmap';

/** In CSS pixels. */
const side = 60;

/** A picture of weights: its colours go from 0 to 1, so that one colour is one weight in the pictures of all heads. */
export const weightsThumb = (picture: Picture): Thumbnail => thumb(picture, 'weights', 1);

/** A picture of differences of weights: its colours end at ±1, so that small differences look small. */
export const differenceThumb = (picture: Picture): Thumbnail => thumb(picture, 'signed', 1);

/** What stands for what in pictures of weights: the bar of their colours, and rows and columns. */
export interface PictureKey {
  readonly element: HTMLElement;
  /** `tokens`: the most that a picture has in a row or a column; beyond `fullSize` several cells share a square. */
  update(tokens: number): void;
  redraw(): void;
}

/** Up to so many rows and columns a cell of a picture is a weight. */
const fullSize = side;

export function createPictureKey(): PictureKey {
  const bar = h('span', {});
  const words = h('span', {});
  const element = h('div', { class: 'model-key' }, bar, words);
  const draw = (): void => bar.replaceChildren(unitBar(theme()));
  return {
    element,
    update(tokens) {
      draw();
      words.textContent = tokens > fullSize ? t('Colour: the weight, on one scale for all heads. Rows are queries, columns are keys; of cells that share a square, the largest is shown.') : t('Colour: the weight, on one scale for all heads. Rows are queries, columns are keys.'); // prettier-ignore
    },
    redraw: draw,
  };
}

function thumb(picture: Picture, kind: 'weights' | 'signed', colourLimit: number): Thumbnail {
  const shape = [picture.rows, picture.columns];
  const tile = tileOf(picture);
  return createThumbnail({ kind, shape, call: { op: 'identity' } }, () => Promise.resolve(tile), {
    width: side,
    height: side,
    colourLimit,
  });
}

function tileOf({ rows, columns, values }: Picture): Tile {
  const numbers = Float64Array.from(values);
  const none = new Uint32Array(numbers.length);
  const nan = Uint32Array.from(numbers, (value) => (value === value ? 0 : 1));
  return { level: 0, row: 0, column: 0, height: rows, width: columns, min: numbers, max: numbers, mean: numbers, nan, masked: none }; // prettier-ignore
}
