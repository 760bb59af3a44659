/* The page of a model from a folder: a text, every head of every layer by what it does, the next token, and a second text or model beside it. */

export { moveFocus } from './heads';
export { startModel } from './start';
export { createPictureKey, weightsThumb } from './thumb';
