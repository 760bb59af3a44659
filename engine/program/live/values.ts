/** Values of the process as values of the program that is read. */
import { t } from '../../text';
import {
  addNode,
  bool,
  constant,
  float,
  int,
  list,
  newTensor,
  none,
  str,
  tuple,
  type ClassValue,
  type Instance,
  type Machine,
  type Run,
  type TensorValue,
  type Value,
} from '../machine';
import { attribute } from '../evaluate';
import { dtypes, type Cause, type DType, type Library, type Node } from '../tensor';
import type { LiveInfo, LiveScalar, LiveTensorInfo, Stopped } from './info';

/** What was taken from the process: leaves of the graph by the path of their value. */
export interface Leaves {
  readonly stopped: Stopped;
  readonly paths: Map<Node, string>;
  /** Of leaves whose numbers were not read yet. */
  readonly pending: Cause;
  /** Paths that statements before the stop change: what they were before is gone. */
  readonly changed: ReadonlySet<string>;
}

export function* valueIn(m: Machine, leaves: Leaves, path: string, info: LiveInfo | undefined): Run<Value | undefined> {
  switch (info?.kind) {
    case 'value':
      return scalarIn(info.value, info.type);
    case 'tensor':
      return tensorIn(m, leaves, path, info);
    case 'object':
      return yield* objectIn(m, leaves, path, info);
    default:
      return undefined;
  }
}

function scalarIn(value: LiveScalar, type: string): Value {
  if (value === null) return none;
  if (typeof value === 'boolean') return bool(value);
  if (typeof value === 'string') return str(value);
  return type.startsWith('float') ? float(value) : int(value);
}

export const dtypeOf = ({ dtype = '', wire }: LiveTensorInfo): DType | undefined =>
  dtypes.find((one) => one === (wire ?? dtype));

const libraryOf = ({ library }: LiveTensorInfo): Library =>
  library === 'torch' || library === 'tensorflow' ? 'torch' : 'numpy';

/** A leaf with the numbers of the process; without them as long as they were not read. */
export function leafIn(m: Machine, { stopped, paths, pending }: Leaves, path: string, info: LiveTensorInfo): Node | undefined {
  const { shape, no } = info;
  const dtype = dtypeOf(info);
  if (!shape || no !== undefined || !dtype) return undefined;
  const numbers = stopped.numbers[path];
  const node = numbers
    ? constant(m, shape, dtype, Float64Array.from(numbers), 'live')
    : addNode(m, 'input', { shape, dtype, why: pending, attributes: { origin: 'live' } });
  paths.set(node, path);
  return node;
} // prettier-ignore

function tensorIn(m: Machine, leaves: Leaves, path: string, info: LiveTensorInfo): Value | undefined {
  const { library, items, type } = info;
  if (library === 'list') {
    if (!items) return undefined;
    const own = items.map((one) => scalarIn(one, typeof one === 'number' && !Number.isInteger(one) ? 'float' : (info.dtype ?? ''))); // prettier-ignore
    return type === 'list' ? list(own) : tuple(own);
  }
  const node = leafIn(m, leaves, path, info);
  return node && tensorOf(info, node);
}

export const tensorOf = (info: LiveTensorInfo, node: Node): TensorValue =>
  newTensor(libraryOf(info), node, { parameter: info.type === 'Parameter' });

/** An instance of the class that the program or the library has, with the attributes of the process and without its constructor's. */
function* objectIn(m: Machine, leaves: Leaves, path: string, info: Extract<LiveInfo, { kind: 'object' }>): Run<Value> {
  const attributes = new Map<string, Value>();
  const found: Instance = { kind: 'instance', of: yield* classIn(m, info), attributes };
  for (const [name, own] of Object.entries(info.has)) {
    const inner = `${path}.${name}`;
    const cause = { text: t('its value before the stop is gone'), range: m.here };
    const value = leaves.changed.has(inner) ? ({ kind: 'unknown', cause } as const) : yield* valueIn(m, leaves, inner, own);
    if (value) attributes.set(name, value);
  }
  return found;
} // prettier-ignore

function* classIn(m: Machine, { type, module }: Extract<LiveInfo, { kind: 'object' }>): Run<ClassValue> {
  const isTorch = module.startsWith('torch.nn.');
  const own = isTorch
    ? yield* attribute(m, { kind: 'module', name: m.alias('torch.nn') }, type)
    : m.globals.names.get(type);
  if (own?.kind === 'class') return own;
  const cause = { text: t('the class {0} is not known here', type), range: m.here };
  return { kind: 'class', name: type, bases: [], attributes: new Map(), cause };
}
