/** What the definitions in Python ask for that Python has no word for. */
import { t } from '../../text/l10n';
import { derivesFrom, makeClass } from '../evaluate/classes';
import { addNode, cause, note, type Machine } from '../machine';
import { nodeOf, overwrite } from '../tensors';
import { bool, builtin, list, none, str, tuple, type Builtin, type Instance, type Value } from '../values';

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

export const helpers = (m: Machine): readonly (readonly [string, Value])[] => [
  [
    '_own',
    helper('_own', (self, kind) =>
      self?.kind === 'instance' && kind?.kind === 'str' ? own(self, kind.value) : list([]),
    ),
  ],
  [
    '_contains',
    helper('_contains', (pairs, value) =>
      bool(pairs?.kind === 'list' && pairs.items.some((pair) => pair.kind === 'tuple' && pair.items[1] === value)),
    ),
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
  ['_dtype', makeClass('dtype')],
];
