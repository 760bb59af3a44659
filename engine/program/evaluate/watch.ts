/** Records the values of expressions in the user's own code, if `Machine.seen` asks for it. */
import {
  type Machine,
  type Seen,
  type SeenPlaces,
  type Snapshot,
  typeName,
  type Instance,
  type TensorValue,
  type Value,
} from '../machine';
import type { Source, Place } from '../syntax';
import { isNamedShape, same, type Shape, type Node } from '../tensor';

/** Most items of a container, and most levels of containers, that are recorded. */
const [mostItems, deepest] = [16, 2];

/** Most shapes that are recorded for an expression that had several. */
const mostShapes = 4;

/** Functions, classes and modules are no data: the call around them is what a reader asks for. */
const isData = ({ kind }: Value): boolean =>
  !['function', 'builtin', 'method', 'class', 'module', 'property', 'static', 'classmethod', 'super'].includes(kind);

export function watch(m: Machine, source: Source, place: Place, value: Value, is: Seen['is']): void {
  const places = m.sampling ? m.sampleSeen : m.seen;
  if (!places || !isData(value)) return;
  const before = places.get(place);
  // What a call gave is the code's own; stand-ins come after it and say less.
  if (before && !before.standIn && m.standIn) return;
  const snapshot = snapshotOf(value, deepest);
  if (before && before.standIn === m.standIn) return again(m, before, is, snapshot);
  places.set(place, {
    source,
    place,
    is,
    snapshot,
    stack: m.stack,
    standIn: m.standIn,
    ...(m.sampling && { sample: true as const }),
    times: 1,
    shapes: shapesWith([], shapeIn(snapshot)),
  });
}

/** Adds what a sample run recorded, for expressions that the program itself never reached or reached with unknown values only. */
export function takeOver(m: Machine, sample: SeenPlaces, onlyMissing = false): void {
  for (const [place, seen] of sample) {
    const before = m.seen?.get(place);
    // A function that a sampled class calls has what that gives it, and not what it was sampled with alone.
    const isCalled = !onlyMissing && before?.sample && seen.stack.length > before.stack.length;
    if (!before || isCalled || (before.provisional && !onlyMissing) || !saysSomething(before.snapshot))
      m.seen?.set(place, onlyMissing ? { ...seen, provisional: true } : seen);
  }
}

/** Whether it has a value, or a shape whose sizes have names. */
export function saysSomething(snapshot: Snapshot): boolean {
  if (snapshot.kind === 'tensor') return isNamedShape(snapshot.node.shape);
  if (snapshot.kind === 'items') return !snapshot.unsure && snapshot.items.every(([, item]) => saysSomething(item));
  return snapshot.kind !== 'plain' || snapshot.value.kind !== 'unknown' || isNamedShape(shapeOfStandIn(snapshot.value));
}

/** Whether it has a value or a shape of its own, though not all sizes may be known. */
const isSaid = (snapshot: Snapshot): boolean =>
  snapshot.kind === 'tensor'
    ? snapshot.node.shape !== undefined
    : snapshot.kind !== 'plain' || snapshot.value.kind !== 'unknown';

/** Updates a record: the last value is shown, with the number of times and the earlier shapes. In place, as most calls come from loops. */
function again({ stack, shortened }: Machine, seen: Seen, is: Seen['is'], snapshot: Snapshot): void {
  const last: { -readonly [Key in keyof Seen]: Seen[Key] } = seen;
  // Another call of which nothing is known, as in training, and the turns of a loop that are not followed do not take away what was shown before.
  if ((shortened > 0 || stack !== last.stack) && !isSaid(snapshot) && isSaid(last.snapshot)) {
    last.times++;
    return;
  }
  last.is = is;
  last.snapshot = snapshot;
  last.stack = stack;
  last.times++;
  last.shapes = shapesWith(last.shapes, shapeIn(snapshot));
}

function shapesWith(before: readonly Shape[], now: Shape | undefined): readonly Shape[] {
  const last = before.at(-1);
  if (!now || (last && sameShape(last, now))) return before;
  return [...before.filter((shape) => !sameShape(shape, now)), now].slice(-mostShapes);
}

const shapeOfStandIn = (value: Value): Shape | undefined =>
  value.kind === 'unknown' ? value.standIn?.tensor?.node.shape : undefined;

const shapeIn = (snapshot: Snapshot): Shape | undefined =>
  snapshot.kind === 'tensor' ? snapshot.node.shape : undefined;

const sameShape = (a: Shape, b: Shape): boolean =>
  a === b || (a.length === b.length && a.every((dim, i) => dim === b[i] || same(dim, b[i] ?? -1) === true));

function snapshotOf(value: Value, depth: number): Snapshot {
  switch (value.kind) {
    case 'tensor':
      return { kind: 'tensor', node: nodeNow(value), library: value.library, type: typeName(value) };
    case 'list':
    case 'tuple':
      return itemsOf(
        value.kind,
        depth > 0 ? value.items.slice(0, mostItems).map((item) => [undefined, item]) : [],
        value.items.length,
        depth,
        value,
      );
    case 'set':
    case 'dict': {
      const pairs: (readonly [Value | undefined, Value])[] = [];
      if (depth > 0)
        for (const entry of value.entries.values()) {
          if (pairs.length >= mostItems) break;
          pairs.push('kind' in entry ? [undefined, entry] : entry);
        }
      return itemsOf(value.kind, pairs, value.entries.size, depth, value);
    }
    case 'instance':
      return objectOf(value);
    default:
      return { kind: 'plain', value };
  }
}

function itemsOf(
  type: 'list' | 'tuple' | 'set' | 'dict',
  pairs: readonly (readonly [Value | undefined, Value])[],
  count: number,
  depth: number,
  of: Value,
): Snapshot {
  const items = pairs.map(([key, item]) => [key && snapshotOf(key, depth - 1), snapshotOf(item, depth - 1)] as const);
  const isSize = of.kind === 'tuple' && of.isSize === true;
  const unsure = 'unsure' in of ? of.unsure : undefined;
  return { kind: 'items', type, items, count, isSize, ...(unsure && { unsure }) };
}

/** The fields of a configuration, or the tensors that a layer owns itself. */
function objectOf({ of, attributes }: Instance): Snapshot {
  const whole = of.fields !== undefined;
  const fields: (readonly [string, Snapshot])[] = [];
  for (const [name, value] of attributes) {
    if (fields.length >= mostItems) break;
    const isShown = whole ? of.fields?.includes(name) : value.kind === 'tensor';
    if (isShown) fields.push([name, snapshotOf(value, 1)]);
  }
  return { kind: 'object', type: of.name, fields, whole: whole && fields.length === of.fields?.length };
}

/** The tensor's values at this moment. A view that is older than its root is read through it, beside the graph. */
function nodeNow({ root, node, version, isRoot, offset, strides }: TensorValue): Node {
  if (version === root.version) return node;
  if (isRoot) return root.node;
  const { shape, dtype, range, stack } = node;
  const why = root.node.why ?? (strides ? undefined : node.why);
  return {
    id: node.id,
    operation: 'strided',
    operands: [root.node],
    attributes: { ...(shape && { shape }), offset, ...(strides && { strides }) },
    shape,
    dtype,
    range,
    stack,
    ...(why && { why }),
  };
}
