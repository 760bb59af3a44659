import type { Measured } from '../measure';
import { modelOf } from '../onnx';
import type { Place } from '../peers';
import { inServedPage, type Served } from '../servedPage';
import { attentionGraph, productGraph, softmaxGraph } from '../tensorEngines';
import type { Form, Section } from './index';
import type { WebGpuWork } from './webgpuWork';

const served: Served = {
  program: 'sections/webgpuPage.ts',
  ready: 'measureWebGpu',
  packages: { ort: 'onnxruntime-web', jax: '@jax-js/jax' },
  webgpu: true,
};

const run = (place: Place, { short, effort }: Form): AsyncGenerator<Measured> =>
  inServedPage(place, served, async function* (page) {
    for (const work of works(short)) {
      // One run takes tens of milliseconds to seconds, so a few rounds with few runs each are enough.
      const wish = { work, effort: { ...effort, warmUp: 0, rounds: short ? 5 : 9 } };
      yield (await page.evaluate(`measureWebGpu(${JSON.stringify(wish)})`)) as Measured;
    }
  });

export const webgpu: Section = {
  name: 'webgpu',
  words:
    'WebGPU in headless Chromium on SwiftShader (no graphics card): attention, product, softmax, against jax-js and onnxruntime-web',
  run,
};

function works(short: boolean): readonly WebGpuWork[] {
  const d = 64;
  const bytes = (model: Uint8Array): readonly number[] => [...model];
  const attention = (n: number): WebGpuWork => ({
    kind: 'attention',
    n,
    d,
    model: bytes(modelOf(attentionGraph(n, d))),
  });
  const product = (n: number): WebGpuWork => ({ kind: 'product', n, d: n, model: bytes(modelOf(productGraph(n))) });
  const softmax = (n: number): WebGpuWork => ({ kind: 'softmax', n, d: n, model: bytes(modelOf(softmaxGraph(n))) });
  return short
    ? [attention(512), attention(1024), product(512), softmax(1024)]
    : [attention(256), attention(512), attention(1022), attention(1024), attention(2048), product(512), softmax(2048)];
}
