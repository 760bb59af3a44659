import assert from 'node:assert/strict';
import { kernels, supportedBuilds } from '../../engine/backend/wasm/index';
import {
  computeRows,
  roomsFor,
  isShared,
  rowSteps,
  runWasmShared,
  shareRows,
  workOf,
  type Helper,
  type RowSpan,
  type RowValues,
  type RowWork,
} from '../../engine/backend/wasm/rows';
import { computeSteps, runWasm } from '../../engine/backend/wasm/run';
import { planOf, sourceValues, type AttentionSpec, type Plan, type Tensor } from '../../engine/index';
import { planSpecs } from './webgpu-plans';

// Rows that two compute are, bit for bit, those that one computes, whoever is faster, and when one is lost.

interface Planned {
  readonly plan: Plan;
  readonly sources: ReadonlyMap<string, Tensor>;
}

function planned(spec: AttentionSpec): Planned {
  const plan = planOf(spec);
  assert.ok(plan.ok);
  return { plan: plan.value, sources: sourceValues(spec, plan.value) };
}

const bits = ({ buffer, byteOffset, length }: Float32Array): Int32Array =>
  new Int32Array(buffer as ArrayBuffer, byteOffset, length);

function same(actual: ReadonlyMap<string, Float32Array>, expected: ReadonlyMap<string, Float32Array>): void {
  assert.deepEqual([...actual.keys()].sort(), [...expected.keys()].sort());
  for (const [id, values] of expected) {
    const other = actual.get(id);
    assert.ok(other && Buffer.compare(Buffer.from(bits(values)), Buffer.from(bits(other))) === 0, id);
  }
}

/** As another thread would: what it is told and what it answers is copied. It answers when `when` says so. */
function otherThread(
  when: (i: number) => Promise<void>,
): Helper & { readonly asked: RowSpan[]; readonly spares: RowValues[] } {
  const [own, asked]: [ReturnType<typeof kernels>, RowSpan[]] = [kernels(), []];
  const spares: RowValues[] = [];
  let work: RowWork | undefined;
  return {
    asked,
    spares,
    begin: (given) => void (work = structuredClone(given)),
    async rows(range, spare) {
      asked.push(range);
      // What is used again has other numbers in it.
      for (const values of spare?.values() ?? []) values.fill(NaN);
      if (spare) spares.push(spare);
      await when(asked.length);
      assert.ok(work);
      return structuredClone(computeRows(work, own, range, roomsFor(work, range, spare)));
    },
  };
}

const turn = (): Promise<void> => new Promise((done) => void setImmediate(done));
const helpers: Readonly<Record<string, (i: number) => Promise<void>>> = {
  'as fast': turn,
  slow: async () => {
    for (let i = 0; i < 5; i++) await turn();
  },
  'lost at once': () => Promise.reject(new Error('lost')),
  'lost after one part': (i) => (i > 1 ? Promise.reject(new Error('lost')) : turn()),
  'silent for ever': () => new Promise(() => undefined),
};

describe('rows shared by two workers', () => {
  for (const [name, spec] of Object.entries(planSpecs)) {
    it(`${name}: the same bits as by one`, async () => {
      const { plan, sources } = planned(spec);
      const steps = rowSteps(plan);
      assert.ok(steps.length >= 3, 'no rows to share');
      for (const build of supportedBuilds()) {
        const own = kernels(build);
        assert.ok(own);
        const alone = runWasm(plan, sources, own);
        assert.ok(alone.ok);
        const before = plan.steps.filter((step) => !steps.includes(step));
        const work = workOf(steps, computeSteps(before, sources, own));
        // Parts that are no whole tiles, and a last one that is shorter.
        const rows = await shareRows(work, own, undefined, turn, 5);
        same(rows, new Map(steps.map(({ id }) => [id, alone.value.get(id) as Float32Array])));
      }
    });
  }

  const spec = planSpecs['text, 60 tokens'];
  assert.ok(spec);
  const { plan, sources } = planned(spec);
  const alone = runWasm(plan, sources, kernels());
  assert.ok(alone.ok);
  const steps = rowSteps(plan);
  const before = computeSteps(
    plan.steps.filter((step) => !steps.includes(step)),
    sources,
    kernels(),
  );
  for (const [name, when] of Object.entries(helpers)) {
    it(`a helper that is ${name}`, async () => {
      const helper = otherThread(when);
      const rows = await shareRows(workOf(steps, before), kernels(), helper, turn, 6);
      same(rows, new Map(steps.map(({ id }) => [id, alone.value.get(id) as Float32Array])));
      assert.deepEqual(helper.asked[0], [54, 60]);
      if (name === 'as fast') {
        assert.ok(helper.asked.length >= 3, `${helper.asked.length} parts asked for`);
        assert.ok(helper.spares.length >= 1, 'no memory given back');
      }
      if (name !== 'as fast' && name !== 'slow')
        assert.ok(helper.asked.length <= 3, `${helper.asked.length} parts asked of a lost one`);
    });
  }

  it('asks a helper from 1,024 rows on', async () => {
    const at = (n: number): Planned =>
      planned({
        ...spec,
        start: { from: 'text', tokenizer: 'words', text: `w${' w'.repeat(n - 1)}` },
      } as AttentionSpec);
    assert.ok(!isShared(at(1023).plan));
    const large = at(1024);
    assert.ok(isShared(large.plan));
    const helper = otherThread(turn);
    const shared = await runWasmShared(large.plan, large.sources, kernels(), helper, turn);
    const one = runWasm(large.plan, large.sources, kernels());
    assert.ok(shared.ok && one.ok);
    same(shared.value, one.value);
    assert.ok(helper.asked.length > 2);
  });

  it('is a problem, not an exception, where memory ends', async () => {
    const { plan: large, sources: given } = planned({
      ...spec,
      start: { from: 'text', tokenizer: 'words', text: `w${' w'.repeat(1023)}` },
    } as AttentionSpec);
    const full = (): never => {
      throw new RangeError('Maximum memory size exceeded');
    };
    const ran = await runWasmShared(large, given, { ...kernels(), softmax: full }, otherThread(turn), turn);
    assert.ok(!ran.ok);
    assert.equal(ran.problems[0]?.code, 'out-of-memory');
  });
});
