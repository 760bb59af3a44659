import { allocate, type Tensor } from '../math';
import { t, named, say } from '../text';
import { called, cell, formula, symbol } from './formula';
import {
  elements,
  first,
  firstShape,
  need,
  rank,
  rounding,
  second,
  type CodeLine,
  type Operation,
  type Round,
} from './operation';
import { rowsOf } from './part';
import { lengthWords, speedWords } from './rope-words';
import { branchName, placed, words, type BranchStep } from './step';

/**
 * Pairs of columns rotated by position: (2i, 2i+1) or (i, i + r/2) of the first r columns; the others stay. Operands: values …×n×d, rotations 2n×r/2
 * for all, or for each input of a batch.
 */
export interface Rope {
  readonly op: 'rope';
  readonly layout: 'interleaved' | 'half';
}

// Two products and a sum, each rounded (apply_rotary_pos_emb). a: [inputs×][heads×]n×d; rotations: [inputs×]2n×r/2, cosines in even rows, sines in odd ones
function kernel({ layout }: Rope, a: Tensor, rotations: Tensor, out: Tensor, round: Round): Tensor {
  const [n, d] = [a.shape.at(-2) ?? 0, a.shape.at(-1) ?? 0];
  const pairs = rotations.shape.at(-1) ?? 0;
  // Cells whose rotations are those of one input.
  const span = a.data.length / ((rotations.data.length || 1) / (2 * n * pairs));
  for (let i = 0; i < a.data.length; i++) {
    if (i % d >= 2 * pairs) {
      out.data[i] = a.data[i] as number;
      continue;
    }
    const { partner, pair, sign } = rotationOf(layout, i % d, 2 * pairs);
    const row = Math.floor(i / span) * n + (Math.floor(i / d) % n);
    const cosine = rotations.data[2 * row * pairs + pair] as number;
    const sine = rotations.data[(2 * row + 1) * pairs + pair] as number;
    const other = a.data[i - (i % d) + partner] as number;
    out.data[i] = round((a.data[i] as number) * cosine) + sign * round(other * sine);
  }
  return out;
}

/** Column j of d turns with its partner: x·cos ∓ y·sin for the first of a pair, y·cos + x·sin for the second. */
export function rotationOf(
  layout: 'interleaved' | 'half',
  j: number,
  d: number,
): { partner: number; pair: number; sign: 1 | -1 } {
  if (layout === 'interleaved') return { partner: j ^ 1, pair: j >> 1, sign: j % 2 === 0 ? -1 : 1 };
  const half = d / 2;
  return j < half ? { partner: j + half, pair: j, sign: -1 } : { partner: j - half, pair: j - half, sign: 1 };
}

interface Names {
  readonly join: string;
  readonly stack: string;
  readonly axis: string;
  readonly halves: (x: string) => string;
}

function code({ layout }: Rope, line: CodeLine, { join, stack, axis, halves }: Names): string {
  const d = line.shape.at(-1) ?? 0;
  const turning = 2 * (line.shapes[1]?.at(-1) ?? 0);
  const all = first(line);
  const x = turning === d ? all : `${all}[..., :${turning}]`;
  const turned =
    layout === 'half'
      ? `${join}(turned(*${halves(x)}, ${headRotations(line)}), ${axis}=-1)`
      : `${stack}(turned(${all}[..., 0:${turning}:2], ${all}[..., 1:${turning}:2], ${headRotations(line)}), ${axis}=-1).reshape(${x}.shape)`;
  if (turning === d) return layout === 'half' ? turned : turned.replaceAll(`:${turning}:2`, '::2');
  return `${join}([${turned}, ${all}[..., ${turning}:]], ${axis}=-1)`;
}

/** The rotations of a program, with an axis for the heads where each input has its own. */
const headRotations = (line: CodeLine): string =>
  rank(line.shapes[1]) > 2 && rank(line.shape) > 3 ? `${second(line)}[:, None]` : second(line);

const turnedBranch: BranchStep<Rope> = {
  suffix: 'Rotated',
  mark: () => t('rotated'),
  words: (_, { spec, shape }, branch, row) =>
    words(
      say('{0} rotated', named(branchName(branch))),
      say('where does the token stand?'),
      spec.positionIds
        ? say(
            'Each pair of [columns|rows] of [row|column] {0} is turned by the angle of the position you gave it.',
            row,
          )
        : say('Each pair of [columns|rows] of [row|column] {0} is turned by its position’s angle.', row),
      say('After turning, where a query and a key stand counts only through the difference of their places.'),
      lengthWords(spec, shape.at(-1) ?? 0),
    ),
  beside: {
    Rotations: {
      symbol: () => ({ symbol: symbol('position', 'R'), unicode: 'R' }),
      formula: (R) =>
        formula`${cell(R, '2p', 'i', ',')} = \cos\frac{p}{10000^{2i/d}},\quad ${cell(R, '2p+1', 'i', ',')} = \sin\frac{p}{10000^{2i/d}}`,
      rows: (names) => names.flatMap((name) => [`${name} cos`, `${name} sin`]),
      words: ({ at, turning, shape }, __, row) =>
        words(
          say('Rotations'),
          say('how far does each position turn?'),
          placed(say('[Row|Column] {0}: the cosine or sine of position times each pair’s frequency.', row), at),
          say('RoPE turns queries and keys by an angle that grows with position.'),
          speedWords(turning, shape.at(-1) ?? 0),
        ),
    },
  },
};

export const rope: Operation<Rope, 'kernel'> = {
  shape: firstShape,
  work: elements,
  kernel: (call, [a, rotations], shape, dtype, half) =>
    kernel(call, need(a), need(rotations), allocate(dtype, shape), half ?? rounding(need(a))),
  gpu: 'kernel',
  part: (_, part) => {
    const [start, end] = part.at.rows;
    const at = { rows: [2 * start, 2 * end], columns: [0, part.sizesOf(1)[1]] } as const;
    return part.runOnRows([rowsOf(part, 0), part.operand(1, at, part.lead.slice(0, 1))]);
  },
  made: ({ layout }, cell, { read, operandShape }) => {
    const [row = 0, column = 0] = cell.index.slice(-2);
    const turned = 2 * (operandShape(1).at(-1) ?? 0);
    if (column >= turned) return { ...cell, kind: 'unchanged', operand: read(0, cell.index) };
    const { partner, pair, sign } = rotationOf(layout, column, turned);
    const input = cell.index.slice(0, operandShape(1).length - 2);
    return {
      ...cell,
      kind: 'rotated',
      own: read(0, cell.index),
      partner: read(0, [...cell.index.slice(0, -1), partner]),
      cosine: read(1, [...input, 2 * row, pair]),
      sine: read(1, [...input, 2 * row + 1, pair]),
      sign,
    };
  },
  nextCell: 'same place',
  picture: 'result',
  formula: called('rope'),
  step: turnedBranch,
  numpy: (call, line) => code(call, line, { join: 'np.concatenate', stack: 'np.stack', axis: 'axis', halves: (x) => `np.split(${x}, 2, axis=-1)` }),
  torch: (call, line) => code(call, line, { join: 'torch.cat', stack: 'torch.stack', axis: 'dim', halves: (x) => `${x}.chunk(2, dim=-1)` }),
}; // prettier-ignore
