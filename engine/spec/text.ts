import type { EncodingName } from '../tokens';

/** Ways to cut a text that need no vocabulary. */
export const splitters = ['words', 'characters', 'bytes'] as const;

/** How a text is cut without a vocabulary. */
export type SplitterName = (typeof splitters)[number];

/** A bundled encoding, or the name of a local tokenizer.json or vocab.txt, which is shown and never read. */
export type VocabularyName = EncodingName | { readonly file: string };

/** Words, characters, bytes, an encoding, or a file by its name. */
export type TokenizerChoice = SplitterName | VocabularyName;

/**
 * A token of a text: its id, and its UTF-16 offsets, half-open, in the order of the text. `written` where the token is not
 * called by those characters: [CLS], `##ing`, a byte of a character as `\xE2`. `special` marks what is no text: [CLS], <|endoftext|>.
 */
export type Piece = readonly [id: number, start: number, end: number, written?: string, special?: true];

/** Most tokens of a text: what is held beside n×m steps stays under a gigabyte, and a row of weights takes about 20 ms. */
export const tokenLimit = 131_072;

export const isVocabulary = (choice: TokenizerChoice): choice is VocabularyName =>
  !(splitters as readonly unknown[]).includes(choice);

export const sameTokenizer = (a: TokenizerChoice, b: TokenizerChoice): boolean =>
  typeof a === 'object' && typeof b === 'object' ? a.file === b.file : a === b;
