import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { programOf } from '../../engine/write/code/index';
import { dimsOf } from '../../engine/spec/dims';
import { withEdits } from '../../webview/choices/edits';
import { pythonOrSkip } from '../reference/python';
import { programsRun } from './programs';
import {
  decodeNumber,
  explainAttention,
  matrixDefaults,
  planOf,
  type AttentionSpec,
  type AttentionTrace,
  type Mask,
  type SpecNumber,
} from '../../engine/index';

const [batch, heads, n, m, d] = [2, 3, 2, 4, 2];
const tensor = (sizes: readonly number[], at: (i: number) => number, first = { i: 0 }): unknown =>
  sizes.length === 0 ? at(first.i++) : Array.from({ length: sizes[0] ?? 0 }, () => tensor(sizes.slice(1), at, first));
const wave = (i: number): number => ((i * 37) % 11) / 4 - 1;
const start = {
  from: 'qkv',
  q: tensor([batch, heads, n, d], wave),
  k: tensor([batch, heads, m, d], (i) => wave(i + 3)),
  v: tensor([batch, heads, m, d], (i) => wave(i + 5)),
} as unknown as AttentionSpec['start'];
const boolean = (values: unknown): Mask => ({ kind: 'boolean', values, trueMeans: 'hidden' }) as unknown as Mask;
const additive = (values: unknown): Mask => ({ kind: 'additive', values }) as unknown as Mask;
const specOf = (mask: Mask): AttentionSpec => ({ ...matrixDefaults, start, heads, mask });

function traceOf(mask: Mask): AttentionTrace {
  const trace = explainAttention(specOf(mask));
  assert.ok(trace.ok, trace.ok ? '' : trace.problems[0]?.message);
  return trace.value;
}

const weightsOf = (mask: Mask): readonly number[] => weightCells(traceOf(mask));

function weightCells(trace: AttentionTrace): readonly number[] {
  const cells: number[] = [];
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++) cells.push(...trace.read('weights', { batch: b, head: h }).mean);
  assert.ok(cells.length >= batch * heads * n * m);
  return cells;
}

/** Each size of 1 of the leading axes written out. */
const repeated = (values: unknown, [size = 1, ...rest]: readonly number[]): unknown => {
  const items = values as readonly unknown[];
  const all = items.length === 1 ? new Array<unknown>(size).fill(items[0]) : items;
  return rest.length === 0 ? all : all.map((item) => repeated(item, rest));
};

describe('a mask with a leading axis of size 1', () => {
  // As NumPy and PyTorch broadcast: masks of these shapes against scores of 2×3×2×4.
  for (const lead of [[2, 1], [1, 3], [1, 1], [1], [3]] as const) {
    it(`${[...lead, n, m].join('×')} serves every batch and head, as one that is written out`, () => {
      const shape = lead.length === 1 ? [heads] : [batch, heads];
      for (const [make, cell] of [
        [boolean, (i: number) => (i % 5 === 1 ? 1 : 0)],
        [additive, (i: number) => -((i * 7) % 4)],
      ] as const) {
        const values = tensor([...lead, n, m], cell);
        assert.deepEqual(weightsOf(make(values)), weightsOf(make(repeated(values, shape))));
      }
    });
  }

  it('is refused where it is neither 1 nor that of the scores', () => {
    for (const sizes of [
      [2, 2, n, m],
      [3, 1, n, m],
      [1, 1, 1, 1, n, m],
      [n, 2],
      [3, m],
      [2, 1, 3, 1],
    ]) {
      const planned = planOf(specOf(boolean(tensor(sizes, () => 0))));
      assert.ok(!planned.ok, sizes.join('×'));
      assert.ok(planned.problems[0]?.message && planned.problems[0].path === 'mask.values');
    }
  });
});

/** Every shape that NumPy broadcasts to the scores, with at least a 1 among queries and keys. */
const shapes = [
  [1, m],
  [n, 1],
  [1, 1],
  [1, 1, m],
  [3, n, 1],
  [batch, 1, 1, m],
  [1, heads, n, 1],
  [batch, heads, 1, 1],
  [1, 1, 1, 1],
];

interface Cases {
  readonly broadcast: readonly Nested[];
}
type Nested = number | string | readonly Nested[];

/** What NumPy makes of them: np.broadcast_to of the same numbers. */
function broadcastByNumPy(python: string, values: readonly unknown[]): readonly Nested[] {
  const code = [
    'import json, sys, numpy as np',
    `print(json.dumps({"broadcast": [np.broadcast_to(np.array(v), (${batch}, ${heads}, ${n}, ${m})).tolist() for v in json.load(sys.stdin)]}))`,
  ].join('\n');
  const ran = spawnSync(python, ['-c', code], { input: JSON.stringify(values), encoding: 'utf8' });
  assert.equal(ran.status, 0, ran.stderr);
  return (JSON.parse(ran.stdout) as Cases).broadcast;
}

describe('a mask with a row or a column of size 1', () => {
  for (const [name, make, cell] of [
    ['boolean', boolean, (i: number) => (i % 3 === 1 ? 1 : 0)],
    ['additive', additive, (i: number) => -((i * 7) % 4) - 0.25],
  ] as const) {
    it(`${name}: is repeated as NumPy repeats it`, function () {
      const given = shapes.map((sizes) => tensor(sizes, cell));
      const whole = broadcastByNumPy(pythonOrSkip(this, 'numpy'), given);
      given.forEach((values, i) => {
        assert.deepEqual(weightsOf(make(values)), weightsOf(make(whole[i])), shapes[i]?.join('×'));
      });
    });

    for (const library of ['numpy', 'torch'] as const)
      it(`${name}: the written ${library} program has the mask and the weights of the trace`, function () {
        const python = pythonOrSkip(this, library);
        const traces = shapes.map((sizes) => traceOf(make(tensor(sizes, cell))));
        const programs = traces.map(({ spec, plan }) => programOf(spec, plan, library));
        const ran = programsRun(python, programs, ['mask', 'weights']);
        traces.forEach((trace, i) => {
          const mask = trace.plan.steps.find(({ id }) => id === 'mask');
          const [there, weights] = [ran[i]?.['mask'], ran[i]?.['weights']];
          assert.deepEqual(dimsOf(there as readonly unknown[]), mask?.shape, shapes[i]?.join('×'));
          const flat = ([weights].flat(8) as SpecNumber[]).map(decodeNumber);
          weightCells(trace).forEach((x, at) =>
            assert.ok(Object.is(x, flat[at]) || Math.abs(x - (flat[at] ?? NaN)) < 1e-12, `${x}, ${flat[at]}`),
          );
        });
      });
  }

  it('is edited cell by cell, as if it had been written out', () => {
    const row = specOf(additive([[0, -1, -2, -3]]));
    const edit = { step: 'mask', index: [1, 2], value: 5 } as const;
    const { spec, idle } = withEdits(row, [edit]);
    assert.deepEqual(idle, []);
    assert.deepEqual(spec.mask, additive([[0, -1, -2, -3], [0, -1, 5, -3]])); // prettier-ignore
    const visible = { ...specOf(boolean([[[[1], [0]]]])), mask: { ...(boolean([[[[1], [0]]]]) as object), trueMeans: 'visible' } } as AttentionSpec; // prettier-ignore
    const one = withEdits(visible, [{ step: 'mask', index: [1, 2, 0, 3], value: 1 }]).spec.mask as { values: unknown };
    const rows = (first: readonly number[]): unknown => [first, [0, 0, 0, 0]];
    const all = [1, 1, 1, 1];
    assert.deepEqual(one.values, [
      [rows(all), rows(all), rows(all)],
      [rows(all), rows(all), rows([1, 1, 1, 0])],
    ]);
    assert.ok(explainAttention(withEdits(visible, [{ step: 'mask', index: [1, 2, 0, 3], value: 1 }]).spec).ok);
  });
});
