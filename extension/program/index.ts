/* Python programs in an editor: lenses above attentions, shapes at the ends of lines, values on hovers. */

export { programValues } from './hover';
export { registerPrinted, type PrintedReader } from './printed';
export { registerPlaces } from './register';
export type { PlacesReader } from './shown';
