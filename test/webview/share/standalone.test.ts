import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { english } from '../../../extension/pages/html';
import { standaloneHtml } from '../../../extension/pages/standalone-html';
import type { AlongStop, PageMessage } from '../../../webview/protocol';
import { builtPage, openPage } from '../harness';
import { startBrowser } from '../windows';
import { modelFile } from '../../../engine/index';
import { boxOf, modelFolder, textSpec as modelText } from '../../engine/box-support';
import { catExplanation, explanation, theCat } from '../inputs';
import { inGerman } from '../languages';
import { assertMatrix, goTo } from '../page-driver';

type Saved = Extract<PageMessage, { type: 'savePage' }>;

async function savedPage(text = '', language = english, along: readonly AlongStop[] = []): Promise<string> {
  const open = await openPage();
  await open.explain({ ...catExplanation, notes: [`A note${text}.`] });
  await goTo(open, 'scores');
  await open.page.locator('vscode-button', { hasText: 'Share' }).click();
  await open.page.getByRole('menuitem', { name: 'Save as a web page…' }).click();
  await open.page.waitForTimeout(300);
  const message = (await open.messages()).find((m): m is Saved => m.type === 'savePage');
  assert.ok(message);
  await open.close();
  const folder = builtPage();
  const read = async (path: string): Promise<Uint8Array> => readFileSync(join(folder, path));
  return standaloneHtml(
    {
      state: message.state,
      theme: message.theme,
      read,
      language,
      along,
    },
    'f00',
  );
}

describe('the page as one file', function () {
  this.timeout(120_000);

  it('opens in a browser without VS Code and without the network, at the same step, and still clicks', async () => {
    const html = await savedPage(' </script><script>document.title = "broken"</script>');
    const context = await (await startBrowser()).newContext({ viewport: { width: 1200, height: 860 } });
    const requests: string[] = [];
    const troubles: string[] = [];
    await context.route('**/*', async (route) => {
      const url = route.request().url();
      if (url === 'https://saved.test/') return route.fulfill({ contentType: 'text/html', body: html });
      if (url.startsWith('blob:')) return route.continue();
      if (!url.endsWith('/favicon.ico')) requests.push(url);
      return route.fulfill({ status: 204 });
    });
    const page = await context.newPage();
    page.on('console', (m) => ['error', 'warning'].includes(m.type()) && troubles.push(m.text()));
    page.on('pageerror', (error) => troubles.push(String(error)));
    await page.goto('https://saved.test/');
    await page.locator('body[data-ready="true"]').waitFor({ state: 'attached' });
    assert.equal(await page.locator('.stage').getAttribute('data-current-step'), 'scores');
    assert.equal(await page.title(), 'Explain Attention');
    const found = await page
      .locator('[role=grid][data-matrix=scores] [data-value]')
      .evaluateAll((all) => all.map((n) => Number(n.getAttribute('data-value'))));
    assertMatrix(
      Array.from({ length: 6 }, (_, i) => found.slice(6 * i, 6 * i + 6)),
      theCat.default['scores'] ?? [],
      'scores',
    );
    await page.locator('.timeline [data-step="weights"]').click();
    await page.locator('.stage[data-current-step="weights"]').waitFor();
    assert.equal(await page.locator('.source').getAttribute('disabled'), '', 'there is no editor to reveal');
    await page.getByRole('button', { name: 'Controls' }).click();
    const tokenizers = await page.locator('[data-control=tokenizer] vscode-option').allTextContents();
    assert.ok(tokenizers.length >= 6 && !tokenizers.some((text) => text.includes('file')), tokenizers.join());
    assert.match(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), /^rgb\(31, 31, 31\)$/);
    const fonts = await page.evaluate(() =>
      [...document.fonts].filter((f) => f.status === 'loaded').map((f) => f.family),
    );
    assert.ok(
      fonts.some((family) => family.startsWith('KaTeX')),
      fonts.join(),
    );
    await page.locator('vscode-button', { hasText: 'Share' }).click();
    await page.getByRole('menuitem', { name: 'Save picture as SVG…' }).waitFor();
    for (const name of ['Copy link', 'Save as a web page…'])
      assert.equal(await page.getByRole('menuitem', { name }).count(), 0, `${name} would do nothing here`);
    await page.keyboard.press('Escape');
    const [download] = await Promise.all([page.waitForEvent('download'), savePicture(page)]);
    assert.equal(download.suggestedFilename(), 'attention-weights.svg');
    assert.deepEqual(requests, []);
    assert.deepEqual(troubles, []);
    await context.close();
  });

  it('says so where its state is refused', async () => {
    const html = (await savedPage()).replace(/(<script[^>]*id="saved-state"[^>]*>)[^<]*/, '$1{"version":2}');
    const page = await (await startBrowser()).newPage();
    await page.setContent(html);
    await page.locator('main.empty').waitFor();
    assert.match(await page.locator('main.empty').innerText(), /^Cannot be read\.\s+It may be of another version/);
    assert.equal(await page.locator('main.empty vscode-button').count(), 0, 'there is no host to ask');
    await page.close();
  });

  it('leads through the document that was read along: by its buttons, by a remote control, by itself', async () => {
    const stop = (says: string, own: string, step?: string): AlongStop => ({ says, excerpt: ['before ', own, ' behind </script><b>'], ...(step !== undefined && { step }) }); // prettier-ignore
    const way = [stop('Line 3. Queries.', '$Q$', 'q'), stop('Line 5. Scores.', '$QK^T$', 'scores'), stop('Line 7. Other.', '$X$'), stop('Line 9. Weights.', 'softmax', 'weights')]; // prettier-ignore
    const html = await savedPage('', english, way);
    const context = await (await startBrowser()).newContext({ viewport: { width: 900, height: 860 } });
    await context.route('**/*', async (route) => (route.request().url() === 'https://saved.test/' ? route.fulfill({ contentType: 'text/html', body: html }) : route.request().url().startsWith('blob:') ? route.continue() : route.fulfill({ status: 204 }))); // prettier-ignore
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(String(error)));
    await page.goto('https://saved.test/');
    await page.locator('body[data-ready="true"]').waitFor({ state: 'attached' });
    const bar = page.locator('.along-bar');
    const stands = async (says: string, own: string, step: string): Promise<void> => {
      await bar.getByText(says).waitFor();
      assert.equal(await bar.locator('mark').textContent(), own);
      await page.locator(`.stage[data-current-step="${step}"]`).waitFor();
    };
    // It begins at the step that the page was saved at.
    await stands('2 of 4: Line 5. Scores.', '$QK^T$', 'scores');
    assert.equal(await bar.locator('.along-source').textContent(), 'before $QK^T$ behind </script><b>');
    await bar.getByRole('button', { name: 'the place before' }).click();
    await stands('1 of 4: Line 3. Queries.', '$Q$', 'q');
    await page.keyboard.press('PageDown');
    await stands('2 of 4: Line 5. Scores.', '$QK^T$', 'scores');
    await page.keyboard.press('PageDown');
    await stands('3 of 4: Line 7. Other.', '$X$', 'scores');
    await bar.getByRole('button', { name: 'Speed 1×' }).click();
    await bar.getByRole('button', { name: 'Speed 2×' }).waitFor();
    await bar.getByRole('button', { name: 'Play' }).click();
    await stands('4 of 4: Line 9. Weights.', 'softmax', 'weights');
    assert.ok(await bar.getByRole('button', { name: 'the next place' }).isDisabled());
    await bar.getByRole('button', { name: 'end' }).click();
    await bar.waitFor({ state: 'hidden' });
    await page.keyboard.press('PageUp');
    assert.equal(await bar.isVisible(), false);
    assert.deepEqual(troubles, []);
    await context.close();
  });

  it('keeps its language', async () => {
    const html = await savedPage('', inGerman);
    const page = await (await startBrowser()).newPage();
    await page.route('https://saved.test/', (route) => route.fulfill({ contentType: 'text/html', body: html }));
    await page.goto('https://saved.test/');
    await page.locator('body[data-ready="true"]').waitFor({ state: 'attached' });
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    await page.locator('vscode-button', { hasText: 'Teilen' }).click();
    await page.getByRole('menuitem', { name: 'Bild als SVG speichern…' }).waitFor();
    await page.close();
  });

  it('carries the model that reads its text', async () => {
    const open = await openPage();
    const box = boxOf('words-1');
    const bytes = new Uint8Array(readFileSync(modelFolder + modelFile(box)));
    const spec = await modelText(box, 'The keys to the cabinet are lost.');
    await open.send({ type: 'explain', explanation: explanation(spec, { label: 'a.txt:1' }), settings: { backend: 'auto', digits: 2 }, view: { opening: true } }); // prettier-ignore
    await open.page.getByText('Loading the trained model words-1').waitFor();
    await open.send({ type: 'modelFile', file: modelFile(box), bytes });
    await open.page.locator('.opening-question').waitFor();
    await open.ready();
    await open.page.locator('vscode-button', { hasText: 'Share' }).click();
    await open.page.getByRole('menuitem', { name: 'Save as a web page…' }).click();
    await open.page.waitForTimeout(300);
    const message = (await open.messages()).find((m): m is Saved => m.type === 'savePage');
    assert.ok(message);
    await open.close();
    const folder = builtPage();
    const html = await standaloneHtml(
      {
        state: message.state,
        theme: message.theme,
        read: async (path) => readFileSync(join(folder, path)),
        files: { [modelFile(box)]: bytes },
      },
      'f00',
    );
    const page = await (await startBrowser()).newPage();
    await page.setContent(html);
    await page.locator('.opening-next li').first().waitFor();
    assert.equal(await page.locator('.opening-question').innerText(), 'Why does cabinet, before are, look at keys?');
    await page.close();
  });

  it('leaves out what could leave the style sheet, and closes no script early', async () => {
    const theme = {
      classes: 'vscode-dark" onload="x',
      variables: { '--vscode-a': 'red', '--vscode-b': 'red;} body{display:none', '--other': 'x' },
    };
    const html = await standaloneHtml(
      {
        state: { a: '</script>' },
        theme,
        along: [{ says: '', excerpt: ['</script>'] }],
        read: async (name) => new TextEncoder().encode(name.endsWith('.js') ? "const s = '</script>';" : ''),
      },
      'f00',
    );
    assert.match(html, /--vscode-a: red;/);
    assert.doesNotMatch(html, /display:none|--other|onload="/);
    // The state, the model's files, the way through a document, the substitute for VS Code's API, and the page.
    assert.equal(html.match(/<\/script>/g)?.length, 5);
  });
});

async function savePicture(page: import('playwright-core').Page): Promise<void> {
  await page.locator('vscode-button', { hasText: 'Share' }).click();
  await page.getByRole('menuitem', { name: 'Save picture as SVG…' }).click();
}
