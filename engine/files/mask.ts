import { t } from '../text';
import type { Mask, SpecHeads, SpecMatrix, SpecNumber } from '../spec';
import { dimsOfPart, headsOf, hidesKeys, isKeyPadding, leadOf, matrixOf, type TensorPart } from './parts';

interface InterpretedMask {
  readonly mask: Mask;
  /** How the mask was interpreted, and why. */
  readonly note: string;
}

/**
 * Interprets a mask by its numbers. With numbers other than 0 and 1 it is added to the scores. For zeros and ones, the diagonal of a square
 * mask tells which of them hides, as every token sees itself; otherwise 1 hides, as in PyTorch's `MultiheadAttention`. `x` is the X it is
 * used with.
 */
export function maskOf(part: TensorPart, x?: TensorPart): InterpretedMask {
  const { name, values } = part;
  const cells = cellsOf(part, x);
  const isBoolean = part.dtype === 'bool' || (values?.every((x) => x === 0 || x === 1) ?? false);
  if (!isBoolean) return { mask: { kind: 'additive', values: cells }, note: t('{0} is added to the scores.', name) };
  // For a row of keys for each input, the diagonal has no such meaning.
  const diagonal = isKeyPadding(part) || (x && hidesKeys(part, [x])) ? undefined : diagonalOf(part);
  const visible = diagonal === 1;
  const trueMeans = visible ? 'visible' : 'hidden';
  return {
    mask: { kind: 'boolean', values: cells, trueMeans },
    note: noteOf(name, diagonal),
  };
}

/** The mask's matrices. For X of a batch they are b×n×m; one row of keys for each input applies to all its queries. */
function cellsOf(part: TensorPart, x: TensorPart | undefined): SpecHeads {
  if (x === undefined || !hidesKeys(part, [x])) return headsOf(part);
  const [n] = dimsOfPart(x);
  const rows = leadOf(part).length > 0 ? (headsOf(part) as readonly SpecMatrix[]).map(([row]) => row) : matrixOf(part);
  return rows.map((row = []) => new Array<readonly SpecNumber[]>(n).fill(row));
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

/** The only number on the diagonal of a square mask; undefined if there are several. */
function diagonalOf(part: TensorPart): number | undefined {
  const [rows, columns] = dimsOfPart(part);
  const { values } = part;
  if (rows !== columns || rows < 2 || !values) return undefined;
  const first = values[0];
  for (let block = 0; block < values.length; block += rows * columns)
    for (let i = 0; i < rows; i++) if (values[block + i * (columns + 1)] !== first) return undefined;
  return first;
}
