/** Generators: bodies that stop at each `yield` until they are asked again (docs.python.org, “Yield expressions”). */
import { t } from '../../text';
import {
  cause,
  none,
  PythonError,
  raise,
  tuple,
  type Frame,
  type FunctionValue,
  type Iterator,
  type Journal,
  type Machine,
  type Run,
  type Value,
  type Yields,
} from '../machine';
import { Raised } from '../tensor';
import { exceptionOf } from './classes';
import { stopsIteration, turnOf } from './iterate';
import { causeOf } from './open';

/** What of the machine belongs to a body while it runs, and to whoever asks it while it does not. */
interface Standing {
  readonly journal: Journal | undefined;
  readonly stack: Machine['stack'];
  readonly via: Machine['via'];
  readonly here: Machine['here'];
  readonly unsureLoop: Machine['unsureLoop'];
}

const standing = ({ journal, stack, via, here, unsureLoop }: Machine): Standing => ({
  journal,
  stack,
  via,
  here,
  unsureLoop,
});

export const newYields = (): Yields => ({ sent: none, base: 0, away: { steps: 0, nodes: 0 } });

/** The journals of the body's own blocks that are open, the innermost first. */
function openJournals(from: Journal | undefined, until: Journal | undefined): Journal[] {
  const open: Journal[] = [];
  for (let one = from; one && one !== until; one = one.outer) open.push(one);
  return open;
}

/**
 * A generator of a body. Under a condition that is not known it cannot stop: from such a `yield` on, it runs to its end, and it is
 * not known what is left of it.
 */
export function generatorOf(
  m: Machine,
  yields: Yields,
  body: Run<Value | undefined>,
  callee?: FunctionValue,
): Iterator {
  let own: Standing = { ...standing(m), unsureLoop: undefined };
  if (callee?.source.own) own = { ...own, stack: [...m.stack, m.here], via: undefined };
  let open: Journal[] = [];
  let state: 'new' | 'stopped' | 'running' | 'ended' = 'new';
  let left = { steps: m.steps, nodes: m.graph.nodes.length };

  /** Runs on to the next `yield`: with the value that it has, or with an exception there. */
  function* resume(error?: Error): Run<Value | undefined> {
    if (state === 'running') return raise('ValueError', 'generator already executing');
    if (state === 'ended') {
      if (error) throw error;
      return undefined;
    }
    const asking = standing(m);
    const active = (callee && m.active.get(callee.body)) ?? [];
    if (callee) m.active.set(callee.body, [...active, m.journal]);
    yields.away.steps += left.steps - m.steps;
    yields.away.nodes += m.graph.nodes.length - left.nodes;
    const last = open.at(-1);
    if (last) last.outer = m.journal;
    Object.assign(m, own, { journal: open[0] ?? m.journal });
    yields.base = m.unsure;
    m.depth++;
    state = 'running';
    try {
      for (let step = error ? body.throw(error) : body.next(); ; step = body.next()) {
        if (step.done) {
          state = 'ended';
          generator.result = step.value ?? none;
          return undefined;
        }
        const { given } = yields;
        if (given) {
          yields.given = undefined;
          state = 'stopped';
          return given;
        }
        yield step.value;
      }
    } catch (raised) {
      if (raised instanceof Raised && callee?.source.own) raised.range ??= m.here;
      if (callee && stopsIteration(m, raised)) raise('RuntimeError', 'generator raised StopIteration');
      throw raised;
    } finally {
      if (state === 'running') state = 'ended';
      m.depth--;
      open = openJournals(m.journal, asking.journal);
      if (asking.journal) for (const one of open) asking.journal.changes.push(...one.changes);
      own = { ...standing(m), stack: own.stack, via: own.via };
      left = { steps: m.steps, nodes: m.graph.nodes.length };
      if (callee) m.active.set(callee.body, active);
      Object.assign(m, asking);
    }
  }

  function* asked(sent: Value, error?: Error): Run<Value | undefined> {
    yields.sent = sent;
    const item = generator.lost ? undefined : yield* resume(error);
    if (yields.unsure && !item) generator.lost ??= yields.unsure;
    if (generator.lost) m.mayHaveEnded = true;
    return item;
  }

  const generator: Iterator = {
    kind: 'iterator',
    next: () => asked(none),
    send: (value) => asked(value),
    throw: (error) => asked(none, error),
    close: function* () {
      if (state === 'new') state = 'ended';
      if (state !== 'stopped') return;
      try {
        if (yield* resume(new Raised('GeneratorExit', ''))) raise('RuntimeError', 'generator ignored GeneratorExit');
      } catch (error) {
        if (!stopsIteration(m, error, 'GeneratorExit')) throw error;
      }
    },
  };
  return generator;
}

/** `StopIteration` of an iterator at its end, with what a generator's body returned. */
export function stopped(m: Machine, { result = none }: Iterator): never {
  const value = exceptionOf(m, new Raised('StopIteration', ''));
  value.attributes.set('args', tuple(result === none ? [] : [result])).set('value', result);
  throw new PythonError(value, m.here);
}

/** The item that `next`, `send` and `throw` give, or the end. */
export function* itemOrEnd(m: Machine, walker: Iterator, turn: Run<Value | undefined>, otherwise?: Value): Run<Value> {
  const { item, isSure } = yield* turnOf(m, walker, turn);
  return isSure ? (item ?? otherwise ?? stopped(m, walker)) : { kind: 'unknown', cause: causeOf(m, walker) };
}

/** Stops at a `yield` and gives what was sent, or goes on where it is not known whether it is reached. */
export function* given(m: Machine, { yields, maybe }: Frame, value: Value): Run<Value> {
  if (!yields) return none;
  if (m.unsure > yields.base || m.unsureLoop || maybe.length > 0)
    yields.unsure ??= m.unsureLoop ?? cause(m, t('how often this runs is not known'));
  if (yields.unsure) return { kind: 'unknown', cause: yields.unsure };
  yields.given = value;
  yield;
  return yields.sent;
}
