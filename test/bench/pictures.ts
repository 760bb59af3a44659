// `npm run bench pictures`: large heatmaps in headless Chromium, ours and plotly.js's in alternation. It is not a section of main.ts, because those
// repeat a run, and painting a picture a second time costs something else than painting it once.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { CDPSession, Page } from 'playwright-core';
import { launchChromium } from '../host/chromium';
import { root } from '../host/paths';
import type { Pictures } from './pictures-page';

const short = process.argv.includes('--short');
/** Leaves out plotly.js, which takes most of the time. */
const alone = process.argv.includes('--alone');

async function script(): Promise<{ readonly js: string; readonly css: string }> {
  const { outputFiles } = await build({
    stdin: {
      contents: "import './test/bench/pictures-page'; import './webview/theme.css'; import './webview/matrices.css';",
      resolveDir: root,
    },
    bundle: true,
    minify: true,
    write: false,
    outdir: 'pictures',
    format: 'iife',
    target: 'es2022',
  });
  const text = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { js: text('.js'), css: text('.css') };
}

const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? NaN;
const figures = (times: readonly number[]): string =>
  `median ${median(times).toFixed(1)} ms, least ${Math.min(...times).toFixed(1)} ms`;

/** The page's heap (arrays and objects) after a garbage collection, in MB. */
async function heap(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const usage = (await cdp.send('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number };
  return (usage.usedSize + (usage.backingStorageSize ?? 0)) / 1e6;
}

/** Calls the page's functions by name, because a closure that tsx has compiled does not run in a page. */
const call = (page: Page, name: keyof Pictures, argument?: number): Promise<number> =>
  page.evaluate(`pictures.${name}(${argument ?? ''})`);

async function measure(page: Page, cdp: CDPSession, n: number, rounds: number, plotly: number): Promise<void> {
  await call(page, 'fill', n);
  const before = await heap(cdp);
  await call(page, 'first');
  const above = (await heap(cdp)) - before;
  const [first, redraw, select, theirs]: number[][] = [[], [], [], []];
  for (let i = 0; i < rounds; i++) {
    first?.push(await call(page, 'first'));
    redraw?.push(await call(page, 'redraw'));
    select?.push(await call(page, 'select', 100 + i));
    if (i < plotly) theirs?.push(await call(page, 'plotly'));
  }
  await call(page, 'first');
  // Pooling must have kept the single extreme value.
  if ((await call(page, 'colours')) < 2) throw new Error(`${n}²: the picture has no extreme`);
  console.log(`${n}²  first ${figures(first ?? [])}; redraw ${figures(redraw ?? [])}; select ${figures(select ?? [])}`);
  console.log(`${n}²  ${above.toFixed(1)} MB above the values`);
  if (theirs?.length) {
    console.log(
      `${n}²  plotly.js ${figures(theirs)}: ${(median(theirs) / median(first ?? [])).toFixed(0)}×, least ${(Math.min(...theirs) / Math.min(...(first ?? []))).toFixed(0)}×`,
    );
  }
  await call(page, 'clear');
}

async function main(): Promise<void> {
  const { js, css } = await script();
  const plotly = createRequire(import.meta.url).resolve('plotly.js-dist-min');
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: 800 } });
    page.on('pageerror', (error) => console.error(error));
    await page.setContent(`<!doctype html><style>${css}</style><body></body>`);
    await page.addScriptTag({ content: readFileSync(plotly, 'utf8') });
    await page.addScriptTag({ content: js });
    const cdp = await page.context().newCDPSession(page);
    const version = (JSON.parse(readFileSync(join(plotly, '../package.json'), 'utf8')) as { version: string }).version;
    console.log(`Chromium ${browser.version()}, plotly.js ${version}, float32; load ${loadavg()[0]?.toFixed(1)}`);
    await measure(page, cdp, 4096, short ? 7 : 21, alone ? 0 : short ? 1 : 5);
    await measure(page, cdp, 8192, short ? 5 : 11, 0);
    console.log(`load ${loadavg()[0]?.toFixed(1)} after`);
  } finally {
    await browser.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
