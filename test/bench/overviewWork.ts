import { wasmKernels } from '../../engine/run/backend/wasm';
import { planOf, runReference, textDefaults, type AttentionSpec, type AttentionTrace } from '../../engine/index';
import { deferredSteps } from '../../engine/run/large/deferred';
import { createOverview } from '../../engine/run/large/overview';
import type { Overview, OverviewHelper } from '../../engine/run/large/overview-types';
import type { Tensor } from '../../engine/math/tensor';
import { difference } from './check';

/** The overview of a causal attention over n tokens with heads of width d. Each run computes it again. */
export interface OverviewWork {
  /** Computes the whole overview. A `helper` takes over some of the stripes from the start. */
  run(helper: OverviewHelper | undefined, turn: () => Promise<void>): Promise<Overview>;
  /** Compares some cells of the output with float64 values. */
  check(found: Overview): string | undefined;
}

export function overviewWork(n: number, d: number): OverviewWork {
  const text = Array.from({ length: n }, (_, i) => `w${i % 50}`).join(' ');
  const spec: AttentionSpec = {
    ...textDefaults,
    mask: 'causal',
    start: { from: 'text', text, tokenizer: 'words' },
    dModel: d,
    projections: { from: 'random', dK: d, dV: d },
  };
  const plan = planOf(spec);
  const trace = plan.ok ? runReference(spec, plan.value) : plan;
  if (!plan.ok || !trace.ok) throw new Error('the overview’s input is refused');
  const deferred = deferredSteps(plan.value);
  const held = heldIn(trace.value, deferred);
  const output = plan.value.steps.find(({ role }) => role === 'output');
  return {
    async run(helper, turn) {
      const overview = createOverview(plan.value, deferred, held, wasmKernels());
      overview.share(() => helper);
      while (!overview.advance()) await turn();
      return overview;
    },
    check(found) {
      if (!output || found.done() !== found.total) return 'an overview that is not finished';
      const rows = [0, n >> 2, n - 1];
      const cells = rows.flatMap((row) => Array.from(found.fine(output, [], { rows: [row, row + 1] })?.min ?? []));
      const expected = rows.flatMap((row) => Array.from(trace.value.read(output.id, { rows: [row, row + 1] }).min));
      return difference(cells, Float64Array.from(expected), () => 1e-4);
    },
  };
}

function heldIn({ plan, read }: AttentionTrace, deferred: ReadonlySet<string>): ReadonlyMap<string, Tensor> {
  const steps = plan.steps.filter(({ id }) => !deferred.has(id));
  return new Map(
    steps.map(({ id, shape }) => [id, { dtype: 'float64', shape, data: Float64Array.from(read(id).min) }]),
  );
}
