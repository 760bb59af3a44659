import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../host/chromium';
import type { Measured } from '../measure';
import { modelOf } from '../onnx';
import type { Place } from '../peers';
import { attentionGraph, productGraph, softmaxGraph } from '../tensorEngines';
import type { Form, Section } from './index';
import type { WebGpuWork } from './webgpuPage';

export const webgpu: Section = {
  name: 'webgpu',
  words:
    'WebGPU in headless Chromium on SwiftShader (no graphics card): attention, product, softmax, against jax-js and onnxruntime-web',
  run,
};

// Not a real host: all of it is given below. https, since WebGPU wants a secure context.
const address = 'https://bench.test/';

async function* run(place: Place, { short, effort }: Form): AsyncGenerator<Measured> {
  const browser = await launchChromium({ webgpu: true });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => process.stderr.write(`bench: ${error.message}\n`));
    await serve(page, place);
    await page.goto(address);
    await page.waitForFunction('"measureWebGpu" in globalThis');
    for (const work of works(short)) {
      // One run is tens of milliseconds to seconds: few rounds, and nothing is gained by many runs in each.
      const wish = { work, effort: { ...effort, warmUp: 0, rounds: short ? 5 : 9 } };
      yield (await page.evaluate(`measureWebGpu(${JSON.stringify(wish)})`)) as Measured;
    }
  } finally {
    await browser.close();
  }
}

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

const types: Readonly<Record<string, string>> = { '.wasm': 'application/wasm', '.js': 'text/javascript', '.mjs': 'text/javascript' }; // prettier-ignore

/** The page, its script, and the peers' own files. */
async function serve(page: Page, place: Place): Promise<void> {
  const script = await pageScript(place);
  const { resolve } = createRequire(join(place.folder, 'package.json'));
  const folders: Readonly<Record<string, string>> = {
    ort: dirname(resolve('onnxruntime-web')),
    jax: dirname(resolve('@jax-js/jax')),
  };
  await page.route(`${address}**`, (route) => {
    const [, first = '', ...rest] = new URL(route.request().url()).pathname.split('/');
    const folder = folders[first];
    if (folder) {
      const path = join(folder, ...rest);
      return route.fulfill({ contentType: types[extname(path)] ?? 'text/plain', body: readFileSync(path) });
    }
    if (first === 'page.js') return route.fulfill({ contentType: 'text/javascript', body: script });
    const body = '<!doctype html><script type="module" src="/page.js"></script>';
    return first ? route.fulfill({ status: 404 }) : route.fulfill({ contentType: 'text/html', body });
  });
}

async function pageScript({ folder }: Place): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'sections/webgpuPage.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: ['/ort/*', '/jax/*'],
  });
  return outputFiles[0]?.text ?? '';
}
