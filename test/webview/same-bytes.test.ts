// The hash of a trace is equal in Node, in a page and in a worker: the engine takes nothing from its surroundings.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { explainAttention, hashTrace, type AttentionSpec } from '../../engine/index';
import { launchChromium } from '../host/chromium';
import { hashesInNode } from '../host/expected';

const root = join(__dirname, '../..');

/** Every seventh of the specs that are held to NumPy: each kind of step is among them. */
function someSpecs(): AttentionSpec[] {
  const text = gunzipSync(readFileSync(join(root, 'test/fixtures/attention/variants.json.gz'))).toString();
  const { specs } = JSON.parse(text) as { specs: { spec: AttentionSpec }[] };
  return specs.filter((_, i) => i % 7 === 0).map(({ spec }) => spec);
}

function hashOf(spec: AttentionSpec): string {
  const result = explainAttention(spec);
  assert.ok(result.ok);
  return hashTrace(result.value);
}

/** The engine as a script that answers with hashes: `self.hashes(specs)`. */
async function script(): Promise<string> {
  const contents = `
    import { explainAttention, hashTrace } from './engine/index';
    self.hashes = (specs) => specs.map((spec) => hashTrace(explainAttention(spec).value));
    self.onmessage = ({ data }) => { if (Array.isArray(data)) self.postMessage(self.hashes(data)); };`;
  const result = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' }, bundle: true, format: 'iife', platform: 'browser', write: false,
  }); // prettier-ignore
  return result.outputFiles[0]?.text ?? '';
}

describe('the same bytes everywhere', function () {
  this.timeout(60_000);
  let browser: Browser;
  let page: Page;
  let source: string;
  // The last ones are those that both extension hosts are held to as well.
  const everywhere = hashesInNode();
  const specs = [...someSpecs(), ...everywhere.specs];
  const expected = specs.map(hashOf);

  before(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
    source = await script();
    await page.addScriptTag({ content: source });
  });
  after(() => browser.close());

  it(`gives Node’s hash of ${specs.length} traces in Chromium`, async () => {
    assert.ok(specs.length > 60);
    const found = await page.evaluate(
      (all) => (self as unknown as { hashes(s: unknown): string[] }).hashes(all),
      specs,
    );
    assert.deepEqual(found, expected);
  });

  it('gives it in a worker', async () => {
    const found = await page.evaluate(
      ([text, all]) =>
        new Promise((resolve) => {
          const worker = new Worker(URL.createObjectURL(new Blob([text])));
          worker.onmessage = ({ data }) => resolve(data);
          worker.postMessage(all);
        }),
      [source, specs] as const,
    );
    assert.deepEqual(found, expected);
  });

  it('ends with the hashes that the extension hosts are held to', () => {
    assert.deepEqual(expected.slice(-everywhere.hashes.length), everywhere.hashes);
    assert.ok(everywhere.hashes.length > 4);
  });

  it('tells a trace with one bit changed', () => {
    const [spec] = specs;
    assert.ok(spec);
    const changed = { ...spec, random: { ...spec.random, seed: Number(spec.random.seed) + 1 } };
    assert.ok(hashOf({ ...spec, scale: { divideBy: 3 } }) !== hashOf({ ...spec, scale: { divideBy: 3 + 2 ** -51 } }));
    assert.notEqual(hashOf(changed), expected[0]);
  });
});
