// The engines of tensorPeers.ts, imported in Node.
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { peer, type Place } from './peers';
import { startEngine, type Engines, type Sources } from './tensorPeers';

export * from './tensorPeers';

export function nodeSources(place: Place): Sources {
  const { resolve } = createRequire(join(place.folder, 'package.json'));
  return {
    load: (name) => peer(place, name),
    // onnxruntime-web and jax-js find their .wasm files by themselves.
    folderOf: (name) => (name.includes('tfjs') ? dirname(resolve(name)) + sep : undefined),
  };
}

export async function engines(place: Place): Promise<Engines> {
  const sources = nodeSources(place);
  const first = [await startEngine('onnxruntime-web', sources), await startEngine('tfjs (WASM)', sources)];
  // On its first run onnxruntime-web defines a global `Worker` in Node. jax-js would conclude from it that its memory is shared, which is not the case.
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
