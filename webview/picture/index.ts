/* Exporting a matrix as an SVG or PNG file. */

export { matrixPicture } from './matrix';
export { pngOf } from './png';
export { svgOf } from './svg';
