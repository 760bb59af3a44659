import { isSource } from '../../../plan';
import { sizeOf } from '../../../math';
import { canFuse } from './kernels/attention';
import { isAlias, readOperands, type GpuStep } from './steps';

/** The steps from the product of Q and K to its softmax, summarised: divisor, mask fill, mask operand, and their ids. */
interface ScoresPath {
  readonly scores: GpuStep;
  readonly by: number;
  readonly fill: number;
  readonly hidden: string | undefined;
  readonly inside: ReadonlySet<string>;
}

/** Fewest multiply-adds of A·V for which fusing is worth a shader that takes longer to compile. */
const fusedWork = 1 << 20;

/**
 * Fuses scores, division, mask, softmax and the product with V, wherever the steps between are neither `wanted` nor read by another step.
 * The step of the weights then produces the output too. Chains with other steps (a bias, a softcap) are not fused, and neither are those
 * with fewer than `from` multiply-adds.
 */
export function fuse(
  steps: readonly GpuStep[],
  wanted: readonly string[],
  from: number = fusedWork,
): readonly GpuStep[] {
  const fusions = steps
    .flatMap((weights) => fusionOf(steps, weights, wanted) ?? [])
    .filter(({ weights, output }) => sizeOf(weights.shape) * (output.shape.at(-1) ?? 0) >= from);
  const changed = new Map(fusions.flatMap(({ weights, output }) => [weights, output].map((s) => [s.id, s])));
  const inside = new Set(fusions.flatMap((fusion) => [...fusion.inside]));
  return steps.filter((s) => !inside.has(s.id)).map((s) => changed.get(s.id) ?? s);
}

interface Fusion {
  readonly weights: GpuStep;
  readonly output: GpuStep;
  readonly inside: ReadonlySet<string>;
}

function fusionOf(steps: readonly GpuStep[], weights: GpuStep, wanted: readonly string[]): Fusion | undefined {
  const output = steps.find((s) => isProduct(s, false) && s.operands[0] === weights.id);
  const walk = output && traceToScores(steps, weights);
  if (!walk || [...walk.inside].some((id) => wanted.includes(id) || isReadOutside(steps, id, walk, weights)))
    return undefined;
  const fused = fusedOf(steps, weights, output, walk);
  return (
    fused && {
      weights: fused,
      output: { ...output, operands: [weights.id], producedByOperand: true },
      inside: walk.inside,
    }
  );
}

const isProduct = ({ call }: GpuStep, transposeB: boolean): boolean =>
  call.op === 'matmul' && call.transposeB === transposeB;

function traceToScores(steps: readonly GpuStep[], weights: GpuStep): ScoresPath | undefined {
  if (weights.call.op !== 'softmax') return undefined;
  const inside = new Set<string>();
  let [by, fill, hidden]: [number | undefined, number, string | undefined] = [undefined, 0, undefined];
  let at = weights;
  for (;;) {
    const before = steps.find((s) => s.id === at.operands[0]);
    if (!before || isSource(before.call)) return undefined;
    inside.add((at = before).id);
    const { call } = at;
    if (isProduct(at, true)) return { scores: at, by: by ?? 1, fill, hidden, inside };
    if (call.op === 'divide' && by === undefined) by = call.by;
    else if (call.op === 'mask' && by === undefined && hidden === undefined)
      [fill, hidden] = [call.fill, at.operands[1]];
    else if (!isAlias(at)) return undefined;
  }
}

const isReadOutside = (steps: readonly GpuStep[], id: string, { inside }: ScoresPath, weights: GpuStep): boolean =>
  steps.some((s) => s.id !== weights.id && !inside.has(s.id) && readOperands(s).includes(id));

function fusedOf(steps: readonly GpuStep[], weights: GpuStep, output: GpuStep, walk: ScoresPath): GpuStep | undefined {
  const { scores, by, fill, hidden } = walk;
  const [q, k, v] = [scores.operands[0], scores.operands[1], output.operands[1]];
  if (weights.call.op !== 'softmax' || q === undefined || k === undefined || v === undefined) return undefined;
  const shapeOf = (id: string): readonly number[] => steps.find((s) => s.id === id)?.shape ?? [];
  if (!canFuse(shapeOf(q), weights.shape)) return undefined;
  const { emptyRow } = weights.call;
  const fused = { by, fill, emptyRow, masked: hidden !== undefined, output };
  return { ...weights, operands: [q, k, v, ...(hidden === undefined ? [] : [hidden])], fused };
}
