// The engines of tensorPeers.ts, as Node finds them.
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { peer, type Place } from './peers';
import { startEngine, type Engines, type Sources } from './tensorPeers';

export * from './tensorPeers';

export function nodeSources(place: Place): Sources {
  const { resolve } = createRequire(join(place.folder, 'package.json'));
  return {
    load: (name) => peer(place, name),
    // onnxruntime-web and jax-js find theirs.
    folderOf: (name) => (name.includes('tfjs') ? dirname(resolve(name)) + sep : undefined),
  };
}

export async function engines(place: Place): Promise<Engines> {
  const sources = nodeSources(place);
  const first = [await startEngine('onnxruntime-web', sources), await startEngine('tfjs (WASM)', sources)];
  // onnxruntime-web makes Worker a global of Node when it first runs. jax-js then takes its memory to be shared, which it is not.
  await first[0]?.product(new Float32Array(1), new Float32Array(1), 1);
  Reflect.deleteProperty(globalThis, 'Worker');
  const all = [...first, await startEngine('jax-js (WASM)', sources)];
  return {
    attention: async (heads) => Promise.all(all.map((e) => e.attention(heads))),
    layer: async (layer) => (await Promise.all(all.map((e) => e.layer?.(layer)))).filter((e) => e !== undefined),
    product: async (a, b, n) => Promise.all(all.map((e) => e.product(a, b, n))),
    softmax: async (x, n) => Promise.all(all.map((e) => e.softmax(x, n))),
  };
}
