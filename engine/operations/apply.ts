import { allocate, erf, exp, tanh, type Tensor } from '../math';
import { say } from '../text';
import type { CellValue, Work, WorkLine } from './explanation';
import { exp as power, formula, fraction, part, type Expression, type Symbol } from './formula';
import {
  elements,
  first,
  firstShape,
  inHalf,
  need,
  rounding,
  type CodeLine,
  type Operation,
  type Round,
} from './operation';

/** A function of each cell alone: in norms, in additive scores, in feed-forward layers. */
export interface Apply {
  readonly op: 'apply';
  readonly of: Applied;
}

export const appliedFunctions = [
  'square', 'root', 'inverseRoot', 'inverse', 'tanh', 'relu', 'gelu', 'geluTanh', 'silu', 'sigmoid', 'elu1',
] as const; // prettier-ignore
export type Applied = (typeof appliedFunctions)[number];

interface Declared {
  /** Each operation rounded, as the lines of `work` have them. `half` where the dtype is float16 or bfloat16: see `Round`. */
  readonly value: (x: number, round: Round, half?: Round) => number;
  /** The last line makes the cell; those before have names. `round` as the kernel rounds. */
  readonly work: (cell: Work, x: number, round: Round, half?: Round) => readonly Line[];
  readonly formula: (of: Expression | Symbol) => Expression;
  readonly numpy: (x: string, line: CodeLine) => string;
  readonly torch: (x: string, line: CodeLine) => string;
}

/** A line without its value where it is the cell's. */
type Line = Omit<WorkLine, 'value'> & { readonly value?: number };

const one: Work = { is: 'whole', value: 1 };
const two: Work = { is: 'whole', value: 2 };
const line = (at: number): Work => ({ is: 'line', at });
const number = (value: number): Work => ({ is: 'number', value });
const plusOne = (of: Work): Work => ({ is: 'sum', of: [one, of] });
const half = (of: Work): Work => ({ is: 'quotient', of, by: two });

const sigmoid = (x: number, round: Round): number => round(1 / round(1 + round(exp(-x))));
const sigmoidWork = (of: Work): Work => ({
  is: 'quotient',
  of: one,
  by: plusOne({ is: 'exp', of: { is: 'negative', of } }),
});

const erfOf = (x: number, round: Round): number => round(erf(round(x / round(Math.SQRT2))));

function geluWork(of: Work, x: number, round: Round): readonly Line[] {
  const inner: Work = { is: 'quotient', of, by: { is: 'root', of: two } };
  return [
    { name: say('erf'), value: erfOf(x, round), work: { is: 'erf', of: inner } },
    { work: half({ is: 'product', of: [of, plusOne(line(0))] }) },
  ];
}

/** x·(1 + share)/2; beside float16 and bfloat16 x is halved first, as PyTorch does: the largest numbers do not overflow then. */
const shareOf = (x: number, share: number, round: Round, half?: Round): number =>
  half ? round(x / 2) * round(1 + share) : round(round(x * round(1 + share)) / 2);

/** √(2/π) and the cube's share of GELU's approximation (Hendrycks and Gimpel 2016, section 2). */
const rootTwoOverPi = Math.sqrt(2 / Math.PI);
const cubic = 0.044715;

interface Inside {
  readonly cube: number;
  readonly inner: number;
  readonly tanh: number;
}

function insideOf(x: number, round: Round): Inside {
  const cube = round(x * x * x);
  const inner = round(round(rootTwoOverPi) * round(x + round(round(cubic) * cube)));
  return { cube, inner, tanh: round(tanh(inner)) };
}

function geluTanhWork(of: Work, x: number, round: Round): readonly Line[] {
  const found = insideOf(x, round);
  const sum: Work = { is: 'sum', of: [of, { is: 'product', of: [number(round(cubic)), line(0)] }] };
  return [
    { name: say('cube'), value: found.cube, work: { is: 'cube', of } },
    { name: say('inside'), value: found.inner, work: { is: 'product', of: [number(round(rootTwoOverPi)), sum] } },
    { name: say('tanh'), value: found.tanh, work: { is: 'tanh', of: line(1) } },
    { work: half({ is: 'product', of: [of, plusOne(line(2))] }) },
  ];
}

const functions: Readonly<Record<Applied, Declared>> = {
  square: {
    value: (x) => x * x,
    work: (of) => [{ work: { is: 'square', of } }],
    formula: (of) => formula`${of}^{2}`,
    numpy: (x) => `np.square(${x})`,
    torch: (x) => `torch.square(${x})`,
  },
  root: {
    value: Math.sqrt,
    work: (of) => [{ work: { is: 'root', of } }],
    formula: (of) => formula`\sqrt{${of}}`,
    numpy: (x) => `np.sqrt(${x})`,
    torch: (x) => `torch.sqrt(${x})`,
  },
  inverseRoot: {
    value: (x) => 1 / Math.sqrt(x),
    work: (of) => [{ work: { is: 'quotient', of: one, by: { is: 'root', of } } }],
    formula: (of) => fraction(formula`1`, formula`\sqrt{${of}}`),
    numpy: (x) => `1 / np.sqrt(${x})`,
    torch: (x) => `torch.rsqrt(${x})`,
  },
  inverse: {
    value: (x) => 1 / x,
    work: (of) => [{ work: { is: 'quotient', of: one, by: of } }],
    formula: (of) => fraction(formula`1`, of),
    numpy: (x) => `np.reciprocal(${x})`,
    torch: (x) => `torch.reciprocal(${x})`,
  },
  tanh: {
    value: tanh,
    work: (of) => [{ work: { is: 'tanh', of } }],
    formula: (of) => formula`\tanh\left(${of}\right)`,
    numpy: (x) => `np.tanh(${x})`,
    torch: (x) => `torch.tanh(${x})`,
  },
  relu: {
    value: (x) => (x > 0 || Number.isNaN(x) ? x : 0),
    // The larger of the two, as the sum of what is left: x where it is above 0, else nothing.
    work: (of, x) => [
      {
        work:
          x > 0 || Number.isNaN(x) ? { is: 'sum', of: [of] } : { is: 'product', of: [{ is: 'whole', value: 0 }, of] },
      },
    ],
    formula: (of) => formula`\max(0, ${of})`,
    numpy: (x) => `np.maximum(${x}, 0)`,
    torch: (x) => `torch.relu(${x})`,
  },
  gelu: {
    value: (x, round, half) => shareOf(x, erfOf(x, round), round, half),
    work: geluWork,
    formula: (of) => formula`\operatorname{GELU}(${of})`,
    numpy: (x) => `(0.5 * ${x} * (1 + np.vectorize(math.erf)(${x} / math.sqrt(2)))).astype(dtype)`,
    torch: (x) => `torch.nn.functional.gelu(${x})`,
  },
  geluTanh: {
    value: (x, round, half) => shareOf(x, insideOf(x, round).tanh, round, half),
    work: geluTanhWork,
    formula: (of) => formula`\operatorname{GELU}_{\tanh}(${of})`,
    numpy: (x) => `0.5 * ${x} * (1 + np.tanh(math.sqrt(2 / math.pi) * (${x} + ${cubic} * ${x} * ${x} * ${x})))`,
    torch: (x) => `torch.nn.functional.gelu(${x}, approximate="tanh")`,
  },
  silu: {
    // PyTorch divides; float32 keeps the product that it has always had here.
    value: (x, round, half) => (half ? x / round(1 + round(exp(-x))) : round(x * sigmoid(x, round))),
    work: (of, x, round) => [
      { name: say('sigmoid'), value: sigmoid(x, round), work: sigmoidWork(of) },
      { work: { is: 'product', of: [of, line(0)] } },
    ],
    formula: (of) => formula`${of} \odot \sigma(${of})`,
    numpy: (x) => `${x} / (1 + np.exp(-${x}))`,
    torch: (x) => `torch.nn.functional.silu(${x})`,
  },
  sigmoid: {
    value: sigmoid,
    work: (of) => [{ work: sigmoidWork(of) }],
    formula: (of) => formula`\sigma(${of})`,
    numpy: (x) => `1 / (1 + np.exp(-${x}))`,
    torch: (x) => `torch.sigmoid(${x})`,
  },
  /** elu(x) + 1 (Katharopoulos et al. 2020, eq. 7). */
  elu1: {
    // Two operations in PyTorch, elu and + 1: in half precision the first is rounded too.
    value: (x, _, half) => (x > 0 ? x + 1 : half ? half(exp(x) - 1) + 1 : exp(x)),
    work: (of, x, _, half) => {
      const power: Work = { is: 'exp', of };
      if (x > 0 || !half) return [{ work: x > 0 ? plusOne(of) : power }];
      const elu: Line = { name: say('elu'), value: half(exp(x) - 1), work: { is: 'difference', of: power, less: one } };
      return [elu, { work: plusOne(line(0)) }];
    },
    formula: (of) => formula`\begin{cases} ${of} + 1 & ${of} > 0 \\ ${power(of)} & ${of} \le 0 \end{cases}`,
    numpy: (x, line) => {
      const below = `np.minimum(${x}, 0)`;
      return `np.where(${x} > 0, ${x} + 1, ${line.half ? `${line.half(`np.expm1(${below})`)} + 1` : `np.exp(${below})`})`;
    },
    torch: (x, line) => `${inHalf(line, `torch.nn.functional.elu(${x})`)} + 1`,
  },
};

export const appliedFormula = (of: Applied, operand: Expression | Symbol): Expression => functions[of].formula(operand);

function kernel({ of }: Apply, a: Tensor, out: Tensor, half: Round | undefined): Tensor {
  const [round, { value }] = [rounding(a), functions[of]];
  for (let i = 0; i < out.data.length; i++) out.data[i] = round(value(a.data[i] as number, round, half));
  return out;
}

const operandOf = (cell: CellValue): Work => ({ is: 'cell', cell });

export const apply: Operation<Apply, 'reference'> = {
  shape: firstShape,
  work: elements,
  kernel: (call, [a], shape, dtype, half) => kernel(call, need(a), allocate(dtype, shape), half),
  gpu: 'reference',
  part: 'cell by cell',
  made: ({ of }, cell, cells) => {
    const operand = cells.read(0, cell.index);
    const worked = functions[of].work(operandOf(operand), operand.value, cells.round, cells.half);
    const lines = worked.map((one): WorkLine => ({ value: cell.value, ...one }));
    return { ...cell, kind: 'worked', operand, lines, note: say('Each cell alone: no other is asked.') };
  },
  nextCell: 'same place',
  picture: 'result',
  formula: ({ of }, result, [a]) => formula`${result} = ${appliedFormula(of, part(a))}`,
  step: 'by role',
  numpy: ({ of }, line) => functions[of].numpy(first(line), line),
  torch: ({ of }, line) => functions[of].torch(first(line), line),
};
