import type { Token, Problem } from '../text';

/**
 * A token of a text. `text` is what it says: the characters themselves, or the vocabulary's own spelling where a file's
 * tokenizer shows that (`##u`, `▁new`); bytes that are only part of a character are written `\xE2\x82`.
 */
export interface TextToken extends Token {
  /**
   * UTF-16 offsets in the text that was given. Tokens that hold part of a character have that character's range; what a
   * template adds ([CLS], [SEP]) has an empty one.
   */
  readonly start: number;
  readonly end: number;
  /** A special token, not text: `<|endoftext|>` when asked for, [CLS]. */
  readonly special?: true;
}

/** What every tokenizer says about itself. */
export interface TokenizerFacts {
  /** `cl100k_base`; for a file its model: `WordPiece`. */
  readonly name: string;
  /** Ids are smaller than this: the rows of an embedding table. */
  readonly size: number;
  /** What was decided or left out while reading a file, such as a truncation that is not applied. Empty when nothing was. */
  readonly notes: readonly Problem[];
}

export interface TokenizeOptions {
  /**
   * What text that spells a special token becomes: the bundled encodings take it as `text` unless told otherwise, files'
   * tokenizers as the `special` token, as the programs they come from do.
   */
  readonly specials?: 'text' | 'special';
  /** Whether to add what a file's post-processor adds around the text ([CLS] … [SEP]). Default true. */
  readonly template?: boolean;
}
