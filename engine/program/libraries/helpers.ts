/** What the definitions in Python ask for that Python has no word for. */
import { t } from '../../text';
import {
  derivesFrom,
  fieldsFor,
  makeClass,
  unready,
  arrayNode,
  unknownNode,
  dimOf,
  asSymbol,
  asTensor,
} from '../evaluate';
import {
  addNode,
  cause,
  input,
  isCause,
  look,
  loseStreams,
  note,
  type Machine,
  castNode,
  newTensor,
  nodeOf,
  overwrite,
  bool,
  builtin,
  float,
  int,
  list,
  none,
  str,
  tuple,
  type Builtin,
  type Instance,
  type Run,
  type Value,
} from '../machine';
import { isKnownShape, symbol, type Shape } from '../tensor';
import { matched } from './patterns';
import { tokenHelpers } from './tokens';
import { undrawn, word } from './python-random';

/** Where an instance keeps which of its tensors are buffers. */
const buffersKey = '__buffers__';

function buffersOf(instance: Instance): Set<string> {
  const found = instance.attributes.get(buffersKey);
  return new Set(
    found?.kind === 'tuple' ? found.items.flatMap((item) => (item.kind === 'str' ? [item.value] : [])) : [],
  );
}

/** What an instance itself holds, by name: parameters, modules or buffers. */
function own(instance: Instance, kind: string): Value {
  const buffers = buffersOf(instance);
  const found = [...instance.attributes].filter(([name, value]) => {
    if (kind === 'module') return value.kind === 'instance' && derivesFrom(value.of, 'Module');
    if (kind === 'buffer') return value.kind === 'tensor' && !value.parameter && buffers.has(name);
    return value.kind === 'tensor' && value.parameter;
  });
  return list(found.map(([name, value]) => tuple([str(name), value])));
}

/** After a step of training the parameters are known in shape only. */
function forget(m: Machine, value: Value | undefined): void {
  if (value?.kind === 'list' || value?.kind === 'tuple') for (const item of value.items) forget(m, item);
  if (value?.kind === 'dict') for (const [, item] of value.entries.values()) forget(m, item);
  if (value?.kind !== 'tensor') return;
  const { shape, dtype } = nodeOf(m, value);
  const why = cause(m, t('training is not followed'));
  overwrite(m, value, addNode(m, 'input', { shape, dtype, why, attributes: { origin: 'trained' } }));
}

const helper = (name: string, f: (...args: readonly (Value | undefined)[]) => Value): Builtin =>
  builtin(name, function* ({ positional }) {
    yield;
    return f(...positional);
  });

/** A value as a tensor; Python's own numbers are float32 and int64 then. */
function* asTensorOf(m: Machine, value: Value, floats: Value | undefined): Run<Value> {
  if (value.kind === 'tensor')
    return value.library === 'torch' ? value : newTensor('torch', yield* arrayNode(m, value, 'torch'));
  if (value.kind === 'unknown') return value.standIn ? asTensor(m, value, value.standIn) : newTensor('torch', unknownNode(m, value, 'float32')); // prettier-ignore
  const node = yield* arrayNode(m, value, 'torch');
  const dtype = floats?.kind === 'dtype' ? floats.dtype : 'float32';
  return newTensor('torch', node.dtype === 'float64' ? castNode(m, node, dtype, 'torch') : node);
}

/** What another library draws is not followed; numbers that stand in are PyTorch's. */
function* drawnElsewhere(m: Machine, shape: Value, arrays?: Value, spread: Value = float(1)): Run<Value> {
  const library = arrays?.kind === 'bool' && arrays.value ? 'numpy' : 'torch';
  const draw = m.sampling ? m.library(m, 'torch.normal') : undefined;
  const sizes = yield* sizesOf(m, shape);
  if (!draw || sizes?.some((size) => typeof size !== 'number')) {
    // JAX draws from keys alone.
    const own = ['jax', 'mlx', 'tensorflow'].find((name) => m.modules.has(name)) ?? 'jax';
    const isSeeded = m.streams.elsewhere || (library === 'numpy' && own === 'jax');
    const why = cause(m, isSeeded ? t('what {0} draws from a seed is not computed here', own) : t('without a seed each run draws other numbers')); // prettier-ignore
    return newTensor(library, input(m, sizes, 'float32', why, 'init'));
  }
  const made = yield* m.evaluator.call(m, draw, { positional: [float(0), spread, shape], keywords: new Map() });
  return made.kind === 'tensor' ? { ...made, library } : made;
}

/** A tensor that takes draws which are not followed, so that no later draw of the stream is known either. */
function* drawnAnew(m: Machine, value: Value, drawing: string): Run<Value> {
  if (value.kind !== 'tensor') return value;
  const { shape, dtype } = nodeOf(m, value);
  // Ids that stand in are the first of their table.
  if (m.sampling && dtype === 'int64') return value;
  const stand = m.sampling && shape && isKnownShape(shape) ? yield* drawnElsewhere(m, list(shape.map((size) => int(size)))) : undefined; // prettier-ignore
  const why = cause(m, t('{0} is not known', drawing));
  if (!stand) loseStreams(m, why);
  overwrite(m, value, stand?.kind === 'tensor' ? stand.node : addNode(m, 'input', { shape, dtype: value.node.dtype, why, attributes: { origin: 'init' } })); // prettier-ignore
  return value;
}

/** Sizes of a shape, by name where they are known so; undefined where not even their number is known. */
function* sizesOf(m: Machine, shape: Value): Run<Shape | undefined> {
  const items = shape.kind === 'int' ? [shape] : yield* m.evaluator.items(m, shape);
  const sizes = items?.map((item) => (item.kind === 'unknown' && item.standIn ? asSymbol(item, { standIn: item.standIn }).dim : dimOf(item))); // prettier-ignore
  return sizes?.includes(undefined) ? undefined : (sizes as Shape | undefined);
}

/** Larger masks are not looked at for this. */
const longestMask = 1 << 18;

/** Whether a row of a mask hides all keys; false where its values are not known. */
function* hidesRow(m: Machine, mask: Value): Run<Value> {
  const node = mask.kind === 'tensor' ? nodeOf(m, mask) : undefined;
  const shape = node?.shape && !node.why && isKnownShape(node.shape) ? node.shape : undefined;
  if (!node || !shape || shape.reduce((count, size) => count * size, 1) > longestMask) return bool(false);
  const dense = yield* look(m, node);
  if (isCause(dense)) return bool(false);
  const width = dense.shape.at(-1) ?? 1;
  for (let row = 0; width > 0 && row < dense.data.length; row += width)
    if (dense.data.subarray(row, row + width).every((hidden) => hidden !== 0)) return bool(true);
  return bool(false);
}

export const helpers = (m: Machine): readonly (readonly [string, Value])[] => [
  [
    '_own',
    helper('_own', (self, kind) =>
      self?.kind === 'instance' && kind?.kind === 'str' ? own(self, kind.value) : list([]),
    ),
  ],
  [
    '_fields',
    helper('_fields', (value, use) => {
      const of = value?.kind === 'instance' ? value.of : value?.kind === 'class' ? value : undefined;
      return of?.fields ? list(fieldsFor(of, use?.kind === 'str' ? use.value : '').map(str)) : none;
    }),
  ],
  [
    '_contains',
    helper('_contains', (pairs, value) =>
      bool(pairs?.kind === 'list' && pairs.items.some((pair) => pair.kind === 'tuple' && pair.items[1] === value)),
    ),
  ],
  [
    '_started',
    helper('_started', (self) => {
      if (self?.kind === 'instance') unready.delete(self);
      return none;
    }),
  ],
  [
    '_mark_buffer',
    helper('_mark_buffer', (self, name) => {
      if (self?.kind === 'instance' && name?.kind === 'str')
        self.attributes.set(buffersKey, tuple([...buffersOf(self).add(name.value)].map(str)));
      return none;
    }),
  ],
  [
    '_forget',
    helper('_forget', (value) => {
      note(m, 'unknown', t('training is not followed'));
      m.trained++;
      forget(m, value);
      return none;
    }),
  ],
  ['_unfollowed', builtin('_unfollowed', ({ positional: [value = none, by] }) => drawnAnew(m, value, by?.kind === 'str' ? by.value : 'trunc_normal_'))], // prettier-ignore
  ['_open', helper('_open', (name) => ({ kind: 'unknown', cause: cause(m, t('{0} is given by no call here', name?.kind === 'str' ? name.value : '')) }))], // prettier-ignore
  [
    '_assumed',
    helper('_assumed', () => {
      note(m, 'assumed', t('the command line is read as empty: arguments have their defaults'));
      return none;
    }),
  ],
  ['_hides_a_row', builtin('_hides_a_row', ({ positional: [mask = none] }) => hidesRow(m, mask))],
  ['_size', helper('_size', (name) => ({ kind: 'symbol', dim: symbol(name?.kind === 'str' ? name.value : '?'), cause: cause(m, t('its value is not known')) }))], // prettier-ignore
  ['_known', helper('_known', (value) => bool(value?.kind === 'int'))],
  ['_dtype', makeClass('dtype')],
  ['_re', builtin('_re', function* ({ positional }) { yield; return matched(m, positional); })], // prettier-ignore
  ['_word', helper('_word', (key, at) => word(m, key ?? none, at ?? none))],
  ['_undrawn', helper('_undrawn', (what) => undrawn(m, what?.kind === 'str' ? what.value : ''))],
  ...tokenHelpers(m),
  ['_Open', { ...makeClass('_Open'), cause: m.openLibrary }],
  ['_tensor', builtin('_tensor', ({ positional: [value = none, floats] }) => asTensorOf(m, value, floats))],
  ['_seeded', helper('_seeded', () => ((m.streams.elsewhere = true), none))],
  ['_drawn', builtin('_drawn', ({ positional: [shape = none, arrays, spread] }) => drawnElsewhere(m, shape, arrays, spread))], // prettier-ignore
];
