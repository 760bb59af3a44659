/* Choosing the head and the batch's input to show. */

export { createSlices } from './slices';
