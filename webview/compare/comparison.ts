import { planOf, runReference, type AttentionSpec, type Step } from '../../engine/index';
import { compareStep, inOrder, type Outcome, type Readable } from './compare-steps';
import { differencePicture, type DifferencePicture } from './difference-trace';
import { defer } from '../draw';
import { isSmall, type Remote } from '../compute';
import { stepOf, type TraceHandle } from '../trace';

/** The comparison of the current trace with another: a pinned one, or the same without edits. */
export interface Comparison {
  /** Starts to compare two traces, or stops if `then` is undefined. Calls `changed` when results arrive. */
  update(now: TraceHandle, then: AttentionSpec | undefined, current: string): void;
  /** The other trace, once it is computed. */
  other(): Readable | undefined;
  outcome(step: string): Outcome | undefined;
  /** The matrix of differences current − other, as a picture's input. */
  picture(step: Step): DifferencePicture | undefined;
}

interface Pair {
  readonly now: TraceHandle;
  readonly then: Readable;
  readonly outcomes: Map<string, Outcome>;
  readonly pictures: Map<string, DifferencePicture>;
  /** Ids of steps that are being compared cell by cell. */
  readonly looking: Set<string>;
}

/** Compares in the background. Only the spec of the other trace is needed, so a pinned one survives a reload. */
export function createComparison(startWorker: () => Remote, changed: () => void): Comparison {
  const others = createOthers(startWorker, changed);
  let pair: Pair | undefined;
  const compare = async (mine: Pair, current: string): Promise<void> => {
    for (const step of inOrder(mine.now.plan, current)) {
      if (pair !== mine) return;
      await compareOne(mine, step, step.id === current);
    }
    if (pair === mine) changed();
  };
  const readPair = async (mine: Pair, step: Step): Promise<void> => {
    if (mine.looking.has(step.id)) return;
    mine.looking.add(step.id);
    await compareOne(mine, step, true);
    if (pair === mine) changed();
  };
  return {
    update(now, spec, current) {
      const then = others.of(spec);
      if (!then || now.preview) {
        pair = undefined;
        return;
      }
      if (pair?.now !== now || pair.then !== then) {
        pair = { now, then, outcomes: new Map(), pictures: new Map(), looking: new Set() };
        // If its worker was stopped, nobody needs the results any more.
        compare(pair, current).catch(() => undefined);
        return;
      }
      const step = stepOf(now.plan, current);
      if (step && pair.outcomes.get(current)?.kind === 'somewhere') readPair(pair, step).catch(() => undefined);
    },
    other: () => pair?.then,
    outcome: (step) => pair?.outcomes.get(step),
    picture(step) {
      if (!pair) return undefined;
      const known = pair.pictures.get(step.id) ?? differencePicture(pair.now, pair.then, step);
      pair.pictures.set(step.id, known);
      return known;
    },
  };
}

async function compareOne({ now, then, outcomes }: Pair, step: Step, exact: boolean): Promise<void> {
  outcomes.set(step.id, await compareStep(now, then, step, exact));
}

/** Computes the other trace: small ones in this thread, large ones in a worker of their own. A new spec replaces the previous one. */
function createOthers(
  startWorker: () => Remote,
  changed: () => void,
): { of(spec: AttentionSpec | undefined): Readable | undefined } {
  let asked: AttentionSpec | undefined;
  let trace: Readable | undefined;
  let remote: Remote | undefined;
  const begin = (spec: AttentionSpec): void => {
    const planned = planOf(spec);
    if (!planned.ok) return;
    const plan = planned.value;
    if (isSmall(plan)) {
      // Deferred, so that the current trace is painted first; marks follow in a later frame.
      return defer(() => {
        const result = asked === spec ? runReference(spec, plan) : undefined;
        if (!result?.ok) return;
        trace = { spec, plan, read: async (step, request) => result.value.read(step, request) };
        changed();
      });
    }
    const mine = (remote = startWorker());
    mine.compute(spec).then(
      (result) => {
        if (remote !== mine || !result.ok) return;
        trace = { spec, plan, read: mine.read };
        changed();
      },
      () => undefined,
    );
  };
  return {
    of(spec) {
      if (spec === asked) return trace;
      asked = spec;
      trace = undefined;
      remote?.stop();
      remote = undefined;
      if (spec) begin(spec);
      return trace;
    },
  };
}
