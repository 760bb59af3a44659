import { t } from '../l10n';
import type { Mask } from '../spec';
import { dimsOfPart, headsOf, type TensorPart } from './parts';

interface Taken {
  readonly mask: Mask;
  /** How it was taken, and why. */
  readonly note: string;
}

/**
 * A mask by its numbers: other than 0 and 1, it is added to the scores. Zeros and ones hide or show; which of the two is told by the diagonal
 * of a square one (every token sees itself), else they are taken as PyTorch's `MultiheadAttention` takes truth values: 1 hides.
 */
export function maskOf(part: TensorPart): Taken {
  const { name, values } = part;
  const isBoolean = part.dtype === 'bool' || (values?.every((x) => x === 0 || x === 1) ?? false);
  if (!isBoolean)
    return { mask: { kind: 'additive', values: headsOf(part) }, note: t('{0} is added to the scores.', name) };
  const diagonal = diagonalOf(part);
  const visible = diagonal === 1;
  const trueMeans = visible ? 'visible' : 'hidden';
  return {
    mask: { kind: 'boolean', values: headsOf(part), trueMeans },
    note: noteOf(name, diagonal),
  };
}

function noteOf(name: string, diagonal: number | undefined): string {
  if (diagonal === undefined)
    return t(
      "1 in {0} means hidden, as in PyTorch's MultiheadAttention; in scaled_dot_product_attention it would be visible.",
      name,
    );
  return diagonal === 1
    ? t('1 in {0} means visible, since the diagonal is 1.', name)
    : t('1 in {0} means hidden, since the diagonal is {1}.', name, diagonal);
}

/** The one number on the diagonal of a square mask; undefined when there is none. */
function diagonalOf(part: TensorPart): number | undefined {
  const [rows, columns] = dimsOfPart(part);
  const { values } = part;
  if (rows !== columns || rows < 2 || !values) return undefined;
  const first = values[0];
  for (let block = 0; block < values.length; block += rows * columns)
    for (let i = 0; i < rows; i++) if (values[block + i * (columns + 1)] !== first) return undefined;
  return first;
}
