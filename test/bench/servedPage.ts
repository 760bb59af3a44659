// A page in headless Chromium for the sections that measure there. It serves the section's scripts and the peers' files.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { launchChromium } from '../host/chromium';
import type { Place } from './peers';

export interface Served {
  /** The page's script, relative to test/bench. */
  readonly program: string;
  /** A global variable that the script sets when it is ready. */
  readonly ready: string;
  /** Folders of the page. Each serves the files beside the entry point of a package. */
  readonly packages: Readonly<Record<string, string>>;
  /** Modules of the page by name, and what each exports. */
  readonly modules?: Readonly<Record<string, string>>;
  readonly webgpu?: boolean;
}

// Not a real host: every request is answered below. It is https, as VS Code's pages are, because WebGPU needs a secure context.
const address = 'https://bench.test/';

const types: Readonly<Record<string, string>> = { '.wasm': 'application/wasm', '.js': 'text/javascript', '.mjs': 'text/javascript' }; // prettier-ignore

/** Opens the page, returns the result of `measure`, and closes the page. */
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
