/** What is assigned to: names, attributes, places, patterns of them. */
import { at, raise, type Machine, type Frame, type ClassValue, type Instance, type Run, type Value } from '../machine';
import type { tree } from '../syntax';
import { setAttribute } from './attributes';
import { bind, unbind, unbound, unsetKey } from './frames';
import { itemsOf } from './iterate';
import { causeOf } from './open';
import { classAttribute, openBase } from './classes';
import { unpackShape } from './stand-ins';
import { deleteSubscript, setSubscript } from './subscript';

export function* assign(m: Machine, target: tree.Expression, value: Value, frame: Frame): Run<void> {
  switch (target.nodeType) {
    case 'Name':
      bind(m, frame, target.id, value);
      if (frame.source.own) m.evaluator.bound(m, frame.source, target, target.id, value);
      return;
    case 'Attribute': {
      const owner = yield* m.evaluator.evaluate(m, target.value, frame);
      at(m, frame.source, target);
      yield* setAttribute(m, owner, target.attr, value);
      // What a setter makes of it is another value.
      const isSet = owner.kind === 'instance' && classAttribute(owner.of, target.attr)?.kind === 'property';
      if (frame.source.own && !isSet) m.evaluator.bound(m, frame.source, target, targetText(target), value);
      return;
    }
    case 'Subscript': {
      const owner = yield* m.evaluator.evaluate(m, target.value, frame);
      const key = yield* m.evaluator.evaluate(m, target.slice, frame);
      at(m, frame.source, target);
      yield* setSubscript(m, owner, key, value);
      if (frame.source.own && owner.kind === 'tensor')
        m.evaluator.bound(m, frame.source, target, targetText(target.value), owner);
      return;
    }
    case 'Tuple':
    case 'List':
      yield* unpack(m, target, value, frame);
      return;
    case 'Starred':
      yield* assign(m, target.value, value, frame);
      return;
    default:
      raise('SyntaxError', 'cannot assign to expression');
  }
}

/** `self.query`. */
function targetText(target: tree.Expression): string {
  if (target.nodeType === 'Name') return target.id;
  return target.nodeType === 'Attribute' ? `${targetText(target.value)}.${target.attr}` : '…';
}

function* unpack(m: Machine, target: tree.Sequence, value: Value, frame: Frame): Run<void> {
  const { elts } = target;
  const names = elts.map((one) => (one.nodeType === 'Name' ? one.id : undefined));
  const known = value.kind === 'unknown' && value.standIn ? unpackShape(m, value, value.standIn, names) : undefined;
  const items = yield* itemsOf(m, known ?? value);
  const starred = elts.findIndex(({ nodeType }) => nodeType === 'Starred');
  // `q, k, v = (x, *parts)`: behind what is spread out nobody knows which is which.
  const spread = items?.findIndex((one) => one.kind === 'unknown' && one.spread) ?? -1;
  if (items && spread >= 0 && starred < 0 && spread < elts.length) {
    const open: Value = { kind: 'unknown', cause: causeOf(m, items[spread] as Value) };
    for (const [i, one] of elts.entries()) yield* assign(m, one, i < spread ? (items[i] as Value) : open, frame);
    return;
  }
  if (!items) {
    for (const one of elts) yield* assign(m, one, { kind: 'unknown', cause: causeOf(m, value) }, frame);
    return;
  }
  const least = starred < 0 ? elts.length : elts.length - 1;
  if (items.length < least)
    raise(
      'ValueError',
      `not enough values to unpack (expected ${starred < 0 ? '' : 'at least '}${least}, got ${items.length})`,
    );
  if (starred < 0 && items.length > elts.length)
    raise('ValueError', `too many values to unpack (expected ${elts.length})`);
  const extra = items.length - least;
  for (const [i, one] of elts.entries()) {
    if (i === starred) yield* assign(m, one, { kind: 'list', items: items.slice(i, i + extra) }, frame);
    else yield* assign(m, one, items[starred >= 0 && i > starred ? i + extra - 1 : i] as Value, frame);
  }
}

function* removeAttribute(m: Machine, owner: Instance | ClassValue, name: string): Run<void> {
  const shared = owner.kind === 'instance' ? classAttribute(owner.of, name) : undefined;
  if (shared?.kind === 'property' && shared.deleter)
    yield* m.evaluator.call(m, shared.deleter, { positional: [owner], keywords: new Map() });
  else if (owner.attributes.has(name)) unsetKey(m, owner.attributes, name);
  else if (owner.kind === 'instance' && owner.of.own && !openBase(owner.of) && !classAttribute(owner.of, '__delattr__'))
    raise('AttributeError', `'${owner.of.name}' object has no attribute '${name}'`);
}

export function* remove(m: Machine, target: tree.Expression, frame: Frame): Run<void> {
  if (target.nodeType === 'Name') {
    if (unbind(m, frame, target.id)) return;
    if (frame.running && !frame.declared.has(target.id)) raise('UnboundLocalError', unbound(target.id));
    raise('NameError', `name '${target.id}' is not defined`);
  } else if (target.nodeType === 'Subscript') {
    const owner = yield* m.evaluator.evaluate(m, target.value, frame);
    deleteSubscript(m, owner, yield* m.evaluator.evaluate(m, target.slice, frame));
  } else if (target.nodeType === 'Attribute') {
    const owner = yield* m.evaluator.evaluate(m, target.value, frame);
    if (owner.kind === 'instance' || owner.kind === 'class') yield* removeAttribute(m, owner, target.attr);
  } else if (target.nodeType === 'Tuple') for (const one of target.elts) yield* remove(m, one, frame);
}
