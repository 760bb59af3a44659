import { isSource, type CallOf } from '../../plan/operations';
import type { Plan, Step } from '../../plan/plan';

/** The road from q·kᵀ to weights·v where one kernel can go all of it: what is computed on the way, and from what. */
export interface Road {
  readonly q: Step;
  readonly k: Step;
  readonly v: Step;
  readonly output: Step;
  readonly weights: Step;
  /** The scores are multiplied by it. */
  readonly scale: number;
  readonly mask: CallOf<'patternMask'>;
  readonly hasMask: boolean;
  /** Steps that are scores before the mask, each with its factor to the scaled scores; and those after it. */
  readonly open: readonly { readonly step: Step; readonly factor: number }[];
  readonly masked: readonly Step[];
}

/** A road with linear biases (ALiBi) on it. */
export interface TiltedRoad extends Road {
  readonly bias: Step;
}

/**
 * The road of a plan whose scores are only divided by positive numbers and hidden by a rule (with −∞) before the softmax. Undefined for
 * every other: biases, caps, masks that are given, finite fills, rows that become 0.
 */
export function roadOf(plan: Plan, deferred: ReadonlySet<string>): Road | undefined {
  const road = anyRoadOf(plan, deferred);
  return road && 'bias' in road ? undefined : road;
}

/** The same of a plan that adds linear biases to the scores once they are divided. One kernel goes it; what it pools are no pictures of the steps. */
export function tiltedRoadOf(plan: Plan, deferred: ReadonlySet<string>): TiltedRoad | undefined {
  const road = anyRoadOf(plan, deferred);
  return road && 'bias' in road ? road : undefined;
}

function anyRoadOf(plan: Plan, deferred: ReadonlySet<string>): Road | TiltedRoad | undefined {
  const stepOf = (id: string | undefined): Step | undefined => plan.steps.find((s) => s.id === id);
  const weights = plan.steps.find(({ call }) => !isSource(call) && call.op === 'softmax' && call.emptyRow === 'nan');
  const output = plan.steps.find(({ call, operands }) => call.op === 'matmul' && operands[0] === weights?.id);
  const back = weights && walkBack(stepOf, stepOf(weights.operands[0]));
  const [q, k, v] = [stepOf(back?.scores.operands[0]), stepOf(back?.scores.operands[1]), stepOf(output?.operands[1])];
  if (!weights || !output || !back || !q || !k || !v || !deferred.has(weights.id) || !deferred.has(back.scores.id))
    return;
  return { q, k, v, output, weights, ...back };
}

type Walked = Pick<Road, 'scale' | 'mask' | 'hasMask' | 'open' | 'masked'> & {
  readonly scores: Step;
  readonly bias?: Step;
};

const everything: CallOf<'patternMask'> = { op: 'patternMask', after: Infinity, before: Infinity, visible: Infinity };

/** From what the softmax takes back to the scores. */
function walkBack(stepOf: (id: string | undefined) => Step | undefined, last: Step | undefined): Walked | undefined {
  const [masked, open]: [Step[], { step: Step; factor: number }[]] = [[], []];
  let [mask, hasMask, divided]: [CallOf<'patternMask'>, boolean, number] = [everything, false, 1];
  let bias: Step | undefined;
  for (let step = last; step; step = stepOf(step.operands[0])) {
    const { call, operands } = step;
    if (call.op === 'mask' && call.fill === -Infinity && !hasMask) {
      const rule = stepOf(operands[1])?.call;
      // The last query can be aligned with an earlier key than its own: the kernel counts from 0.
      if (rule?.op !== 'patternMask' || rule.after < 0 || divided !== 1) return;
      masked.push(step, ...open.splice(0).map((one) => one.step));
      [mask, hasMask] = [rule, true];
    } else if (call.op === 'add' && !bias && divided === 1) {
      bias = stepOf(operands[1]);
      if (bias?.call.op !== 'alibi') return;
      open.push({ step, factor: 1 });
    } else if (call.op === 'identity') open.push({ step, factor: divided });
    else if (call.op === 'divide' && call.by > 0 && Number.isFinite(call.by)) {
      open.push({ step, factor: divided });
      divided *= call.by;
    } else if (call.op === 'matmul' && call.transposeB) {
      open.push({ step, factor: divided });
      return { scores: step, scale: 1 / divided, mask, hasMask, open, masked, ...(bias && { bias }) };
    } else return;
  }
  return undefined;
}
