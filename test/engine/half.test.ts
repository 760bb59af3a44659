import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
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
import { largestOf, unitOf, type Tensor } from '../../engine/math';
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
interface Every {
  readonly same: Readonly<Record<string, string>>;
  readonly near: Readonly<Record<'gelu' | 'geluTanh', string>>;
}
const { operations, every, cases } = fixture<{
  operations: Readonly<Record<Half, Operations>>;
  every: Readonly<Record<Half, Every>>;
  cases: readonly Case[];
}>('half.json');
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
      // NumPy rounds a number beside float16 to float16; PyTorch 2 keeps it in float32 beside bfloat16.
      const by = kind === 'float16' ? roundTo(kind)(own.divideBy) : own.divideBy;
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

    it(`divides by √d_k as ${library} does`, () => {
      const trace = run({ ...matrixDefaults, dtype: kind, start: { from: 'scores', scores: own.a, dK: 10 } });
      assert.deepEqual(readAll(trace, 'scaled'), flat(own.divide));
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

/** All finite numbers of a precision, in the order of their bits. */
function everyNumber(kind: Half): Float32Array<ArrayBuffer> {
  const bits = new Uint32Array(1);
  const single = new Float32Array(bits.buffer);
  const found: number[] = [];
  for (let i = 0; i < 65_536; i++) {
    const [exponent, fraction, sign] = [(i >> 10) & 31, i & 1023, i >> 15 ? -1 : 1];
    bits[0] = i << 16;
    const half = exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24;
    const x = kind === 'bfloat16' ? (single[0] as number) : exponent === 31 ? Infinity : sign * half;
    if (Number.isFinite(x)) found.push(x);
  }
  return Float32Array.from(found);
}

/** The bits of a number that a precision has; 0xffff for NaN. */
function bitsOf(kind: Half, x: number): number {
  if (Number.isNaN(x)) return 0xffff;
  if (kind === 'bfloat16') return (new Uint32Array(Float32Array.of(x).buffer)[0] ?? 0) >>> 16;
  const sign = x < 0 || Object.is(x, -0) ? 0x8000 : 0;
  const size = Math.abs(x);
  if (size === Infinity) return sign | 0x7c00;
  const exponent = size < 2 ** -14 ? -14 : Math.floor(Math.log2(size));
  const fraction = size / 2 ** (exponent - 10);
  return sign | (fraction < 1024 ? fraction : ((exponent + 15) << 10) | (fraction - 1024));
}

describe('every number of float16 and bfloat16, by PyTorch 2', () => {
  const calls = {
    ...Object.fromEntries(
      (['silu', 'sigmoid', 'tanh', 'inverseRoot', 'elu1', 'gelu', 'geluTanh'] as const).map((of) => [
        of,
        { op: 'apply', of },
      ]),
    ),
    exp: { op: 'exponential' },
    'cap 50': { op: 'softcap', cap: 50 },
    'cap 0.7': { op: 'softcap', cap: 0.7 },
    'bias -1.5': { op: 'sigmoid', bias: -1.5 },
    divide: { op: 'divide', by: Math.sqrt(10) },
    scale: { op: 'scale', by: 0.1 },
  } as const;
  type Call = (typeof calls)[keyof typeof calls] | { readonly op: 'apply'; readonly of: 'silu' };

  for (const kind of ['float16', 'bfloat16'] as const) {
    const x = everyNumber(kind);
    const made = (name: string): Uint16Array => {
      const call = (calls as Readonly<Record<string, Call>>)[name] ?? assert.fail(name);
      const kernel = referenceKernelsIn(kind)[call.op] as (
        call: Call,
        operands: readonly Tensor[],
        shape: readonly number[],
        dtype: 'float32',
      ) => Tensor;
      return Uint16Array.from(kernel(call, [tensor('float32', [1, x.length], x)], [1, x.length], 'float32').data, (y) =>
        bitsOf(kind, y),
      );
    };

    for (const [name, hash] of Object.entries(every[kind].same))
      it(`${kind}: ${name} has PyTorch’s bits at all ${x.length} numbers`, () =>
        assert.equal(createHash('sha256').update(made(name)).digest('hex'), hash));

    // PyTorch's vectorised erf is within 1.5e-7 (Abramowitz and Stegun 7.1.26), ours exact; where 1 + erf(x) cancels, below -2.5, more than the last place depends on it.
    for (const [name, most] of [
      ['gelu', 1e-2],
      ['geluTanh', 5e-4],
    ] as const)
      it(`${kind}: ${name} differs in ${100 * most} % of them at most, by one last place; below −2.5 by 2e-6 and a rounding`, () => {
        const packed = gunzipSync(Buffer.from(every[kind].near[name], 'base64'));
        const [found, expected] = [
          made(name),
          new Uint16Array(packed.buffer.slice(packed.byteOffset, packed.byteOffset + packed.length)),
        ];
        let differ = 0;
        let tail = 0;
        x.forEach((from, i) => {
          const [a = 0, b = 0] = [found[i], ((expected[i] ?? 0) + bitsOf(kind, from)) & 0xffff];
          // oneDNN, which computes GELU in bfloat16 where the processor does, has 0 for numbers below the normal ones, and ∞ for the two largest powers of 2.
          if (a === b || (kind === 'bfloat16' && (Math.abs(from) < 2 ** -125 || from >= 2 ** 127))) return;
          differ++;
          if (from > -2.5) assert.equal(Math.abs(a - b), 1, `${from}: ${a}, PyTorch has ${b}`);
          else tail = Math.max(tail, Math.abs(numberOf(kind, a) - numberOf(kind, b)));
        });
        console.log(`      ${differ} of ${x.length}, ${tail} below −2.5`);
        assert.ok(differ <= most * x.length, String(differ));
        assert.ok(tail <= 2e-6 + 2 ** -6 * unitOf[kind], String(tail));
      });
  }
});

/** The number that bits are. */
function numberOf(kind: Half, bits: number): number {
  const all = everyBits(kind);
  return all.get(bits) ?? NaN;
}
const known = new Map<Half, ReadonlyMap<number, number>>();
function everyBits(kind: Half): ReadonlyMap<number, number> {
  const found = known.get(kind) ?? new Map(Array.from(everyNumber(kind), (x) => [bitsOf(kind, x), x] as const));
  known.set(kind, found);
  return found;
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
