import assert from 'node:assert/strict';
import { referenceKernels } from '../../engine/run/backend/reference';
import { readHeldTile, releaseWebGpu, requestWebGpu, type WebGpuDevice } from '../../engine/run/backend/webgpu/index';
import { fuse } from '../../engine/run/backend/webgpu/fuse';
import type { GpuStep } from '../../engine/run/backend/webgpu/steps';
import { holdSteps, runSteps } from '../../engine/run/backend/webgpu/run';
import { planOf, sourceValues, textDefaults, type OperationCall, type Tensor } from '../../engine/index';
import { traceOf } from '../../engine/run/trace';
import { gpuMissing, nodeGpu } from './webgpu-node';

type Shape = readonly number[];

interface Attention {
  readonly batches: number;
  readonly n: number;
  readonly m: number;
  readonly d: number;
  readonly dv: number;
  /** `rows`: query 1 sees nothing. `odd`: a −1e9 as fill. */
  readonly mask?: 'causal' | 'rows' | 'odd';
  readonly emptyRow?: 'nan' | 'zero';
  /** K and V serve every batch. */
  readonly shared?: boolean;
  readonly by?: number;
  /** Deviation of Q: large ones make one weight of each row 1. */
  readonly spread?: number;
}

const given: OperationCall = { op: 'given', path: '' };
const step = (id: string, shape: Shape, call: OperationCall, operands: readonly string[] = []): GpuStep => ({
  id,
  symbol: id,
  shape,
  call,
  operands,
  rowLabels: [],
});

/** mulberry32: the same values on every run and machine. */
function values(shape: Shape, seed: number, by = 1): Tensor {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const length = shape.reduce((a, b) => a * b, 1);
  return { dtype: 'float32', shape, data: Float32Array.from({ length }, () => by * (2 * next() - 1)) };
}

const hides = (kind: NonNullable<Attention['mask']>, row: number, column: number): boolean =>
  kind === 'rows' ? row === 1 || (row * 7 + column) % 3 === 0 : column > row;

function hiddenOf({ n, m, mask = 'causal' }: Attention): Tensor {
  const data = Float32Array.from({ length: n * m }, (_, i) => Number(hides(mask, Math.floor(i / m), i % m)));
  return { dtype: 'float32', shape: [n, m], data };
}

function stepsOf(a: Attention): { steps: readonly GpuStep[]; sources: Map<string, Tensor> } {
  const { batches, n, m, d, dv, mask, emptyRow = 'nan', shared, by = 1.7, spread = 1 } = a;
  const lead = batches === 1 ? [] : [batches];
  const keys = shared ? [] : lead;
  const sources = new Map([
    ['q', values([...lead, n, d], 1, spread)],
    ['k', values([...keys, m, d], 2)],
    ['v', values([...keys, m, dv], 3)],
    ...(mask ? [['hidden', hiddenOf(a)] as const] : []),
  ]);
  const scores = [...lead, n, m];
  const fill = mask === 'odd' ? -1e9 : -Infinity;
  return {
    sources,
    steps: [
      ...[...sources].map(([id, { shape }]) => step(id, shape, given)),
      step('scores', scores, { op: 'matmul', transposeB: true }, ['q', 'k']),
      step('scaled', scores, { op: 'divide', by }, ['scores']),
      mask
        ? step('masked', scores, { op: 'mask', fill }, ['scaled', 'hidden'])
        : step('masked', scores, { op: 'identity' }, ['scaled']),
      step('weights', scores, { op: 'softmax', emptyRow }, ['masked']),
      step('output', [...lead, n, dv], { op: 'matmul', transposeB: false }, ['weights', 'v']),
    ],
  };
}

/** All steps in float64, by the reference. */
function exact(steps: readonly GpuStep[], sources: ReadonlyMap<string, Tensor>): Map<string, Tensor> {
  const all = new Map(sources);
  for (const { id, call, operands, shape } of steps) {
    const own = operands.map((o) => all.get(o)).filter((t) => t !== undefined);
    const kernel = referenceKernels[call.op as 'matmul'] as
      ((...args: [OperationCall, readonly Tensor[], Shape, 'float64']) => Tensor) | undefined;
    if (kernel) all.set(id, kernel(call, own, shape, 'float64'));
  }
  return all;
}

const cases: Readonly<Record<string, Attention>> = {
  'one token': { batches: 1, n: 1, m: 1, d: 4, dv: 4 },
  'widths that no vec4 divides': { batches: 2, n: 11, m: 10, d: 7, dv: 5, mask: 'causal' },
  '7×5, causal': { batches: 1, n: 7, m: 5, d: 8, dv: 12, mask: 'causal' },
  '8×8': { batches: 1, n: 8, m: 8, d: 8, dv: 8 },
  '9×13, 3 heads': { batches: 3, n: 9, m: 13, d: 12, dv: 4, mask: 'causal' },
  '9×16, 3 heads, a row that sees nothing': { batches: 3, n: 9, m: 16, d: 12, dv: 4, mask: 'rows' },
  '9×13, 2 heads, a row that sees nothing is 0': { batches: 2, n: 9, m: 13, d: 4, dv: 20, mask: 'rows', emptyRow: 'zero' },
  '20×24, fill −1e9': { batches: 1, n: 20, m: 24, d: 16, dv: 8, mask: 'odd' },
  '17×30, K and V for all heads': { batches: 4, n: 17, m: 30, d: 8, dv: 8, shared: true },
  'more columns than one turn of the threads': { batches: 1, n: 10, m: 1101, d: 8, dv: 8, mask: 'rows' },
  'the same in whole vec4': { batches: 1, n: 10, m: 1104, d: 64, dv: 64 },
  'wider than the threads': { batches: 1, n: 5, m: 9, d: 8, dv: 300 },
  'scores of 1e4': { batches: 1, n: 33, m: 65, d: 64, dv: 16, spread: 3000, by: 1 },
}; // prettier-ignore

describe('attention fused, against float64', function () {
  this.timeout(300_000);
  if (gpuMissing) {
    it.skip(gpuMissing);
    return;
  }
  let device: WebGpuDevice;
  before(async () => {
    const opened = await requestWebGpu(await nodeGpu(), { allowSoftware: true });
    assert.ok(opened.ok, JSON.stringify(opened));
    device = opened.value;
  });
  after(() => device && releaseWebGpu(device));

  for (const [name, attention] of Object.entries(cases)) {
    it(name, async () => {
      const { steps, sources } = stepsOf(attention);
      const held = await holdSteps(device, steps, sources, { fuseFrom: 0 });
      assert.ok(held.ok, JSON.stringify(held));
      const expected = exact(steps, sources);
      for (const id of ['weights', 'output']) {
        const part = await held.value.read(id);
        assert.ok(part.ok, JSON.stringify(part));
        // Scores of 1e4 have an error of 1e-3 in float32, whoever computes them: exp makes it relative.
        assertNear(id, part.value, expected.get(id), attention.spread ? 1e-2 : 1e-6);
      }
      held.value.release();
    });
  }

  it('is used: scores are not made until they are read', async () => {
    const { steps, sources } = stepsOf({ batches: 1, n: 64, m: 64, d: 8, dv: 8, mask: 'causal' });
    const held = await holdSteps(device, steps, sources, { fuseFrom: 0 });
    assert.ok(held.ok);
    const before = held.value.bytes();
    assert.equal(before, 4 * (64 * 64 + 64 * 8), 'weights and output');
    const part = await held.value.read('scaled', [64, 70]);
    assert.ok(part.ok);
    assert.equal(part.value.length, 6);
    const scaled = exact(steps, sources).get('scaled');
    part.value.forEach((x, i) => assert.ok(Math.abs(x - (scaled?.data[64 + i] as number)) < 1e-6));
    assert.equal(held.value.bytes(), before + 4 * 64 * 64, 'and scaled; scores are gone again');
    held.value.release();
    assert.equal(held.value.bytes(), 0);
  });

  it('tiles read from the GPU are those of a trace, at every level', async () => {
    const mask = 'causal' as const;
    const start = { from: 'text', text: 'one two three four five six seven', tokenizer: 'words' } as const;
    const spec = { ...textDefaults, dtype: 'float32' as const, heads: 2, mask, start };
    const plan = planOf(spec);
    assert.ok(plan.ok);
    const sources = sourceValues(spec, plan.value);
    const [held, whole] = [
      await holdSteps(device, plan.value.steps, sources),
      await runSteps(device, plan.value.steps, sources),
    ];
    assert.ok(held.ok && whole.ok);
    const tensors = new Map(sources);
    for (const { id, shape } of plan.value.steps) {
      const data = whole.value.get(id);
      if (data) tensors.set(id, { dtype: 'float32', shape, data });
    }
    const trace = traceOf(spec, plan.value, tensors, []);
    const requests = [
      {},
      { head: 1, rows: [2, 5] as const, columns: [1, 4] as const },
      { head: 1, rows: [3, 7] as const, level: 2 },
    ];
    for (const { id } of plan.value.steps.filter(({ id }) => ['x', 'masked', 'weights'].includes(id))) {
      for (const request of requests) {
        const asked = id === 'x' ? {} : request;
        const tile = await readHeldTile(plan.value, sources, held.value, id, asked);
        assert.ok(tile.ok);
        assert.deepEqual(tile.value, trace.read(id, asked), `${id} ${JSON.stringify(asked)}`);
      }
    }
    held.value.release();
  });

  it('only where no step between is read and the shapes fit', () => {
    const ids = (a: Partial<Attention>, wanted: readonly string[] = []): string[] =>
      fuse(stepsOf({ batches: 1, n: 4, m: 4, d: 4, dv: 4, ...a }).steps, wanted, 0)
        .filter((s) => s.fused)
        .map((s) => s.id);
    assert.deepEqual(ids({}), ['weights']);
    assert.deepEqual(ids({}, ['output', 'weights', 'q']), ['weights']);
    assert.deepEqual(ids({}, ['scaled']), []);
    assert.deepEqual(ids({ d: 6, dv: 7 }), ['weights']);
    const { steps } = stepsOf({ batches: 1, n: 4, m: 4, d: 4, dv: 4 });
    const capped = steps.map((s) => (s.id === 'masked' ? { ...s, call: { op: 'softcap', cap: 2 } as const } : s));
    assert.ok(fuse(capped, [], 0).every((s) => !s.fused));
    assert.ok(
      fuse(steps, [], 65).every((s) => !s.fused),
      'too small',
    );
  });
});

function assertNear(id: string, actual: Float32Array, expected: Tensor | undefined, tolerance: number): void {
  assert.ok(expected && actual.length === expected.data.length, `${id}: ${actual.length} values`);
  for (let i = 0; i < actual.length; i++) {
    const [x, y] = [actual[i] as number, expected.data[i] as number];
    const same = Object.is(x, y) || (Number.isNaN(x) && Number.isNaN(y)) || Math.abs(x - y) <= tolerance;
    assert.ok(same, `${id}, value ${i} of ${expected.shape.join('×')}: ${x}, expected ${y}`);
  }
}
