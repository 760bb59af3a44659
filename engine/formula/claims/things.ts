/** The matrices that a document prints, with what they are called and what that says they are. */
import { parseMatrices, type ParsedMatrix } from '../../parse';
import { numbersIn } from '../../program';
import type { TextRange } from '../../text';
import type { Bounded, Cell } from './bounds';

export type Kind = 'q' | 'k' | 'v' | 'x' | 'scores' | 'scaled' | 'weights' | 'output';

export interface Printed {
  readonly name?: string;
  readonly kind?: Kind;
  readonly range: TextRange;
  readonly shape: readonly number[];
  /** Row by row, with how far a number may be off that is printed so. */
  readonly numbers: readonly { readonly value: number; readonly slack: number }[];
  readonly rowLabels?: readonly string[];
  readonly columnLabels?: readonly string[];
}

/** What is found out more slowly than it is worth. */
const mostNumbers = 20_000;

/** Whole matrices of numbers, in the order of the text. */
export const printedMatrices = (text: string): readonly Printed[] =>
  parseMatrices(text).matrices.flatMap((matrix) => printedOf(text, matrix) ?? []);

function printedOf(text: string, matrix: ParsedMatrix): Printed | undefined {
  const { shape, values, range, name, nameRange, expression, derivation, notes, rowLabels, columnLabels } = matrix;
  if (expression || derivation !== undefined || notes || values.length === 0 || values.length > mostNumbers) return undefined;
  const kind = kindOf(nameRange ? { ...matrix, name: `${wordsBefore(text, nameRange.start)}${name}` } : matrix);
  const numbers = slacksOf(text.slice(range.start, range.end), values);
  if (!numbers) return undefined;
  return {
    range, shape, numbers,
    ...(name === undefined ? {} : { name }), ...(kind && { kind }), ...(rowLabels && { rowLabels }), ...(columnLabels && { columnLabels }),
  };
} // prettier-ignore

/** What stands before a name in its line where that says which it is: “scaled scores”. */
const wordsBefore = (text: string, at: number): string =>
  /(?:(?:the|raw|scaled|unscaled|attention|attn|softmax|final)[ \t]+)+$/i.exec(
    text.slice(Math.max(0, at - 60), at),
  )?.[0] ?? '';

/** The values with the digits with which they are written; undefined where these cannot be told. Labels of rows may have digits too. */
function slacksOf(text: string, values: Float64Array): Printed['numbers'] | undefined {
  const written = numbersIn(text);
  const found: { value: number; slack: number }[] = [];
  let at = 0;
  for (const value of values) {
    while (at < written.length && !Object.is(written[at]?.value, value) && written[at]?.value !== value) at++;
    const one = written[at++];
    if (!one) return undefined;
    found.push({ value, slack: one.slack });
  }
  return found;
}

/** What a matrix is by its name; undefined where that may mean several things. */
export function kindOf({ name = '', role }: Pick<ParsedMatrix, 'name' | 'role'>): Kind | undefined {
  if (role === 'q' || role === 'k' || role === 'v' || role === 'x') return role;
  if (role !== undefined) return undefined;
  const words = name.toLowerCase().replace(/[_*`$\\]+/g, ' ').trim();
  if (/^(?:the )?scaled(?: (?:attention|dot product))?(?: scores?| logits)?$/.test(words)) return 'scaled';
  if (/^(?:the )?(?:raw |attention |unscaled |similarity )*(?:scores?|logits)(?: matrix)?$/.test(words)) return 'scores';
  if (/^(?:the )?(?:attention|attn|softmax) ?(?:weights?|probs?|probabilities)(?: matrix)?$|^weights$|^attn$/.test(words)) return 'weights';
  if (/^(?:the )?(?:attention |context |final )?(?:outputs?|context)(?: vectors?| matrix)?$/.test(words)) return 'output';
  return undefined;
} // prettier-ignore

/** Rows of a matrix of two axes. A number that was cut off rather than rounded may be a whole unit away. */
export function boundsOf({ shape, numbers }: Printed): Bounded | undefined {
  const [rows = 0, columns = 0] = shape;
  if (shape.length !== 2) return undefined;
  const cell = ({ value, slack }: Printed['numbers'][number]): Cell => Number.isFinite(value) ? [value - 2 * slack, value + 2 * slack] : [value, value]; // prettier-ignore
  return Array.from({ length: rows }, (_, i) => numbers.slice(i * columns, (i + 1) * columns).map(cell));
}
