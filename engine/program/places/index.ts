/** What stands where in a program: the shapes of its lines, the value at an offset, the places of its attentions. */
export { attentionPlaces, isCausal, titleOf, type AttentionPlace } from './attentions';
export { type State } from './describe';
export { linesOf, type LinePart, type LineShapes } from './lines';
export { valueAt, type Part, type ValueAt } from './value';
export { openingPlaces, readingPlaces, type OpenedPlaces, type OpenProgram, type Places } from './read';
