/** Two ways that a program may have gone: what both leave the same stays, the rest is known as far as it agrees. */
import { type Cause, same } from '../tensor';
import {
  addNode,
  step,
  type Change,
  type Journal,
  type Machine,
  type Slot,
  newTensor,
  nodeOf,
  deepestNesting,
  keyOf,
  type Run,
  type SetValue,
  type TensorValue,
  type Value,
} from '../machine';
import { typeOfNumber } from './numbers';

/** One value for two: themselves where they are the same, a shape where both have it, otherwise not known. */
export function join(m: Machine, a: Value | undefined, b: Value | undefined, why: Cause, depth = 0): Value {
  if (a === b && a) return a;
  if (depth > 0) step(m);
  if (!a || !b || depth > deepestNesting) return { kind: 'unknown', cause: why };
  const key = keyOf(a);
  if (key !== undefined && key === keyOf(b) && a.kind === b.kind) return a;
  if (a.kind === 'tensor' && b.kind === 'tensor') return joinTensors(m, a, b, why);
  if ((a.kind === 'list' || a.kind === 'tuple') && b.kind === a.kind && a.items.length === b.items.length) {
    const items = a.items.map((item, i) => join(m, item, b.items[i], why, depth + 1));
    return a.kind === 'list' ? { kind: 'list', items } : { kind: 'tuple', items };
  }
  if (a.kind === 'set' && b.kind === 'set' && sameItems(a, b)) return a;
  const type = typeOfNumber(a);
  return type !== undefined && type === typeOfNumber(b)
    ? { kind: 'unknown', cause: why, type }
    : { kind: 'unknown', cause: why };
}

/** Whether two sets have the same, as far as they are known. */
export const sameItems = (a: SetValue, b: SetValue): boolean =>
  a.entries.size === b.entries.size && [...a.entries.keys()].every((key) => b.entries.has(key));

function joinTensors(m: Machine, a: TensorValue, b: TensorValue, why: Cause): Value {
  const [x, y] = [nodeOf(m, a), nodeOf(m, b)];
  if (x === y) return a;
  const agree =
    x.shape?.length === y.shape?.length && x.shape?.every((dim, i) => same(dim, y.shape?.[i] ?? -1) === true);
  if (x.dtype !== y.dtype) return { kind: 'unknown', cause: why };
  const node = addNode(m, 'either', { operands: [x, y], shape: agree ? x.shape : undefined, dtype: x.dtype, why });
  return newTensor(a.library, node);
}

/** What a branch left: its changes, undone, with the values that they led to. */
export interface Left {
  readonly slot: Slot;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/** Runs a branch that may not be taken and undoes what it changed. */
export function* tried<T>(m: Machine, run: () => Run<T>): Run<{ readonly result: T; readonly left: readonly Left[] }> {
  m.unsure++;
  try {
    const { result, undo } = yield* watched(m, run);
    return { result, left: undo() };
  } finally {
    m.unsure--;
  }
}

/** Runs what can be undone afterwards; `undo` gives what it left. What it changed stands until then. */
export function* watched<T>(
  m: Machine,
  run: () => Run<T>,
): Run<{ readonly result: T; readonly undo: () => readonly Left[] }> {
  const changes: Change[] = [];
  const journal: Journal = { changes, outer: m.journal };
  m.journal = journal;
  const undo = (): readonly Left[] => {
    const left = firstOf(changes).map(({ slot, before }) => ({ slot, before, after: slot.get() }));
    for (const { slot, before } of [...changes].reverse()) slot.set(before);
    return left;
  };
  let done = false;
  try {
    const result = yield* run();
    done = true;
    return { result, undo };
  } finally {
    if (!done) undo();
    const { outer } = journal;
    m.journal = outer;
    // One by one: a call with a hundred thousand arguments has no room for them.
    if (outer) for (const change of changes) outer.changes.push(change);
  }
}

/** The first change of each slot: it has what was there before. */
function firstOf(changes: readonly Change[]): Change[] {
  const seen = new Map<object, Set<string>>();
  return changes.filter(({ slot }) => {
    const keys = seen.get(slot.owner) ?? new Set();
    seen.set(slot.owner, keys);
    return !keys.has(slot.key) && keys.add(slot.key);
  });
}

function change(m: Machine, slot: Slot, value: Value | undefined): void {
  m.journal?.changes.push({ slot, before: slot.get() });
  slot.set(value);
}

/** Makes what one branch left what is. */
export function adopt(m: Machine, left: readonly Left[]): void {
  for (const { slot, after } of left) change(m, slot, after);
}

/** What is after a condition that is not known: both branches' changes joined. */
export function joinLeft(m: Machine, a: readonly Left[], b: readonly Left[], why: Cause): void {
  for (const one of a) {
    const other = b.find(({ slot }) => slot.owner === one.slot.owner && slot.key === one.slot.key);
    change(m, one.slot, join(m, one.after, other ? other.after : one.before, why));
  }
  for (const one of b)
    if (!a.some(({ slot }) => slot.owner === one.slot.owner && slot.key === one.slot.key))
      change(m, one.slot, join(m, one.before, one.after, why));
}
