import assert from 'node:assert/strict';
import { wasmKernels } from '../../engine/run/backend/wasm/index';
import { planOf, runReference, textDefaults, type AttentionSpec, type Plan, type Step } from '../../engine/index';
import { fusedRunner, copyResult } from '../../engine/run/large/fused-kernel';
import { deferredSteps } from '../../engine/run/large/deferred';
import { createOverview } from '../../engine/run/large/overview';
import type { Overview, OverviewHelper } from '../../engine/run/large/overview-types';
import type { FusedChunk } from '../../engine/run/large/fused-chunk';
import { createScheduler, type ChunkScheduler } from '../../engine/run/large/scheduler';
import { leadingIndices } from '../../engine/run/large/overview-context';
import type { Tensor } from '../../engine/math/tensor';

// Stripes of an overview that two compute are, bit for bit, those that one computes, whoever is faster, and when one is lost.

const n = 800;
const long = (more: Partial<AttentionSpec> = {}): AttentionSpec => ({
  ...textDefaults,
  mask: 'causal',
  start: { from: 'text', text: Array.from({ length: n }, (_, i) => `w${i % 50}`).join(' '), tokenizer: 'words' },
  ...more,
});

interface Large {
  readonly plan: Plan;
  readonly held: ReadonlyMap<string, Tensor>;
  readonly deferred: ReadonlySet<string>;
}

function largeOf(spec: AttentionSpec): Large {
  const plan = planOf(spec);
  assert.ok(plan.ok);
  const deferred = deferredSteps(plan.value, 0);
  const trace = runReference(spec, plan.value, undefined, new Set());
  assert.ok(trace.ok);
  const held = plan.value.steps
    .filter(({ id }) => !deferred.has(id))
    .map(({ id, shape }) => [id, tensorOf(shape, (at) => trace.value.value(id, at))] as const);
  return { plan: plan.value, deferred, held: new Map(held) };
}

function tensorOf(shape: readonly number[], value: (at: readonly number[]) => number): Tensor {
  const [rows = 1, columns = 1] = shape.slice(-2);
  const cells = leadingIndices(shape).flatMap((lead) =>
    Array.from({ length: rows * columns }, (_, i) => value([...lead, Math.floor(i / columns), i % columns])),
  );
  return { dtype: 'float64', shape, data: Float64Array.from(cells) };
}

/** Blocks of 16×16 cells, stripes of 96 rows. */
const overviewOf = ({ plan, deferred, held }: Large): Overview =>
  createOverview(plan, deferred, held, wasmKernels(), { side: 50, stripe: 96 * n });

/** As another thread would: what it is told and what it answers is copied. It answers when `when` says so. */
function otherThread(when: (i: number) => Promise<void>): OverviewHelper & { readonly asked: FusedChunk[] } {
  const [own, asked]: [ReturnType<typeof wasmKernels>, FusedChunk[]] = [wasmKernels(), []];
  let go: ReturnType<typeof fusedRunner> | undefined;
  return {
    asked,
    begin: (work) => void (go = fusedRunner(structuredClone(work), own)),
    async compute(part) {
      asked.push(part);
      await when(asked.length);
      assert.ok(go);
      return structuredClone(copyResult(go(part)));
    },
  };
}

const turn = (): Promise<void> => new Promise((done) => void setImmediate(done));
const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await turn();
};

async function finish(overview: Overview, seen: (done: number) => void = () => undefined): Promise<void> {
  while (!overview.advance()) {
    seen(overview.done());
    await turn();
  }
  seen(overview.done());
}

const stepOf = ({ plan }: Large, id: string): Step => {
  const step = plan.steps.find((s) => s.id === id);
  assert.ok(step, id);
  return step;
};

/** Everything that is drawn, and what stays of each row. */
function same(large: Large, actual: Overview, expected: Overview): number {
  let tiles = 0;
  for (const step of large.plan.steps) {
    if (!large.deferred.has(step.id)) continue;
    for (const lead of leadingIndices(step.shape)) {
      for (const read of ['read', 'fine'] as const) {
        const request = read === 'read' ? { level: 4 } : { level: 2, rows: [160, 240] as const };
        const [mine, theirs] = [actual[read](step, lead, request), expected[read](step, lead, request)];
        assert.deepEqual(mine, theirs, `${read} ${step.id} ${lead.join()}`);
        if (mine) tiles++;
      }
    }
  }
  return tiles;
}

const specs: Readonly<Record<string, AttentionSpec>> = {
  causal: long(),
  'no mask': long({ mask: 'none' }),
  'a window, float32': long({ mask: { kind: 'window', size: 90, causal: true }, dtype: 'float32' }),
  'three heads with an output projection': long({ heads: 3, output: { from: 'random' } } as Partial<AttentionSpec>),
};

const helpers: Readonly<Record<string, (i: number) => Promise<void>>> = {
  'as fast': turn,
  slow: () => turns(5),
  'very slow': () => turns(40),
  'lost at once': () => Promise.reject(new Error('lost')),
  'lost after one part': (i) => (i > 1 ? Promise.reject(new Error('lost')) : turn()),
  'silent for ever': () => new Promise(() => undefined),
};

describe('an overview that is shared with a helper', function () {
  this.timeout(60_000);

  for (const [name, spec] of Object.entries(specs)) {
    it(`${name}: the same bits as by one`, async () => {
      const large = largeOf(spec);
      const [two, one] = [overviewOf(large), overviewOf(large)];
      const helper = otherThread(turn);
      two.share(() => helper);
      await finish(two);
      await finish(one);
      assert.ok(helper.asked.length >= 4, `${helper.asked.length} parts asked for`);
      assert.ok(same(large, two, one) >= 8);
    });
  }

  const large = largeOf(long());
  const one = overviewOf(large);
  for (const [name, when] of Object.entries(helpers)) {
    it(`a helper that is ${name}: the same bits, growing from the top`, async () => {
      await finish(one);
      const [two, helper, grown] = [overviewOf(large), otherThread(when), [] as number[]];
      two.share(() => helper);
      await finish(two, (done) => grown.push(done));
      same(large, two, one);
      assert.deepEqual(
        grown,
        [...grown].sort((a, b) => a - b),
      );
      assert.equal(grown.at(-1), n);
      // Of nine stripes.
      if (name === 'as fast') assert.ok(helper.asked.length >= 3, `${helper.asked.length} parts asked for`);
      else if (name !== 'slow') assert.ok(helper.asked.length <= 3, `${helper.asked.length} parts asked of a lost one`);
    });
  }

  it('reports missing rows while an earlier stripe is still in flight', async () => {
    await finish(one);
    const [two, helper] = [overviewOf(large), otherThread(() => new Promise(() => undefined))];
    const weights = stepOf(large, 'weights');
    two.share(() => helper);
    // The first stripe is this thread's, the next two the helper's, the fourth waits for them.
    two.advance();
    two.advance();
    assert.equal(two.done(), 96);
    const [tile, all] = [two.read(weights, [], { level: 4 }), one.read(weights, [], { level: 4 })];
    assert.ok(tile?.pending && all);
    for (let i = 0; i < tile.min.length; i++) {
      const y = Math.floor(i / tile.width);
      const there: boolean = y < 6;
      assert.equal(tile.pending[i] === 0, there, `block ${i}`);
      assert.ok(Object.is(tile.max[i], there ? all.max[i] : NaN), `block ${i}`);
    }
  });

  it('uses one helper at a time, and none for a few stripes', async () => {
    let started = 0;
    const begin = (): OverviewHelper => {
      started++;
      return otherThread(turn);
    };
    const two = overviewOf(large);
    two.share(begin);
    two.share(begin);
    assert.equal(started, 1);
    const near = createOverview(large.plan, large.deferred, large.held, wasmKernels(), { side: 50, stripe: 320 * n });
    near.share(begin);
    assert.equal(started, 1);
    await finish(near);
    assert.ok(same(large, near, one) > 0);
  });

  it('goes on without a helper where none can be started', async () => {
    await finish(one);
    const alone = overviewOf(large);
    alone.share(() => undefined);
    await finish(alone);
    same(large, alone, one);
  });
});

describe('the chunk scheduler', () => {
  interface Log {
    readonly computed: number[];
    readonly asked: number[];
    readonly taken: [part: number, found: string][];
    readonly answer: Map<number, (found: string) => void>;
    readonly scheduler: ChunkScheduler<string>;
  }

  function schedulerOf(count: number): Log {
    const [computed, asked, taken]: [number[], number[], [number, string][]] = [[], [], []];
    const answer = new Map<number, (found: string) => void>();
    const compute = (part: number): string => `${computed.push(part) && part}`;
    const scheduler = createScheduler({
      count,
      compute,
      copy: (found) => found,
      consume: (...found) => void taken.push(found),
    });
    scheduler.share((part) => new Promise((done) => void (asked.push(part), answer.set(part, done))));
    return { computed, asked, taken, answer, scheduler };
  }

  it('consumes chunks in order, whichever result arrives first', async () => {
    const { scheduler, taken, answer, asked } = schedulerOf(6);
    scheduler.advance();
    assert.deepEqual(asked, [1, 2]);
    answer.get(2)?.('2');
    await turn();
    scheduler.advance();
    answer.get(1)?.('1');
    await turn();
    while (!scheduler.advance()) await turn();
    assert.deepEqual(
      taken,
      Array.from({ length: 6 }, (_, i) => [i, `${i}`]),
    );
  });

  it('computes chunks that the helper owes when nothing else is left, the last first, and ignores their late results', async () => {
    const { scheduler, computed, taken, answer } = schedulerOf(4);
    for (let i = 0; i < 3; i++) assert.equal(scheduler.advance(), false);
    assert.deepEqual(computed, [0, 3, 2]);
    answer.get(2)?.('2 again');
    await turn();
    assert.equal(scheduler.advance(), true);
    answer.get(1)?.('1 again');
    await turn();
    assert.equal(scheduler.advance(), true);
    assert.deepEqual(taken.flat(), [0, '0', 1, '1', 2, '2', 3, '3']);
  });
});
