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

export const randomNotice =
  'These numbers are random, not learned: they show how attention works, not what a trained model looks at.';

/** The line that seeds the same draws in Python. */
export function generatorOf({ random: { generator, seed } }: AttentionSpec): string {
  if (generator === 'torch') return `torch.manual_seed(${seed})`;
  return generator === 'numpy.default_rng' ? `np.random.default_rng(${seed})` : `np.random.seed(${seed})`;
}

/** `, as you gave it`, or how it was drawn: the generator and what each draw was divided by. */
export function originOf({ spec, call }: WordsContext, given: 'it' | 'them' = 'it'): string {
  if (call.op !== 'random') return `as you gave ${given}`;
  const by = call.divideBy === 1 ? '' : `, divided by ${rootOf(call.divideBy)}`;
  return `drawn from a normal distribution by ${generatorOf(spec)}${by}`;
}

/** √8 for 2.828…, the root of a whole number. */
export const rootOf = (x: number): string => `√${Math.round(x * x)}`;

/** A bias of Q, K, V or the output. */
export function tellBias(context: WordsContext, symbol: string): StepWords {
  return words(
    `Bias ${symbol}`,
    'what is added to every row?',
    `${plural(context.shape.at(-1) ?? 0, 'number')}, ${originOf(context, 'them')}.`,
    'A bias shifts a projection, as in nn.Linear.',
    'One row serves all tokens.',
  );
}
