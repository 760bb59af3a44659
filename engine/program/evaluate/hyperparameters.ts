/** `self.save_hyperparameters()`, which takes the arguments of the function around it (PyTorch Lightning; the package of "Dive into Deep Learning"). */
import { raise, type Machine, builtin, none, type Frame, type Run, type Value } from '../machine';
import type { tree } from '../syntax';
import { classAttribute, derivesFrom, makeClass } from './classes';
import { lookUp, setKey } from './frames';

/** None where a call is such a one; undefined where it is another call. */
export function* savedHyperparameters(m: Machine, node: tree.Call, frame: Frame): Run<Value | undefined> {
  const { func } = node;
  if (func.nodeType !== 'Attribute' || func.attr !== 'save_hyperparameters' || func.value.nodeType !== 'Name')
    return undefined;
  const self = lookUp(m, frame, func.value.id);
  if (self?.kind !== 'instance' || !frame.running || classAttribute(self.of, func.attr)) return undefined;
  const left = new Set<string>();
  for (const { arg, value } of node.keywords) {
    const found = arg === 'ignore' ? yield* m.evaluator.evaluate(m, value, frame) : none;
    const items = found.kind === 'list' || found.kind === 'tuple' ? found.items : [found];
    for (const item of items) if (item.kind === 'str') left.add(item.value);
  }
  const { args, kwonlyargs } = frame.running.parameters;
  const names = [...args.slice(1), ...kwonlyargs].map(({ arg }) => arg).filter((name) => !left.has(name));
  const saved = new Map(names.flatMap((name) => [...pairOf(frame, name)]));
  setKey(m, self.attributes, 'hparams', { kind: 'instance', of: held(saved), attributes: saved });
  if (derivesFrom(self.of, 'HyperParameters'))
    for (const [name, value] of saved) if (!name.startsWith('_')) setKey(m, self.attributes, name, value);
  return none;
}

const pairOf = ({ names }: Frame, name: string): readonly (readonly [string, Value])[] => {
  const value = names.get(name);
  return value ? [[name, value]] : [];
};

/** Its entries are attributes and keys. */
const held = (saved: ReadonlyMap<string, Value>) =>
  makeClass(
    'AttributeDict',
    [],
    new Map([
      [
        '__getitem__',
        builtin('__getitem__', function* ({ positional: [, key] }) {
          yield;
          const name = key?.kind === 'str' ? key.value : '';
          return saved.get(name) ?? raise('KeyError', `'${name}'`);
        }),
      ],
    ]),
  );
