import assert from 'node:assert/strict';
import {
  explainAttention,
  extremeRows,
  planOf,
  runReference,
  textDefaults,
  type AttentionSpec,
  type AttentionTrace,
  type Step,
} from '../../engine/index';
import { deferredSteps } from '../../engine/run/large/index';

const words = (n: number): string => Array.from({ length: n }, (_, i) => `w${(i * 7) % 41}`).join(' ');
const long = (n: number, more: Partial<AttentionSpec> = {}): AttentionSpec => ({
  ...textDefaults,
  start: { from: 'text', text: words(n), tokenizer: 'words' },
  ...more,
});

const held = (spec: AttentionSpec): AttentionTrace => {
  const result = explainAttention(spec);
  assert.ok(result.ok);
  return result.value;
};

function deferred(spec: AttentionSpec): AttentionTrace {
  const planned = planOf(spec);
  assert.ok(planned.ok);
  const result = runReference(spec, planned.value, undefined, deferredSteps(planned.value, 0));
  assert.ok(result.ok);
  return result.value;
}

const weightsOf = ({ plan }: AttentionTrace): Step => plan.steps.find(({ id }) => id === 'weights') as Step;

/** By the definition (Shannon 1948), from the numbers of a row one by one. */
function entropyOf(trace: AttentionTrace, row: number, lead: readonly number[] = []): number {
  const columns = weightsOf(trace).shape.at(-1) ?? 0;
  return Array.from({ length: columns }, (_, j) => trace.value('weights', [...lead, row, j])).reduce(
    (sum, w) => (w > 0 ? sum - w * Math.log(w) : sum),
    0,
  );
}

function check(trace: AttentionTrace, from: number, lead: readonly number[] = []): void {
  const step = weightsOf(trace);
  const rows = Array.from({ length: (step.shape.at(-2) ?? 0) - from }, (_, i) => i + from);
  const all = rows.map((row) => entropyOf(trace, row, lead));
  const found = extremeRows(trace, step, lead.length ? { head: lead[0] ?? 0 } : {});
  assert.ok(found);
  for (const [{ row, entropy }, want] of [
    [found.highest, Math.max(...all)],
    [found.lowest, Math.min(...all)],
  ] as const) {
    assert.ok(Math.abs(entropy - want) < 1e-12, `row ${row} has ${entropy}, the extreme is ${want}`);
    assert.ok(Math.abs((all[row - from] ?? NaN) - want) < 1e-12, `row ${row}`);
  }
}

describe('the rows of weights that are most and least spread out', function () {
  this.timeout(60_000);

  it('are those of the definition, for 3 and 200 tokens, held and computed when looked at', () => {
    for (const n of [3, 200]) for (const make of [held, deferred]) check(make(long(n)), 0);
  });

  it('leave out a row that sees one key, under causal masks and windows', () => {
    for (const make of [held, deferred]) {
      check(make(long(200, { mask: 'causal' })), 1);
      check(make(long(90, { mask: { kind: 'window', size: 9, causal: true } })), 1);
    }
  });

  it('are found in a head of its own', () => {
    for (const make of [held, deferred]) check(make(long(60, { heads: 2 })), 0, [1]);
  });

  it('are none where no row has a choice', () => {
    assert.equal(extremeRows(held(long(1)), weightsOf(held(long(1)))), undefined);
  });

  it('are found among 20,000, by the exact weights', () => {
    const trace = held(long(20_000, { mask: 'causal' }));
    const found = extremeRows(trace, weightsOf(trace));
    assert.ok(found);
    for (const { row, entropy } of [found.highest, found.lowest])
      assert.ok(Math.abs(entropyOf(trace, row) - entropy) < 1e-9, `row ${row}`);
    // Rows far down see more keys: some of them is more spread out than these, and none of these is wider.
    for (const row of [1, 10, 5000, 19_000]) {
      const there = entropyOf(trace, row);
      assert.ok(there <= found.highest.entropy && there >= found.lowest.entropy, `row ${row} has ${there}`);
    }
  });
});
