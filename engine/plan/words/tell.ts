import { t } from '../../text/l10n';
import { counted } from '../../text/counted';
import type { OperationCall } from '../operations';
import type { AttentionSpec } from '../../spec/spec';

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
  /** All of them, or the first few. */
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

/** The last dimension of an operand. */
export const widthOf = (labelled: Labelled | undefined): number => labelled?.shape.at(-1) ?? 0;

export const randomNotice = (): string =>
  t('These numbers are random, not learned: they show how attention works, not what a trained model looks at.');

/** The line that seeds the same draws in Python. */
export function generatorOf({ random: { generator, seed } }: AttentionSpec): string {
  if (generator === 'torch') return `torch.manual_seed(${seed})`;
  return generator === 'numpy.default_rng' ? `np.random.default_rng(${seed})` : `np.random.seed(${seed})`;
}

/** `what, as you gave it.`, or how it was drawn: the generator and what each draw was divided by. */
export function originOf({ spec, call }: WordsContext, what: string, given: 'it' | 'them' = 'it'): string {
  if (call.op !== 'random') return given === 'it' ? t('{0}, as you gave it.', what) : t('{0}, as you gave them.', what);
  const by = generatorOf(spec);
  return call.divideBy === 1
    ? t('{0}, drawn from a normal distribution by {1}.', what, by)
    : t('{0}, drawn from a normal distribution by {1}, divided by {2}.', what, by, rootOf(call.divideBy));
}

/** √8 for 2.828…, the root of a whole number. */
export const rootOf = (x: number): string => `√${Math.round(x * x)}`;

/** A bias of Q, K, V or the output. */
export function tellBias(context: WordsContext, symbol: string): StepWords {
  return words(
    t('Bias {0}', symbol),
    t('what is added to every row?'),
    originOf(context, counted(context.shape.at(-1) ?? 0, 'number'), 'them'),
    t('A bias shifts a projection, as in nn.Linear.'),
    t('One row serves all tokens.'),
  );
}
