/** Classes and instances: the order of bases, attributes, exceptions. */
import { ownNames, type TextRange } from '../../text';
import {
  PythonError,
  raise,
  int,
  type Machine,
  str,
  tuple,
  typeName,
  type ClassValue,
  type Instance,
  type Value,
} from '../machine';
import type { Raised } from '../tensor';
import { plainText } from './format';

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
  const all = [...new Set([...[...bases].reverse().flatMap((base) => base.fields ?? []), ...names])];
  const added = bases
    .map((base) => classAttribute(base, '__collects_fields__'))
    .find((value) => value?.kind === 'tuple');
  const last = added?.kind === 'tuple' ? added.items.flatMap((item) => (item.kind === 'str' ? [item.value] : [])) : [];
  return [...all.filter((name) => !last.includes(name)), ...last];
}

/** Makes a dataclass of it, with what `field(…)` says. */
export function collectFields(of: ClassValue): void {
  const without = new Map(of.bases.flatMap((base) => [...(base.without ?? [])]));
  of.fields = fieldsOf(of);
  of.without = without;
  for (const name of of.fields) {
    const value = of.attributes.get(name);
    if (!value) continue;
    without.delete(name);
    if (value.kind === 'list' || value.kind === 'dict' || value.kind === 'set')
      raise(
        'ValueError',
        `mutable default <class '${value.kind}'> for field ${name} is not allowed: use default_factory`,
      );
    if (value.kind !== 'tuple' || value.names?.[0] !== 'default_factory') continue;
    without.set(name, value.names.slice(1));
    if (value.names.includes('default')) of.attributes.set(name, value.items[0] as Value);
    else if (value.names.includes('none')) of.attributes.delete(name);
  }
}

/** The fields that a dataclass's own `init`, `repr` or `compare` is about. */
export const fieldsFor = ({ fields, without }: ClassValue, use: string): readonly string[] =>
  (fields ?? []).filter((name) => !without?.get(name)?.includes(use));

/** Fields that a call has to give. */
export const fieldsNeeded = (of: ClassValue): readonly string[] =>
  classAttribute(of, '__init__') ? [] : fieldsFor(of, 'init').filter((name) => !classAttribute(of, name));

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

/** Instances of `nn.Module` whose `Module.__init__` has not run. */
export const unready = new WeakSet<Instance>();

const isModule = (value: Value): boolean => value.kind === 'instance' && derivesFrom(value.of, 'Module');
const isParameter = (value: Value): boolean => value.kind === 'tensor' && value.parameter;
const tensorTypes: Readonly<Record<string, string>> = { float32: 'Float', float64: 'Double', int64: 'Long', int32: 'Int', bool: 'Bool', float16: 'Half' }; // prettier-ignore

/** What `nn.Module` refuses of `self.name = to`. */
export function refuseMember(m: Machine, self: Instance, name: string, to: Value): void {
  const isHeld = isModule(to) || isParameter(to);
  if (isHeld && unready.has(self))
    raise('AttributeError', `cannot assign ${isModule(to) ? 'module' : 'parameters'} before Module.__init__() call`);
  const before = self.attributes.get(name);
  if (!before || to.kind === 'none' || to.kind === 'unknown' || !extendsModule(m, self.of)) return;
  const [as, needs] = isParameter(before) ? ['parameter', 'torch.nn.Parameter'] : ['child module', 'torch.nn.Module'];
  if (isParameter(before) ? isParameter(to) : isHeld || !isModule(before)) return;
  const kind = to.kind === 'tensor' && to.library === 'torch' ? `torch.${tensorTypes[to.node.dtype] ?? ''}Tensor` : typeName(to); // prettier-ignore
  raise('TypeError', `cannot assign '${kind}' as ${as} '${name}' (${needs} or None expected)`);
}

/** Whether PyTorch's own `nn.Module` is among the bases. */
export const extendsModule = (m: Machine, of: ClassValue): boolean =>
  !openBase(of) && linearized(of).some((one) => one.name === 'Module' && one === m.library(m, 'nn.Module'));

/** An exception as a value. */
export function exceptionOf(m: Machine, error: Raised | PythonError): Instance {
  if (error instanceof PythonError) return error.value;
  const found = m.builtins.get(error.type);
  const base = m.builtins.get('Exception');
  const of = found?.kind === 'class' ? found : makeClass(error.type, base?.kind === 'class' ? [base] : []);
  // Of a key that is not there its text is the message.
  const key = error.type === 'KeyError' ? /^'(.*)'$|^(-?\d+)$/s.exec(error.message) : undefined;
  const arg = key?.[2] === undefined ? str(key?.[1] ?? error.message) : int(Number(key[2]));
  return { kind: 'instance', of, attributes: new Map<string, Value>([['args', tuple([arg])]]) };
}

/** `RuntimeError: mat1 and mat2 …`, as a traceback ends. */
export function exceptionText({ of, attributes }: Instance): string {
  const args = attributes.get('args');
  const items = args?.kind === 'tuple' ? args.items : [];
  const quoted = items.length > 1 || of.name === 'KeyError';
  const parts = items.map((item) =>
    item.kind === 'str' ? (quoted ? (plainText(item, true) ?? '…') : item.value) : (plainText(item, true) ?? '…'),
  );
  if (parts.length === 0) return of.name;
  return `${of.name}: ${parts.length > 1 ? `(${parts.join(', ')})` : parts.join('')}`;
}

export const errorAt = (m: Machine, error: Raised, range: TextRange): PythonError =>
  new PythonError(exceptionOf(m, error), range);
