import assert from 'node:assert/strict';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import type { Result } from '../../engine/index';
import { describeReports } from '../engine/webgpu-assert';
import { launchChromium } from '../host/chromium';
import type { PageReport } from './webgpu-page';

// Not a real host: its only page is given below. https, since WebGPU wants a secure context.
const address = 'https://parity.test/';

async function pageScript(): Promise<string> {
  const entryPoints = [join(__dirname, 'webgpu-page.ts')];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: 'iife', target: 'es2022' });
  return outputFiles[0]?.text ?? '';
}

describe('WebGPU against the float32 reference, in Chromium', function () {
  this.timeout(300_000);
  let browser: Browser;
  let found: PageReport = { device: '', strict: '', kernels: [], plans: [] };

  before('every kernel on every case, and whole plans', async () => {
    browser = await launchChromium({ webgpu: true });
    const page = await browser.newPage();
    await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    await page.goto(address);
    await page.addScriptTag({ content: await pageScript() });
    const result = (await page.evaluate('report()')) as Result<PageReport>;
    assert.ok(result.ok, JSON.stringify(result));
    found = result.value;
  });
  after(() => browser?.close());

  it('SwiftShader is refused as software, unless it is allowed', () => {
    assert.equal(found.device, 'google swiftshader');
    assert.equal(found.strict, 'software-adapter');
  });

  describeReports(() => found);
});
