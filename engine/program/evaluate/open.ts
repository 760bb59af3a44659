/** What ends a built-in function or a method because something that it walks is not known. */
import { t } from '../../text';
import { type Cause, Ended } from '../tensor';
import { cause, type Machine, none, type Arguments, type Run, type Value } from '../machine';

/** Why a value is not known. */
export const causeOf = (m: Machine, value: Value): Cause =>
  value.kind === 'unknown' || value.kind === 'symbol'
    ? value.cause
    : value.kind === 'iterator' && value.lost
      ? value.lost
      : (value.kind === 'list' || value.kind === 'dict' || value.kind === 'set') && value.unsure
        ? value.unsure
        : value.kind === 'tensor'
          ? (value.node.why ?? cause(m, t('its values are not computed')))
          : cause(m, t('its value is not known'));

export class Open extends Ended {
  constructor(readonly value: Value) {
    super();
  }
}

/** All items, or the end of the call: its result is not known. */
export function* itemsOrOpen(m: Machine, value: Value | undefined): Run<readonly Value[]> {
  const found = value && (yield* m.evaluator.items(m, value));
  if (!found) throw new Open({ kind: 'unknown', cause: causeOf(m, value ?? none) });
  return found;
}

/** A call that such an end gives its result. */
export const guarded = (body: (args: Arguments) => Run<Value>): ((args: Arguments) => Run<Value>) =>
  function* (args) {
    try {
      return yield* body(args);
    } catch (error) {
      if (error instanceof Open) return error.value;
      throw error;
    }
  };
