import type { Measured } from '../measure';
import { peakModule } from '../peak';
import type { Place } from '../peers';
import { inServedPage, type Served } from '../servedPage';
import type { ChromiumWish } from './chromiumPage';
import type { Form, Section } from './index';

const served: Served = {
  program: 'sections/chromiumPage.ts',
  ready: 'measureChromium',
  packages: { ort: 'onnxruntime-web', 'tf-wasm': '@tensorflow/tfjs-backend-wasm' },
  // Both packages must use the same copy of the core, because the backend registers itself there.
  modules: {
    'tf.js': `export * as core from '@tensorflow/tfjs-core'; export * as wasm from '@tensorflow/tfjs-backend-wasm';`,
  },
};

const run = (place: Place, { short, effort }: Form): AsyncGenerator<Measured> =>
  inServedPage(place, served, async function* (page) {
    const peaks = { relaxed: [...(await peakModule(true))], simd128: [...(await peakModule(false))] };
    for (const work of worksOf(short)) {
      const wish: ChromiumWish = { ...work, effort, peaks };
      yield (await page.evaluate(`measureChromium(${JSON.stringify(wish)})`)) as Measured;
    }
  });

export const chromium: Section = {
  name: 'chromium',
  words:
    'the WASM kernels in headless Chromium, one thread, d = 64: attention, product, softmax; against onnxruntime-web and tfjs (WASM)',
  run,
};

type Work = Pick<ChromiumWish, 'kind' | 'n'>;

function worksOf(short: boolean): readonly Work[] {
  const all = (kind: Work['kind'], ...sizes: number[]): Work[] => sizes.map((n) => ({ kind, n }));
  return short
    ? [...all('attention', 512, 1024), ...all('product', 512), ...all('softmax', 1024)]
    : [...all('attention', 16, 512, 1024, 2048), ...all('product', 1024), ...all('softmax', 1024, 4096)];
}
