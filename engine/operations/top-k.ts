import { allocate, type Tensor } from '../math';
import { say } from '../text';
import { called } from './formula';
import { elements, first, firstShape, need, type Operation } from './operation';

/**
 * A row's k largest numbers; all others are −∞. What equals the k-th largest stays, as in Hugging Face's TopKLogitsWarper (Fan et al. 2018, section
 * 5.3). Operand: values …×n×m.
 */
export interface TopK {
  readonly op: 'topK';
  readonly k: number;
}

/** The k-th largest of a row; −∞ where it has fewer, NaN counted as the largest, as both libraries sort. */
function least(row: Float64Array | Float32Array, k: number): number {
  const sorted = Float64Array.from(row).sort();
  return k > sorted.length ? -Infinity : (sorted[sorted.length - k] as number);
}

function kernel({ k }: TopK, a: Tensor, out: Tensor): Tensor {
  const m = a.shape.at(-1) ?? 0;
  for (let start = 0; start < a.data.length; start += m) {
    const bound = least(a.data.slice(start, start + m), k);
    for (let j = start; j < start + m; j++) {
      const x = a.data[j] as number;
      out.data[j] = x < bound ? -Infinity : x;
    }
  }
  return out;
}

export const topK: Operation<TopK, 'reference'> = {
  shape: firstShape,
  work: elements,
  kernel: (call, [a], shape, dtype) => kernel(call, need(a), allocate(dtype, shape)),
  gpu: 'reference',
  part: 'row by row',
  made: (_, cell, cells) => {
    const operand = cells.read(0, cell.index);
    if (Object.is(cell.value, operand.value)) return { ...cell, kind: 'unchanged', operand };
    const out = { is: 'sum', of: [{ is: 'number', value: -Infinity }] } as const;
    return {
      ...cell,
      kind: 'worked',
      operand,
      lines: [{ value: cell.value, work: out }],
      note: say('It is not among the largest of its [row|column].'),
    };
  },
  nextCell: 'same place',
  picture: 'result',
  formula: (call, result, operands) => called(`top_${call.k}`)(call, result, operands),
  step: 'by role',
  numpy: ({ k }, line) => {
    const x = first(line);
    const size = line.shape.at(-1) ?? 0;
    return k >= size ? `${x}` : `np.where(${x} < np.sort(${x}, axis=-1)[..., ${size - k}, None], -np.inf, ${x})`;
  },
  torch: ({ k }, line) => {
    const x = first(line);
    const size = line.shape.at(-1) ?? 0;
    return k >= size ? `${x}` : `${x}.masked_fill(${x} < torch.topk(${x}, ${k}).values[..., -1:], -math.inf)`;
  },
};
