/** Says what the symbols of a formula mean: roles, shapes and sizes, by the formula itself and the prose around it. */
export { type Declared, type Defined, type Document, type Parsed, type Reading, add, asOf, shapeOf } from './context';
export { headingsOf, readGiven, weighing } from './evidence';
export { inferFrom } from './infer';
export { indexedKey } from './names';
export { fromProse } from './prose';
export { relevanceOf } from './relevance';
export { fromUse } from './use';
export { named } from './fit';
export { readingAt, unprimed } from './shapes';
export { sentenceAround } from './words';
export {
  type Sizes,
  addFact,
  learnSizes,
  newSizes,
  numberOf,
  isRowOfNumbers,
  open,
  resolved,
  restore,
  sizeOf,
  soleName,
  writtenShape,
} from './sizes';
