import { planOf, runReference, type AttentionSpec } from '../../engine/index';
import { isSmall, type Remote } from '../compute';
import { readNext, type NextTokens } from './read';

/** What comes next with all heads as they were trained, for a spec in which some are changed. Undefined where it cannot be computed. */
export async function nextWithAllHeads(
  changed: AttentionSpec,
  startWorker: () => Remote,
): Promise<NextTokens | undefined> {
  const { headChanges: _, ...spec } = changed;
  const planned = planOf(spec);
  if (!planned.ok) return undefined;
  const plan = planned.value;
  if (isSmall(plan)) {
    const run = runReference(spec, plan);
    return run.ok ? readNext({ plan, read: async (step, request) => run.value.read(step, request) }) : undefined;
  }
  const worker = startWorker();
  try {
    const computed = await worker.compute(spec);
    return computed.ok ? await readNext({ plan, read: worker.read }) : undefined;
  } finally {
    worker.stop();
  }
}
