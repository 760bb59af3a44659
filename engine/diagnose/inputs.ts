import { fail, ok, t, type Result } from '../text';
import type { AttentionSpec } from '../spec';
import { planOf, type Step } from '../plan';
import { heldLimit, overBudget, runReference, valuesOf } from '../run';
import { rowsOf, type Matrix } from './matrices';
import { walker, type Inputs } from './walk';

const limit = 4096;

/** What the walk needs of a spec. A Problem where the spec has something that the walk does not compute to the same numbers. */
export function inputsOf(spec: AttentionSpec): Result<Inputs> {
  const plan = planOf(spec);
  if (!plan.ok) return plan;
  const large = overBudget(plan.value, spec.dtype);
  if (large) return fail(large);
  const { steps } = plan.value;
  if (steps.some(({ shape }) => shape.reduce((a, b) => a * b, 1) > limit * 16) || plan.value.bytes > heldLimit)
    return fail({ code: 'too-large', message: t('this attention is too large to be checked') });
  const trace = runReference(spec, plan.value);
  if (!trace.ok) return trace;
  const matrix = (id: string): Matrix | undefined => {
    const step = steps.find((s) => s.id === id);
    return step && rowsOf(valuesOf(trace.value, step), step.shape.at(-1) ?? 1);
  };
  const inputs = gather(spec, matrix);
  const last = steps.at(-1);
  const end: Matrix = last ? (matrix(last.id) ?? []) : [];
  return inputs && last && agrees(inputs, last, end) ? ok(inputs) : fail(notFollowed());
}

const notFollowed = () => ({
  code: 'not-followed',
  message: t('mistakes are not computed for this attention: it has a step that the check does not know'),
});

function gather(spec: AttentionSpec, matrix: (id: string) => Matrix | undefined): Inputs | undefined {
  const [q, k, v, x, wq, wk, wv, wo] = ['q', 'k', 'v', 'x', 'wq', 'wk', 'wv', 'wo'].map(matrix);
  if (!q || !k || !v || spec.convention !== 'XW') return undefined;
  const bias = (id: string) => {
    const row = matrix(id)?.[0];
    return row ? { bias: row } : {};
  };
  const hidden = matrix('mask');
  const bo = matrix('bo')?.[0];
  return {
    q, k, v,
    heads: spec.heads,
    ...(hidden ? { hidden } : {}),
    ...(x && wq && wk && wv
      ? { x, w: { q: { weight: wq, ...bias('bq') }, k: { weight: wk, ...bias('bk') }, v: { weight: wv, ...bias('bv') } } }
      : {}),
    ...(wo ? { wo } : {}),
    ...(bo ? { bo } : {}),
  }; // prettier-ignore
}

/** Whether the walk without a mistake is the engine's own computation, up to the order of rounding. */
function agrees(inputs: Inputs, last: Step, right: Matrix): boolean {
  const [mine = []] = walker(inputs)({}, 'out')?.now ?? [];
  const [a, b] = [mine.flat(), right.flat()];
  return last.id === 'output' && a.length === b.length && a.every((x, i) => isNear(x, b[i] ?? NaN));
}

const isNear = (a: number, b: number): boolean =>
  Object.is(a, b) || Math.abs(a - b) <= 1e-12 * Math.max(1, Math.abs(b));
