/** Where names are looked up and bound. */
import {
  recordChange,
  type Machine,
  type Slot,
  type DictValue,
  type Frame,
  type List,
  type SetValue,
  type Value,
} from '../machine';
import { assignedNames, type Statement } from '../syntax';

export function lookUp(m: Machine, frame: Frame, name: string): Value | undefined {
  const own = frame.declared.get(name) === 'global' ? undefined : frame.names.get(name);
  if (own) return own;
  if (isLocal(frame, name)) return undefined;
  for (let at = frame.outer; at; at = at.outer) {
    const found = at.names.get(name);
    if (found) return found;
  }
  return frame.globals.names.get(name) ?? m.builtins.get(name);
}

export const unbound = (name: string): string =>
  `cannot access local variable '${name}' where it is not associated with a value`;

const locals = new WeakMap<object, ReadonlySet<string>>();

/** Whether the function that runs binds a name itself, somewhere: then no other of that name is meant, also before. */
export function isLocal({ running, around, declared }: Frame, name: string): boolean {
  const body = running?.body;
  if (around || !Array.isArray(body) || declared.has(name)) return false;
  const known = locals.get(body) ?? localNames(body as readonly Statement[]);
  locals.set(body, known);
  return known.has(name);
}

function localNames(body: readonly Statement[]): ReadonlySet<string> {
  const names = assignedNames(body);
  for (const name of declaredNames(body)) names.delete(name);
  return names;
}

function declaredNames(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { nodeType, names } = part as { nodeType?: string; names?: readonly string[] };
  if (nodeType === 'Global' || nodeType === 'Nonlocal') return names ?? [];
  return nodeType === 'FunctionDef' ? [] : Object.values(part).flatMap(declaredNames);
}

function frameOf(frame: Frame, name: string): Frame {
  const declared = frame.declared.get(name);
  if (declared === 'global') return frame.globals;
  if (declared === undefined) return frame;
  for (let at = frame.outer; at; at = at.outer) if (at.names.has(name)) return at;
  return frame;
}

export function bind(m: Machine, frame: Frame, name: string, value: Value): void {
  setKey(m, frameOf(frame, name).names, name, value);
}

export function unbind(m: Machine, frame: Frame, name: string): boolean {
  const { names } = frameOf(frame, name);
  recordChange(m, () => slotOf(names, name));
  return names.delete(name);
}

/** Sets a name or attribute in a way that a branch which may not be taken can undo. */
export function setKey(m: Machine, map: Map<string, Value>, key: string, value: Value): void {
  recordChange(m, () => slotOf(map, key));
  map.set(key, value);
}

/** The same for one that goes. */
export function unsetKey(m: Machine, map: Map<string, Value>, key: string): void {
  recordChange(m, () => slotOf(map, key));
  map.delete(key);
}

const slotOf = (map: Map<string, Value>, key: string): Slot => ({
  owner: map,
  key,
  get: () => map.get(key),
  set: (value) => void (value ? map.set(key, value) : map.delete(key)),
});

/** Sets or deletes an entry of a dict. */
export function setEntry(
  m: Machine,
  { entries }: DictValue,
  key: string,
  entry: readonly [Value, Value] | undefined,
): void {
  const name = entry?.[0] ?? entries.get(key)?.[0];
  recordChange(m, () => ({
    owner: entries,
    key,
    get: () => entries.get(key)?.[1],
    set: (value) => void (value && name ? entries.set(key, [name, value]) : entries.delete(key)),
  }));
  if (entry) entries.set(key, entry);
  else entries.delete(key);
}

/** The same of a set. */
export function recordSet(m: Machine, of: SetValue): void {
  recordChange(m, () => ({
    owner: of,
    key: '',
    get: () => ({ kind: 'set', entries: new Map(of.entries) }),
    set: (value) => {
      if (value?.kind === 'unknown') of.unsure = value.cause;
      if (value?.kind !== 'set') return;
      of.entries.clear();
      for (const [key, item] of value.entries) of.entries.set(key, item);
    },
  }));
}

/** To be said before a list changes; where two branches leave two different lists, its items are not known from then on. */
export function recordList(m: Machine, of: List): void {
  recordChange(m, () => ({
    owner: of,
    key: '',
    get: () => ({ kind: 'list', items: [...of.items] }),
    set: (value) => {
      if (value?.kind === 'list') of.items = [...value.items];
      else if (value?.kind === 'unknown') of.unsure = value.cause;
    },
  }));
}
