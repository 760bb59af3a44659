import { finish } from '../text';
import type { AttentionTrace } from '../run';
import { catalogue, parts, type Mistake, type Part } from './catalogue';
import { gridOfStep, inputsOf, isNear, maskOf } from './inputs';
import { cell, gridOf, walker, type Grid, type Inputs } from './walk';

/** One step of an attention under a mistake. */
export interface Mistaken {
  readonly mistake: Mistake;
  /** Its number in a cell, [row, column] with the head before them where there are several; undefined where it has no such cell. */
  readonly at: (index: readonly number[]) => number | undefined;
}

/** The part whose result a step is. */
const partOfStep: Readonly<Partial<Record<string, Part>>> = {
  scores: 'turn', scaled: 'scale', masked: 'mask', weights: 'softmax', headOutputs: 'mix', concat: 'merge', output: 'out',
}; // prettier-ignore

const followed = new WeakMap<AttentionTrace, Inputs | undefined>();

function inputsFor(trace: AttentionTrace): Inputs | undefined {
  if (followed.has(trace)) return followed.get(trace);
  const inputs = trace.spec.start.from === 'scores' ? undefined : finish(inputsOf(trace));
  const found = inputs?.ok ? inputs.value : inputsOfScores(trace);
  followed.set(trace, found);
  return found;
}

/**
 * Given scores as the product of themselves with the rows of the identity. What is known of their d_k and of Q, K, V is lost: only mistakes behind the
 * scores can be made (`laterParts`).
 */
function inputsOfScores(trace: AttentionTrace): Inputs | undefined {
  const isOneMatrix = (id: string): boolean => trace.plan.steps.find((one) => one.id === id)?.shape.length === 2;
  const of = (id: string): Grid | undefined => (isOneMatrix(id) ? gridOfStep(trace, id) : undefined);
  const [scores, weights] = [of('scores'), of('weights')];
  if (trace.spec.start.from !== 'scores' || !scores || !weights) return undefined;
  const same = gridOf(Array.from({ length: scores.width }, (_, i) => Array.from({ length: scores.width }, (__, j) => (i === j ? 1 : 0)))); // prettier-ignore
  const inputs: Inputs = {
    q: scores,
    k: same,
    v: of('v') ?? same,
    heads: 1,
    kvHeads: 1,
    ...maskOf(trace, scores.width),
  };
  const mine = walker(inputs).walk({})[parts.indexOf('softmax')]?.now[0];
  return mine && finish(isNear(mine, weights, 1e-6)) ? inputs : undefined;
}

const laterParts: ReadonlySet<Part> = new Set<Part>(['mask', 'softmax', 'mix']);

/**
 * A step of a small trace under each of these mistakes, alone, where it can be made there and changes that step. None for a step whose mistakes are
 * not known, or an attention that the walk does not follow (`inputsOf`).
 */
export function mistakenSteps(trace: AttentionTrace, step: string, ids: ReadonlySet<string>): readonly Mistaken[] {
  const part = partOfStep[step];
  const inputs = part && inputsFor(trace);
  if (!inputs) return [];
  const { walk } = walker(inputs);
  const index = parts.indexOf(part);
  const plain = walk({});
  const right = plain[index]?.now;
  return catalogue.flatMap((mistake): Mistaken[] => {
    const from = parts.indexOf(mistake.part);
    if (!ids.has(mistake.id) || from > index) return [];
    if (trace.spec.start.from === 'scores' && mistake.id !== 'noScale' && !laterParts.has(mistake.part)) return [];
    const stages = walk({ [mistake.part]: mistake.id }, plain, from);
    const now = stages[from] ? stages[index]?.now : undefined;
    if (!now || now === right || now.length !== right?.length) return [];
    return [{ mistake, at: (cells) => numberAt(now, cells) }];
  });
}

function numberAt(now: readonly Grid[], index: readonly number[]): number | undefined {
  const [row = 0, column = 0] = index.slice(-2);
  const g = now[index.length > 2 ? (index.at(-3) ?? 0) : 0];
  return g && row < g.height && column < g.width ? cell(g, row, column) : undefined;
}
