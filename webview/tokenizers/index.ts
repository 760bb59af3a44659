/* Tokenizing the input text, in a worker, with vocabularies from the host and files that the reader chose. */

export { fileNeededCode, isEncoding } from './sources';
export { createTokenizers, type Tokenizers } from './tokenizers';
