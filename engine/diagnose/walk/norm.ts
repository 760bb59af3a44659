import { grid, rowwise, sum, type Grid } from './grid';
import type { Block, Choice, Inputs, Next, Stage } from './stage';

/* LayerNorm and RMSNorm, and the sum around attention. */

function meanIn(row: number[]): number {
  let total = 0;
  for (const x of row) total += x;
  return total / row.length;
}

function squaresAround(row: number[], mean: number): number {
  let total = 0;
  for (const x of row) total += (x - mean) * (x - mean);
  return total;
}

/** The root by which a row is divided, with one mistake. */
function rootOf(row: number[], mean: number, epsilon: number, id: string | undefined): number {
  const squares = squaresAround(row, mean);
  if (id === 'normUnbiased') return Math.sqrt(squares / (row.length - 1) + epsilon);
  const variance = squares / row.length;
  if (id === 'normEpsilonOutside') return Math.sqrt(variance) + epsilon;
  if (id === 'normStandard') return Math.sqrt(squares / (row.length - 1)) + epsilon;
  if (id === 'normNoRoot') return variance + epsilon;
  if (id === 'normRootTwice') return Math.sqrt(Math.sqrt(variance) + epsilon);
  if (id === 'normNoEpsilon') return Math.sqrt(variance);
  return Math.sqrt(variance + epsilon);
}

export function normed(x: Grid, { of, epsilon, gains, biases }: Block, id: string | undefined): Grid {
  if (id === 'normTokens') return tokensAsRows(x, epsilon, gains, biases);
  const isLayer = id === 'normKind' ? of === 'rms' : of === 'layer';
  const isPlain = id === 'noGains';
  return rowwise(x, (row, out) => {
    const mean = isLayer ? meanIn(row) : 0;
    const root = rootOf(row, mean, epsilon, id);
    for (let j = 0; j < out.length; j++) {
      const one = ((row[j] as number) - mean) / root;
      const gained = gains && !isPlain ? one * (gains[j] as number) : one;
      out[j] = biases && !isPlain ? gained + (biases[j] as number) : gained;
    }
  });
}

/** LayerNorm without gains. */
export const tokenNormed = (x: Grid): Grid => normed(x, { norm: 'before', of: 'layer', epsilon: 1e-5 }, undefined);

/** Over the tokens of a column in place of the columns of a token. */
function tokensAsRows(x: Grid, epsilon: number, gains?: number[], biases?: number[]): Grid {
  const known: { readonly mean: number; readonly root: number }[] = [];
  const factors = (j: number): { readonly mean: number; readonly root: number } => {
    const column = Array.from({ length: x.height }, (_, k) => x.row(k)[j] as number);
    const mean = meanIn(column);
    return { mean, root: Math.sqrt(squaresAround(column, mean) / column.length + epsilon) };
  };
  return grid(
    x.height,
    x.width,
    (i, out) => {
      const row = x.row(i);
      for (let j = 0; j < out.length; j++) {
        const { mean, root } = (known[j] ??= factors(j));
        out[j] = (((row[j] as number) - mean) / root) * (gains?.[j] ?? 1) + (biases?.[j] ?? 0);
      }
    },
    { whole: [x] },
  );
}

/** What is added to the output of attention. */
function besideOf({ block }: Inputs, { sum: id }: Choice, { x, normed: before }: Stage): Grid | 'nothing' | undefined {
  if (id === 'residual') return block ? undefined : x;
  if (id === 'noResidual') return block ? 'nothing' : undefined;
  if (id === 'residualNormed') return block?.norm === 'before' ? before : undefined;
  return block ? x : 'nothing';
}

/** The sum with X, and the norm of it. */
export function around(inputs: Inputs, choice: Choice, stage: Stage): Next {
  const { block } = inputs;
  const { norm: id, sum: other } = choice;
  const [output] = stage.now;
  const beside = besideOf(inputs, choice, stage);
  if (!output || !beside) return undefined;
  if (beside !== 'nothing' && (beside.width !== output.width || beside.height !== output.height)) return undefined;
  const twice = (g: Grid): Grid => (beside === 'nothing' ? g : sum(g, beside));
  if (!block) return other === undefined ? stage : { ...stage, now: [twice(output)] };
  if (other === 'normOfOutput') {
    if (block.norm !== 'after') return undefined;
    return { ...stage, now: [twice(normed(output, block, undefined))] };
  }
  const total = twice(output);
  if (id === 'normOrder') {
    if (block.norm === 'none') return undefined;
    return { ...stage, now: [block.norm === 'before' ? normed(total, block, undefined) : total] };
  }
  if (block.norm !== 'after' || id === 'noNorm') return { ...stage, now: [total] };
  return { ...stage, now: [normed(total, block, id)] };
}
