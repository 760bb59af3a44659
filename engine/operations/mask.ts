import { allocate, type Tensor, emptyAs, heightOf, paste, widthOf } from '../math';
import { t } from '../text';
import { cell, formula, inWords, latexNumber, part, type Expression, type Symbol } from './formula';
import { elements, fillOf, first, need, second, servedShape, type Operation } from './operation';
import type { Part } from './part';

/** Values where the mask (second operand) is 0, `fill` where it is 1. */
export interface Masking {
  readonly op: 'mask';
  readonly fill: number;
}

// a mask of one matrix serves every head and batch
function kernel(call: Masking, a: Tensor, hidden: Tensor, out: Tensor): Tensor {
  const n = hidden.data.length;
  for (let i = 0; i < out.data.length; i++) out.data[i] = hidden.data[i % n] === 1 ? call.fill : (a.data[i] as number);
  return out;
}

/**
 * Where a rule hides all beyond some columns of the rectangle, the operand is computed for those columns alone: of a causal row, for the keys up
 * to its own. Undefined where that spares nothing.
 */
function seenAlone(part: Part): Tensor | undefined {
  const { at } = part;
  const seen = part.seen(1);
  if (!seen || heightOf(at) === 0 || seen[1] - seen[0] === widthOf(at)) return undefined;
  const out = emptyAs(part.dtype, at);
  out.data.fill(fillIn(part));
  if (seen[1] === seen[0]) return out;
  const open = { rows: at.rows, columns: seen };
  paste(out, part.run([part.operand(0, open), part.operand(1, open)], open), seen[0] - at.columns[0]);
  return out;
}

/** What a hidden cell becomes, as the kernel rounds it. */
function fillIn(part: Part): number {
  const one = { rows: [0, 1], columns: [0, 1] } as const;
  const [cell, hidden] = [emptyAs(part.dtype, one), emptyAs(part.dtype, one)];
  hidden.data[0] = 1;
  return part.run([cell, hidden], one).data[0] as number;
}

const ij = (of: Symbol): Expression => cell(of, 'i', 'j');

export const mask: Operation<Masking, 'kernel'> = {
  shape: servedShape,
  work: elements,
  kernel: (call, [a, hidden], shape, dtype) => kernel(call, need(a), need(hidden), allocate(dtype, shape)),
  gpu: 'kernel',
  part: (_, part) => seenAlone(part) ?? part.run([part.operand(0), part.operand(1)]),
  made: ({ fill }, cell, cells) => ({
    ...cell,
    kind: 'masked',
    operand: cells.read(0, cell.index),
    mask: cells.served(1, cell.index),
    fill: cells.round(fill),
  }),
  nextCell: 'same place',
  picture: { sign: () => t('mask →'), colours: 'operand' },
  formula: ({ fill }, result, [a, hidden]) => {
    const shown = fill === -Infinity ? '-\\infty' : latexNumber(fill);
    return formula`${ij(result)} = \begin{cases} ${shown} & ${ij(part(hidden))} = 1 \\ ${ij(part(a))} & ${inWords(t('otherwise'))} \end{cases}`;
  },
  step: 'by role',
  numpy: ({ fill }, line) => `np.where(${second(line)}, dtype(${fillOf(fill, 'np.inf')}), ${first(line)})`,
  torch: ({ fill }, line) => `${first(line)}.masked_fill(${second(line)}, ${fillOf(fill, 'math.inf')})`,
};
