import { t } from '../text';
import type { Mask, SpecHeads, SpecMatrix, SpecNumber } from '../spec';
import { dimsOfPart, headsOf, hidesKeys, isKeyPadding, leadOf, matrixOf, type TensorPart } from './parts';

interface Taken {
  readonly mask: Mask;
  /** How it was taken, and why. */
  readonly note: string;
}

/**
 * A mask by its numbers: other than 0 and 1, it is added to the scores. Zeros and ones hide or show; which of the two is told by the diagonal
 * of a square one (every token sees itself), else they are taken as PyTorch's `MultiheadAttention` takes truth values: 1 hides. `x` is what it goes with.
 */
export function maskOf(part: TensorPart, x?: TensorPart): Taken {
  const { name, values } = part;
  const cells = cellsOf(part, x);
  const isBoolean = part.dtype === 'bool' || (values?.every((x) => x === 0 || x === 1) ?? false);
  if (!isBoolean) return { mask: { kind: 'additive', values: cells }, note: t('{0} is added to the scores.', name) };
  // A row of keys for each input has no diagonal that says anything.
  const diagonal = isKeyPadding(part) || (x && hidesKeys(part, [x])) ? undefined : diagonalOf(part);
  const visible = diagonal === 1;
  const trueMeans = visible ? 'visible' : 'hidden';
  return {
    mask: { kind: 'boolean', values: cells, trueMeans },
    note: noteOf(name, diagonal),
  };
}

/** For X of a batch b×n×m; a row of keys for each input serves its every query. */
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
