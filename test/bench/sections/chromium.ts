import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../host/chromium';
import type { Measured } from '../measure';
import { peakModule } from '../peak';
import type { Place } from '../peers';
import type { ChromiumWish } from './chromiumPage';
import type { Form, Section } from './index';

export const chromium: Section = {
  name: 'chromium',
  words:
    'the WASM kernels in headless Chromium, one thread, d = 64: attention, product, softmax; against onnxruntime-web and tfjs (WASM)',
  run,
};

// Not a real host: all of it is given below. https, as pages of VS Code have it.
const address = 'https://bench.test/';

async function* run(place: Place, { short, effort }: Form): AsyncGenerator<Measured> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => process.stderr.write(`bench: ${error.message}\n`));
    await serve(page, place);
    await page.goto(address);
    await page.waitForFunction('"measureChromium" in globalThis');
    const peaks = { relaxed: [...(await peakModule(true))], simd128: [...(await peakModule(false))] };
    for (const work of worksOf(short)) {
      const wish: ChromiumWish = { ...work, effort, peaks };
      yield (await page.evaluate(`measureChromium(${JSON.stringify(wish)})`)) as Measured;
    }
  } finally {
    await browser.close();
  }
}

type Work = Pick<ChromiumWish, 'kind' | 'n'>;

function worksOf(short: boolean): readonly Work[] {
  const all = (kind: Work['kind'], ...sizes: number[]): Work[] => sizes.map((n) => ({ kind, n }));
  return short
    ? [...all('attention', 512, 1024), ...all('product', 512), ...all('softmax', 1024)]
    : [...all('attention', 16, 512, 1024, 2048), ...all('product', 1024), ...all('softmax', 1024, 4096)];
}

const types: Readonly<Record<string, string>> = { '.wasm': 'application/wasm', '.js': 'text/javascript', '.mjs': 'text/javascript' }; // prettier-ignore

/** The page, its scripts, and the peers' own files. */
async function serve(page: Page, place: Place): Promise<void> {
  const { resolve } = createRequire(join(place.folder, 'package.json'));
  const folders: Readonly<Record<string, string>> = {
    ort: dirname(resolve('onnxruntime-web')),
    'tf-wasm': dirname(resolve('@tensorflow/tfjs-backend-wasm')),
  };
  const scripts: Readonly<Record<string, string>> = {
    'page.js': await bundled({ entryPoints: [join(place.folder, 'sections/chromiumPage.ts')] }),
    // One core for both: the backend registers itself with it.
    'tf.js': await bundled({ stdin: { contents: tensorflow, resolveDir: place.folder } }),
  };
  await page.route(`${address}**`, (route) => {
    const [, first = '', ...rest] = new URL(route.request().url()).pathname.split('/');
    const folder = folders[first];
    if (folder) {
      const path = join(folder, ...rest);
      return route.fulfill({ contentType: types[extname(path)] ?? 'text/plain', body: readFileSync(path) });
    }
    const script = scripts[first];
    if (script !== undefined) return route.fulfill({ contentType: 'text/javascript', body: script });
    const body = '<!doctype html><script type="module" src="/page.js"></script>';
    return first ? route.fulfill({ status: 404 }) : route.fulfill({ contentType: 'text/html', body });
  });
}

const tensorflow = `export * as core from '@tensorflow/tfjs-core'; export * as wasm from '@tensorflow/tfjs-backend-wasm';`;

async function bundled(what: object): Promise<string> {
  const { outputFiles } = await build({
    ...what,
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: ['/ort/*', '/tf.js'],
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
