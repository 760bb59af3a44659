/** Classes and instances: the order of bases, attributes, exceptions. */
import { ownNames, type TextRange } from '../../text';
import {
  PythonError,
  type Machine,
  str,
  tuple,
  typeName,
  type ClassValue,
  type Instance,
  type Value,
} from '../machine';
import type { Raised } from '../tensor';

/** Each class's order of bases, which never change. */
const orders = new WeakMap<ClassValue, readonly ClassValue[]>();

/** The class and its bases in the order in which attributes are looked up; what several share comes after all of them. */
export function linearized(of: ClassValue): readonly ClassValue[] {
  const known = orders.get(of);
  if (known) return known;
  const all = [of, ...of.bases.flatMap(linearized)];
  const order = all.filter((one, i) => all.lastIndexOf(one) === i);
  orders.set(of, order);
  return order;
}

export function classAttribute(of: ClassValue, name: string): Value | undefined {
  for (const one of linearized(of)) {
    const found = one.attributes.get(name);
    if (found) return found;
  }
  return undefined;
}

export const isSubclass = (of: ClassValue, base: ClassValue): boolean => linearized(of).includes(base);

/** Fields by annotations, in order, those of the bases first; what a library adds to each class, as Flax does, comes last. */
export function fieldsOf({ attributes, bases }: ClassValue): readonly string[] {
  const own = attributes.get('__annotations__');
  const names = own?.kind === 'dict' ? [...own.entries.values()].flatMap(([key]) => (key.kind === 'str' ? [key.value] : [])) : []; // prettier-ignore
  const inherited = bases.flatMap((base) => base.fields ?? []);
  const all = [...inherited.filter((name) => !names.includes(name)), ...names];
  const added = bases
    .map((base) => classAttribute(base, '__collects_fields__'))
    .find((value) => value?.kind === 'tuple');
  const last = added?.kind === 'tuple' ? added.items.flatMap((item) => (item.kind === 'str' ? [item.value] : [])) : [];
  return [...all.filter((name) => !last.includes(name)), ...last];
}

/** Fields that a call has to give. */
export const fieldsNeeded = (of: ClassValue): readonly string[] =>
  classAttribute(of, '__init__') ? [] : (of.fields ?? []).filter((name) => !classAttribute(of, name));

/** Whether a class of ours by this name is among the bases. */
export const derivesFrom = (of: ClassValue, name: string): boolean => linearized(of).some((one) => one.name === name);

/** Why an attribute that is not found may be there all the same. */
export const openBase = (of: ClassValue): ClassValue['cause'] => linearized(of).find(({ cause }) => cause)?.cause;

export const makeClass = (
  name: string,
  bases: readonly ClassValue[] = [],
  attributes = new Map<string, Value>(),
): ClassValue => ({
  kind: 'class',
  name,
  bases,
  attributes,
});

const aliases = ownNames<readonly string[]>({
  bool: ['bool', 'int'],
  NoneType: ['NoneType'],
  symbol: ['int'],
  Parameter: ['Parameter', 'Tensor'],
  'numpy.ndarray': ['ndarray'],
});

/** Names of the classes that a value which is no instance belongs to. */
export function builtinClasses(value: Value): readonly string[] {
  const name = typeName(value);
  const module =
    value.kind === 'tensor' && value.library === 'torch' && value.node.dtype === 'float32' ? ['FloatTensor'] : [];
  const iterable = ['list', 'tuple'].includes(name) ? ['Sequence', 'Iterable'] : name === 'dict' ? ['Mapping'] : [];
  return [...(aliases[name] ?? [name]), ...module, ...iterable, 'object'];
}

/** An exception as a value. */
export function exceptionOf(m: Machine, error: Raised | PythonError): Instance {
  if (error instanceof PythonError) return error.value;
  const found = m.builtins.get(error.type);
  const base = m.builtins.get('Exception');
  const of = found?.kind === 'class' ? found : makeClass(error.type, base?.kind === 'class' ? [base] : []);
  return { kind: 'instance', of, attributes: new Map<string, Value>([['args', tuple([str(error.message)])]]) };
}

/** `RuntimeError: mat1 and mat2 …`, as a traceback ends. */
export function exceptionText({ of, attributes }: Instance): string {
  const args = attributes.get('args');
  const parts =
    args?.kind === 'tuple'
      ? args.items.map((item) => (item.kind === 'str' ? item.value : item.kind === 'int' ? String(item.value) : '…'))
      : [];
  return parts.length === 0 ? of.name : `${of.name}: ${parts.join(', ')}`;
}

export const errorAt = (m: Machine, error: Raised, range: TextRange): PythonError =>
  new PythonError(exceptionOf(m, error), range);
