import type { RowWork } from '../../engine/backend/wasm/rows';
import type { Tensor } from '../../engine/index';
import { problemOf } from './plainAttention';

/** Scores, divided, softmax, output: a plan's steps, of which every value is wanted. */
export function fourSteps(n: number, d: number): RowWork {
  const { q, k, v } = problemOf(n, d);
  const tensor = (data: Float32Array): Tensor => ({ dtype: 'float32', shape: [n, d], data });
  const square = [n, n];
  return {
    steps: [
      { id: 'scores', call: { op: 'matmul', transposeB: true }, operands: ['q', 'k'], shape: square },
      { id: 'scaled', call: { op: 'divide', by: Math.sqrt(d) }, operands: ['scores'], shape: square },
      { id: 'weights', call: { op: 'softmax', emptyRow: 'nan' }, operands: ['scaled'], shape: square },
      { id: 'output', call: { op: 'matmul', transposeB: false }, operands: ['weights', 'v'], shape: [n, d] },
    ],
    operands: new Map([
      ['q', tensor(q)],
      ['k', tensor(k)],
      ['v', tensor(v)],
    ]),
    rows: n,
  };
}
