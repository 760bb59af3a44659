/** Streams that generators of a program's own hold. */
import { t } from '../../text';
import { cause, drawnUnsure, type Instance, type Machine, type Run, type Value } from '../machine';
import { seedTorch, type TorchStream } from '../../random';

export interface Held {
  stream: TorchStream | undefined;
  seed: number | bigint | undefined;
}
const held = new WeakMap<Instance, Held>();

export const holdStream = (instance: Instance, own: Held): void => {
  held.set(instance, own);
};

export function reseed(m: Machine, own: Held, seed: number | bigint | undefined): void {
  const made = seed === undefined || drawnUnsure(m) ? undefined : seedTorch(seed);
  own.stream = made?.ok ? made.value : undefined;
  own.seed = seed;
}

/** With the generator's stream in the place of the program's. */
export function* drawingFrom(m: Machine, value: Value, run: () => Run<Value>): Run<Value> {
  const own = value.kind === 'instance' ? held.get(value) : undefined;
  const { torch, behindDropout, lost } = m.streams;
  const why = value.kind === 'unknown' ? value.cause : cause(m, t('a generator of its own is not followed'));
  Object.assign(m.streams, { torch: own?.stream, behindDropout: undefined, lost: own?.stream ? undefined : why });
  try {
    return yield* run();
  } finally {
    if (own && !m.streams.torch) own.stream = undefined;
    Object.assign(m.streams, { torch, behindDropout, lost });
  }
}
