/** `value.name`. */
import { t } from '../../text';
import {
  raise,
  still,
  unknown,
  type Machine,
  builtin,
  dictOf,
  int,
  none,
  str,
  tuple,
  typeName,
  type ClassValue,
  type Instance,
  type Run,
  type SuperValue,
  type Unknown,
  type Value,
} from '../machine';
import { classAttribute, derivesFrom, linearized, openBase, refuseMember } from './classes';
import { hasMethod, methodOf } from './containers';
import { setKey } from './frames';
import { partOf } from './stand-ins';

/** An attribute that is there without a call and without a search. Undefined: `attribute` is to be asked. */
export function plainAttribute(m: Machine, value: Value, name: string): Value | undefined {
  switch (value.kind) {
    case 'instance': {
      const shared = classAttribute(value.of, name);
      if (shared?.kind === 'property' || shared?.kind === 'instance') return undefined;
      return value.attributes.get(name) ?? (shared && bound(value, shared));
    }
    case 'module':
      return value.names ? value.names.get(name) : m.found.get(`${value.name}.${name}`);
    case 'tensor': {
      const found = m.found.get(`${value.library === 'torch' ? 'Tensor' : 'ndarray'}.${name}`);
      return found && found.kind !== 'property' ? { kind: 'method', self: value, function: found } : undefined;
    }
    default:
      return undefined;
  }
}

/** The attribute, or undefined where Python has none. */
export function* attribute(m: Machine, value: Value, name: string): Run<Value | undefined> {
  switch (value.kind) {
    case 'instance':
      return yield* ofInstance(m, value, name);
    case 'class':
      return ofClass(m, value, name);
    case 'super':
      return yield* ofSuper(m, value, name);
    case 'module':
      if (value.name === 'sys' && name === 'modules') return dictOf([['__main__', { kind: 'module', name: '__main__', names: m.globals.names }]]); // prettier-ignore
      return value.names
        ? value.names.get(name)
        : (m.library(m, `${value.name}.${name}`) ?? unknownMember(m, value.name, name));
    case 'tensor':
      return yield* ofTensor(m, value, name);
    case 'unknown':
      return value.standIn ? partOf(m, value, value.standIn, name) : written(still(value), name);
    case 'function':
      if (name === '__name__') return str(value.name);
      return value.attributes.get(name) ?? (value.cause && { kind: 'unknown', cause: value.cause });
    case 'tuple':
      if (value.isSize && (name === 'ndims' || name === 'rank')) return int(value.items.length);
      if (value.isSize && name === 'numel') return bound(value, m.library(m, 'math.prod') ?? none);
      return value.names?.includes(name) ? value.items[value.names.indexOf(name)] : methodOf(m, value, name);
    case 'method':
      return name === '__self__' ? value.self : yield* attribute(m, value.function, name);
    case 'property':
      return name === 'setter' || name === 'getter' || name === 'deleter' ? propertyWith(value, name) : undefined;
    case 'dtype':
    case 'device':
      return m.library(m, `${value.kind}.${name}`) ? yield* computed(m, `${value.kind}.${name}`, value) : undefined;
    case 'builtin':
      return name === '__name__' ? str(value.name) : m.library(m, `${value.name}.${name}`);
    case 'range':
      return name === 'start' || name === 'stop' || name === 'step' ? int(value[name]) : methodOf(m, value, name);
    case 'slice':
      return { start: value.lower, stop: value.upper, step: value.step }[name];
    default:
      return name === '__class__' ? m.builtins.get(typeName(value)) : methodOf(m, value, name);
  }
}

const unknownMember = (m: Machine, module: string, name: string): Value => ({
  ...written(unknown(m, t('{0} is not known', `${module}.${name}`)), name),
  // What only computes takes nothing from a stream.
  ...(/^(?:np|np\.linalg|torch|torch\.linalg|F)$/.test(module) && !drawing.test(name) && { library: 'string' }),
});

const drawing =
  /rand|normal|bernoulli|multinomial|dropout|poisson|uniform|exponential|gamma|dirichlet|seed|rng|lowrank|fractional|rrelu|gumbel|binomial|^[A-Z]|^_|^vmap$|^func$|^compile$|attention|^generator|^(?:distributions|testing|hub|jit|fx|ao|nn|utils|distributed|quantization)$/;

/** A function that is not known, by whose name it writes into what it is given. */
const written = (found: Unknown, name: string): Unknown =>
  changing.test(name) ? { ...found, changes: name === 'shuffle' ? 'order' : true } : found;

/** Functions that write into what they are given. */
const changing =
  /[^_]_$|^(?:fill_diagonal|itemset|partition|byteswap|setfield|shuffle|heapify|heappush|heappop|heapreplace|heappushpop|insort\w*|copyto|put|place|putmask|put_along_axis)$/;

function* ofTensor(m: Machine, value: Value & { kind: 'tensor' }, name: string): Run<Value | undefined> {
  const prefix = value.library === 'torch' ? 'Tensor' : 'ndarray';
  const found = m.library(m, `${prefix}.${name}`) ?? (m.modules.has('tensorflow') ? m.library(m, `tf.Tensor_${name}`) : undefined); // prettier-ignore
  if (!found) return { ...written(unknown(m, t('{0} is not known', `${prefix}.${name}`)), name), self: value };
  if (found.kind === 'property')
    return yield* m.evaluator.call(m, found.getter, { positional: [value], keywords: new Map() });
  return { kind: 'method', self: value, function: found };
}

function* computed(m: Machine, name: string, value: Value): Run<Value | undefined> {
  const found = m.library(m, name);
  if (found?.kind !== 'property') return found && { kind: 'method', self: value, function: found };
  return yield* m.evaluator.call(m, found.getter, { positional: [value], keywords: new Map() });
}

function* ofInstance(m: Machine, value: Instance, name: string): Run<Value | undefined> {
  if (value.of.own && classAttribute(value.of, '__getattribute__'))
    return unknown(m, t('{0} is not known', `${value.of.name}.${name}`));
  const shared = classAttribute(value.of, name);
  const own = value.attributes.get(name);
  if (shared?.kind === 'property') {
    if (own && shared.cached) return own;
    const made = yield* m.evaluator.call(m, shared.getter, { positional: [value], keywords: new Map() });
    if (shared.cached) setKey(m, value.attributes, name, made);
    return made;
  }
  const get = shared?.kind === 'instance' ? classAttribute(shared.of, '__get__') : undefined;
  if (shared?.kind === 'instance' && get && !(own && !classAttribute(shared.of, '__set__')))
    return yield* m.evaluator.call(m, get, { positional: [shared, value, value.of], keywords: new Map() });
  if (own) return own;
  if (shared) return bound(value, shared);
  if (name === '__class__') return value.of;
  if (name === '__dict__') return dictOf(value.attributes);
  // `self.__x` in a class `Head` is `_Head__x` elsewhere.
  const hidden = /^_[^_]\w*?(__\w+)$/.exec(name)?.[1];
  if (hidden && !hidden.endsWith('__')) return yield* ofInstance(m, value, hidden);
  // Python looks for its own special methods without asking `__getattr__`.
  const otherwise = /^__\w+__$/.test(name) ? undefined : classAttribute(value.of, '__getattr__');
  if (otherwise) return yield* m.evaluator.call(m, otherwise, { positional: [value, str(name)], keywords: new Map() });
  return openAttribute(m, value.of, name);
}

/** What a base that is not known may have. */
function openAttribute(m: Machine, of: ClassValue, name: string): Value | undefined {
  const open = openBase(of);
  if (!open || /^__(?!init__|call__)/.test(name)) return undefined;
  if (open !== m.openLibrary) return { kind: 'unknown', cause: open };
  return name.startsWith('__') ? undefined : unknown(m, t('{0} is not known', `${of.name}.${name}`));
}

/** What nn.Module has and is not followed. */
const ofModule =
  /^(?:_\w+|register_\w+|T_destination|call_super_init|compile|dump_patches|extra_repr|forward|get_extra_state|ipu|mtia|set_extra_state|set_submodule|share_memory|to_empty|type|xpu)$/;

/** An attribute that is not found, where Python may have it all the same; undefined where it has none. */
export function otherAttribute(m: Machine, value: Value, name: string): Unknown | undefined {
  if (!mayHave(value, name)) return undefined;
  const found = unknown(m, t('{0} is not known', `${value.kind === 'class' ? value.name : typeName(value)}.${name}`));
  // `np.add.at(x, …)` writes into x.
  return value.kind === 'builtin' ? { ...found, changes: true } : found;
}

/** Of a library's class not all is known. */
function mayHave(value: Value, name: string): boolean {
  if (/^__\w+__$/.test(name)) return true;
  const of = value.kind === 'instance' ? value.of : value.kind === 'class' ? value : undefined;
  if (of) return linearized(of).some((one) => !one.own && (one.name === 'Module' ? ofModule.test(name) : one.name !== 'object' && one.name !== 'ABC')); // prettier-ignore
  if (value.kind === 'module') return value.name === '__main__';
  // TensorFlow's sizes are tensors.
  if (name === 'numpy') return true;
  return !['int', 'float', 'bool', 'str', 'list', 'dict', 'set', 'tuple', 'none', 'function', 'ellipsis'].includes(value.kind); // prettier-ignore
}

/** A function of a class as a method of its instance. */
export function bound(self: Value, found: Value): Value {
  if (found.kind === 'function' || found.kind === 'builtin') return { kind: 'method', self, function: found };
  if (found.kind === 'static') return found.function;
  if (found.kind === 'classmethod')
    return { kind: 'method', self: self.kind === 'instance' ? self.of : self, function: found.function };
  return found;
}

function ofClass(m: Machine, value: ClassValue, name: string): Value | undefined {
  if (name === '__name__' || name === '__qualname__') return str(value.name);
  if (name === '__bases__') return tuple(value.bases);
  if (name === '__mro__') return tuple([...new Set([...linearized(value), m.builtins.get('object') ?? none])]);
  if (name === '__annotations__') return unknown(m, t('{0} is not known', `${value.name}.${name}`));
  const found = classAttribute(value, name);
  if (!found && name === '__setattr__') return builtin(name, ({ positional: [self, key, to] }) => writeAttribute(m, self, key, to)); // prettier-ignore
  if (!found && name === '__new__') return builtin(name, () => madeWithout(value));
  if (!found) return openAttribute(m, value, name) ?? m.library(m, `${value.name}.${name}`) ?? unbound(m, value, name);
  return found.kind === 'static' || found.kind === 'classmethod' ? bound(value, found) : found;
}

/** `str.lower`, `list.append`: a method that takes its own value first. */
function unbound(m: Machine, of: ClassValue, name: string): Value | undefined {
  if (m.builtins.get(of.name) !== of || !hasMethod(of.name, name)) return undefined;
  return builtin(name, function* ({ positional: [self, ...rest], keywords }) {
    if (!self) return raise('TypeError', `unbound method ${of.name}.${name}() needs an argument`);
    if (self.kind === 'unknown') return still(self);
    const own = typeName(self) === of.name ? methodOf(m, self, name) : undefined;
    if (!own)
      return raise('TypeError', `descriptor '${name}' for '${of.name}' objects doesn't apply to a '${typeName(self)}' object`); // prettier-ignore
    return yield* m.evaluator.call(m, own, { positional: rest, keywords });
  });
}

/** `Head.__new__(Head)`: an instance whose `__init__` was not run. */
function* madeWithout(of: ClassValue): Run<Value> {
  yield;
  return { kind: 'instance', of, attributes: new Map() };
}

function* ofSuper(m: Machine, { self, after }: SuperValue, name: string): Run<Value | undefined> {
  const of = self.kind === 'instance' ? self.of : self.kind === 'class' ? self : undefined;
  const order = of ? linearized(of) : [];
  for (const one of order.slice(order.indexOf(after) + 1)) {
    const found = one.attributes.get(name);
    if (name === '__new__' && found && found.kind !== 'function')
      return unknown(m, t('{0} is not known', `${one.name}.${name}`));
    if (name === '__new__' && found) return found;
    if (found?.kind === 'property')
      return yield* m.evaluator.call(m, found.getter, { positional: [self], keywords: new Map() });
    if (found) return bound(self, found);
  }
  if (name === '__new__')
    return builtin(name, ({ positional: [made] }) => madeWithout(made?.kind === 'class' ? made : after));
  if (
    name === '__init__' &&
    self.kind === 'instance' &&
    self.attributes.has('args') &&
    derivesFrom(self.of, 'BaseException')
  )
    return builtin(name, ({ positional }) => writeAttribute(m, self, str('args'), tuple(positional)));
  if (name === '__init__' || name === '__post_init__' || name === '__init_subclass__')
    return { kind: 'builtin', name, call: () => nothing() };
  if (name === '__setattr__') return builtin(name, ({ positional: [key, to] }) => writeAttribute(m, self, key, to));
  return of && openAttribute(m, of, name);
}

function* nothing(): Run<Value> {
  return none;
}

/** `object.__setattr__(self, name, to)`, which asks no method of the class. */
function* writeAttribute(m: Machine, self: Value | undefined, key: Value | undefined, to: Value | undefined): Run<Value> {
  if (self?.kind === 'instance' && key?.kind === 'str' && to) setKey(m, self.attributes, key.value, to);
  yield;
  return none;
} // prettier-ignore

const propertyWith = (property: Value & { kind: 'property' }, name: string): Value =>
  builtin(name, function* ({ positional: [method] }) {
    return method ? { ...property, [name]: method } : none;
  });

/** Whether `__slots__` leave a place for it: each class of ours has some then. */
function hasPlace(of: ClassValue, name: string): boolean {
  const order = linearized(of).filter(({ name }) => name !== 'object');
  const slots = order.map(({ attributes }) => attributes.get('__slots__'));
  if (slots.some((one) => one?.kind !== 'tuple' && one?.kind !== 'list')) return true;
  return slots.some((one) => one && 'items' in one && (one.items as Value[]).some((slot) => slot.kind !== 'str' || slot.value === name)); // prettier-ignore
}

/** `value.name = to`. */
export function* setAttribute(m: Machine, value: Value, name: string, to: Value): Run<void> {
  if (value.kind === 'instance') {
    const shared = classAttribute(value.of, name);
    if (value.of.options?.get('frozen')) raise('FrozenInstanceError', `cannot assign to field '${name}'`);
    if (shared?.kind === 'property' && !shared.setter && !shared.cached && value.of.own)
      raise('AttributeError', `property '${name}' of '${value.of.name}' object has no setter`);
    const set = shared?.kind === 'instance' ? classAttribute(shared.of, '__set__') : undefined;
    if (shared && set) {
      yield* m.evaluator.call(m, set, { positional: [shared, value, to], keywords: new Map() });
      return;
    }
    if (shared?.kind === 'property' && shared.setter) {
      yield* m.evaluator.call(m, shared.setter, { positional: [value, to], keywords: new Map() });
      return;
    }
    const hook = classAttribute(value.of, '__setattr__');
    if (hook?.kind === 'function')
      yield* m.evaluator.call(m, hook, { positional: [value, str(name), to], keywords: new Map() });
    else {
      refuseMember(m, value, name, to);
      if (!hasPlace(value.of, name)) raise('AttributeError', `'${value.of.name}' object has no attribute '${name}'`);
      setKey(m, value.attributes, name, to);
    }
  } else if (value.kind === 'class' || value.kind === 'function') setKey(m, value.attributes, name, to);
  else if (value.kind === 'module' && value.names) setKey(m, value.names, name, to);
  else if (value.kind === 'tensor') yield* setTensorAttribute(m, value, name, to);
  else if (value.kind === 'unknown' && value.standIn) setKey(m, value.standIn.parts, name, to);
  else if (value.kind !== 'unknown' && value.kind !== 'module')
    raise('AttributeError', `'${typeName(value)}' object has no attribute '${name}'`);
}

function* setTensorAttribute(m: Machine, value: Value & { kind: 'tensor' }, name: string, to: Value): Run<void> {
  const hook = m.library(m, `Tensor.set_${name}`);
  if (hook) yield* m.evaluator.call(m, hook, { positional: [value, to], keywords: new Map() });
  else if (!['grad', 'requires_grad', 'name', 'is_buffer'].includes(name))
    unknown(m, t('{0} is not known', `Tensor.${name} = …`));
}
