import { explainAttention, type AttentionTrace } from '../../run';
import { number, say, type Sentence } from '../../text';
import { findStep } from './trace-values';

/** The step of a decoder beside the row of the full pass that it stands for, as both were computed. */
export interface Decoded {
  readonly step: number;
  /** Whether weights and output are the same bit for bit, and the full pass gives later keys no weight. */
  readonly equal: boolean;
  /** The largest weight that the full pass gives to keys after the query: the cache does not have these. */
  readonly later: number;
  /** Largest difference of a number of the output, or of the weights where there is no V. */
  readonly deviation: number;
}

/** Steps that a decoder's step has in common with the full pass, the last of which says how far they are apart. */
const compared = ['weights', 'differences', 'output', 'blockOutput', 'probabilities'];

/** Computes the full pass and compares; undefined where the spec asks for no step. */
export function decoded(trace: AttentionTrace): Decoded | undefined {
  const { decode, ...spec } = trace.spec;
  const whole = decode && explainAttention(spec);
  if (!decode || !whole?.ok) return undefined;
  const { step } = decode;
  const found = compared.flatMap((id) => compare(id, trace, whole.value, step) ?? []);
  const later = laterWeight(whole.value, step);
  const equal = later === 0 && found.every((one) => one.same);
  return { step, equal, later, deviation: found.at(-1)?.deviation ?? 0 };
}

interface Compared {
  readonly same: boolean;
  readonly deviation: number;
}

/** The one row of a step beside a row of the full pass, in every head and input; as many columns as the one has. */
function compare(id: string, one: AttentionTrace, whole: AttentionTrace, row: number): Compared | undefined {
  const step = findStep(one, id);
  if (!step) return undefined;
  let [same, deviation] = [true, 0];
  for (const lead of leadingIndices(step.shape.slice(0, -2))) {
    for (let j = 0; j < (step.shape.at(-1) ?? 0); j++) {
      const [x, y] = [one.value(id, [...lead, 0, j]), whole.value(id, [...lead, row, j])];
      same &&= Object.is(x, y);
      if (!Object.is(x, y)) deviation = Math.max(deviation, Math.abs(x - y));
    }
  }
  return { same, deviation };
}

function laterWeight(whole: AttentionTrace, row: number): number {
  const { shape = [] } = findStep(whole, 'weights') ?? {};
  let most = 0;
  for (const lead of leadingIndices(shape.slice(0, -2)))
    for (let j = row + 1; j < (shape.at(-1) ?? 0); j++) {
      const weight = whole.value('weights', [...lead, row, j]);
      // A row that sees nothing is NaN in both.
      if (!Number.isNaN(weight)) most = Math.max(most, weight);
    }
  return most;
}

/** All leading indices. */
const leadingIndices = (sizes: readonly number[]): number[][] =>
  sizes.reduce<number[][]>(
    (all, size) => all.flatMap((lead) => Array.from({ length: size }, (_, i) => [...lead, i])),
    [[]],
  );

/** What the comparison found, in words. */
export function decodedWords({ step, equal, later, deviation }: Decoded, digits: (x: number) => string): Sentence {
  const row = number(String(step));
  if (equal) return say('Checked: step {0} equals [row|column] {0} of the full pass, bit for bit.', row);
  if (later > 0)
    return say(
      'Step {0} differs from [row|column] {0} of the full pass, which gives later keys a weight of up to {1}: no cache has these yet.',
      row,
      digits(later),
    );
  return say('Step {0} differs from [row|column] {0} of the full pass by up to {1}.', row, digits(deviation));
}
