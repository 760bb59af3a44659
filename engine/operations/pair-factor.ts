import { allocate, exp, type Tensor } from '../math';
import { say } from '../text';
import { mostTerms, type CellExplanation, type CellValue, type Work, type WorkLine } from './explanation';
import { formula, latexShort, part } from './formula';
import {
  first,
  need,
  numpyScalar,
  rounding,
  shapeAt,
  torchScalar,
  type Cells,
  type CodeLine,
  type Operation,
} from './operation';

/** exp(a·b) − exp(c·d) + `init`, of the four rows a, b, c, d of a matrix: the λ of differential attention (Ye et al. 2024, eq. 2). 4×d → 1×1. */
export interface PairFactor {
  readonly op: 'pairFactor';
  readonly init: number;
}

// a: 4×d; each operation rounded, terms in index order
function kernel({ init }: PairFactor, a: Tensor, out: Tensor): Tensor {
  const round = rounding(a);
  const d = a.shape.at(-1) ?? 0;
  const power = (at: number): number => round(exp(dot((c) => a.data[at * d + c] as number, (c) => a.data[(at + 1) * d + c] as number, d, round))); // prettier-ignore
  out.data[0] = round(power(0) - power(2)) + round(init);
  return out;
}

type Row = (column: number) => number;

function dot(a: Row, b: Row, d: number, round: (x: number) => number): number {
  let sum = 0;
  for (let c = 0; c < d; c++) sum = round(sum + round(a(c) * b(c)));
  return sum;
}

function made({ init }: PairFactor, of: CellValue, cells: Cells): CellExplanation {
  const d = cells.operandShape(0).at(-1) ?? 0;
  const powerOf = (at: number): WorkLine => {
    const terms = Array.from({ length: d }, (_, c) => [cells.read(0, [at, c]), cells.read(0, [at + 1, c])] as const);
    const left = terms.slice(mostTerms);
    const rest = { count: left.length, sum: left.reduce((all, [a, b]) => all + a.value * b.value, 0) };
    const shown = terms.slice(0, mostTerms).map(([a, b]): Work => ({ is: 'product', of: [{ is: 'cell', cell: a }, { is: 'cell', cell: b }] })); // prettier-ignore
    const sum = dot((c) => terms[c]?.[0].value ?? NaN, (c) => terms[c]?.[1].value ?? NaN, d, cells.round); // prettier-ignore
    return { value: cells.round(exp(sum)), work: { is: 'exp', of: { is: 'sum', of: shown, ...(left.length && { rest }) } } };
  }; // prettier-ignore
  const less: Work = { is: 'difference', of: { is: 'line', at: 0 }, less: { is: 'line', at: 1 } };
  return {
    ...of,
    kind: 'worked',
    operand: cells.read(0, [0, 0]),
    note: say('Where the four vectors are 0, both powers are 1 and λ is λ_init.'),
    lines: [
      { name: say('first power'), ...powerOf(0) },
      { name: say('second power'), ...powerOf(2) },
      { value: of.value, work: { is: 'sum', of: [less, { is: 'number', value: cells.round(init) }] } },
    ],
  };
}

const code =
  (module: string, over: string, scalar: (x: number) => string) =>
  ({ init }: PairFactor, line: CodeLine): string => {
    const power = (at: number): string => {
      const row = (from: number): string => `${first(line)}[${from}:${from + 1}]`;
      return `${module}.exp((${row(at)} * ${row(at + 1)}).sum(${over}))`;
    };
    return `${power(0)} - ${power(2)} + ${scalar(init)}`;
  };

export const pairFactor: Operation<PairFactor, 'reference'> = {
  shape: () => [1, 1],
  work: (_, operands) => (shapeAt(operands, 0).at(-1) ?? 0) * 2,
  kernel: (call, [a], shape, dtype) => kernel(call, need(a), allocate(dtype, shape)),
  gpu: 'reference',
  part: (_, wanted) => wanted.run([wanted.operand(0, { rows: [0, 4], columns: [0, wanted.sizesOf(0)[1]] }, [])]),
  made,
  nextCell: 'mixed',
  picture: 'result',
  formula: ({ init }, result, [a]) => {
    const of = part(a);
    const row = (name: string) => ({ ...of, latex: `${of.latex}_{${name}}` });
    return formula`${result} = e^{${row('q_1')} \cdot ${row('k_1')}} - e^{${row('q_2')} \cdot ${row('k_2')}} + ${latexShort(init)}`;
  },
  step: 'by role',
  numpy: code('np', 'axis=-1, keepdims=True', numpyScalar),
  torch: code('torch', 'dim=-1, keepdim=True', torchScalar),
};
