import { isSource, type CallOf, type Plan, type Step } from '../../plan';

/** The steps from q·kᵀ to weights·v of a plan, where one kernel can compute all of them (as FlashAttention does). */
export interface FusedPath {
  readonly q: Step;
  readonly k: Step;
  readonly v: Step;
  readonly output: Step;
  readonly weights: Step;
  /** Factor from q·kᵀ to the scaled scores. */
  readonly scale: number;
  readonly mask: CallOf<'patternMask'>;
  readonly hasMask: boolean;
  /** The steps before the mask. The values of each are the scaled scores times its `factor`. `masked`: the steps from the mask on. */
  readonly unmasked: readonly { readonly step: Step; readonly factor: number }[];
  readonly masked: readonly Step[];
}

/** A path on which linear biases (ALiBi) are added to the scores. */
export interface AlibiPath extends FusedPath {
  readonly bias: Step;
}

/**
 * The fused path of a plan whose scores are only divided by positive numbers and masked by a pattern (with −∞) before the softmax.
 * Undefined for all others: those with biases, caps, given masks, finite fills, or fully masked rows that become 0.
 */
export function fusedPathOf(plan: Plan, deferred: ReadonlySet<string>): FusedPath | undefined {
  const path = pathOf(plan, deferred);
  return path && 'bias' in path ? undefined : path;
}

/** The same for a plan that adds linear biases to the scaled scores. The kernel computes it too, but its pooled scores are not those of the plan's steps. */
export function alibiPathOf(plan: Plan, deferred: ReadonlySet<string>): AlibiPath | undefined {
  const path = pathOf(plan, deferred);
  return path && 'bias' in path ? path : undefined;
}

function pathOf(plan: Plan, deferred: ReadonlySet<string>): FusedPath | AlibiPath | undefined {
  const stepOf = (id: string | undefined): Step | undefined => plan.steps.find((s) => s.id === id);
  const weights = plan.steps.find(({ call }) => !isSource(call) && call.op === 'softmax' && call.emptyRow === 'nan');
  const output = plan.steps.find(({ call, operands }) => call.op === 'matmul' && operands[0] === weights?.id);
  const found = weights && traceToScores(stepOf, stepOf(weights.operands[0]));
  const [q, k, v] = [stepOf(found?.scores.operands[0]), stepOf(found?.scores.operands[1]), stepOf(output?.operands[1])];
  if (!weights || !output || !found || !q || !k || !v || !deferred.has(weights.id) || !deferred.has(found.scores.id))
    return;
  return { q, k, v, output, weights, ...found };
}

type PathToScores = Pick<FusedPath, 'scale' | 'mask' | 'hasMask' | 'unmasked' | 'masked'> & {
  readonly scores: Step;
  readonly bias?: Step;
};

const noMask: CallOf<'patternMask'> = { op: 'patternMask', after: Infinity, before: Infinity, visible: Infinity };

/** Follows the operands from the softmax's operand back to the product q·kᵀ. Undefined where a step on the way cannot be fused. */
function traceToScores(
  stepOf: (id: string | undefined) => Step | undefined,
  last: Step | undefined,
): PathToScores | undefined {
  const [masked, unmasked]: [Step[], { step: Step; factor: number }[]] = [[], []];
  let [mask, hasMask, divisor]: [CallOf<'patternMask'>, boolean, number] = [noMask, false, 1];
  let bias: Step | undefined;
  for (let step = last; step; step = stepOf(step.operands[0])) {
    const { call, operands } = step;
    if (call.op === 'mask' && call.fill === -Infinity && !hasMask) {
      const rule = stepOf(operands[1])?.call;
      // The kernel counts queries from 0: it takes no rule that puts them before or behind the keys that they see.
      if (rule?.op !== 'patternMask' || rule.after < 0 || rule.before < 0 || divisor !== 1) return;
      masked.push(step, ...unmasked.splice(0).map((one) => one.step));
      [mask, hasMask] = [rule, true];
    } else if (call.op === 'add' && !bias && divisor === 1) {
      bias = stepOf(operands[1]);
      if (bias?.call.op !== 'alibi' || bias.call.at) return;
      unmasked.push({ step, factor: 1 });
    } else if (call.op === 'identity') unmasked.push({ step, factor: divisor });
    else if (call.op === 'divide' && call.by > 0 && Number.isFinite(call.by)) {
      unmasked.push({ step, factor: divisor });
      divisor *= call.by;
    } else if (call.op === 'matmul' && call.transposeB) {
      unmasked.push({ step, factor: divisor });
      return { scores: step, scale: 1 / divisor, mask, hasMask, unmasked, masked, ...(bias && { bias }) };
    } else return;
  }
  return undefined;
}
