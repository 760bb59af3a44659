/** A loop that computes one query at a time, as one attention: what the text's matrices and names come to, where it agrees with the loop. */
import { specFromTextPaced } from './assemble';
import { planOf } from '../plan';
import { runReferencePaced, valuesOf } from '../run';
import type { AttentionSpec } from '../spec';
import type { Paced } from '../text';

/** What a text that does not say so may leave out: its loop decides. */
const switches: readonly Partial<Pick<AttentionSpec, 'scale' | 'mask'>>[] = [
  {},
  { scale: 'none' },
  { mask: 'none' },
  { scale: 'none', mask: 'none' },
];

/** Undefined where the text is read otherwise, or where the weights of the loop's last query are never its last row. */
export function* wholeOfLoop(text: string, last: AttentionSpec, queries: number): Paced<AttentionSpec | undefined> {
  const read = yield* specFromTextPaced(text);
  if (!read.ok || read.value.spec.start.from === 'text' || read.value.spec.start.from === 'program') return undefined;
  const one = yield* weightsOf(last);
  for (const other of switches) {
    const spec = { ...read.value.spec, ...other };
    const all = yield* weightsOf(spec);
    if (!one || !all || all.length !== one.length * queries) return undefined;
    if (all.slice(-one.length).every((x, i) => Math.abs(x - (one[i] ?? NaN)) < 1e-9)) return spec;
  }
  return undefined;
}

function* weightsOf(spec: AttentionSpec): Paced<Float64Array | undefined> {
  const plan = planOf(spec);
  const trace = plan.ok ? yield* runReferencePaced(spec, plan.value) : undefined;
  const step = trace?.ok ? trace.value.plan.steps.find(({ id }) => id === 'weights') : undefined;
  return trace?.ok && step ? valuesOf(trace.value, step) : undefined;
}
