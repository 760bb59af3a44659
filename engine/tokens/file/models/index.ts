/** The models of a tokenizer file, which split a word into pieces: BPE, WordPiece, Unigram, whole words. */
export { bpeOf } from './bpe';
export { type Emit, type Model } from './model';
export { unigramOf } from './unigram';
export { wordLevelOf, wordPiece, wordPieceOf } from './words';
