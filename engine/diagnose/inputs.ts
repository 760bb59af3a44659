import { fail, ok, t, type Paced, type Result } from '../text';
import { largestOf } from '../math';
import { reachOf, specOfLayer, type AttentionSpec } from '../spec';
import { planOf, type Step } from '../plan';
import { heldLimit, overBudget, runReferencePaced, valuesOf, type AttentionTrace } from '../run';
import { rowsOf } from './matrices';
import { cell, flipped, gridOf, isSameSize, settle, walker, type Grid, type Inputs } from './walk';

const mostCells = 1 << 16;

/** What the walk needs of a spec: see `inputsOf`. */
export function* inputsOfSpec(spec: AttentionSpec): Paced<Result<Inputs>> {
  const plan = planOf(spec);
  if (!plan.ok) return plan;
  const large = overBudget(plan.value, spec.dtype);
  if (large) return fail(large);
  if (plan.value.bytes > heldLimit || isLarge(plan.value.steps)) return fail(tooLarge());
  const trace = yield* runReferencePaced(spec, plan.value);
  return trace.ok ? yield* inputsOf(trace.value) : trace;
}

const isLarge = (steps: readonly Step[]): boolean =>
  steps.some(({ shape }) => shape.reduce((a, b) => a * b, 1) > mostCells);

const tooLarge = () => ({ code: 'too-large', message: t('this attention is too large to be checked') });

/** What the walk needs of a trace. A Problem where it has something that the walk does not compute to the same numbers. */
export function* inputsOf(trace: AttentionTrace): Paced<Result<Inputs>> {
  const { steps, bytes } = trace.plan;
  if (bytes > heldLimit || isLarge(steps)) return fail(tooLarge());
  const grids = new Map<string, Grid>();
  const of = (...ids: readonly string[]): Grid | undefined => {
    const id = ids.find((one) => steps.some((step) => step.id === one));
    const known = id === undefined ? undefined : (grids.get(id) ?? gridOfStep(trace, id));
    if (id !== undefined && known) grids.set(id, known);
    return known;
  };
  yield;
  const inputs = gather(trace, of);
  return inputs && (yield* agrees(inputs, trace, of)) ? ok(inputs) : fail(notFollowed());
}

const notFollowed = () => ({
  code: 'not-followed',
  message: t('mistakes are not computed for this attention: it has a step that the check does not know'),
});

type Of = (...ids: readonly string[]) => Grid | undefined;

function gather(trace: AttentionTrace, of: Of): Inputs | undefined {
  const { spec } = trace;
  const [q, k, v] = [of('qStep', 'q'), of('kStep', 'k'), of('vStep', 'v')];
  if (!q || !k || !v || (spec.block?.layers ?? 1) > 1) return undefined;
  const isStep = spec.decode !== undefined;
  const layer = specOfLayer(spec, 1);
  const [wo, bo, window, rope] = [of('wo'), rowOf(of('bo')), windowOf(layer), ropeOf(layer)];
  return {
    q, k, v,
    heads: spec.heads,
    kvHeads: spec.kvHeads ?? spec.heads,
    ...maskOf(trace, q.width / spec.heads, of('mask')),
    ...(window && { window }),
    ...(rope && { rope }),
    ...(isStep ? {} : sourcesOf(spec, of)),
    ...(wo && { wo: oriented(spec, wo) }),
    ...(bo && { bo }),
    ...blockOf(spec, of),
  }; // prettier-ignore
}

/** What hides cells, and by what the scores are divided; `dK`: the width of a query. */
export function maskOf(
  trace: AttentionTrace,
  dK: number,
  hidden = gridOfStep(trace, 'mask'),
): Pick<Inputs, 'fill' | 'isCausal' | 'divisor' | 'hidden'> {
  const isCausal = hidden !== undefined && isTriangle(hidden);
  return { fill: fillOf(trace.spec), isCausal, ...divisorOf(trace, dK), ...(hidden && { hidden }) };
}

/** The values of a step as rows, all its matrices below each other; undefined where there is no such step. */
export function gridOfStep(trace: AttentionTrace, id: string): Grid | undefined {
  const step = trace.plan.steps.find((one) => one.id === id);
  return step && gridOf(rowsOf(valuesOf(trace, step), step.shape.at(-1) ?? 1));
}

const rowOf = (g: Grid | undefined): number[] | undefined => g?.row(0);

const oriented = ({ convention }: AttentionSpec, weight: Grid): Grid =>
  convention === 'XW' ? weight : flipped(weight);

/** X, positions and weights, where the spec starts from them; not where values come from an input of their own, of which no mistake knows. */
function sourcesOf(spec: AttentionSpec, of: Of): Partial<Inputs> {
  const x = of('x');
  if (!x || of('valueSource')) return {};
  const [wq, wk, wv, context] = [of('wq'), of('wk'), of('wv'), of('context')];
  const weighted = (weight: Grid, id: string) => {
    const bias = rowOf(of(id));
    return { weight: oriented(spec, weight), ...(bias && { bias }) };
  };
  const w = wq && wk && wv && { q: weighted(wq, 'bq'), k: weighted(wk, 'bk'), v: weighted(wv, 'bv') };
  const [given, positions] = [of('given', 'embedding'), of('positions')];
  const layout = layoutOf(spec);
  return {
    x,
    ...(w && { w }),
    ...(context && { context }),
    ...(given && positions && { embedded: { given, positions, ...(layout && { layout }) } }),
  };
}

const layoutOf = ({ positions, positionIds }: AttentionSpec): 'interleaved' | 'concatenated' | undefined => {
  if (positionIds) return undefined;
  if (positions === 'sinusoidal-interleaved') return 'interleaved';
  return positions === 'sinusoidal-concatenated' ? 'concatenated' : undefined;
};

function ropeOf({ positions, rope, decode }: AttentionSpec): Inputs['rope'] {
  if (positions !== 'rope-half' && positions !== 'rope-interleaved') return undefined;
  const layout = positions === 'rope-half' ? 'half' : 'interleaved';
  return { layout, base: rope?.base ?? 10000, start: decode?.step ?? 0 };
}

const windowOf = ({ mask }: AttentionSpec): Inputs['window'] =>
  typeof mask === 'object' && mask.kind === 'window' ? { reach: reachOf(mask), causal: mask.causal } : undefined;

function fillOf({ maskFill, dtype }: AttentionSpec): number {
  if (typeof maskFill === 'number') return maskFill;
  return maskFill === 'min' ? -largestOf[dtype] : -Infinity;
}

function divisorOf({ plan }: AttentionTrace, dK: number): { readonly divisor?: number } {
  const call = plan.steps.find(({ id }) => id === 'scaled')?.call;
  const by = call?.op === 'divide' ? call.by : call?.op === 'identity' ? 1 : Math.sqrt(dK);
  return by === Math.sqrt(dK) ? {} : { divisor: by };
}

/** Whether later tokens are hidden and no others. */
function isTriangle(hidden: Grid): boolean {
  const by = (i: number): readonly [number, number] => [i, i + hidden.width - hidden.height];
  return [0, 1].some((corner) =>
    Array.from({ length: hidden.height }).every((_, i) =>
      hidden.row(i).every((x, j) => (x === 1) === j > (by(i)[corner] ?? NaN)),
    ),
  );
}

function blockOf({ block }: AttentionSpec, of: Of): Partial<Inputs> {
  if (!block) return {};
  const name = block.norm === 'before' ? 'normed' : 'residualNormed';
  const [gains, biases] = [rowOf(of(`${name}Gains`)), rowOf(of(`${name}Biases`))];
  const { norm, of: kind = 'layer', epsilon = 1e-5 } = block;
  return { block: { norm, of: kind, epsilon, ...(gains && { gains }), ...(biases && { biases }) } };
}

/** Whether the walk without a mistake is the engine's own computation, up to the order of rounding. */
function* agrees(inputs: Inputs, { spec }: AttentionTrace, of: Of): Paced<boolean> {
  const near = tolerances[spec.dtype];
  const [output, end] = [of('output'), of('residualNormed', 'residual', 'output')];
  const stages = walker(inputs).walk({});
  const [mine, last] = [stages.at(-2)?.now[0], stages.at(-1)?.now[0]];
  if (!output || !end || !mine || !last || near === undefined) return false;
  return (yield* isNear(mine, output, near)) && (yield* isNear(last, end, near));
}

const tolerances: Readonly<Partial<Record<string, number>>> = { float64: 1e-12, float32: 1e-5 };

/** Whether two grids have the same numbers, up to a share of each number above 1, and to the same amount below. */
export function* isNear(a: Grid, b: Grid, within: number): Paced<boolean> {
  if (!isSameSize(a, b)) return false;
  yield* settle(a);
  for (let i = 0; i < a.height; i++) {
    yield;
    for (let j = 0; j < a.width; j++) {
      const [x, y] = [cell(a, i, j), cell(b, i, j)];
      if (!Object.is(x, y) && !(Math.abs(x - y) <= within * Math.max(1, Math.abs(y)))) return false;
    }
  }
  return true;
}
