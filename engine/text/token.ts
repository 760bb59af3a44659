export interface Token {
  /** As it is written; in a vocabulary's tokens a blank is `·`, a tab `→`, a line's end `↵`, as VS Code renders white space. */
  readonly text: string;
  readonly id: number;
  /** UTF-16 offsets in the spec's text; absent for rows of a matrix. */
  readonly start?: number;
  readonly end?: number;
  /** No text but a sign of the tokenizer's: [CLS], <|endoftext|>. */
  readonly special?: true;
}
