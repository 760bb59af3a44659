import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  explainCell,
  matrixDefaults,
  laterCells,
  type AttentionSpec,
  type AttentionTrace,
  type CellExplanation,
  type CellValue,
  type SpecMatrix,
  type Work,
  type WorkFunction,
  type WorkLine,
} from '../../engine/index';
import { erf, exp, tanh } from '../../engine/math/math';
import { blockCases, specOf } from './block-cases';
import { run } from './specs';

const lines = (name: string): string =>
  gunzipSync(readFileSync(join(__dirname, '../fixtures/attention', name))).toString('utf8');

/** Every spec of the reference programs: each variant, pairs of them, batches. */
const specs: readonly AttentionSpec[] = [
  ...(JSON.parse(lines('variants.json.gz')) as { specs: readonly { spec: AttentionSpec }[] }).specs.map((g) => g.spec),
  ...lines('odd.json.gz')
    .split('\n')
    .map((line) => (JSON.parse(line) as { spec: AttentionSpec }).spec),
  ...blockCases.map(specOf),
];
const traces = specs.map(run);

const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

function indexOf(flat: number, shape: readonly number[]): number[] {
  const index: number[] = [];
  for (let d = shape.length - 1, rest = flat; d >= 0; rest = Math.floor(rest / (shape[d] ?? 1)), d--)
    index.unshift(rest % (shape[d] ?? 1));
  return index;
}

/** Up to eight cells of a shape, the first and the last among them. */
function some(shape: readonly number[]): number[][] {
  const size = sizeOf(shape);
  const count = Math.min(8, size);
  return Array.from({ length: count }, (_, i) => indexOf(Math.floor((i * (size - 1)) / Math.max(1, count - 1)), shape));
}

const roundOf = ({ spec }: AttentionTrace): ((x: number) => number) =>
  spec.dtype === 'float32' ? Math.fround : (x) => x;

const functionsOfWork: Readonly<Record<WorkFunction, (x: number) => number>> = {
  negative: (x) => -x,
  square: (x) => x * x,
  cube: (x) => x * x * x,
  root: Math.sqrt,
  tanh,
  exp,
  erf,
};

/** Line by line; each has to have the value that it says. */
function redoneWork(lines: readonly WorkLine[], round: (x: number) => number): number {
  const of = (work: Work): number => {
    switch (work.is) {
      case 'cell':
        return work.cell.value;
      case 'number':
      case 'whole':
        return work.value;
      case 'line':
        return lines[work.at]?.value ?? NaN;
      case 'sum':
        return work.of.reduce((sum, term, i) => (i ? round(sum + of(term)) : of(term)), 0);
      case 'product':
        return work.of.map(of).reduce((a, b) => round(a * b));
      case 'quotient':
        return round(of(work.of) / of(work.by));
      case 'difference':
        return round(of(work.of) - of(work.less));
      default:
        return round(functionsOfWork[work.is](of(work.of)));
    }
  };
  for (const { work, value } of lines)
    assert.ok(Object.is(of(work), value) || of(work) === value, `${of(work)}, ${value}`);
  return lines.at(-1)?.value ?? NaN;
}

/** The cell's value from nothing but what its explanation says. */
function redone(trace: AttentionTrace, made: CellExplanation): number {
  const round = roundOf(trace);
  switch (made.kind) {
    case 'products':
      return made.terms.reduce((sum, t) => round(sum + round(t.left.value * t.right.value)), 0);
    case 'sum':
      return round(made.left.value + made.right.value);
    case 'quotient':
      return round(made.operand.value / made.by);
    case 'applied': {
      const [a = NaN, b = made.by ?? NaN] = made.operands.map(({ value }) => value);
      return round({ '×': a * b, '−': a - b, '÷': a / b, exp: exp(a) }[made.function]);
    }
    case 'reduced': {
      const values = made.terms.map(({ value }) => value);
      return made.function === 'max' ? Math.max(...values) : values.reduce((sum, x) => round(sum + x), 0);
    }
    case 'lookup':
      return made.entry.value;
    case 'masked':
      return made.mask.value === 1 ? made.fill : made.operand.value;
    case 'softmax':
      return made.zeroed ? 0 : round((made.terms[made.index.at(-1) ?? 0]?.exponential ?? NaN) / made.sum);
    case 'worked':
      return redoneWork(made.lines, round);
    case 'rotated':
      return round(round(made.own.value * made.cosine.value) + made.sign * round(made.partner.value * made.sine.value));
    case 'moved':
    case 'unchanged':
      return made.operand.value;
    case 'drawn':
      return round(made.draw / made.divideBy);
    case 'distance':
      return made.distance === 0 ? 0 : round(-made.slope * made.distance);
    case 'hidden':
      return made.hidden ? 1 : 0;
    case 'position':
      // sin and cos have tests of their own against NumPy.
      return made.value;
    case 'bucket':
    case 'given':
    case 'learned':
    case 'token':
      return made.value;
  }
}

describe('what made a cell, for every variant', () => {
  it('adds up to the cell, bit for bit', () => {
    const kinds = new Map<string, number>();
    for (const trace of traces) {
      for (const step of trace.plan.steps) {
        for (const index of some(step.shape)) {
          const made = explainCell(trace, step.id, index);
          const at = `${step.id}[${index.join(',')}] of ${JSON.stringify(trace.spec)}`;
          assert.deepEqual(made.index, index);
          const again = redone(trace, made);
          assert.ok(again === made.value || (Number.isNaN(again) && Number.isNaN(made.value)), `${again}, ${at}`);
          kinds.set(made.kind, (kinds.get(made.kind) ?? 0) + 1);
        }
      }
    }
    const all =
      'applied distance drawn given hidden lookup masked moved position products quotient rotated softmax sum token unchanged worked';
    assert.deepEqual([...kinds.keys()].sort(), all.split(' '));
    assert.ok(Math.min(...kinds.values()) >= 50, JSON.stringify([...kinds]));
  }).timeout(120_000);

  it('takes an index without its leading dimensions as that of the first head', () => {
    const q: SpecMatrix = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]; // prettier-ignore
    const trace = run({ ...matrixDefaults, heads: 2, start: { from: 'qkv', q, k: q, v: q } });
    const made = explainCell(trace, 'qHeads', [2, 1]);
    assert.ok(made.kind === 'moved');
    assert.deepEqual([made.value, made.index, made.operand.index, made.operand.value], [10, [0, 2, 1], [2, 1], 10]);
    assert.deepEqual(
      laterCells(trace, 'headOutputs', [2, 1]).map((c) => [c.step, c.index]),
      [['output', [2, 1]]],
    );
  });

  it('says that a row of −∞ was given zeros', () => {
    const start = { from: 'scores', scores: [['-inf', '-inf'], [0, 1]], dK: 1 } as const; // prettier-ignore
    const zeroed = (spec: Partial<AttentionSpec>, row: number): boolean => {
      const made = explainCell(run({ ...matrixDefaults, start, ...spec }), 'weights', [row, 0]);
      assert.ok(made.kind === 'softmax');
      return made.zeroed;
    };
    assert.deepEqual(
      [zeroed({ fullyMasked: 'zero' }, 0), zeroed({ fullyMasked: 'zero' }, 1), zeroed({}, 0)],
      [true, false, false],
    );
  });

  it('gives the generator’s own numbers', () => {
    // np.random.seed(3); np.random.randn(1, 2); np.random.randn(2, 3): NumPy 1.24.
    const drawn = [
      0.09649746807200862, -1.8634927033644908, -0.27738820251439905, -0.35475897926898675, -0.08274148148245977,
      -0.6270006768238473,
    ];
    for (const dtype of ['float32', 'float64'] as const) {
      const trace = run({
        ...matrixDefaults, dtype, dModel: 2, start: { from: 'ids', ids: [0] },
        projections: { from: 'random', dK: 3, dV: 3 }, random: { generator: 'numpy.RandomState', seed: 3 },
      }); // prettier-ignore
      drawn.forEach((draw, i) => {
        const made = explainCell(trace, 'wq', [Math.floor(i / 3), i % 3]);
        assert.ok(made.kind === 'drawn');
        assert.equal(made.draw, draw, dtype);
      });
    }
  });
});

/** The operand that a chain would come from. */
function comesFrom(made: CellExplanation): CellValue | undefined {
  if ('operand' in made) return made.operand;
  if (made.kind === 'applied') return made.operands[0];
  return made.kind === 'sum' ? made.left : made.kind === 'rotated' ? made.own : undefined;
}

describe('where a cell goes, for every variant', () => {
  it('is a chain in which each cell is made of the one before', () => {
    const seen = new Set<string>();
    for (const trace of traces) {
      for (const { id, shape } of trace.plan.steps) {
        for (const index of some(shape)) {
          let before: Pick<CellValue, 'step' | 'index'> = { step: id, index };
          for (const link of laterCells(trace, id, index)) {
            const made = explainCell(trace, link.step, link.index);
            const from = comesFrom(made);
            assert.deepEqual([from?.step, from?.index], [before.step, before.index]);
            assert.ok(Object.is(link.value, made.value));
            before = link;
            seen.add(made.kind);
          }
        }
      }
    }
    assert.deepEqual([...seen].sort(), [
      'applied',
      'masked',
      'moved',
      'quotient',
      'rotated',
      'softmax',
      'sum',
      'unchanged',
      'worked',
    ]);
  }).timeout(60_000);

  it('goes on through heads, rotation and sharing, up to the next product', () => {
    const x: SpecMatrix = [[1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]]; // prettier-ignore
    const four: AttentionSpec = { ...matrixDefaults, heads: 4, positions: 'rope-half', start: { from: 'x', x } };
    assert.deepEqual(
      laterCells(run(four), 'x', [1, 5]).map((c) => `${c.step}[${c.index.join(',')}]`),
      ['q[1,5]', 'qHeads[2,1,1]', 'qRotated[2,1,1]'],
    );
    const k: SpecMatrix = x.map((row) => row.slice(0, 4));
    const shared = run({ ...four, kvHeads: 2, start: { from: 'qkv', q: x, k, v: k } });
    assert.deepEqual(
      laterCells(shared, 'v', [1, 3]).map((c) => `${c.step}[${c.index.join(',')}]`),
      ['vHeads[1,1,1]', 'vShared[2,1,1]'],
    );
    assert.deepEqual(
      laterCells(shared, 'headOutputs', [3, 1, 0]).map((c) => `${c.step}[${c.index.join(',')}]`),
      ['output[1,6]'],
    );
  });
});
