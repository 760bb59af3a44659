import assert from 'node:assert/strict';
import {
  wasmKernels,
  supportedBuilds,
  type Build,
  type WasmKernels as WasmKernels,
} from '../../engine/run/backend/wasm/index';
import { runWasm, wasmOperations } from '../../engine/run/backend/wasm/run';
import {
  compareWithTrace,
  operations,
  planOf,
  runReference,
  sourceValues,
  type BackendCall,
  type Kernels,
  type OperationName,
  type Tensor,
} from '../../engine/index';
import { casesOf, type Case } from './webgpu-cases';
import { compareCase, reference } from './webgpu-parity';
import { checkSteps, planSpecs } from './webgpu-plans';

// The backend against the fixed-order reference in float32, operation by operation: |error| ≤ c·k·ε·Σ|terms|, as webgpu-parity.ts states it.

type Run = (call: BackendCall, operands: readonly Tensor[], shape: readonly number[], dtype: 'float32') => Tensor;

function result(all: Kernels, call: BackendCall, operands: readonly Tensor[]): Tensor {
  const shapes = operands.map((t) => t.shape);
  return (all[call.op] as Run)(call, operands, operations[call.op].shape(call as never, shapes), 'float32');
}

function check(all: Kernels, { name, call, operands, prelude = [] }: Case): number {
  const [first, ...others] = operands;
  assert.ok(first);
  const passed = prelude.reduce((t, step) => result(all, step.call, [t, ...step.more]), first);
  const given = [passed, ...others];
  const { failure, values } = compareCase(
    call,
    given,
    reference(call, given),
    result(all, call, given).data as Float32Array,
  );
  assert.equal(failure, undefined, name);
  return values;
}

function stream(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 0x100000000;
  };
}

// Nothing near the end of float32: whether a sum overflows on its way depends on the order.
const odd = [NaN, Infinity, -Infinity, -0, 0, 1e-40, -1e-45, 1e15];
const sizes = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 23];

/** A matrix or a batch of them, one value in `every` odd (0: none). */
function given(next: () => number, shape: readonly number[], every: number): Tensor {
  const length = shape.reduce((a, b) => a * b, 1);
  const value = (): number =>
    every && next() * every < 1 ? (odd[Math.floor(next() * odd.length)] ?? 0) : 4 * next() - 2;
  return { dtype: 'float32', shape, data: Float32Array.from({ length }, value) };
}

/** 800 calls: products (one b for all, a b each, transposed or not), softmax of both kinds, masks. */
function fuzzed(): Case[] {
  const next = stream(7);
  const size = (): number => sizes[Math.floor(next() * sizes.length)] ?? 1;
  return Array.from({ length: 200 }, (_, i) => {
    const [n, k, m, heads] = [size(), next() < 0.1 ? 513 + size() : size(), size(), 1 + Math.floor(next() * 3)];
    const [transposeB, every] = [next() < 0.5, [0, 40, 4][i % 3] ?? 0];
    const right = transposeB ? [m, k] : [k, m];
    const b = given(next, next() < 0.5 ? right : [heads, ...right], every);
    const x = given(next, [heads, n, next() < 0.1 ? 1031 : m], every);
    const hidden = { ...given(next, [n, x.shape[2] ?? 0], 0) };
    const mask = { ...hidden, data: hidden.data.map((y) => (y > 0 ? 1 : 0)) };
    const emptyRow = next() < 0.5 ? ('nan' as const) : ('zero' as const);
    const fill = next() < 0.5 ? -Infinity : -1e9;
    return [
      { name: `${i}`, call: { op: 'matmul', transposeB }, operands: [given(next, [heads, n, k], every), b] },
      { name: `${i}`, call: { op: 'softmax', emptyRow }, operands: [x] },
      { name: `${i}`, call: { op: 'mask', fill }, operands: [x, mask] },
      {
        name: `${i}, masked`,
        call: { op: 'softmax', emptyRow },
        operands: [x],
        prelude: [{ call: { op: 'mask', fill }, more: [mask] }],
      },
    ] as const satisfies readonly Case[];
  }).flat();
}

for (const build of supportedBuilds()) {
  describe(`wasm backend, ${build}`, () => {
    const own = kernelsOf(build);
    const all = wasmOperations(own);
    for (const op of Object.keys(operations) as OperationName[]) {
      it(`${op} like the reference`, () => {
        const cases = casesOf[op]().filter((c) => c.call.op === op);
        assert.ok(cases.length > 0, 'no case');
        assert.ok(cases.reduce((sum, c) => sum + check(all, c), 0) > 0, 'no value');
      });
    }

    it('800 calls of all shapes, with NaN, infinities, −0 and subnormals', () => {
      const compared = fuzzed().reduce((sum, c) => sum + check(all, c), 0);
      assert.ok(compared > 100_000, `${compared} values`);
    });

    for (const [name, spec] of Object.entries(planSpecs)) {
      it(`${name}: every step from the plan’s own operands, the whole near the trace`, () => {
        const plan = planOf(spec);
        assert.ok(plan.ok);
        const sources = sourceValues(spec, plan.value);
        const [ran, trace] = [runWasm(plan.value, sources, own), runReference(spec, plan.value)];
        assert.ok(ran.ok && trace.ok);
        assert.deepEqual(checkSteps(plan.value, sources, ran.value).failures, []);
        const { value, step } = compareWithTrace(plan.value, trace.value, ran.value);
        assert.ok(value < 1e-5, `${value} in ${step}`);
      });
    }
  });
}

function kernelsOf(build: Build): WasmKernels {
  const own = wasmKernels(build);
  assert.ok(own, `${build} validates and does not start`);
  return own;
}

describe('wasm run', () => {
  const spec = planSpecs['text, 60 tokens'];
  assert.ok(spec);
  const plan = planOf(spec);
  assert.ok(plan.ok);
  const sources = sourceValues(spec, plan.value);

  it('calls onStep for each step, and returns every step but the sources', () => {
    const told: string[] = [];
    const ran = runWasm(plan.value, sources, wasmKernels(), ({ id }, done) => told.push(`${id} ${done}`));
    assert.ok(ran.ok);
    assert.deepEqual(
      told,
      plan.value.steps.map(({ id }, i) => `${id} ${i + 1}`),
    );
    assert.deepEqual(
      [...ran.value.keys()],
      plan.value.steps.filter(({ id }) => !sources.has(id)).map(({ id }) => id),
    );
  });

  it('gives a problem, not an exception, when memory runs out', () => {
    const full = (): never => {
      throw new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded');
    };
    const ran = runWasm(plan.value, sources, { ...wasmKernels(), matmul: full });
    assert.ok(!ran.ok);
    assert.equal(ran.problems[0]?.code, 'out-of-memory');
    assert.match(ran.problems[0].message, /60 tokens: .*Maximum memory/);
  });
});
