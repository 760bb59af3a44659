import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  decodeNumber,
  explainCell,
  isHalf,
  matrixDefaults,
  planOf,
  programOf,
  roundTo,
  runReference,
  sourceValues,
  tensor,
  validateSpec,
  type AttentionSpec,
  type SpecNumber,
} from '../../engine/index';
import { largestOf, unitOf } from '../../engine/math';
import { referenceKernelsIn } from '../../engine/run/backend/reference';
import { pythonOrSkip } from '../reference/python';
import { fixture, run, sentence } from './specs';

/* float16 and bfloat16 as dtypes: against test/reference/half.py, which asks NumPy and PyTorch on a CPU and knows nothing of the engine. */

type Rows = readonly (readonly SpecNumber[])[];
type Nested = SpecNumber | readonly Nested[];
interface Operations {
  readonly rounded: readonly SpecNumber[];
  readonly to: readonly SpecNumber[];
  readonly a: Rows;
  readonly c: Rows;
  readonly positive: Rows;
  readonly add: Rows;
  readonly divide: Rows;
  readonly divideBy: number;
  readonly product: Rows;
  readonly quotient: Rows;
  readonly apply: Readonly<Record<string, Rows>>;
  readonly exponential: Rows;
  readonly softmax: Rows;
  readonly matmul: Rows;
}
interface Case {
  readonly spec: Partial<AttentionSpec> & Pick<AttentionSpec, 'start'>;
  readonly steps: Readonly<Record<string, Nested>>;
}
type Half = 'float16' | 'bfloat16';
const { operations, cases } = fixture<{ operations: Readonly<Record<Half, Operations>>; cases: readonly Case[] }>(
  'half.json',
);
const specOf = ({ spec }: Case): AttentionSpec => ({ ...matrixDefaults, ...spec });
const flat = (rows: Nested): number[] =>
  Array.isArray(rows) ? (rows as readonly Nested[]).flatMap(flat) : [decodeNumber(rows as SpecNumber)];
const held = (rows: Rows) => tensor('float32', [rows.length, rows[0]?.length ?? 0], flat(rows));

/** Where the results of two orders of summation, or of two roundings of exp, may lie: a unit of the precision apart, and what float32 sums differ by. */
const near = (kind: Half, found: number, expected: number, terms: number, what: string): void =>
  assert.ok(
    Object.is(found, expected) ||
      Math.abs(found - expected) <= 2 * unitOf[kind] * Math.max(Math.abs(expected), 2 ** -14) + terms * 2 ** -23,
    `${what}: ${found}, expected ${expected}`,
  );

for (const kind of ['float16', 'bfloat16'] as const) {
  const library = kind === 'float16' ? 'NumPy' : 'PyTorch';
  const own = operations[kind];
  const kernels = referenceKernelsIn(kind);
  const [a, c, positive] = [held(own.a), held(own.c), held(own.positive)];
  const same = (found: { data: ArrayLike<number> }, expected: Rows): void =>
    assert.deepEqual(Array.from(found.data), flat(expected));

  describe(`${kind} as a dtype`, () => {
    it(`rounds as ${library}: ties, subnormals, what overflows`, () => {
      own.rounded.forEach((x, i) => {
        const [from, expected] = [decodeNumber(x), decodeNumber(own.to[i] as SpecNumber)];
        assert.ok(
          Object.is(roundTo(kind)(from), expected),
          `${from}: ${roundTo(kind)(from)}, ${library} has ${expected}`,
        );
      });
      assert.equal(roundTo(kind)(largestOf[kind]), largestOf[kind]);
      assert.ok(Number.isNaN(roundTo(kind)(NaN)));
    });

    it(`has ${library}'s bits in element-wise operations`, () => {
      const by = roundTo(kind)(own.divideBy);
      same(kernels.add({ op: 'add' }, [a, c], a.shape, 'float32'), own.add);
      same(kernels.divide({ op: 'divide', by }, [a], a.shape, 'float32'), own.divide);
      same(kernels.combine({ op: 'combine', sign: '×' }, [a, c], a.shape, 'float32'), own.product);
      same(kernels.combine({ op: 'combine', sign: '÷' }, [a, positive], a.shape, 'float32'), own.quotient);
      same(kernels.exponential({ op: 'exponential' }, [a], a.shape, 'float32'), own.exponential);
      for (const [of, expected] of Object.entries(own.apply)) {
        const from = of === 'root' || of === 'inverse' ? positive : a;
        same(kernels.apply({ op: 'apply', of: of as 'tanh' }, [from], a.shape, 'float32'), expected);
      }
    });

    it('sums in float32 and rounds once: products and softmax', () => {
      const product = kernels.matmul({ op: 'matmul', transposeB: true }, [a, c], [12, 12], 'float32');
      const shares = kernels.softmax({ op: 'softmax', emptyRow: 'nan' }, [a], a.shape, 'float32');
      flat(own.matmul).forEach((x, i) => near(kind, product.data[i] as number, x, 40, `matmul ${i}`));
      flat(own.softmax).forEach((x, i) => near(kind, shares.data[i] as number, x, 0, `softmax ${i}`));
      for (const x of [...product.data, ...shares.data]) assert.equal(roundTo(kind)(x), x);
    });
  });
}

describe('attention in float16 and bfloat16', () => {
  const kindOf = ({ spec }: Case): Half =>
    isHalf(spec.dtype ?? 'float64') ? (spec.dtype as Half) : assert.fail('not half');

  cases.forEach((one, i) => {
    it(`${i}: has the library's numbers in every step`, () => {
      const kind = kindOf(one);
      const trace = run(specOf(one));
      for (const [id, expected] of Object.entries(one.steps)) {
        const found = Array.from(trace.plan.steps.find((step) => step.id === id) ? readAll(trace, id) : []);
        const wanted = flat(expected);
        assert.equal(found.length, wanted.length, id);
        wanted.forEach((x, at) =>
          ['q', 'k', 'v'].includes(id)
            ? assert.equal(found[at], x)
            : near(kind, found[at] as number, x, 16, `${id} ${at}`),
        );
      }
    });

    it(`${i}: has the same bits where nothing is held, and explains each cell`, () => {
      const spec = specOf(one);
      const [trace, planned] = [run(spec), planOf(spec)];
      assert.ok(planned.ok);
      const sources = sourceValues(spec, planned.value);
      const deferred = new Set(planned.value.steps.map(({ id }) => id).filter((id) => !sources.has(id)));
      const computed = runReference(spec, planned.value, undefined, deferred);
      assert.ok(computed.ok);
      for (const { id, shape } of planned.value.steps) {
        const found = readAll(trace, id);
        indices(shape).forEach((index, at) => {
          assert.ok(Object.is(computed.value.value(id, index), found[at]), id);
          assert.equal(explainCell(trace, id, index).value, found[at]);
        });
      }
    });
  });

  it('is in the programs that are exported, in both libraries', function () {
    this.timeout(120_000);
    const python = pythonOrSkip(this, 'numpy', 'torch');
    const drawn = (['float16', 'bfloat16'] as const).map((dtype): AttentionSpec => ({
      ...sentence,
      dtype,
      heads: 2,
      positions: 'rope-half',
      outputProjection: { from: 'random' },
      mask: 'causal',
    }));
    for (const library of ['numpy', 'torch'] as const) {
      const programs = [...cases.map(specOf), ...drawn].map((spec) => {
        const trace = run(spec);
        const { code, variables } = programOf(spec, trace.plan, library);
        const values = trace.plan.steps
          .filter(({ kind }) => kind !== 'mask')
          .map(({ id }) => [variables.get(id), readAll(trace, id)] as const);
        return { code, values: Object.fromEntries(values), unit: unitOf[spec.dtype] };
      });
      const checks =
        'import json, sys, contextlib, io\nimport numpy\nfor one in json.load(sys.stdin):\n    room = {}\n    with contextlib.redirect_stdout(io.StringIO()): exec(one["code"], room)\n    for name, values in one["values"].items(): numpy.testing.assert_allclose(numpy.asarray(room[name], dtype=float).ravel(), numpy.array(values, dtype=float), rtol=4 * one["unit"], atol=8 * one["unit"], err_msg=name)\nprint("same")';
      const input = JSON.stringify(programs, (_, x: unknown) => (x === -Infinity ? '-inf' : x));
      assert.equal(
        execFileSync(python, ['-c', checks], { input, encoding: 'utf8', maxBuffer: 1 << 26 }).trim(),
        'same',
        library,
      );
    }
  });

  it('has −∞ where a fill is beyond float16', () => {
    const trace = run({ ...sentence, dtype: 'float16', mask: 'causal', maskFill: -1e9 });
    assert.equal(trace.value('masked', [0, 1]), -Infinity);
    assert.match(trace.plan.steps.find(({ id }) => id === 'masked')?.formula.plain ?? '', /-\\infty/);
  });

  it('does not round ids', () => {
    const trace = run({ ...sentence, dtype: 'bfloat16', start: { from: 'ids', ids: [513, 1027, 50_001] } });
    for (const [i, { id }] of trace.plan.tokens.entries()) assert.equal(trace.value('tokens', [i, 0]), id);
  });

  it('is refused where the steps of a program stand', () => {
    const found = validateSpec({
      ...matrixDefaults,
      dtype: 'bfloat16',
      start: { from: 'program', steps: [], tokens: { queries: 1, keys: 1 }, dtype: 'float32' },
    });
    assert.ok(!found.ok);
    assert.ok(
      found.problems.some(({ path, message }) => path === 'dtype' && /dtype is bfloat16/.test(message)),
      JSON.stringify(found.problems),
    );
  });
});

const indices = (shape: readonly number[]): number[][] =>
  shape.reduce<number[][]>(
    (all, size) => all.flatMap((one) => Array.from({ length: size }, (_, i) => [...one, i])),
    [[]],
  );
const readAll = (trace: ReturnType<typeof run>, id: string): number[] =>
  indices(trace.plan.steps.find((step) => step.id === id)?.shape ?? []).map((index) => trace.value(id, index));
