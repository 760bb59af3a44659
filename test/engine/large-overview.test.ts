import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  wasmKernels,
  type Build,
  type WasmKernels,
  type PooledAttentionOperands,
} from '../../engine/run/backend/wasm/index';
import {
  explainAttention,
  planOf,
  runReference,
  textDefaults,
  type AttentionSpec,
  type AttentionTrace,
  type Plan,
  type Step,
  type Tile,
} from '../../engine/index';
import { deferredSteps } from '../../engine/run/large/deferred';
import { createOverview, type OverviewOptions } from '../../engine/run/large/overview';
import type { Overview } from '../../engine/run/large/overview-types';
import { leadingIndices } from '../../engine/run/large/overview-context';
import type { Tensor } from '../../engine/math/tensor';

const committed = (file: string): string =>
  gunzipSync(readFileSync(join(__dirname, '../fixtures/attention', file))).toString('utf8');
const { specs: variants } = JSON.parse(committed('variants.json.gz')) as { specs: readonly { spec: AttentionSpec }[] };
const odd = committed('odd.json.gz')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { spec: AttentionSpec });
const specs = [...variants, ...odd].map(({ spec }) => spec);

const words = (n: number): string => Array.from({ length: n }, (_, i) => `w${i % 50}`).join(' ');
const long = (n: number, more: Partial<AttentionSpec> = {}): AttentionSpec => ({
  ...textDefaults,
  mask: 'causal',
  start: { from: 'text', text: words(n), tokenizer: 'words' },
  ...more,
});

interface Both {
  readonly exact: AttentionTrace;
  readonly overview: Overview;
  readonly deferred: ReadonlySet<string>;
  /** How often the overview's kernels went from the scores to the output, and made a softmax over rows of so many columns. */
  readonly surveys: () => number;
  readonly softmaxes: (columns: number) => number;
}

interface Exact {
  readonly plan: Plan;
  readonly exact: AttentionTrace;
  readonly deferred: ReadonlySet<string>;
  /** The values of the steps that are not deferred. */
  readonly held: ReadonlyMap<string, Tensor>;
}

/** By spec: several tests compare with the same ones. */
const known = new Map<AttentionSpec, Exact>();

function exactOf(spec: AttentionSpec): Exact {
  const again = known.get(spec);
  if (again) return again;
  const planned = planOf(spec);
  assert.ok(planned.ok);
  const plan = planned.value;
  const deferred = deferredSteps(plan, 0);
  const [exact, large] = [explainAttention(spec), runReference(spec, plan, undefined, new Set())];
  assert.ok(exact.ok && large.ok);
  const held = new Map<string, Tensor>();
  for (const { id, shape } of plan.steps) if (!deferred.has(id)) held.set(id, tensorOf(exact.value, id, shape));
  const found = { plan, exact: exact.value, deferred, held };
  known.set(spec, found);
  return found;
}

/** The exact trace of a spec, held, and an overview of all of it that can be deferred. */
function both(spec: AttentionSpec, options: OverviewOptions & { readonly build?: Build } = {}): Both {
  const { plan, exact, deferred, held } = exactOf(spec);
  const { own, surveys, softmaxes } = counted(wasmKernels(options.build ?? 'relaxed') ?? wasmKernels());
  const overview = createOverview(plan, deferred, held, own, options);
  return { exact, overview, deferred, surveys, softmaxes };
}

function counted(own: WasmKernels): Pick<Both, 'surveys' | 'softmaxes'> & { readonly own: WasmKernels } {
  const { pooledAttention: survey } = own;
  const widths: number[] = [];
  let surveys = 0;
  const softmax: WasmKernels['softmax'] = (o) => {
    widths.push(o.m);
    return own.softmax(o);
  };
  const counting: WasmKernels = {
    ...own,
    softmax,
    ...(survey && {
      pooledAttention: (o: PooledAttentionOperands) => {
        surveys++;
        return survey(o);
      },
    }),
  };
  return {
    own: counting,
    surveys: () => surveys,
    softmaxes: (columns) => widths.filter((width) => width === columns).length,
  };
}

function tensorOf(trace: AttentionTrace, id: string, shape: readonly number[]): Tensor {
  const values = leadingIndices(shape).flatMap((lead) => Array.from(trace.read(id, placeOf(lead)).min));
  return {
    dtype: trace.spec.dtype === 'float32' ? 'float32' : 'float64',
    shape,
    data: trace.spec.dtype === 'float32' ? Float32Array.from(values) : Float64Array.from(values),
  };
}

const placeOf = (lead: readonly number[]): { batch: number; head: number } =>
  lead.length > 1 ? { batch: lead[0] ?? 0, head: lead[1] ?? 0 } : { batch: 0, head: lead[0] ?? 0 };

const finish = (overview: Overview): number => {
  let slices = 1;
  while (!overview.advance()) slices++;
  return slices;
};

/** Within float32's error of a few roundings and sums; NaN and infinities where the exact tile has them. */
function near(actual: Tile, expected: Tile, allowed: number, where: string): void {
  for (const key of ['level', 'row', 'column', 'height', 'width'] as const)
    assert.equal(actual[key], expected[key], `${key} of ${where}`);
  assert.deepEqual(actual.masked, expected.masked, `masked of ${where}`);
  assert.deepEqual(actual.nan, expected.nan, `nan of ${where}`);
  for (const key of ['min', 'max', 'mean'] as const) {
    expected[key].forEach((want, i) => {
      const got = actual[key][i] as number;
      const good = Number.isNaN(want)
        ? Number.isNaN(got)
        : got === want || Math.abs(got - want) <= allowed * Math.max(1, Math.abs(want));
      // The message is made where it is needed: these are millions of numbers.
      if (!good) assert.fail(`${key}[${i}] of ${where} is ${got}, exactly ${want}`);
    });
  }
}

/** The matrices of every deferred step, at each level. */
function* matrices(
  { exact, deferred }: Both,
  levels: readonly number[],
): Generator<{ step: Step; lead: readonly number[]; level: number }> {
  for (const step of exact.plan.steps as readonly Step[]) {
    if (!deferred.has(step.id)) continue;
    for (const lead of leadingIndices(step.shape)) for (const level of levels) yield { step, lead, level };
  }
}

function compare(traces: Both, allowed: number, levels: readonly number[], name: string): number {
  let tiles = 0;
  for (const { step, lead, level } of matrices(traces, levels)) {
    const tile = traces.overview.read(step, lead, { level });
    if (!tile) continue;
    assert.equal(tile.pending, undefined, `${step.id} of ${name}`);
    const expected = traces.exact.read(step.id, { ...placeOf(lead), level });
    near(tile, expected, allowed, `${step.id} ${lead.join()} level ${level} of ${name}`);
    tiles++;
  }
  return tiles;
}

const builds = (['relaxed', 'simd128', 'plain'] as const).filter((build) => wasmKernels(build));

describe('the overview of deferred steps', function () {
  this.timeout(120_000);

  for (const build of builds) {
    it(`is the picture of the exact values: causal, window, padding and no mask (${build})`, () => {
      const masks = [
        'causal',
        'none',
        { kind: 'window', size: 9, causal: true },
        { kind: 'window', size: 20, causal: false },
        { kind: 'padding', visible: 77 },
      ] as const;
      for (const mask of masks) {
        const spec = long(150, { mask });
        for (const fused of [true, false]) {
          const found = both(spec, { build, fused, side: 40 });
          finish(found.overview);
          assert.ok(compare(found, 1e-5, [2, 3, 4, 8], `${JSON.stringify(mask)} ${fused}`) >= 16);
        }
      }
    });
  }

  it('has every variant that NumPy has computed', () => {
    let tiles = 0;
    for (const spec of specs) {
      const found = both(spec);
      if (!found.deferred.size || beyondFloat32(spec, found.exact)) continue;
      finish(found.overview);
      tiles += compare(found, 2e-4, [1, 2], JSON.stringify(spec));
    }
    assert.ok(tiles > 2000, `${tiles} tiles`);
  });
});

describe('a full-resolution tile of a deferred step', function () {
  this.timeout(120_000);

  for (const build of builds) {
    it(`is the picture of the exact values before the overview has begun, and after it (${build})`, () => {
      for (const mask of ['causal', 'none', { kind: 'window', size: 9, causal: true }] as const) {
        const spec = long(150, { mask });
        for (const fused of [true, false]) {
          const found = both(spec, { build, fused, side: 40 });
          const name = `${JSON.stringify(mask)} ${fused}`;
          assert.ok(compareFine(found, 1e-5, [0, 1, 3], name) >= 15);
          finish(found.overview);
          compareFine(found, 1e-5, [0, 2], name);
        }
      }
    });
  }

  it('has every variant that NumPy has computed', () => {
    let tiles = 0;
    for (const spec of specs) {
      const found = both(spec);
      if (!found.deferred.size || beyondFloat32(spec, found.exact)) continue;
      tiles += compareFine(found, 2e-4, [0, 1], JSON.stringify(spec));
    }
    assert.ok(tiles > 2000, `${tiles} tiles`);
  });

  it('has the weights of a few columns, from row summaries, in every variant', () => {
    let tiles = 0;
    for (const spec of specs) {
      const found = both(spec, { fused: false });
      if (!found.deferred.size || beyondFloat32(spec, found.exact)) continue;
      finish(found.overview);
      tiles += compareColumns(found, 2e-4, JSON.stringify(spec));
    }
    assert.ok(tiles > 500, `${tiles} tiles`);
  });

  for (const build of builds.filter((one) => one !== 'plain')) {
    it(`has a few columns of weights under linear biases from one kernel (${build})`, () => {
      for (const mask of ['causal', 'none', { kind: 'window', size: 9, causal: true }] as const) {
        const alibi = long(203, { mask, heads: 3, positions: 'alibi' });
        const { exact, overview, softmaxes, surveys } = both(alibi, { build });
        const step = exact.plan.steps.find(({ role }) => role === 'weights') as Step;
        for (const head of [0, 1, 2]) {
          for (const [rows, columns] of [
            [
              [0, 17],
              [0, 30],
            ],
            [
              [17, 80],
              [9, 61],
            ],
            [
              [190, 203],
              [150, 203],
            ],
          ] as const) {
            const tile = overview.fine(step, [head], { rows, columns });
            assert.ok(tile);
            const where = `head ${head}, rows from ${rows[0]} of ${JSON.stringify(mask)}`;
            near(tile, exact.read(step.id, { head, rows, columns }), 1e-5, where);
          }
        }
        assert.ok(surveys() >= 9, `${surveys()} times by one kernel`);
        assert.equal(softmaxes(203), 0, 'no softmax over whole rows');
      }
    });
  }

  it('has the weights and masked cells of any part', () => {
    const { exact, overview } = both(long(300), { side: 40 });
    const step = exact.plan.steps.find(({ id }) => id === 'weights') as Step;
    for (const [r, c] of [
      [0, 0],
      [120, 64],
      [120, 112],
      [120, 200],
      [288, 280],
    ] as const) {
      const request = { rows: [r, r + 12], columns: [c, c + 20], level: 2 } as const;
      const tile = overview.fine(step, [], request);
      assert.ok(tile?.float32 && !tile.pending);
      near(tile, exact.read('weights', request), 1e-5, `rows from ${r}, columns from ${c}`);
    }
  });
});

/** The weights of every head, a third of the columns at a time. */
function compareColumns({ exact, overview, deferred }: Both, allowed: number, name: string): number {
  let tiles = 0;
  for (const step of exact.plan.steps as readonly Step[]) {
    if (!deferred.has(step.id) || step.role !== 'weights') continue;
    const columns = step.shape.at(-1) ?? 1;
    const third = Math.ceil(columns / 3);
    for (const lead of leadingIndices(step.shape)) {
      for (let start = 0; start < columns; start += third) {
        const part = [start, Math.min(columns, start + third)] as const;
        const tile = overview.fine(step, lead, { columns: part });
        assert.ok(tile);
        const where = `${step.id} ${lead.join()} columns ${part.join('…')} of ${name}`;
        near(tile, exact.read(step.id, { ...placeOf(lead), columns: part }), allowed, where);
        tiles++;
      }
    }
  }
  return tiles;
}

/** Every deferred step that there is a picture of, each matrix in two parts. */
function compareFine(traces: Both, allowed: number, levels: readonly number[], name: string): number {
  let tiles = 0;
  for (const { step, lead, level } of matrices(traces, levels)) {
    const rows = step.shape.at(-2) ?? 1;
    const half = (rows >> (level + 1)) << level;
    for (const part of [[0, half] as const, [half, rows] as const]) {
      const tile = traces.overview.fine(step, lead, { level, rows: part });
      if (!tile) continue;
      const expected = traces.exact.read(step.id, { ...placeOf(lead), level, rows: part });
      near(tile, expected, allowed, `${step.id} ${lead.join()} level ${level} of ${name}`);
      tiles++;
    }
  }
  return tiles;
}

describe('an incomplete overview', function () {
  this.timeout(60_000);

  it('gives the number of missing cells of each block, and never shows them as zeros', () => {
    for (const fused of [true, false]) {
      const { overview, exact, deferred } = both(long(700), { fused, side: 100, stripe: 1 << 17, build: 'simd128' });
      const level = 5;
      assert.equal(overview.advance(), false);
      const rows = overview.done();
      assert.ok(rows > 0 && rows < 700 && overview.total === 700, `${rows} of ${overview.total} rows`);
      for (const id of ['scores', 'scaled', 'masked', 'weights', 'output']) {
        assert.ok(deferred.has(id));
        const step = exact.plan.steps.find((s) => s.id === id) as Step;
        const tile = overview.read(step, [], { level });
        assert.ok(tile?.pending && tile.float32, id);
        tile.pending.forEach((count, i) => {
          const [y, x] = [Math.floor(i / tile.width) * 32, (i % tile.width) * 32];
          const wide = Math.min(step.shape[1] as number, x + 32) - x;
          assert.equal(count, wide * Math.max(0, Math.min(700, y + 32) - Math.max(rows, y)), `${id} block ${i}`);
          if (y >= rows) assert.ok(Number.isNaN(tile.max[i]), `${id} block ${i} has no maximum yet`);
        });
      }
    }
  });
});

/** Values that float32 has not, or differences of values that it cannot tell apart. */
const beyondFloat32 = (_: AttentionSpec, trace: AttentionTrace): boolean =>
  trace.plan.steps.some(({ id, shape }) =>
    leadingIndices(shape).some((lead) =>
      trace.read(id, placeOf(lead)).max.some((x) => Math.abs(x) > 1e4 && x !== Infinity),
    ),
  );
