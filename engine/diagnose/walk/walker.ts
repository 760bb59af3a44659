import { parts, type Part } from '../catalogue';
import { around } from './norm';
import { merge, out } from './outputs';
import { input, norm, project } from './project';
import { cut, mask, scale, turn } from './scores';
import type { Choice, Inputs, Next, Stage } from './stage';
import { mix, softmax } from './weights';

type Apply = (inputs: Inputs, choice: Choice, stage: Stage) => Next;

const apply: Readonly<Record<Part, Apply>> = {
  input, norm, project, cut, turn, scale, mask, softmax, mix, merge, out, sum: around,
}; // prettier-ignore

/** The stages of one choice, a part each. */
export type Walk = readonly Next[];

export interface Walker {
  /** `from`: the stages of a choice with the same mistakes before part `at`. */
  readonly walk: (choice: Choice, from?: Walk, at?: number) => Walk;
}

/**
 * Attention with chosen mistakes, part by part, in the reference's order of sums. What goes on without a mistake from one stage is computed once,
 * whoever asks; stages behind a mistake are the caller's to keep.
 */
export function walker(inputs: Inputs): Walker {
  const { x, q, k, v } = inputs;
  const begin: Stage = { q: [q], k: [k], v: [v], now: [], ...(x && { x }) };
  const plain = new WeakMap<Stage, Map<Part, Next>>();
  const next = (stage: Stage, part: Part, choice: Choice): Next => {
    const isPlain = choice[part] === undefined && (part !== 'sum' || choice.norm === undefined);
    if (!isPlain) return apply[part](inputs, choice, stage);
    const known = plain.get(stage) ?? new Map<Part, Next>();
    plain.set(stage, known);
    if (!known.has(part)) known.set(part, apply[part](inputs, choice, stage));
    return known.get(part);
  };
  const walk = (choice: Choice, from: Walk = [], at = 0): Walk => {
    const stages: Next[] = from.slice(0, at);
    for (const part of parts.slice(at)) {
      const before = stages.length === 0 ? begin : stages.at(-1);
      stages.push(before && next(before, part, choice));
    }
    return stages;
  };
  return { walk };
}
