/** Classes of Python's `enum`: what their bodies bind becomes members, in order, found by name and by value. */
import { int, keyOf, raise, str, typeName, type ClassValue, type Instance, type Value } from '../machine';
import { derivesFrom } from './classes';

/** By name. */
type Members = ReadonlyMap<string, Instance>;

const made = new WeakMap<ClassValue, Members>();

/** The members of an enumeration, in order; undefined of other classes. */
export const membersOf = (of: ClassValue): Members | undefined => made.get(of);

/** Makes members of what the body of a class binds. What is a str or an int too stays one, as which it compares and joins. */
export function makeMembers(of: ClassValue): void {
  const isPlain = of.bases.length === 1 && of.bases.some((base) => derivesFrom(base, 'Enum'));
  if (!isPlain) return;
  let last = 0;
  const members = new Map<string, Instance>();
  for (const [name, bound] of [...of.attributes]) {
    if (name.startsWith('_') || notMembers.has(bound.kind)) continue;
    const value = isAuto(bound) ? int(last + 1) : bound;
    if (value.kind === 'int') last = Number(value.value);
    const member: Instance = { kind: 'instance', of, attributes: new Map<string, Value>([['name', str(name)], ['value', value]]) }; // prettier-ignore
    of.attributes.set(name, member);
    members.set(name, member);
  }
  made.set(of, members);
}

const notMembers = new Set<Value['kind']>(['function', 'property', 'static', 'classmethod', 'class']);

/** What `enum.auto()` gives until its class is made. */
const isAuto = (value: Value): boolean => value.kind === 'tuple' && value.names?.[0] === 'auto';

/** `Kind(2)`. */
export function memberOf(of: ClassValue, members: Members, value: Value | undefined): Value {
  const all = [...members.values()];
  if (value?.kind === 'instance' && all.includes(value)) return value;
  const key = value && keyOf(value);
  const found = key === undefined ? undefined : all.find(({ attributes }) => keyOf(attributes.get('value') as Value) === key); // prettier-ignore
  return found ?? raise('ValueError', `${value?.kind === 'int' ? value.value : value?.kind === 'str' ? `'${value.value}'` : typeName(value ?? str(''))} is not a valid ${of.name}`); // prettier-ignore
}

/** `Kind['FULL']`. */
export function memberNamed(members: Members, key: Value): Value {
  const name = key.kind === 'str' ? key.value : '';
  return members.get(name) ?? raise('KeyError', `'${name}'`);
}
