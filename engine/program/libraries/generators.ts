/** `torch.Generator`: a stream of its own, from which a function draws that is given it by keyword. */
import { t } from '../../text';
import { wholeOf } from '../evaluate';
import { builtin, cause, int, type Instance, raise, type Run, type Value } from '../machine';
import { holdStream, reseed, type Held } from './own-streams';
import type { Call, Row } from './table';

/** What a new generator starts from, in every run (`default_rng_seed_val` in c10/core/GeneratorImpl.h). */
const usualSeed = 67280421310721;

function* generator(call: Call): Run<Value> {
  yield;
  const { m } = call;
  const device = call.get('device');
  const isHere =
    !device || /^cpu\b/.test(device.kind === 'str' ? device.value : device.kind === 'device' ? device.name : '');
  const own: Held = { stream: undefined, seed: undefined };
  const instance: Instance = {
    kind: 'instance',
    of: {
      kind: 'class',
      name: 'Generator',
      bases: [],
      attributes: new Map(),
      cause: cause(m, t('{0} is not known', 'torch.Generator')),
    },
    attributes: new Map(),
  };
  holdStream(instance, own);
  if (isHere) reseed(m, own, usualSeed);
  instance.attributes.set('device', device ?? { kind: 'device', name: 'cpu' });
  instance.attributes.set(
    'manual_seed',
    builtin('manual_seed', function* ({ positional: [seed], keywords }) {
      yield;
      const value =
        seed ?? keywords.get('seed') ?? raise('TypeError', "manual_seed() missing required argument: 'seed'");
      reseed(m, own, isHere ? wholeOf(value) : undefined);
      return instance;
    }),
  );
  instance.attributes.set(
    'initial_seed',
    builtin('initial_seed', function* () {
      yield;
      return own.seed === undefined
        ? { kind: 'unknown', cause: cause(m, t('a generator of its own is not followed')), type: 'int' }
        : int(own.seed);
    }),
  );
  return instance;
}

export const generatorRows: readonly Row[] = [
  {
    names: 'torch.Generator',
    signature: 'device=',
    run: generator,
    source: 'PyTorch, torch.Generator',
    oracle: 'torch',
  },
];
