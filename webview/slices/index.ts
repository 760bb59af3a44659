/* Choosing a head, or an input of a batch. */

export { createSlices } from './slices';
