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
  /** `from`: the stages of a choice with the same mistakes before part `at`. `keeps`: whether others will go on from these stages. */
  readonly walk: (choice: Choice, from?: Walk, at?: number, keeps?: boolean) => Walk;
}

/**
 * Attention with chosen mistakes, part by part, in the reference's order of sums. What goes on without a mistake from one stage is computed once,
 * whoever asks; stages behind a mistake are the caller's to keep.
 */
export function walker(inputs: Inputs): Walker {
  const { x, q, k, v } = inputs;
  const begin: Stage = { q: [q], k: [k], v: [v], now: [], ...(x && { x }) };
  const made = new WeakMap<Stage, Map<Part, Next>>();
  const next = (stage: Stage, part: Part, choice: Choice, keeps: boolean): Next => {
    const isPlain = choice[part] === undefined && (part !== 'sum' || choice.norm === undefined);
    const known = isPlain ? made.get(stage) : undefined;
    if (known?.has(part)) return known.get(part);
    const found = apply[part](inputs, choice, stage);
    if (isPlain && keeps) made.set(stage, (known ?? new Map<Part, Next>()).set(part, found));
    return found;
  };
  const walk = (choice: Choice, from: Walk = [], at = 0, keeps = true): Walk => {
    const stages: Next[] = from.slice(0, at);
    for (let i = at; i < parts.length; i++) {
      const before = i === 0 ? begin : stages[i - 1];
      stages.push(before && next(before, parts[i] as Part, choice, keeps));
    }
    return stages;
  };
  return { walk };
}
