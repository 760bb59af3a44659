/* Predicting results: a step's result stays hidden until the reader has entered a guess. */

export { hideSizes } from './hide-sizes';
export { createPredict, isHidden, withGuess } from './predict';
