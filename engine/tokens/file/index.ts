/** Tokenizers of Hugging Face from their file: `tokenizer.json` or `vocab.txt` becomes a pipeline that splits text as theirs do. */
export { charactersAsText } from './bytelevel';
export { tokenizerFromJson } from './json';
export { type Pipeline, tokenizeByFile } from './pipeline';
export { tokenizerFromVocab } from './vocab';
export { TooMuchWork, tooMuchWork } from './work';
