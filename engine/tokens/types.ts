import type { Token, Problem } from '../text';

/**
 * A token of a text. `text` is the characters it covers, or the vocabulary's spelling where a file's tokenizer shows that (`##u`,
 * `▁new`). Bytes of an incomplete character are written `\xE2\x82`.
 */
export interface TextToken extends Token {
  /** UTF-16 offsets in the given text. Tokens with part of a character have its whole range; tokens of a template ([CLS], [SEP]) an empty one. */
  readonly start: number;
  readonly end: number;
  /** A special token, not text: `<|endoftext|>` when asked for, [CLS]. */
  readonly special?: true;
}

/** Facts about a tokenizer. */
export interface TokenizerFacts {
  /** `cl100k_base`; for a file the type of its model: `WordPiece`. */
  readonly name: string;
  /** Ids are below this; it is the number of rows of an embedding table. */
  readonly size: number;
  /** Decisions and omissions while a file was read, such as a truncation that is not applied. */
  readonly notes: readonly Problem[];
}

export interface TokenizeOptions {
  /**
   * How to treat text that spells a special token. By default bundled encodings take it as `text` and files' tokenizers as the `special`
   * token, like the programs they come from.
   */
  readonly specials?: 'text' | 'special';
  /** Whether to add the post-processor's special tokens around the text ([CLS] … [SEP]). Default true. */
  readonly template?: boolean;
}
