import { allocate, type Tensor } from '../math';
import { named, number, say, t } from '../text';
import { formula, part } from './formula';
import { elements, first, need, shapeAt, type CodeLine, type Operation, type Shape } from './operation';
import { branchName, words, type BranchStep } from './step';

/** Some rows of every matrix of the operand, and some of its columns, or all. Each range is from its first to behind its last. */
export interface Cut {
  readonly op: 'cut';
  readonly rows: readonly [number, number];
  readonly columns?: readonly [number, number];
}

function shapeOf({ rows, columns }: Cut, operands: readonly Shape[]): Shape {
  const shape = shapeAt(operands, 0);
  const [n = 0, m = 0] = shape.slice(-2);
  const [top, bottom] = rows;
  const [left, right] = columns ?? [0, m];
  if (top < 0 || bottom > n || left < 0 || right > m) throw new Error(`no rows ${top} to ${bottom} in ${n}×${m}`);
  return [...shape.slice(0, -2), bottom - top, right - left];
}

function kernel({ rows: [top], columns: [left] = [0, 0] }: Cut, a: Tensor, out: Tensor): Tensor {
  const [n, m] = [a.shape.at(-2) ?? 0, a.shape.at(-1) ?? 0];
  const [height, width] = [out.shape.at(-2) ?? 0, out.shape.at(-1) ?? 0];
  for (let i = 0; i < out.data.length; i++) {
    const [row, column] = [Math.floor(i / width), i % width];
    const from = (Math.floor(row / height) * n + top + (row % height)) * m + left + column;
    out.data[i] = a.data[from] as number;
  }
  return out;
}

const oneOfAll: BranchStep<Cut> = {
  suffix: 'Step',
  mark: () => t('of the step'),
  words: ({ rows: [, last] }, _, branch, row) =>
    branch === 'q'
      ? words(
          say('{0} of one step', named(branchName(branch))),
          say('who asks?'),
          say('Only {0} asks: a decoder computes one query at a time.', row),
          say('What was asked before is already answered.'),
          say('Its place is {0}, counted from 0.', number(String(last - 1))),
        )
      : words(
          say('{0} in the cache', named(branchName(branch))),
          say('what is kept from the steps before?'),
          say('The first {0} [rows|columns], up to the token that asks.', number(String(last))),
          say('A decoder keeps keys and values, so that each step computes only those of its own token.'),
          say('The next step adds one [row|column].'),
        ),
  beside: {},
};

const code = ({ rows, columns }: Cut, line: CodeLine): string => {
  const range = ([from, to]: readonly [number, number]): string => `${from}:${to}`;
  return `${first(line)}[..., ${range(rows)}, ${columns ? range(columns) : ':'}]`;
};

export const cut: Operation<Cut, 'reference'> = {
  shape: shapeOf,
  work: elements,
  kernel: (call, [a], shape, dtype) => kernel(call, need(a), allocate(dtype, shape)),
  gpu: 'reference',
  part: ({ rows: [top], columns: [left] = [0, 0] }, part) => {
    const moved = ([from, to]: readonly [number, number], by: number): readonly [number, number] => [
      from + by,
      to + by,
    ];
    return part.operand(0, { rows: moved(part.at.rows, top), columns: moved(part.at.columns, left) });
  },
  made: ({ rows: [top], columns: [left] = [0, 0] }, cell, { read }) => {
    const [row = 0, column = 0] = cell.index.slice(-2);
    return { ...cell, kind: 'moved', operand: read(0, [...cell.index.slice(0, -2), top + row, left + column]) };
  },
  nextCell: 'mixed',
  picture: 'result',
  formula: ({ rows: [top, bottom] }, result, [a]) =>
    formula`${result} = ${part(a)}_{${bottom - top === 1 ? `${top}` : `${top}, \\dots, ${bottom - 1}`}}`,
  step: oneOfAll,
  numpy: code,
  torch: code,
};
