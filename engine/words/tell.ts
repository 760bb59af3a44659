import type { OperationCall } from '../operations';
import type { AttentionSpec } from '../spec';

/** The part a matrix plays; one colour each, everywhere. */
export type Role =
  'token' | 'x' | 'position' | 'query' | 'key' | 'value' | 'scores' | 'mask' | 'weights' | 'output' | 'parameter';

/** A step in plain words: one sentence each, with the reader's own tokens and shapes. */
export interface StepWords {
  /** Short name: `Scores`. */
  readonly name: string;
  /** `how well does each query match each key?` */
  readonly question: string;
  readonly what: string;
  readonly why: string;
  readonly notice: string;
}

export interface Labelled {
  readonly id: string;
  readonly shape: readonly number[];
}

export interface WordsContext {
  readonly spec: AttentionSpec;
  readonly id: string;
  readonly call: OperationCall;
  readonly shape: readonly number[];
  readonly operands: readonly Labelled[];
  readonly rowLabels: readonly string[];
  readonly columnLabels: readonly string[];
}

export type Tell = (context: WordsContext, row: string, column: string) => StepWords;

export const words = (name: string, question: string, what: string, why: string, notice: string): StepWords => ({
  name,
  question,
  what,
  why,
  notice,
});

export const identical = (symbol: string): string => `${symbol} holds the same numbers as before.`;
/** The last dimension of an operand. */
export const widthOf = (labelled: Labelled | undefined): number => labelled?.shape.at(-1) ?? 0;
export const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** A bias of Q, K, V or the output. */
export function tellBias({ shape }: WordsContext, symbol: string): StepWords {
  return words(
    `Bias ${symbol}`,
    'what is added to every row?',
    `${plural(shape.at(-1) ?? 0, 'number')}, the same for every token.`,
    'A bias shifts a projection, as in nn.Linear.',
    'One row serves all tokens.',
  );
}
