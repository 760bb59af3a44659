/** What an output shows: tensors as they are at that moment, also those within tuples, lists, dicts and formatted texts. */
import { type Machine, nodeOf, type TensorValue, type Value } from '../machine';

/** Of one output, more tensors are not kept. */
const most = 100;

/** A tensor as it is now: what is written to it later does not change it. */
export const asShown = (m: Machine, value: TensorValue): TensorValue => ({ ...value, node: nodeOf(m, value) });

export function shownParts(m: Machine, value: Value): readonly Value[] {
  if (value.kind === 'tensor') return [asShown(m, value)];
  const found = tensorsIn(value).slice(0, most);
  // A formatted text has kept them as they were.
  return found.length === 0 ? [value] : value.kind === 'unknown' ? found : found.map((one) => asShown(m, one));
}

const deepest = 4;

function tensorsIn(value: Value, depth = 0): readonly TensorValue[] {
  if (value.kind === 'tensor') return [value];
  if (depth > deepest) return [];
  return within(value).flatMap((one) => tensorsIn(one, depth + 1));
}

function within(value: Value): readonly Value[] {
  if ((value.kind === 'list' || value.kind === 'dict') && value.unsure) return [];
  if (value.kind === 'tuple' || value.kind === 'list') return value.items.slice(0, most);
  if (value.kind === 'dict') return [...value.entries.values()].slice(0, most).map(([, item]) => item);
  return value.kind === 'unknown' ? (value.parts ?? []) : [];
}
