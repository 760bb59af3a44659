import { type Role, type Within, count, named, number, say, type Place, type Sentence, type SymbolMark } from '../text';
import { words, type StepContext, type StepSentences } from '../operations';
import type { OperationCall } from './operations';
import type { AttentionSpec } from '../spec';

export { linkTo, placed, widthOf, words, type Labelled, type StepSentences, type StepWords } from '../operations';

export interface WordsContext extends StepContext {
  readonly id: string;
  readonly role: Role;
  readonly call: OperationCall;
  /** All labels, or only the first few. */
  readonly rowLabels: readonly string[];
  readonly columnLabels: readonly string[];
  /** The layer that the step belongs to. */
  readonly within?: Within;
}

/** A step's id without its layer: `q` of `layer2_q`. */
export const localId = (id: string): string => id.replace(/^layer\d+_/, '');

export type StepWriter = (context: WordsContext, row: Place, column: Place) => StepSentences;

export const randomNotice = (): Sentence =>
  say('These numbers are random, not learned: they show how attention works, not what a trained model looks at.');

/** That numbers are drawn, or where the trained model has them; else `given`. */
export function learnedNotice({ spec, call }: Pick<WordsContext, 'spec' | 'call'>, given: Sentence): Sentence {
  if (call.op === 'random') return randomNotice();
  if (call.op !== 'weight') return given;
  return say('They were learned in training: {0} of the model {1}.', call.weight.tensor, spec.model?.name ?? '');
}

/** Python code that seeds the same generator. */
export function generatorOf({ random: { generator, seed } }: AttentionSpec): string {
  if (generator === 'torch') return `torch.manual_seed(${seed})`;
  return generator === 'numpy.default_rng' ? `np.random.default_rng(${seed})` : `np.random.seed(${seed})`;
}

/** `{what}, as given.`, or which generator drew it and the divisor of each draw. */
export function originOf({ spec, call }: WordsContext, what: Place): Sentence {
  if (call.op === 'weight') return say('{0}, learned by the model {1}.', what, spec.model?.name ?? '');
  if (call.op !== 'random') return say('{0}, as given.', what);
  const by = generatorOf(spec);
  if (call.times !== undefined)
    return say('{0}, drawn from a normal distribution by {1}, times {2}.', what, by, call.times);
  return call.divideBy === 1
    ? say('{0}, drawn from a normal distribution by {1}.', what, by)
    : say('{0}, drawn from a normal distribution by {1}, divided by {2}.', what, by, rootOf(call.divideBy));
}

/** `√8` for 2.828…, the root of a whole number. */
export const rootOf = (x: number): Place => number(`√${Math.round(x * x)}`);

/** `W_qᵀ`, where the weights are applied transposed. */
export const applied = ({ spec }: Pick<WordsContext, 'spec'>, name: string): SymbolMark =>
  named(name, spec.convention === 'XWT');

/** A bias of Q, K, V or the output. */
export function biasWords(context: WordsContext, symbol: string): StepSentences {
  return words(
    say('Bias {0}', named(symbol)),
    say('what is added to every [row|column]?'),
    originOf(context, count(context.shape.at(-1) ?? 0, 'number')),
    say('A bias shifts a projection, as in nn.Linear.'),
    say('One [row|column] serves all tokens.'),
  );
}
