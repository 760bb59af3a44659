import {
  isVocabulary,
  sameTokenizer,
  startWith,
  type AttentionSpec,
  type Piece,
  type TokenizerChoice,
  type VocabularyName,
} from '../../engine/index';

export { isVocabulary, startWith, type TokenizerChoice };

/** A text as one tokenizer split it. Kept, so that choosing this tokenizer again needs no vocabulary. */
export interface TokenizedText {
  readonly tokenizer: VocabularyName;
  readonly pieces: readonly Piece[];
  /** What the tokenizer file asks for and is not done here, such as truncation. */
  readonly notes: readonly string[];
}

export const tokenizedBy = (cuts: readonly TokenizedText[], choice: TokenizerChoice): TokenizedText | undefined =>
  cuts.find(({ tokenizer }) => sameTokenizer(tokenizer, choice));

/** Adds one; an earlier one of the same tokenizer is replaced. */
export const withTokenized = (cuts: readonly TokenizedText[], cut: TokenizedText): readonly TokenizedText[] => [
  ...without(cuts, cut.tokenizer),
  cut,
];

export const without = (cuts: readonly TokenizedText[], choice: TokenizerChoice): readonly TokenizedText[] =>
  cuts.filter(({ tokenizer }) => !sameTokenizer(tokenizer, choice));

/** The text of a spec, if it starts from one. */
export const textOf = ({ start }: AttentionSpec): string | undefined =>
  start.from === 'text' ? start.text : undefined;

/** The tokenizer files that were used for the text, and the chosen one. */
export function filesOf(cuts: readonly TokenizedText[], chosen: TokenizerChoice): readonly string[] {
  const names = [...cuts.map(({ tokenizer }) => tokenizer), chosen].flatMap((t) =>
    typeof t === 'object' ? t.file : [],
  );
  return [...new Set(names)];
}
