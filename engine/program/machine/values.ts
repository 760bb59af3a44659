/** Python's values, as plain data. */
import type { Paced } from '../../text';
import type { Cause, Node, Symbolic, DType, Library } from '../tensor';
import type { Source, Arguments as Parameters, Expression, Statement } from '../syntax';

export type Run<T> = Paced<T>;

export interface None {
  readonly kind: 'none';
}
export interface Bool {
  readonly kind: 'bool';
  readonly value: boolean;
}
/** A bigint only where a number would not be exact. */
export interface Int {
  readonly kind: 'int';
  readonly value: number | bigint;
}
/** A whole number that is known by name: `T`, `C // h`. */
export interface SymbolicInt {
  readonly kind: 'symbol';
  readonly dim: Symbolic;
  readonly cause: Cause;
}
export interface Float {
  readonly kind: 'float';
  readonly value: number;
}
export interface Str {
  readonly kind: 'str';
  readonly value: string;
}
export interface Bytes {
  readonly kind: 'bytes';
  readonly value: string;
}
export interface Ellipsis {
  readonly kind: 'ellipsis';
  /** Another of Python's constants that is no number: what an operator's method gives where it leaves the operation to the other operand. */
  readonly name?: 'NotImplemented';
}
export interface Tuple {
  readonly kind: 'tuple';
  readonly items: readonly Value[];
  /** Of a named tuple, or of what a library returns as one (`values`, `indices`). */
  readonly names?: readonly string[];
  /** PyTorch's `torch.Size`, which prints so. */
  readonly isSize?: boolean;
}
export interface List {
  readonly kind: 'list';
  items: Value[];
  /** Which items it has depends on what is not known. */
  unsure?: Cause;
  /** A view of a dict, of which it has what that has at the time. */
  readonly ofDict?: 'keys' | 'values' | 'items';
  readonly dict?: DictValue;
}
export interface DictValue {
  readonly kind: 'dict';
  readonly entries: Map<string, readonly [Value, Value]>;
  /** Of a defaultdict. */
  readonly missing?: Value;
  /** A Counter: what it lacks is 0 and does not come in by being asked for, and an update adds. */
  readonly counts?: true;
  /** Which entries it has depends on what is not known. */
  unsure?: Cause;
}
export interface SetValue {
  readonly kind: 'set';
  readonly entries: Map<string, Value>;
  unsure?: Cause;
}
export interface SliceValue {
  readonly kind: 'slice';
  readonly lower: Value;
  readonly upper: Value;
  readonly step: Value;
}
export interface RangeValue {
  readonly kind: 'range';
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}
/** Something that is walked once. */
export interface Iterator {
  readonly kind: 'iterator';
  readonly next: () => Run<Value | undefined>;
  /** Of a generator: `send`, `throw` and `close`, and what its body returned. */
  readonly send?: (value: Value) => Run<Value | undefined>;
  readonly throw?: (error: Error) => Run<Value | undefined>;
  readonly close?: () => Run<void>;
  result?: Value;
  /** How often a walk over it began, and why it is not known what is left: one may have walked on. */
  walks?: number;
  lost?: Cause;
}

/** Between the body of a generator and whoever asks it. */
export interface Yields {
  /** What it yields, until it is taken. */
  given?: Value | undefined;
  /** What `send` gives the `yield` at which it stands. */
  sent: Value;
  /** Why it is not known what it yields from here on. */
  unsure?: Cause;
  /** How many conditions that are not known are around whoever asks. */
  base: number;
  /** Steps and operations that others took while it stood. */
  readonly away: { steps: number; nodes: number };
}

/** Names of a function's, class body's or file's. */
export interface Frame {
  readonly names: Map<string, Value>;
  /** Where a name is looked up next; class bodies are not among them. */
  readonly outer: Frame | undefined;
  readonly globals: Frame;
  /** Where a comprehension stands. */
  readonly around?: Frame;
  /** Names that are declared `global` or `nonlocal`. */
  readonly declared: Map<string, 'global' | 'nonlocal'>;
  readonly source: Source;
  /** The function that runs, with its first argument: what `super()` asks. */
  readonly running?: FunctionValue;
  readonly self?: Value;
  /** Of a generator's body. */
  readonly yields?: Yields;
  /** What the function returns if an unknown condition holds. */
  readonly maybe: Value[];
  /** The module-level names of another file of the workspace. */
  readonly isFile?: boolean;
}

export interface FunctionValue {
  readonly kind: 'function';
  readonly name: string;
  /** As messages write it: `Head.forward`, `outer.<locals>.inner`. */
  qualifiedName: string;
  readonly parameters: Parameters;
  readonly body: readonly Statement[] | Expression;
  readonly defaults: readonly Value[];
  readonly keywordDefaults: ReadonlyMap<string, Value>;
  readonly closure: Frame;
  readonly source: Source;
  /** The class in whose body it stands. */
  owner?: ClassValue;
  readonly isGenerator: boolean;
  readonly attributes: Map<string, Value>;
  /** What it gave, by its arguments: `functools.lru_cache`. */
  readonly kept?: Kept;
  /** A decorator that is not followed may have added to it. */
  readonly cause?: Cause;
}

export interface Kept {
  readonly size: number;
  readonly made: Map<string, Value>;
}

export interface Arguments {
  readonly positional: readonly Value[];
  readonly keywords: ReadonlyMap<string, Value>;
}

export interface Builtin {
  readonly kind: 'builtin';
  readonly name: string;
  readonly call: (args: Arguments) => Run<Value>;
}
export interface Method {
  readonly kind: 'method';
  readonly self: Value;
  readonly function: Value;
}
export interface Property {
  readonly kind: 'property';
  readonly getter: Value;
  readonly setter?: Value;
  readonly deleter?: Value;
  /** `functools.cached_property`: kept by the instance once it was asked for. */
  readonly cached?: true;
}
export interface Wrapped {
  readonly kind: 'static' | 'classmethod';
  readonly function: Value;
}
export interface ClassValue {
  readonly kind: 'class';
  readonly name: string;
  readonly bases: readonly ClassValue[];
  readonly attributes: Map<string, Value>;
  /** Bases that are not known: attributes may come from them. */
  cause?: Cause;
  /** Written in the program itself: it has no attribute but those that are written. */
  readonly own?: true;
  /** Fields of a dataclass, in order. */
  fields?: readonly string[];
  /** What `field(init=False, repr=False, compare=False)` leaves each field out of. */
  without?: ReadonlyMap<string, readonly string[]>;
  /** What `@dataclass(frozen=True, order=True)` switches on, and `eq=False` off. */
  options?: ReadonlyMap<string, boolean>;
}
export interface Instance {
  readonly kind: 'instance';
  readonly of: ClassValue;
  readonly attributes: Map<string, Value>;
}
export interface ModuleValue {
  readonly kind: 'module';
  readonly name: string;
  /** Of a file that was read; a library's are looked up in the table. */
  readonly names?: Map<string, Value>;
}
export interface DTypeValue {
  readonly kind: 'dtype';
  readonly dtype: DType;
  readonly library: Library;
}
export interface DeviceValue {
  readonly kind: 'device';
  readonly name: string;
}
export interface SuperValue {
  readonly kind: 'super';
  readonly self: Value;
  readonly after: ClassValue;
}

/** The storage of a tensor and of all its views. */
export interface Root {
  node: Node;
  version: number;
  /** What is still to be written before all values are known: `torch.empty`. */
  unfilled?: { readonly written: Uint8Array; left: number };
  /** It was copied to lie row by row. */
  inOrder?: boolean;
}
export interface TensorValue {
  readonly kind: 'tensor';
  readonly library: Library;
  readonly root: Root;
  readonly isRoot: boolean;
  /** Places in the root; without strides only the shape is known. */
  readonly offset: number;
  readonly strides?: readonly number[];
  /** The graph's node of its values; outdated once the root's version is higher than `version`. */
  node: Node;
  version: number;
  readonly parameter: boolean;
  /** What `requires_grad` was set to. */
  grad?: boolean;
  /** NumPy's scalars, which `a[0]` gives. */
  readonly scalar: boolean;
}

/** What stands in for an argument that no call gives: it becomes what it is used as. */
export interface StandIn {
  readonly name: string;
  readonly parts: Map<string, Value>;
  tensor?: TensorValue;
  /** It was used as a size. */
  isSize?: boolean;
  /** Parts of it were asked for by their numbers: `window_size[0]`, `h, w = resolution`. */
  isSequence?: boolean;
  /** It was called: a layer, a function. */
  isCalled?: boolean;
  /** Its `shape` was asked for: what unpacks it says how many axes there are. */
  readonly shapeOf?: StandIn;
}
export interface Unknown {
  readonly kind: 'unknown';
  readonly cause: Cause;
  /** The library it is from, which is not followed. */
  readonly library?: string;
  /** A function that writes into what it is given. */
  readonly changes?: true | 'order';
  /** What it may share memory with: a method of a tensor that is not followed, or what that gave. */
  readonly self?: TensorValue;
  /** A number although its value is not known. */
  readonly type?: 'float' | 'int' | 'bool' | 'str';
  readonly standIn?: StandIn;
  /** Stands for as many items as there are: `*args` of what is not known. */
  readonly spread?: boolean;
  /** One of a set, which is gone through in an order that differs from run to run: which one is not known, all of them are. */
  readonly oneOf?: { readonly items: readonly Value[]; readonly place: number };
  /** Text of which only some parts are known: what it was made of. */
  readonly parts?: readonly Value[];
}

export type Value =
  | None
  | Bool
  | Int
  | SymbolicInt
  | Float
  | Str
  | Bytes
  | Ellipsis
  | Tuple
  | List
  | DictValue
  | SetValue
  | SliceValue
  | RangeValue
  | Iterator
  | FunctionValue
  | Builtin
  | Method
  | Property
  | Wrapped
  | ClassValue
  | Instance
  | ModuleValue
  | DTypeValue
  | DeviceValue
  | SuperValue
  | TensorValue
  | Unknown;

export const none: None = { kind: 'none' };
export const ellipsis: Ellipsis = { kind: 'ellipsis' };
export const notImplemented: Ellipsis = { kind: 'ellipsis', name: 'NotImplemented' };
const [yes, no]: Bool[] = [
  { kind: 'bool', value: true },
  { kind: 'bool', value: false },
];
export const bool = (value: boolean): Bool => (value ? yes : no) as Bool;
export const float = (value: number): Float => ({ kind: 'float', value });
export const str = (value: string): Str => ({ kind: 'str', value });
export const tuple = (items: readonly Value[], names?: readonly string[]): Tuple =>
  names ? { kind: 'tuple', items, names } : { kind: 'tuple', items };
export const list = (items: Value[]): List => ({ kind: 'list', items });
export const int = (value: number | bigint): Int => ({
  kind: 'int',
  value:
    typeof value === 'bigint' && value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER
      ? Number(value)
      : value,
});
/** A whole number from a size. */
export const sized = (dim: number | Symbolic, cause: Cause): Value =>
  typeof dim === 'number' ? int(dim) : { kind: 'symbol', dim, cause };

export const builtin = (name: string, call: (args: Arguments) => Run<Value>): Builtin => ({
  kind: 'builtin',
  name,
  call,
});

const identities = new WeakMap<object, number>();
let lastIdentity = 0;
function identityOf(value: object): number {
  const known = identities.get(value);
  if (known !== undefined) return known;
  identities.set(value, ++lastIdentity);
  return lastIdentity;
}

/** Containers within containers that are walked; one that holds itself has more. */
export const deepestNesting = 100;

const definesIn = ({ own, attributes, bases }: ClassValue, name: string): boolean =>
  (own && attributes.has(name)) || bases.some((base) => definesIn(base, name));

/** A dict's key as text: equal for what Python takes to be one key. Undefined for what has no hash. */
export function keyOf(value: Value): string | undefined {
  switch (value.kind) {
    case 'none':
      return value.kind;
    case 'ellipsis':
      return value.name ?? value.kind;
    case 'bool':
      return `n${Number(value.value)}`;
    case 'int':
    case 'float':
      return `n${value.value}`;
    case 'str':
      return `s${value.value}`;
    case 'bytes':
      return `b${value.value}`;
    case 'dtype':
      return `d${value.dtype}`;
    case 'tuple': {
      const keys = value.items.map(keyOf);
      return keys.includes(undefined) ? undefined : `(${keys.map((key) => `${key?.length}:${key}`).join()})`;
    }
    case 'instance': {
      // A dataclass that compares by its fields has a hash only where it is frozen.
      const { fields, options } = value.of;
      if (!options && definesIn(value.of, '__eq__')) return undefined;
      if (!options || options.get('eq') === false || value.of.attributes.has('__hash__'))
        return `#${identityOf(value)}`;
      if (!options.get('frozen')) return undefined;
      const keys = (fields ?? []).map((name) => keyOf(value.attributes.get(name) ?? none));
      return keys.includes(undefined) ? undefined : `${identityOf(value.of)}(${keys.map((key) => `${key?.length}:${key}`).join()})`; // prettier-ignore
    }
    case 'list':
    case 'dict':
    case 'set':
    case 'slice':
    case 'unknown':
    case 'symbol':
      return undefined;
    default:
      return `#${identityOf(value)}`;
  }
}

export const emptyDict = (missing?: Value): DictValue =>
  missing ? { kind: 'dict', entries: new Map(), missing } : { kind: 'dict', entries: new Map() };

/** A dict of text keys. */
export function dictOf(pairs: Iterable<readonly [string, Value]>): DictValue {
  const dict = emptyDict();
  for (const [key, value] of pairs) dict.entries.set(`s${key}`, [str(key), value]);
  return dict;
}

/** What Python's `type(x).__name__` says. */
export function typeName(value: Value): string {
  switch (value.kind) {
    case 'none':
      return 'NoneType';
    case 'symbol':
      return 'int';
    case 'instance':
      return value.of.name;
    case 'tensor':
      return value.library === 'numpy'
        ? value.scalar
          ? value.node.dtype
          : 'numpy.ndarray'
        : value.parameter
          ? 'Parameter'
          : 'Tensor';
    case 'class':
      return 'type';
    case 'builtin':
      return 'builtin_function_or_method';
    case 'iterator':
      return 'generator';
    default:
      return value.kind;
  }
}
