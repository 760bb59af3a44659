// A page of headless Chromium in which a section measures: its scripts, and the peers' own files.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { launchChromium } from '../host/chromium';
import type { Place } from './peers';

export interface Served {
  /** The page's program in the benchmark's folder. */
  readonly program: string;
  /** A global that the program makes when it is ready. */
  readonly ready: string;
  /** Folders of the page by the package whose files they have: those beside the package's entry. */
  readonly packages: Readonly<Record<string, string>>;
  /** Modules of the page by name, and what each exports. */
  readonly modules?: Readonly<Record<string, string>>;
  readonly webgpu?: boolean;
}

// Not a real host: all of it is given below. https, as pages of VS Code have it, and since WebGPU wants a secure context.
const address = 'https://bench.test/';

const types: Readonly<Record<string, string>> = { '.wasm': 'application/wasm', '.js': 'text/javascript', '.mjs': 'text/javascript' }; // prettier-ignore

/** What `measure` finds in the page, which is closed in the end. */
export async function* inServedPage<T>(
  place: Place,
  served: Served,
  measure: (page: Page) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const browser = await launchChromium(served.webgpu ? { webgpu: true } : {});
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => process.stderr.write(`bench: ${error.message}\n`));
    await serve(page, place, served);
    await page.goto(address);
    await page.waitForFunction(`${JSON.stringify(served.ready)} in globalThis`);
    yield* measure(page);
  } finally {
    await browser.close();
  }
}

async function serve(page: Page, { folder }: Place, { program, packages, modules = {} }: Served): Promise<void> {
  const { resolve } = createRequire(join(folder, 'package.json'));
  const external = [
    ...Object.keys(packages).map((name) => `/${name}/*`),
    ...Object.keys(modules).map((name) => `/${name}`),
  ];
  const scripts = new Map([['page.js', await bundled({ entryPoints: [join(folder, program)] }, external)]]);
  for (const [name, contents] of Object.entries(modules))
    scripts.set(name, await bundled({ stdin: { contents, resolveDir: folder } }, external));
  await page.route(`${address}**`, (route) => {
    const [, first = '', ...rest] = new URL(route.request().url()).pathname.split('/');
    const owner = packages[first];
    if (owner !== undefined) {
      const path = join(dirname(resolve(owner)), ...rest);
      return route.fulfill({ contentType: types[extname(path)] ?? 'text/plain', body: readFileSync(path) });
    }
    const script = scripts.get(first);
    if (script !== undefined) return route.fulfill({ contentType: 'text/javascript', body: script });
    const body = '<!doctype html><script type="module" src="/page.js"></script>';
    return first ? route.fulfill({ status: 404 }) : route.fulfill({ contentType: 'text/html', body });
  });
}

async function bundled(what: object, external: string[]): Promise<string> {
  const { outputFiles } = await build({
    ...what,
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
